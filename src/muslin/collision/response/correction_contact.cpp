#include "muslin/collision/response/correction_contact.h"

#include "muslin/collision/narrow/crossing.h"
#include "muslin/collision/untangle/contours.h"
#include "muslin/mesh/measure.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// Lengths of edges over their rest lengths between which cloth is drawn back through cloth: more
// would crush it.
constexpr double shortest_drawn = 0.5, longest_drawn = 1.2;

// How fast what crosses without a known side is drawn out [m/s].
constexpr double drawing_pace = 0.1;

} // namespace

CorrectionContact::CorrectionContact(const Model& model, CorrectionContactSettings settings)
    : surfaces_(model), settings_(settings), tracker_(surfaces_),
      consistency_(surfaces_, tracker_.detector().adjacency(), settings.consistency),
      correction_(surfaces_, settings.correction), thinnest_(HUGE_VAL) {
    for (const double thickness : model.collision.thickness)
        thinnest_ = std::min(thinnest_, thickness);
    const auto points = static_cast<std::size_t>(surfaces_.point_count());
    for (auto* places : {&begin_, &end_, &velocities_})
        places->assign(points, Vec3{0, 0, 0});
    const PatternEdges pattern =
        pattern_edges(model.collision.triangles, model.collision_pattern());
    rest_lengths_.assign(surfaces_.cloth_edge_count(), 0.0);
    for (int e = 0; e < surfaces_.cloth_edge_count(); ++e) {
        std::array<int, 2> edge = surfaces_.edges[e];
        std::sort(edge.begin(), edge.end());
        const auto found = std::lower_bound(pattern.edges.begin(), pattern.edges.end(), edge);
        if (found != pattern.edges.end() && *found == edge)
            rest_lengths_[e] = pattern.lengths[found - pattern.edges.begin()];
    }
}

void CorrectionContact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
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
    let_go(!watch(step.begin.time + step.h, end.tangle_watch));
    final_ = end_;
    corrected_ = correction_.apply(contacts_, mobility_, step.h, begin_, final_, velocities_);
    for (const Interference& pair : undecided_)
        draw_out(pair);
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

bool CorrectionContact::watch(double time, TangleWatch& watch) const {
    const int crossings = static_cast<int>(crossing_.size());
    watch.fewest = watch.fewest == 0 ? crossings : std::min(watch.fewest, crossings);
    const double most = 2 * watch.fewest + settings_.growth * surfaces_.cloth_edge_count();
    if (time >= watch.rest_until && crossings > most) {
        watch.rest_until = time + settings_.rest;
        watch.fewest = crossings;
    }
    return time >= watch.rest_until;
}

// What crosses where no side is known, and contacts that would crush cloth to undo a crossing:
// these do not act.
void CorrectionContact::let_go(bool resting) {
    undecided_.clear();
    const std::span<const std::int8_t> sides = consistency_.crossing_sides();
    for (std::size_t k = 0; k < crossing_.size(); ++k)
        if (settings_.consistency.enabled && (resting || sides[k] == 0) &&
            surfaces_.is_cloth(surfaces_.edges[crossing_[k].edge][0]) &&
            surfaces_.is_cloth(surfaces_.triangles[crossing_[k].triangle][0]))
            undecided_.push_back(crossing_[k]);
    std::erase_if(contacts_, [&](const OrientedContact& oriented) {
        return oriented.wrong &&
               (resting ? is_cloth_alone(oriented.contact) : is_strained(oriented.contact));
    });
}

// Makes the edge leave the triangle by the way on which their contour grows shorter. Both impulses
// act at the place where the two cross: momentum and angular momentum stay.
void CorrectionContact::draw_out(const Interference& pair) {
    const auto& [p, q] = surfaces_.edges[pair.edge];
    const auto& [a, b, c] = surfaces_.triangles[pair.triangle];
    const auto place = find_crossing(final_[p], final_[q], final_[a], final_[b], final_[c]);
    if (!place)
        return;
    const Vec3 way = way_out(surfaces_, tracker_.detector().adjacency(), pair, final_);
    const std::array<int, 5> points = {p, q, a, b, c};
    const std::array<double, 5> weights = {1 - place->along, place->along, -place->weights.x,
                                           -place->weights.y, -place->weights.z};
    double speed = 0, inverse_mass = 0;
    for (int k = 0; k < 5; ++k) {
        speed += weights[k] * dot(way, velocities_[points[k]]);
        inverse_mass += weights[k] * weights[k] * mobility_.along(points[k], way);
    }
    if (!(speed < drawing_pace) || !(inverse_mass > 0))
        return;
    const double impulse = (drawing_pace - speed) / inverse_mass;
    for (int k = 0; k < 5; ++k)
        if (mobility_.moves(points[k]))
            velocities_[points[k]] += mobility_.response(points[k], weights[k] * impulse * way);
}

bool CorrectionContact::is_cloth_alone(const Contact& c) const {
    return std::all_of(c.points.begin(), c.points.end(),
                       [&](int p) { return surfaces_.is_cloth(p); });
}

bool CorrectionContact::is_strained(const Contact& c) const {
    if (!is_cloth_alone(c)) // a body is not crushed
        return false;
    for (int k = 0; k < 4; ++k) {
        if (c.weights[k] == 0)
            continue;
        for (const int e : tracker_.detector().adjacency().point_edges[c.points[k]]) {
            const auto [a, b] = surfaces_.edges[e];
            const double length = norm(end_[a] - end_[b]), rest = rest_lengths_[e];
            if (rest > 0 && (length < shortest_drawn * rest || length > longest_drawn * rest))
                return true;
        }
    }
    return false;
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
