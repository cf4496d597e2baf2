#include "muslin/collision/response/contact_element.h"

namespace muslin {

void ContactElement::follow_surface(const Vec3& relative_velocity, double h) {
    muslin::follow_surface(start, contact.normal, relative_velocity, h, plane);
}

double ContactElement::lasting_force(double gap, double parting, double h) const {
    return muslin::lasting_force(pressure, start.mass, gap, parting, h);
}

} // namespace muslin
