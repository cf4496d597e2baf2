#include "muslin/collision/response/triangle_correction.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

CorrectionSettings body_correction() {
    CorrectionSettings settings;
    settings.position_tolerance = 0.5; // of the clearance: nothing intersects any more
    settings.recovery = settings.longest_recovery = HUGE_VAL; // all of it, at once
    return settings;
}

CorrectionSettings cloth_correction() {
    CorrectionSettings settings;
    settings.position_tolerance = 0.02;
    return settings;
}

} // namespace

TriangleCorrection::TriangleCorrection(const Surfaces& surfaces, FrictionLaw friction)
    : surfaces_(surfaces), friction_(friction), on_bodies_(surfaces, body_correction()),
      on_cloth_(surfaces, cloth_correction()) {}

void TriangleCorrection::start_step(const State& begin) {
    begin_velocities_.assign(begin.velocities.begin(), begin.velocities.end());
}

void TriangleCorrection::start(const CorrectedPoints& points) {
    const auto particles = static_cast<std::ptrdiff_t>(surfaces_.particle_count());
    free_velocities_.assign(points.velocities.begin(), points.velocities.begin() + particles);
    normal_forces_.assign(particles, 0.0);
    rubbed_.assign(particles, 0);
    contacts_ = 0;
}

void TriangleCorrection::apply(Correction& correction, std::span<const Contact> contacts,
                               const Mobility& mobility, double h, CorrectedPoints& points) {
    if (contacts.empty())
        return;
    oriented_.clear();
    for (const Contact& c : contacts)
        oriented_.push_back({c, false});
    if (friction_ == FrictionLaw::paper)
        for (OrientedContact& o : oriented_)
            o.contact.friction = 0;
    contacts_ +=
        correction.apply(oriented_, mobility, h, points.begin, points.end, points.velocities)
            .contacts;
    correction.add_normal_forces(h, normal_forces_);
}

void TriangleCorrection::part_cloth(std::span<const Contact> contacts, const Mobility& mobility,
                                    double h, CorrectedPoints& points) {
    apply(on_cloth_, contacts, mobility, h, points);
}

// "We find the components of the net forces acting on mass-points perpendicular to the average
// normal. Multiplying these forces with a friction coefficient provides a friction force"
// [Bayraktar07 3]. The net force of a step is m (v' - v) / h; what it does to speed in the step it
// does by half to the way.
void TriangleCorrection::part_from_bodies(std::span<const Contact> contacts,
                                          const Mobility& mobility, double h,
                                          CorrectedPoints& points) {
    apply(on_bodies_, contacts, mobility, h, points);
    if (friction_ != FrictionLaw::paper)
        return;
    for (const Contact& c : contacts)
        for (int k = 0; k < 4; ++k) {
            const int p = c.points[k];
            if (!surfaces_.is_cloth(p) || c.weights[k] == 0 || rubbed_[p] ||
                !mobility.moves_freely(p))
                continue;
            rubbed_[p] = 1;
            const Vec3 change = std::min(c.friction, 1.0) *
                                tangential(free_velocities_[p] - begin_velocities_[p], c.normal);
            points.velocities[p] -= change;
            points.end[p] -= (h / 2) * change;
        }
}

// "The method we used ... eliminates the force and velocity components that are perpendicular to
// the collision plane" [Bayraktar07 3], of each side for itself: momentum is lost.
void TriangleCorrection::part_plainly(std::span<const int> first, std::span<const int> second,
                                      const Vec3& direction, double way, const Mobility& mobility,
                                      CorrectedPoints& points) {
    if (!(way > 0))
        return;
    ++contacts_;
    const auto part = [&](std::span<const int> side, double share) {
        for (const int p : side)
            if (mobility.moves_freely(p)) {
                points.velocities[p] = tangential(points.velocities[p], direction);
                points.end[p] += share * direction;
            }
    };
    part(first, way / 2);
    part(second, -way / 2);
}

} // namespace muslin
