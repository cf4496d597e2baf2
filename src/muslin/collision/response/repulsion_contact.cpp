#include "muslin/collision/response/repulsion_contact.h"

#include <algorithm>
#include <cmath>

namespace muslin {

RepulsionContact::RepulsionContact(const Model& model, RepulsionContactSettings settings,
                                   Surfaces::Bodies bodies)
    : ZonedContact(model, settings.zones, bodies), settings_(settings) {}

void RepulsionContact::take_contacts(const State&, double,
                                     std::span<const std::vector<Contact>> found) {
    contacts_.clear();
    for (const auto& part : found)
        contacts_.insert(contacts_.end(), part.begin(), part.end());
}

// [Bridson02 7.2, 7.3], with the velocities of the step, (end - begin) / h.
int RepulsionContact::push(const ProposedStep& step, State&) {
    int pressed = 0;
    for (const Contact& c : contacts_) {
        double inverse_mass = 0, inverse_area = 0;
        for (int k = 0; k < 4; ++k) {
            const double w2 = c.weights[k] * c.weights[k];
            inverse_mass += w2 * mobility_.along(c.points[k], c.normal);
            if (mobility_.moves(c.points[k]))
                inverse_area += w2 / surfaces_.area[c.points[k]];
        }
        if (inverse_mass <= 0)
            continue;
        const Vec3 velocity = (1 / step.h) * (c.difference(end_) - c.difference(begin_));
        const double depth = c.thickness - c.gap(begin_);
        const double parting = dot(c.normal, velocity);
        // Approach is stopped at once; then a spring, as far as the layers do not part too fast.
        double change = std::max(0.0, -parting);
        const double allowed = settings_.pace * depth / step.h - (parting + change);
        if (allowed > 0)
            change += std::min(allowed,
                               step.h * inverse_mass * settings_.stiffness * depth / inverse_area);
        if (change <= 0)
            continue;
        ++pressed;
        const Vec3 sliding = velocity - parting * c.normal;
        const double speed = norm(sliding);
        const double slowed = std::min(speed, c.friction * change);
        Vec3 impulse = (change / inverse_mass) * c.normal;
        if (speed > 0)
            impulse -= (slowed / (speed * inverse_mass)) * sliding;
        for (int k = 0; k < 4; ++k)
            if (mobility_.moves(c.points[k]))
                end_[c.points[k]] +=
                    step.h * mobility_.response(c.points[k], c.weights[k] * impulse);
    }
    return pressed;
}

} // namespace muslin
