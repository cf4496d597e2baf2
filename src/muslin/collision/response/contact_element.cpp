#include "muslin/collision/response/contact_element.h"

#include <algorithm>

namespace muslin {
namespace {

// How far a normal is followed round a curve in one step [rad].
constexpr double largest_turn = 0.5;

} // namespace

void ContactElement::follow_surface(const Vec3& velocity, double h) {
    const Vec3& normal = contact.normal;
    Vec3 slide = start.offset + h * tangential(velocity, normal);
    Vec3 turn = start.curvature * slide;
    const double angle = norm(turn);
    if (angle == 0)
        return;
    if (angle > largest_turn) {
        slide *= largest_turn / angle;
        turn *= largest_turn / angle;
    }
    plane.normal = normalized(normal + turn);
    const double gap = start.gap + h * dot(normal, velocity) + 0.5 * dot(slide, turn);
    plane.still_gap = gap - h * dot(plane.normal, velocity);
}

double ContactElement::lasting_force(double gap, double parting, double h) const {
    return std::max(0.0, pressure.stiffness * (pressure.target - gap) -
                             start.mass * std::max(0.0, parting) / h);
}

} // namespace muslin
