#include "muslin/collision/response/contact_pressure.h"

namespace muslin {

double PressureLaw::gap_under(double force, const Layers& of) const {
    return muslin::gap_under(force, of, softness);
}

double PressureLaw::energy(double gap, const Layers& of) const {
    return pressure_energy(gap, of, softness);
}

PressureLaw::Tangent PressureLaw::tangent(double gap, const Layers& of) const {
    return pressure_tangent(gap, of, softness);
}

} // namespace muslin
