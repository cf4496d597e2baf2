#include "muslin/collision/response/sphere_contact.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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
      sweep_(surfaces_, sweep_settings(settings)), correction_(surfaces_, settings.correction) {
    const auto points = static_cast<std::size_t>(surfaces_.point_count());
    for (auto* places : {&begin_, &end_, &solved_, &velocities_})
        places->assign(points, Vec3{0, 0, 0});
}

void SphereContact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
    const ProfileScope scope(profile, Task::other);
    mobility_.set(surfaces_, constraints);
    std::copy(begin.positions.begin(), begin.positions.end(), begin_.begin());
    surfaces_.place_bodies(begin.time, begin_);
    Vec3 least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = -least;
    const auto include = [&](const Vec3& v) {
        least = {std::min(least.x, v.x), std::min(least.y, v.y), std::min(least.z, v.z)};
        most = {std::max(most.x, v.x), std::max(most.y, v.y), std::max(most.z, v.z)};
    };
    for (const Vec3& v : begin.velocities)
        include(v);
    if (settings_.bodies == BodyMeeting::spheres && surfaces_.body_triangle_count() > 0) {
        surfaces_.place_bodies(begin.time + h, end_);
        for (std::size_t i = begin.positions.size(); i < end_.size(); ++i)
            include((1 / h) * (end_[i] - begin_[i]));
    }
    const double against = norm(most - least);
    longest_step_ = settings_.longest_way * pairs_.radius() / against;
}

// All points at the end of the step, and how fast they are there.
void SphereContact::place(const ProposedStep& step, const State& end) {
    std::copy(end.positions.begin(), end.positions.end(), end_.begin());
    std::copy(end.velocities.begin(), end.velocities.end(), velocities_.begin());
    surfaces_.place_bodies(step.begin.time + step.h, end_);
    for (std::size_t i = end.positions.size(); i < end_.size(); ++i)
        velocities_[i] = (1 / step.h) * (end_[i] - begin_[i]);
}

ContactReport SphereContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    ContactReport report;
    {
        const ProfileScope scope(profile, Task::detect_self);
        place(step, end);
        pairs_.find(end_, slack * pairs_.radius(), contacts_);
    }
    if (settings_.bodies != BodyMeeting::spheres) {
        const ProfileScope scope(profile, Task::detect_body);
        sweep_.append(begin_, end_, contacts_);
    }
    const ProfileScope scope(profile, Task::resolve);
    corrected_ = correction_.apply(contacts_, mobility_, step.h, begin_, end_, velocities_);
    report.contacts = corrected_.contacts;
    solved_ = end_;
    if (settings_.bodies != BodyMeeting::spheres && !stop_at_bodies(step, report))
        return report;
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    for (std::size_t i = 0; i < particles; ++i) {
        end.positions[i] = end_[i];
        end.velocities[i] = velocities_[i] + (1 / step.h) * (end_[i] - solved_[i]);
    }
    end.contact_force.assign(particles, 0.0);
    correction_.add_normal_forces(step.h, end.contact_force);
    return report;
}

// The fail-safe: what still meets a body on the way to the corrected end is stopped by impact
// zones. False: not possible, and a shorter step may help.
bool SphereContact::stop_at_bodies(const ProposedStep& step, ContactReport& report) {
    const ImpactZones::Report zones = sweep_.stop(begin_, solved_, mobility_, end_);
    report.impacts = zones.impacts;
    if (zones.resolved)
        return true;
    if (!step.last_try) {
        report.resolved = false;
        report.reason =
            fmt::format("{} impacts were left after {} rounds", zones.impacts, zones.rounds);
        double largest = -1;
        for (int i = 0; i < surfaces_.particle_count(); ++i)
            if (const double move = norm(end_[i] - solved_[i]); move > largest) {
                largest = move;
                report.particle = i;
            }
        return false;
    }
    const ImpactZones::Report frozen = sweep_.freeze(begin_, mobility_, end_);
    const auto say = [&](int first, int second) {
        report.released.push_back(fmt::format("{}, triangle {} and {}, triangle {}",
                                              surfaces_.owner_of_triangle(first), first,
                                              surfaces_.owner_of_triangle(second), second));
    };
    for (const FeaturePair& pair : frozen.unresolved_vertex_face)
        say(surfaces_.triangle_of_point(pair.first), pair.second);
    for (const FeaturePair& pair : frozen.unresolved_edge_edge)
        say(surfaces_.triangle_of_edge(pair.first), surfaces_.triangle_of_edge(pair.second));
    return true;
}

} // namespace muslin
