#include "muslin/collision/response/triangle_contact.h"

#include "muslin/collision/response/separation.h"
#include "muslin/mesh/measure.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {
namespace {

// The gap that cloth triangles come to which intersected, in thicknesses. Less than the whole: they
// meet again at once wherever cloth lies in folds, and each time they are moved.
constexpr double cloth_gap = 0.2;
// Rounds after which cloth that still intersects cloth is left to the next step.
constexpr int cloth_rounds = 4;

double thickest(const Model& model) {
    double most = 0;
    for (const double thickness : model.collision.thickness)
        most = std::max(most, thickness);
    return most;
}

double mean_edge(const Model& model) {
    const PatternEdges pattern = pattern_edges(model.dynamics.triangles, model.dynamics.pattern);
    double sum = 0;
    for (const double length : pattern.lengths)
        sum += length;
    return pattern.lengths.empty() ? HUGE_VAL : sum / static_cast<double>(pattern.lengths.size());
}

bool same(std::span<const Vec3> a, std::span<const Vec3> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Vec3& p, const Vec3& q) {
        return p.x == q.x && p.y == q.y && p.z == q.z;
    });
}

} // namespace

TriangleContact::TriangleContact(const Model& model, TriangleContactSettings settings)
    : surfaces_(model), settings_(settings), lengths_{settings.clearance * thickest(model),
                                                      settings.longest_way * mean_edge(model)},
      offset_(surfaces_, thickest(model) / 2),
      pairs_(surfaces_, {settings.volume, PairTest::triangles}),
      vertices_(surfaces_, settings.volume), correction_(surfaces_, settings.friction),
      points_(surfaces_), scratch_(points_.begin) {}

void TriangleContact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
    const ProfileScope scope(profile, Task::other);
    mobility_.set(surfaces_, constraints);
    begin_time_ = begin.time;
    correction_.start_step(begin);
    points_.start(begin);
    place_bodies(begin.time, points_.begin);
    double fastest = largest_norm(begin.velocities);
    if (surfaces_.bodies_move()) {
        place_bodies(begin.time + h, points_.end);
        fastest += points_.largest_body_speed(begin.positions.size(), h);
    }
    longest_step_ = lengths_.longest_way / fastest;
    if (settings_.test == PairTest::triangles && !same(intersecting_.positions, begin.positions)) {
        pairs_.update(points_.begin, points_.begin);
        pairs_.find_cloth_pairs(points_.begin, points_.begin, found_.cloth_pairs);
        note_intersecting(begin.positions, found_.cloth_pairs);
    }
}

void TriangleContact::note_intersecting(std::span<const Vec3> positions,
                                        std::span<const TrianglePair> pairs) {
    intersecting_.marks.assign(surfaces_.cloth_triangle_count(), 0);
    for (const TrianglePair& pair : pairs)
        intersecting_.marks[pair.cloth] = intersecting_.marks[pair.other] = 1;
    intersecting_.positions.assign(positions.begin(), positions.end());
}

void TriangleContact::place_bodies(double time, std::span<Vec3> points) {
    surfaces_.place_bodies(time, points);
    offset_.apply(points);
}

// All points at the end of the step, or of a part of it, and how fast they are there.
void TriangleContact::place(double time, double h, std::span<const Vec3> positions,
                            std::span<const Vec3> velocities) {
    points_.propose(positions, velocities);
    place_bodies(time, points_.end);
    points_.move_bodies(positions.size(), h);
    correction_.start(points_);
}

ContactReport TriangleContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const double time = step.begin.time + step.h;
    place(time, step.h, end.positions, end.velocities);
    part_all(step.h, profile);
    points_.hand_over(end.positions, end.velocities);
    const auto forces = correction_.normal_forces();
    end.contact_force.assign(forces.begin(), forces.end());
    ContactReport report;
    report.contacts = correction_.contacts();
    if (settings_.test == PairTest::vertices)
        return report; // what intersects was not looked for
    const int bodies = found_.nothing ? 0 : count_bodies_left(time);
    if (!found_.nothing)
        pairs_.find_cloth_pairs(scratch_, scratch_, found_.cloth_pairs);
    note_intersecting(end.positions, found_.cloth_pairs);
    report.crossings = bodies + static_cast<int>(found_.cloth_pairs.size());
    if (bodies > 0 && !step.last_try) {
        report.resolved = false;
        report.reason = fmt::format("{} triangles of cloth still intersect bodies", bodies);
        report.particle = surfaces_.triangles[found_.body_pairs.front().cloth][0];
    }
    return report;
}

void TriangleContact::correct(double time, std::span<Vec3> positions, std::span<Vec3> velocities,
                              Profile& profile) {
    const double h = time - begin_time_;
    if (!(h > 0))
        return; // the begin itself
    place(time, h, positions, velocities);
    part_all(h, profile);
    points_.hand_over(positions, velocities);
}

// Changes ends and velocities until nothing intersects.
void TriangleContact::part_all(double h, Profile& profile) {
    const bool vertices_alone = settings_.test == PairTest::vertices;
    for (int round = 0; round < (vertices_alone ? settings_.rounds : 1); ++round)
        if (!turn_back_vertices(h, profile))
            break;
    if (vertices_alone)
        return;
    found_.nothing = false;
    for (int round = 0; round < settings_.rounds && !found_.nothing; ++round) {
        const bool cloth = separate_cloth(h, round, profile);
        const bool bodies = separate_bodies(h, profile);
        found_.nothing = !cloth && !bodies;
    }
    found_.nothing = found_.nothing && found_.cloth_pairs.empty();
}

// Particles that went through a triangle go back to the side they came from. True if any did.
bool TriangleContact::turn_back_vertices(double h, Profile& profile) {
    vertices_.find_pairs(points_, profile);
    const ProfileScope scope(profile, Task::resolve);
    const auto through_cloth = vertices_.passed_cloth(points_);
    bool any = !through_cloth.empty();
    contacts_.clear();
    for (const PassedVertices::Passed& passed : through_cloth) {
        const Vec3 normal = triangle_normal(surfaces_, points_.end, passed.triangle);
        if (!(dot(normal, normal) > 0))
            continue;
        const Contact c = vertices_.cloth_contact(passed, normal, cloth_gap);
        if (settings_.self_response == SelfResponse::plain)
            correction_.part_plainly({&passed.point, 1}, surfaces_.triangles[passed.triangle],
                                     c.normal, c.thickness - c.gap(points_.end), mobility_,
                                     points_);
        else
            contacts_.push_back(c);
    }
    correction_.part_cloth(contacts_, mobility_, h, points_);
    const auto into_bodies = vertices_.passed_bodies(points_);
    any = any || !into_bodies.empty();
    contacts_.clear();
    vertices_.append_entered(into_bodies, points_, lengths_.clearance, contacts_);
    correction_.part_from_bodies(contacts_, mobility_, h, points_);
    return any;
}

// True if something intersected that a further round may part.
bool TriangleContact::separate_cloth(double h, int round, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_self);
        pairs_.update(points_.end, points_.end);
        pairs_.find_cloth_pairs(points_.end, points_.end, found_.cloth_pairs);
    }
    const ProfileScope scope(profile, Task::resolve);
    if (round >= cloth_rounds)
        return false;
    contacts_.clear();
    bool any = false;
    for (const TrianglePair& pair : found_.cloth_pairs) {
        const bool before = intersecting_.either(pair);
        if (before && round > 0)
            continue; // it was moved by what it may move in a step
        const WayOut out =
            way_apart(surfaces_, points_.begin, points_.end, pair.cloth, pair.other, before);
        if (!std::isfinite(out.way))
            continue;
        const double gap = cloth_gap * (surfaces_.triangle_half_thickness[pair.cloth] +
                                        surfaces_.triangle_half_thickness[pair.other]);
        any = true;
        if (settings_.self_response == SelfResponse::plain)
            correction_.part_plainly(surfaces_.triangles[pair.cloth],
                                     surfaces_.triangles[pair.other], out.direction, out.way + gap,
                                     mobility_, points_);
        else
            append_contacts(surfaces_, points_.end, pair.cloth, {&pair.other, 1}, out.direction,
                            gap, contacts_);
    }
    correction_.part_cloth(contacts_, mobility_, h, points_);
    return any;
}

// The response of [Bayraktar07 3]: each cloth triangle along the mean normal of what it intersects.
bool TriangleContact::separate_bodies(double h, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_body);
        pairs_.update(points_.end, points_.end);
        pairs_.find_body_pairs(points_.end, points_.end, found_.body_pairs);
    }
    const ProfileScope scope(profile, Task::resolve);
    contacts_.clear();
    const std::vector<TrianglePair>& pairs = found_.body_pairs;
    for (std::size_t first = 0, last; first < pairs.size(); first = last) {
        const int triangle = pairs[first].cloth;
        found_.polygons.clear();
        for (last = first; last < pairs.size() && pairs[last].cloth == triangle; ++last)
            found_.polygons.push_back(pairs[last].other);
        const WayOut out =
            mean_normal_way(surfaces_, points_.begin, points_.end, triangle, found_.polygons);
        if (std::isfinite(out.way))
            append_contacts(surfaces_, points_.end, triangle, found_.polygons, out.direction,
                            lengths_.clearance, contacts_);
    }
    correction_.part_from_bodies(contacts_, mobility_, h, points_);
    return !pairs.empty();
}

// Cloth triangles that intersect the bodies themselves: the moved ones are out of their way.
int TriangleContact::count_bodies_left(double time) {
    scratch_ = points_.end;
    surfaces_.place_bodies(time, scratch_);
    pairs_.update(scratch_, scratch_);
    pairs_.find_body_pairs(scratch_, scratch_, found_.body_pairs);
    return static_cast<int>(found_.body_pairs.size());
}

} // namespace muslin
