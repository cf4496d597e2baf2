#include "muslin/collision/response/contact_friction.h"

namespace muslin {
namespace {

FrictionSolve<double> solve_of(const ContactElement& element, const ContactFriction::Solve& solve) {
    return {solve.h, solve.last, solve.crowding, element.start.mass, element.contact.friction};
}

} // namespace

// The steps of choose_friction, of which slides_on is compiled on its own.
void ContactFriction::choose(ContactElement& element, std::span<const Vec3> velocities,
                             const Solve& solve) const {
    ContactElement::Friction& friction = element.friction;
    const Vec3 slip = tangential(element.relative_velocity(velocities), element.plane.normal);
    const double speed = norm(slip);
    if (!element.pressure.acts)
        return;
    count_speeding(element.pressure, speed, friction);
    const bool slides = slides_on(element, slip, solve);
    set_friction<double>(element.pressure, slides, slip, speed, {slip_speed, stick},
                         solve_of(element, solve), friction);
}

bool ContactFriction::slides_on(const ContactElement& element, const Vec3& slip,
                                const Solve& solve) const {
    return muslin::slides_on<double>(element.friction, element.pressure, slip, {slip_speed, stick},
                                     solve_of(element, solve));
}

Vec3 unbalanced_friction(const ContactElement& element, const Vec3& relative_velocity) {
    return unbalanced_friction(element.friction, element.plane, element.pressure,
                               element.contact.friction, relative_velocity);
}

} // namespace muslin
