#include "muslin/collision/response/contact_friction.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// The speed for which a drag is chosen: that at hand; or, where solve after solve slows the contact
// down, the next of that sequence. Otherwise, what friction can only just hold would slow down by
// a tenth per solve.
double speed_ahead(const ContactElement::Friction& friction, double speed) {
    return friction.slip > speed ? speed * speed / friction.slip : speed;
}

} // namespace

void ContactFriction::choose(ContactElement& element, std::span<const Vec3> velocities,
                             const Solve& solve) const {
    ContactElement::Friction& friction = element.friction;
    const Vec3 slip = tangential(element.relative_velocity(velocities), element.plane.normal);
    const double speed = norm(slip);
    if (!element.pressure.acts)
        return;
    if (element.pressure.begins) {
        friction.sped_up = 0;
        friction.slip = speed;
    }
    friction.sped_up = speed > friction.slip ? friction.sped_up + 1 : 0;
    const bool slides = slides_on(element, slip, solve);
    if (!slides && friction.slides()) {
        friction.patience *= 2;
        friction.sped_up = 0;
    }
    friction.way = slides ? (1 / speed) * slip : Vec3{0, 0, 0};
    friction.limit = element.contact.friction * element.pressure.force;
    friction.drag = std::min(friction.limit / std::max(speed_ahead(friction, speed), slip_speed),
                             stick * solve.h * element.pressure.stiffness);
    friction.slip = speed;
}

bool ContactFriction::slides_on(const ContactElement& element, const Vec3& slip,
                                const Solve& solve) const {
    const ContactElement::Friction& friction = element.friction;
    const double speed = norm(slip);
    if (solve.last || speed <= slip_speed)
        return false;
    if (element.pressure.begins) // friction cannot stop it in this step
        return speed * element.start.mass >
               solve.h * element.contact.friction * element.pressure.force * solve.crowding;
    return friction.slides() ? dot(friction.way, slip) > 0 : friction.sped_up >= friction.patience;
}

Vec3 unbalanced_friction(const ContactElement& element, const Vec3& relative_velocity) {
    const ContactElement::Friction& friction = element.friction;
    if (friction.slides())
        return dot(friction.way, relative_velocity) < 0 ? friction.limit * friction.way
                                                        : Vec3{0, 0, 0};
    const Vec3 slip = tangential(relative_velocity, element.plane.normal);
    const double speed = norm(slip),
                 beyond = friction.drag * speed - element.contact.friction * element.pressure.force;
    return beyond > 0 ? (beyond / speed) * slip : Vec3{0, 0, 0};
}

} // namespace muslin
