#include "muslin/collision/response/contact_pressure.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

double part_left(double gap, const PressureLaw::Layers& of) { // 1 - d
    return std::clamp(gap / of.thickness, thinnest_pressed, 1.0);
}

} // namespace

double PressureLaw::gap_under(double force, const Layers& of) const {
    const double resting = softness * of.area;
    return of.thickness * resting / (resting + force);
}

double PressureLaw::energy(double gap, const Layers& of) const {
    const double left = part_left(gap, of);
    return softness * of.area * of.thickness * (left - 1 - std::log(left));
}

PressureLaw::Tangent PressureLaw::tangent(double gap, const Layers& of) const {
    const double left = part_left(gap, of);
    const double pressure = softness * (1 - left) / left;
    const double stiffness = of.area * softness / (of.thickness * left * left);
    return {stiffness, of.thickness * left + of.area * pressure / stiffness};
}

} // namespace muslin
