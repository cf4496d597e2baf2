#include "muslin/collision/response/sphere_contact.h"

#include "muslin/collision/response/impact_report.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// Pairs of spheres this much further apart than they are to be, in radii, are known to the
// correction: others may push them together.
constexpr double slack = 0.1;

SpherePairSettings pair_settings(const SphereContactSettings& settings) {
    SpherePairSettings out = settings.spheres;
    out.bodies = settings.bodies == BodyMeeting::spheres;
    return out;
}

BodySweepSettings sweep_settings(const SphereContactSettings& settings) {
    BodySweepSettings out = settings.sweep;
    out.points_alone = settings.bodies == BodyMeeting::points;
    return out;
}

} // namespace

SphereContact::SphereContact(const Model& model, const SphereContactSettings& settings)
    : surfaces_(model), settings_(settings), pairs_(model, surfaces_, pair_settings(settings)),
      sweep_(surfaces_, sweep_settings(settings)), correction_(surfaces_, settings.correction),
      points_(surfaces_), solved_(points_.end) {}

void SphereContact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
    const ProfileScope scope(profile, Task::other);
    mobility_.set(surfaces_, constraints);
    points_.start(begin);
    surfaces_.place_bodies(begin.time, points_.begin);
    Vec3 least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = -least;
    const auto include = [&](const Vec3& v) {
        least = {std::min(least.x, v.x), std::min(least.y, v.y), std::min(least.z, v.z)};
        most = {std::max(most.x, v.x), std::max(most.y, v.y), std::max(most.z, v.z)};
    };
    for (const Vec3& v : begin.velocities)
        include(v);
    if (settings_.bodies == BodyMeeting::spheres && surfaces_.body_triangle_count() > 0) {
        surfaces_.place_bodies(begin.time + h, points_.end);
        for (std::size_t i = begin.positions.size(); i < points_.end.size(); ++i)
            include((1 / h) * (points_.end[i] - points_.begin[i]));
    }
    const double against = norm(most - least);
    longest_step_ = settings_.longest_way * pairs_.radius() / against;
}

ContactReport SphereContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    ContactReport report;
    {
        const ProfileScope scope(profile, Task::detect_self);
        points_.propose(end.positions, end.velocities);
        surfaces_.place_bodies(step.begin.time + step.h, points_.end);
        points_.move_bodies(end.positions.size(), step.h);
        pairs_.find(points_.end, slack * pairs_.radius(), contacts_);
    }
    if (settings_.bodies != BodyMeeting::spheres) {
        const ProfileScope scope(profile, Task::detect_body);
        sweep_.append(points_.begin, points_.end, contacts_);
    }
    const ProfileScope scope(profile, Task::resolve);
    corrected_ = correction_.apply(contacts_, mobility_, step.h, points_.begin, points_.end,
                                   points_.velocities);
    report.contacts = corrected_.contacts;
    solved_ = points_.end;
    if (settings_.bodies != BodyMeeting::spheres && !stop_at_bodies(step, report))
        return report;
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    for (std::size_t i = 0; i < particles; ++i) {
        end.positions[i] = points_.end[i];
        end.velocities[i] = points_.velocities[i] + (1 / step.h) * (points_.end[i] - solved_[i]);
    }
    end.contact_force.assign(particles, 0.0);
    correction_.add_normal_forces(step.h, end.contact_force);
    return report;
}

// The fail-safe: what still meets a body on the way to the corrected end is stopped by impact
// zones. False: not possible, and a shorter step may help.
bool SphereContact::stop_at_bodies(const ProposedStep& step, ContactReport& report) {
    const ImpactZones::Report zones = sweep_.stop(points_.begin, solved_, mobility_, points_.end);
    report.impacts = zones.impacts;
    if (zones.resolved)
        return true;
    if (!step.last_try) {
        report_unresolved(zones, report);
        double largest = -1;
        for (int i = 0; i < surfaces_.particle_count(); ++i)
            if (const double move = norm(points_.end[i] - solved_[i]); move > largest) {
                largest = move;
                report.particle = i;
            }
        return false;
    }
    report_released(surfaces_, sweep_.freeze(points_.begin, mobility_, points_.end), report);
    return true;
}

} // namespace muslin
