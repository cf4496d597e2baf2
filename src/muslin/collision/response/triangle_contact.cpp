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

bool has_corner(const std::array<int, 3>& triangle, int point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

bool same(std::span<const Vec3> a, std::span<const Vec3> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Vec3& p, const Vec3& q) {
        return p.x == q.x && p.y == q.y && p.z == q.z;
    });
}

} // namespace

TriangleContact::TriangleContact(const Model& model, TriangleContactSettings settings)
    : surfaces_(model), settings_(settings), cloth_thickness_(thickest(model)),
      longest_way_(settings.longest_way * mean_edge(model)),
      offset_(surfaces_, cloth_thickness_ / 2),
      intersecting_(surfaces_, {settings.volume, PairTest::triangles}),
      passing_(surfaces_, {settings.volume, PairTest::vertices}),
      on_bodies_(surfaces_, body_correction()), on_cloth_(surfaces_, cloth_correction()) {
    const auto points = static_cast<std::size_t>(surfaces_.point_count());
    for (Points* places : {&begin_, &end_, &velocities_, &scratch_})
        places->assign(points, Vec3{0, 0, 0});
}

void TriangleContact::sense(const StepInput& step, Profile& profile) {
    const auto& [conditions, begin, h, constraints] = step;
    const ProfileScope scope(profile, Task::other);
    mobility_.set(surfaces_, constraints);
    begin_time_ = begin.time;
    begin_velocities_.assign(begin.velocities.begin(), begin.velocities.end());
    std::copy(begin.positions.begin(), begin.positions.end(), begin_.begin());
    place_bodies(begin.time, begin_);
    double fastest = 0;
    for (const Vec3& v : begin.velocities)
        fastest = std::max(fastest, dot(v, v));
    fastest = std::sqrt(fastest);
    if (surfaces_.bodies_move()) {
        place_bodies(begin.time + h, end_);
        double bodies = 0;
        for (std::size_t i = begin.positions.size(); i < end_.size(); ++i)
            bodies = std::max(bodies, norm(end_[i] - begin_[i]) / h);
        fastest += bodies;
    }
    longest_step_ = longest_way_ / fastest;
    if (settings_.test == PairTest::triangles && !same(crossing_at_, begin.positions)) {
        intersecting_.update(begin_, begin_);
        intersecting_.find_cloth_pairs(begin_, begin_, cloth_pairs_);
        note_crossing(begin.positions, cloth_pairs_);
    }
}

void TriangleContact::note_crossing(std::span<const Vec3> positions,
                                    std::span<const TrianglePair> pairs) {
    crossing_.assign(surfaces_.cloth_triangle_count(), 0);
    for (const TrianglePair& pair : pairs)
        crossing_[pair.cloth] = crossing_[pair.other] = 1;
    crossing_at_.assign(positions.begin(), positions.end());
}

void TriangleContact::place_bodies(double time, Points& points) {
    surfaces_.place_bodies(time, points);
    offset_.apply(points);
}

// All points at the end of the step, or of a part of it, and how fast they are there.
void TriangleContact::place(double time, double h, std::span<const Vec3> positions,
                            std::span<const Vec3> velocities) {
    std::copy(positions.begin(), positions.end(), end_.begin());
    std::copy(velocities.begin(), velocities.end(), velocities_.begin());
    free_velocities_.assign(velocities.begin(), velocities.end());
    place_bodies(time, end_);
    for (std::size_t i = positions.size(); i < end_.size(); ++i)
        velocities_[i] = (1 / h) * (end_[i] - begin_[i]);
}

ContactReport TriangleContact::resolve(const ProposedStep& step, State& end, Profile& profile) {
    const double time = step.begin.time + step.h;
    place(time, step.h, end.positions, end.velocities);
    respond(step.h, profile);
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    std::copy_n(end_.begin(), particles, end.positions.begin());
    std::copy_n(velocities_.begin(), particles, end.velocities.begin());
    end.contact_force.assign(normal_forces_.begin(), normal_forces_.end());
    ContactReport report;
    report.contacts = contact_count_;
    if (settings_.test == PairTest::vertices)
        return report; // what intersects was not looked for
    const int bodies = clean_ ? 0 : count_bodies_left(time);
    if (!clean_)
        intersecting_.find_cloth_pairs(scratch_, scratch_, cloth_pairs_);
    note_crossing(end.positions, cloth_pairs_);
    report.crossings = bodies + static_cast<int>(cloth_pairs_.size());
    if (bodies > 0 && !step.last_try) {
        report.resolved = false;
        report.reason = fmt::format("{} triangles of cloth still intersect bodies", bodies);
        report.particle = surfaces_.triangles[body_pairs_.front().cloth][0];
    }
    return report;
}

void TriangleContact::correct(double time, std::span<Vec3> positions, std::span<Vec3> velocities,
                              Profile& profile) {
    const double h = time - begin_time_;
    if (!(h > 0))
        return; // the begin itself
    place(time, h, positions, velocities);
    respond(h, profile);
    std::copy_n(end_.begin(), positions.size(), positions.begin());
    std::copy_n(velocities_.begin(), velocities.size(), velocities.begin());
}

// Changes end_ and velocities_ until nothing intersects.
void TriangleContact::respond(double h, Profile& profile) {
    contact_count_ = 0;
    const auto particles = static_cast<std::size_t>(surfaces_.particle_count());
    normal_forces_.assign(particles, 0.0);
    rubbed_.assign(particles, 0);
    const bool vertices_alone = settings_.test == PairTest::vertices;
    for (int round = 0; round < (vertices_alone ? settings_.rounds : 1); ++round)
        if (!turn_back_vertices(h, profile))
            break;
    if (vertices_alone)
        return;
    clean_ = false;
    for (int round = 0; round < settings_.rounds && !clean_; ++round) {
        const bool cloth = separate_cloth(h, round, profile);
        const bool bodies = separate_bodies(h, profile);
        clean_ = !cloth && !bodies;
    }
    clean_ = clean_ && cloth_pairs_.empty();
}

// Particles that went through a triangle go back to the side they came from.
bool TriangleContact::turn_back_vertices(double h, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_body);
        passing_.update(begin_, end_);
        passing_.find_body_pairs(begin_, end_, body_pairs_);
    }
    {
        const ProfileScope scope(profile, Task::detect_self);
        passing_.find_cloth_pairs(begin_, end_, cloth_pairs_);
    }
    const ProfileScope scope(profile, Task::resolve);
    find_passed(cloth_pairs_);
    bool any = !passed_.empty();
    contacts_.clear();
    add_passed_cloth();
    apply(on_cloth_, h);
    find_passed(body_pairs_);
    any = any || !passed_.empty();
    contacts_.clear();
    add_entered_bodies();
    apply_on_bodies(h);
    return any;
}

void TriangleContact::find_passed(std::span<const TrianglePair> pairs) {
    passed_.clear();
    const auto look = [&](int from, int triangle) {
        for (const int point : surfaces_.triangles[from])
            if (!has_corner(surfaces_.triangles[triangle], point))
                if (const auto crossing =
                        find_vertex_crossing(point, surfaces_.triangles[triangle], begin_, end_))
                    passed_.push_back({point, triangle, *crossing});
    };
    for (const TrianglePair& pair : pairs) {
        look(pair.cloth, pair.other);
        if (pair.other < surfaces_.cloth_triangle_count())
            look(pair.other, pair.cloth);
    }
    const auto key = [](const Passed& p) { return std::pair(p.point, p.triangle); };
    std::sort(passed_.begin(), passed_.end(),
              [&](const Passed& a, const Passed& b) { return key(a) < key(b); });
    passed_.erase(std::unique(passed_.begin(), passed_.end(),
                              [&](const Passed& a, const Passed& b) { return key(a) == key(b); }),
                  passed_.end());
}

void TriangleContact::add_passed_cloth() {
    for (const Passed& passed : passed_) {
        const Vec3 normal = triangle_normal(surfaces_, end_, passed.triangle);
        if (!(dot(normal, normal) > 0))
            continue;
        Contact c = make_contact(surfaces_, {passed.point, passed.triangle}, false);
        const Vec3& w = passed.crossing.weights;
        c.weights = {1, -w.x, -w.y, -w.z};
        c.normal = passed.crossing.from_front ? normal : -normal;
        c.thickness *= cloth_gap;
        if (settings_.self_response == SelfResponse::plain)
            part_plainly({&passed.point, 1}, surfaces_.triangles[passed.triangle], c.normal,
                         c.thickness - c.gap(end_));
        else
            contacts_.push_back(c);
    }
}

// A particle that entered a body goes back along the mean normal of the polygons that it passed,
// until it is before the planes of all of them. One that left it again on the other side of an edge
// is not in it.
void TriangleContact::add_entered_bodies() {
    for (std::size_t first = 0, last; first < passed_.size(); first = last) {
        const int point = passed_[first].point;
        int depth = 0;
        Vec3 sum = {0, 0, 0};
        for (last = first; last < passed_.size() && passed_[last].point == point; ++last) {
            depth += passed_[last].crossing.from_front ? 1 : -1;
            if (passed_[last].crossing.from_front)
                sum += triangle_normal(surfaces_, end_, passed_[last].triangle);
        }
        const double length = norm(sum);
        if (depth <= 0 || !(length > 0))
            continue;
        const Vec3 normal = (1 / length) * sum;
        double furthest = 0;
        Contact contact;
        for (std::size_t k = first; k < last; ++k) {
            const int triangle = passed_[k].triangle;
            const auto& [a, b, c] = surfaces_.triangles[triangle];
            const Vec3 n = triangle_normal(surfaces_, end_, triangle);
            const double slope = dot(n, normal);
            if (!passed_[k].crossing.from_front || !(slope > 0.1))
                continue;
            const double way = dot(n, end_[a] - end_[point]) / slope;
            if (!(way > furthest))
                continue;
            furthest = way;
            // Where the way ends in the plane of the polygon, which need not be in the polygon.
            const Vec3 d = end_[point] + way * normal - end_[a];
            const Vec3 e = end_[b] - end_[a], f = end_[c] - end_[a], across = cross(e, f);
            const double scale = 1 / dot(across, across);
            const double v = scale * dot(cross(d, f), across), w = scale * dot(cross(e, d), across);
            contact = make_contact(surfaces_, {point, triangle}, false);
            contact.weights = {1, v + w - 1, -v, -w};
            contact.normal = normal;
            contact.thickness = settings_.clearance * cloth_thickness_;
        }
        if (furthest > 0)
            contacts_.push_back(contact);
    }
}

// True if something intersected that a further round may part.
bool TriangleContact::separate_cloth(double h, int round, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_self);
        intersecting_.update(end_, end_);
        intersecting_.find_cloth_pairs(end_, end_, cloth_pairs_);
    }
    const ProfileScope scope(profile, Task::resolve);
    if (round >= cloth_rounds)
        return false;
    contacts_.clear();
    bool any = false;
    for (const TrianglePair& pair : cloth_pairs_) {
        const bool before = crossed_before(pair);
        if (before && round > 0)
            continue; // it was moved by what it may move in a step
        const WayOut out = way_apart(surfaces_, begin_, end_, pair.cloth, pair.other, before);
        if (!std::isfinite(out.way))
            continue;
        const double gap = cloth_gap * (surfaces_.triangle_half_thickness[pair.cloth] +
                                        surfaces_.triangle_half_thickness[pair.other]);
        any = true;
        if (settings_.self_response == SelfResponse::plain)
            part_plainly(surfaces_.triangles[pair.cloth], surfaces_.triangles[pair.other],
                         out.direction, out.way + gap);
        else
            append_contacts(surfaces_, end_, pair.cloth, {&pair.other, 1}, out.direction, gap,
                            contacts_);
    }
    apply(on_cloth_, h);
    return any;
}

// The response of [Bayraktar07 3]: each cloth triangle along the mean normal of what it intersects.
bool TriangleContact::separate_bodies(double h, Profile& profile) {
    {
        const ProfileScope scope(profile, Task::detect_body);
        intersecting_.update(end_, end_);
        intersecting_.find_body_pairs(end_, end_, body_pairs_);
    }
    const ProfileScope scope(profile, Task::resolve);
    contacts_.clear();
    for (std::size_t first = 0, last; first < body_pairs_.size(); first = last) {
        const int triangle = body_pairs_[first].cloth;
        polygons_.clear();
        for (last = first; last < body_pairs_.size() && body_pairs_[last].cloth == triangle; ++last)
            polygons_.push_back(body_pairs_[last].other);
        const WayOut out = mean_normal_way(surfaces_, begin_, end_, triangle, polygons_);
        if (std::isfinite(out.way))
            append_contacts(surfaces_, end_, triangle, polygons_, out.direction,
                            settings_.clearance * cloth_thickness_, contacts_);
    }
    apply_on_bodies(h);
    return !body_pairs_.empty();
}

void TriangleContact::apply(Correction& correction, double h) {
    if (contacts_.empty())
        return;
    oriented_.clear();
    for (const Contact& c : contacts_)
        oriented_.push_back({c, false});
    if (settings_.friction == FrictionLaw::paper)
        for (OrientedContact& o : oriented_)
            o.contact.friction = 0;
    contact_count_ += correction.apply(oriented_, mobility_, h, begin_, end_, velocities_).contacts;
    correction.add_normal_forces(h, normal_forces_);
}

// "We find the components of the net forces acting on mass-points perpendicular to the average
// normal. Multiplying these forces with a friction coefficient provides a friction force"
// [Bayraktar07 3]. The net force of a step is m (v' - v) / h; what it does to speed in the step it
// does by half to the way.
void TriangleContact::apply_on_bodies(double h) {
    apply(on_bodies_, h);
    if (settings_.friction != FrictionLaw::paper)
        return;
    for (const Contact& c : contacts_)
        for (int k = 0; k < 4; ++k) {
            const int p = c.points[k];
            if (!surfaces_.is_cloth(p) || c.weights[k] == 0 || rubbed_[p] ||
                !mobility_.moves_freely(p))
                continue;
            rubbed_[p] = 1;
            const Vec3 change = std::min(c.friction, 1.0) *
                                tangential(free_velocities_[p] - begin_velocities_[p], c.normal);
            velocities_[p] -= change;
            end_[p] -= (h / 2) * change;
        }
}

// "The method we used ... eliminates the force and velocity components that are perpendicular to
// the collision plane" [Bayraktar07 3], of each side for itself: momentum is lost. Places go half
// of the way each.
void TriangleContact::part_plainly(std::span<const int> first, std::span<const int> second,
                                   const Vec3& direction, double way) {
    if (!(way > 0))
        return;
    ++contact_count_;
    const auto part = [&](std::span<const int> points, double share) {
        for (const int p : points)
            if (mobility_.moves_freely(p)) {
                velocities_[p] = tangential(velocities_[p], direction);
                end_[p] += share * direction;
            }
    };
    part(first, way / 2);
    part(second, -way / 2);
}

// Cloth triangles that intersect the bodies themselves: the moved ones are out of their way.
int TriangleContact::count_bodies_left(double time) {
    scratch_ = end_;
    surfaces_.place_bodies(time, scratch_);
    intersecting_.update(scratch_, scratch_);
    intersecting_.find_body_pairs(scratch_, scratch_, body_pairs_);
    return static_cast<int>(body_pairs_.size());
}

} // namespace muslin
