#include "muslin/collision/response/repulsion.h"

#include <algorithm>

namespace muslin {

int repel(std::span<const Contact> contacts, const RepulsionSettings& settings,
          const Surfaces& surfaces, const Mobility& mobility, double h, StepPoints& points) {
    int pressed = 0;
    for (const Contact& c : contacts) {
        double inverse_mass = 0, inverse_area = 0;
        for (int k = 0; k < 4; ++k) {
            const double w2 = c.weights[k] * c.weights[k];
            inverse_mass += w2 * mobility.along(c.points[k], c.normal);
            if (mobility.moves(c.points[k]))
                inverse_area += w2 / surfaces.area[c.points[k]];
        }
        if (inverse_mass <= 0)
            continue;
        const Vec3 velocity = (1 / h) * (c.difference(points.end) - c.difference(points.begin));
        const double depth = c.thickness - c.gap(points.begin);
        const double parting = dot(c.normal, velocity);
        // Approach is stopped at once; then a spring, as far as the layers do not part too fast.
        double change = std::max(0.0, -parting);
        const double allowed = settings.pace * depth / h - (parting + change);
        if (allowed > 0)
            change +=
                std::min(allowed, h * inverse_mass * settings.stiffness * depth / inverse_area);
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
            if (mobility.moves(c.points[k]))
                points.end[c.points[k]] +=
                    h * mobility.response(c.points[k], c.weights[k] * impulse);
    }
    return pressed;
}

} // namespace muslin
