#include "muslin/collision/response/correction_contact.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t point_grain = 2048;

double largest_squared(std::size_t count, Partials<double>& partials, auto&& squared) {
    const std::size_t chunks = (count + point_grain - 1) / point_grain;
    partials.resize(chunks);
    parallel_for(count, point_grain, [&](std::size_t from, std::size_t to) {
        double largest = 0;
        for (std::size_t i = from; i < to; ++i)
            largest = std::max(largest, squared(i));
        partials[from / point_grain] = largest;
    });
    double largest = 0;
    for (std::size_t k = 0; k < chunks; ++k)
        largest = std::max(largest, partials[k]);
    return largest;
}

} // namespace

CorrectionContact::CorrectionContact(const Model& model, CorrectionContactSettings settings)
    : surfaces_(model), settings_(settings), detector_(surfaces_),
      consistency_(surfaces_, detector_.adjacency(), settings.consistency),
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

// Looks everywhere only when points have gone so far since the last time that something may have
// come near unseen.
void CorrectionContact::detect(double margin) {
    double way = HUGE_VAL;
    Partials<double> partials;
    if (searched_.size() == end_.size())
        way = std::sqrt(largest_squared(end_.size(), partials, [&](std::size_t i) {
            const Vec3 d = end_[i] - searched_[i];
            return dot(d, d);
        }));
    if (!(2 * way <= slack_)) {
        // Room for some ten steps like the last: more costs more at each of them.
        const double step = std::sqrt(largest_squared(end_.size(), partials, [&](std::size_t i) {
            const Vec3 d = end_[i] - begin_[i];
            return dot(d, d);
        }));
        slack_ = std::clamp(20 * step, thinnest_, 10 * thinnest_);
        searched_ = end_;
        detector_.find_candidates(end_, margin + slack_, candidates_);
    }
    detector_.evaluate(candidates_, end_, margin, near_, crossing_);
}

ContactReport CorrectionContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    ContactReport report;
    {
        const ProfileScope scope(profile, Task::detect_self);
        place(step, end);
        detect(settings_.notice * thinnest_);
    }
    const ProfileScope scope(profile, Task::resolve);
    consistency_.orient({begin_, end_, step.begin.sides, step.begin.time + step.h}, near_,
                        crossing_, contacts_);
    final_ = end_;
    corrected_ = correction_.apply(contacts_, mobility_, step.h, begin_, final_, velocities_);
    consistency_.remember(end_, final_, end.sides);
    report.contacts = corrected_.contacts;
    for (const Interference& pair : crossing_)
        report.crossings += detector_.closeness().interferes(pair, final_);
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
    detector_.find_all(end_, margin, near_, crossing_);
    consistency_.orient({end_, end_, {}, state.time}, near_, {}, contacts_);
    std::vector<RememberedSide> sides;
    consistency_.remember(end_, end_, sides);
    for (RememberedSide& side : sides)
        side.reliability = 100;
    return sides;
}

} // namespace muslin
