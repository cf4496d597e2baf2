#include "muslin/collision/response/correction_contact.h"

#include "muslin/collision/untangle/contours.h"
#include "muslin/kernels/crossing.h"
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
      correction_(surfaces_, settings.correction), thinnest_(HUGE_VAL), points_(surfaces_) {
    for (const double thickness : model.collision.thickness)
        thinnest_ = std::min(thinnest_, thickness);
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
    points_.start(begin);
    surfaces_.place_bodies(begin.time, points_.begin);
    double fastest = largest_norm(begin.velocities);
    if (surfaces_.bodies_move()) {
        surfaces_.place_bodies(begin.time + h, points_.end);
        fastest += points_.largest_body_speed(begin.positions.size(), h);
    }
    longest_step_ = settings_.longest_way * thinnest_ / fastest;
}

ContactReport CorrectionContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    ContactReport report;
    const double time = step.begin.time + step.h;
    {
        const ProfileScope scope(profile, Task::detect_self);
        points_.propose(end.positions, end.velocities);
        surfaces_.place_bodies(time, points_.end);
        points_.move_bodies(end.positions.size(), step.h);
        tracker_.update(points_.end, settings_.notice * thinnest_, found_.near, found_.crossing);
    }
    const ProfileScope scope(profile, Task::resolve);
    consistency_.orient({points_.begin, points_.end, step.begin.sides, time}, found_.near,
                        found_.crossing, found_.contacts);
    release_contacts(!watch(time, end.tangle_watch));
    final_ = points_.end;
    corrected_ = correction_.apply(found_.contacts, mobility_, step.h, points_.begin, final_,
                                   points_.velocities);
    for (const Interference& pair : found_.undecided)
        draw_out(pair);
    consistency_.remember(points_.end, final_, end.sides);
    report.contacts = corrected_.contacts;
    for (const Interference& pair : found_.crossing)
        report.crossings += tracker_.detector().closeness().interferes(pair, final_);
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    std::copy_n(final_.begin(), particles, end.positions.begin());
    std::copy_n(points_.velocities.begin(), particles, end.velocities.begin());
    end.contact_force.assign(particles, 0.0);
    correction_.add_normal_forces(step.h, end.contact_force);
    return report;
}

bool CorrectionContact::watch(double time, TangleWatch& watch) const {
    const int crossings = static_cast<int>(found_.crossing.size());
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
void CorrectionContact::release_contacts(bool resting) {
    found_.undecided.clear();
    const std::span<const std::int8_t> sides = consistency_.crossing_sides();
    for (std::size_t k = 0; k < found_.crossing.size(); ++k)
        if (settings_.consistency.enabled && (resting || sides[k] == 0) &&
            surfaces_.is_cloth(surfaces_.edges[found_.crossing[k].edge][0]) &&
            surfaces_.is_cloth(surfaces_.triangles[found_.crossing[k].triangle][0]))
            found_.undecided.push_back(found_.crossing[k]);
    std::erase_if(found_.contacts, [&](const OrientedContact& oriented) {
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
        speed += weights[k] * dot(way, points_.velocities[points[k]]);
        inverse_mass += weights[k] * weights[k] * mobility_.along(points[k], way);
    }
    if (!(speed < drawing_pace) || !(inverse_mass > 0))
        return;
    const double impulse = (drawing_pace - speed) / inverse_mass;
    for (int k = 0; k < 5; ++k)
        if (mobility_.moves(points[k]))
            points_.velocities[points[k]] +=
                mobility_.response(points[k], weights[k] * impulse * way);
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
            const double length = norm(points_.end[a] - points_.end[b]), rest = rest_lengths_[e];
            if (rest > 0 && (length < shortest_drawn * rest || length > longest_drawn * rest))
                return true;
        }
    }
    return false;
}

std::vector<RememberedSide> CorrectionContact::history_of(const State& state, double margin) {
    std::copy(state.positions.begin(), state.positions.end(), points_.end.begin());
    surfaces_.place_bodies(state.time, points_.end);
    tracker_.detector().find_all(points_.end, margin, found_.near, found_.crossing);
    consistency_.orient({points_.end, points_.end, {}, state.time}, found_.near, {},
                        found_.contacts);
    std::vector<RememberedSide> sides;
    consistency_.remember(points_.end, points_.end, sides);
    for (RememberedSide& side : sides)
        side.reliability = 100;
    return sides;
}

} // namespace muslin
