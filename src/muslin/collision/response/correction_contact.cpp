#include "muslin/collision/response/correction_contact.h"

#include <algorithm>
#include <cmath>

namespace muslin {
CorrectionContact::CorrectionContact(const Model& model, CorrectionContactSettings settings)
    : surfaces_(model), settings_(settings), tracker_(surfaces_),
      consistency_(surfaces_, tracker_.detector().adjacency(), settings.consistency),
      correction_(surfaces_, settings.correction), thinnest_(HUGE_VAL) {
    for (const double thickness : model.collision.thickness)
        thinnest_ = std::min(thinnest_, thickness);
    const auto points = static_cast<std::size_t>(surfaces_.point_count());
    for (auto* places : {&begin_, &end_, &velocities_})
        places->assign(points, Vec3{0, 0, 0});
}

void CorrectionContact::sense(const State& begin, double h, const ConstraintSet& constraints,
                              Profile& profile) {
    const ProfileScope scope(profile, Task::other);
    mobility_.set(surfaces_, constraints);
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    std::copy(begin.positions.begin(), begin.positions.end(), begin_.begin());
    surfaces_.place_bodies(begin.time, begin_);
    double fastest = 0;
    for (std::size_t i = 0; i < particles; ++i)
        fastest = std::max(fastest, dot(begin.velocities[i], begin.velocities[i]));
    fastest = std::sqrt(fastest);
    if (surfaces_.bodies_move()) {
        surfaces_.place_bodies(begin.time + h, end_);
        double bodies = 0;
        for (std::size_t i = particles; i < end_.size(); ++i)
            bodies = std::max(bodies, norm(end_[i] - begin_[i]) / h);
        fastest += bodies;
    }
    longest_step_ = settings_.longest_way * thinnest_ / fastest;
}

// All points at the end of the step, and how fast they are there.
void CorrectionContact::place(const ProposedStep& step, const State& end) {
    std::copy(end.positions.begin(), end.positions.end(), end_.begin());
    std::copy(end.velocities.begin(), end.velocities.end(), velocities_.begin());
    surfaces_.place_bodies(step.begin.time + step.h, end_);
    for (std::size_t i = end.positions.size(); i < end_.size(); ++i)
        velocities_[i] = (1 / step.h) * (end_[i] - begin_[i]);
}

ContactReport CorrectionContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    ContactReport report;
    {
        const ProfileScope scope(profile, Task::detect_self);
        place(step, end);
        tracker_.update(end_, settings_.notice * thinnest_, near_, crossing_);
    }
    const ProfileScope scope(profile, Task::resolve);
    consistency_.orient({begin_, end_, step.begin.sides, step.begin.time + step.h}, near_,
                        crossing_, contacts_);
    final_ = end_;
    corrected_ = correction_.apply(contacts_, mobility_, step.h, begin_, final_, velocities_);
    consistency_.remember(end_, final_, end.sides);
    report.contacts = corrected_.contacts;
    for (const Interference& pair : crossing_)
        report.crossings += tracker_.detector().closeness().interferes(pair, final_);
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    std::copy_n(final_.begin(), particles, end.positions.begin());
    std::copy_n(velocities_.begin(), particles, end.velocities.begin());
    end.contact_force.assign(particles, 0.0);
    correction_.add_normal_forces(step.h, end.contact_force);
    return report;
}

std::vector<RememberedSide> CorrectionContact::history_of(const State& state, double margin) {
    std::copy(state.positions.begin(), state.positions.end(), end_.begin());
    surfaces_.place_bodies(state.time, end_);
    tracker_.detector().find_all(end_, margin, near_, crossing_);
    consistency_.orient({end_, end_, {}, state.time}, near_, {}, contacts_);
    std::vector<RememberedSide> sides;
    consistency_.remember(end_, end_, sides);
    for (RememberedSide& side : sides)
        side.reliability = 100;
    return sides;
}

} // namespace muslin
