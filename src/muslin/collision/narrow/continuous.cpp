// Conservative advancement [Mirtich 1996] with a certificate for each step.
//
// The differences of a point of one and a point of the other fill the hull of a few corners, each of
// which moves along a straight line: three for a vertex and a face, four for two edges. The two come
// as close as s where the hull comes as close as s to the origin. Let n be any direction of length
// one. While n . c > s for every corner c, that has not happened; and as n . c is linear in time, the
// times for which it holds follow from its values at times 0 and 1. So: take n from the origin to the
// closest point of the hull at time t, go on to the time when the first n . c reaches the wanted
// distance, repeat. A poor n costs steps but cannot make the answer wrong.
//
// Rounding. Corners are differences of given numbers, each rounded once, so the place in the world
// does not matter, only the size m of the differences. With u = 2^-53, a corner's component is off by
// at most u m, n . c by less than 3 (3 + 1) u m |n| with |n| < 1 + 8 u, a distance at an interpolated
// time by some u m more, and so is a computed time in terms of the distance. All of it together is
// below 32 u m; `slack` is twice that, and every comparison keeps it.

#include "muslin/collision/narrow/continuous.h"

#include "muslin/collision/narrow/distance.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr double relative_slack = 64 * 0x1p-53;

template <int Count>
struct Hull {
    std::array<Vec3, Count> c;
};
using FaceHull = Hull<3>; // f0 - v, f1 - v, f2 - v
using EdgeHull = Hull<4>; // b0 - a0, b1 - a0, b0 - a1, b1 - a1

FaceHull face_hull(const std::array<Vec3, 4>& x) {
    return {{x[1] - x[0], x[2] - x[0], x[3] - x[0]}};
}

EdgeHull edge_hull(const std::array<Vec3, 4>& x) {
    return {{x[2] - x[0], x[3] - x[0], x[2] - x[1], x[3] - x[1]}};
}

/// The point of a hull that is closest to the origin.
struct Nearest {
    Vec3 point;
    Vec3 normal; ///< of the feature it lies on, turned away from the origin; any length
    double a, b; ///< as in Impact
};

/// The part of p at right angles to an edge. As p is the offset to a closest point inside the edge
/// that is p itself, but for rounding, which counts once p is short beside the edge.
Vec3 across(const Vec3& p, const Vec3& edge) {
    return p - (dot(p, edge) / dot(edge, edge)) * edge;
}

Vec3 towards(const Vec3& normal, const Vec3& p) {
    return dot(normal, p) < 0 ? -normal : normal;
}

Nearest nearest(const FaceHull& hull) {
    const auto& [c] = hull;
    const VertexFaceDistance d = vertex_face_distance({0, 0, 0}, c[0], c[1], c[2]);
    const Vec3& w = d.weights;
    Nearest out = {w.x * c[0] + w.y * c[1] + w.z * c[2], {}, w.y, w.z};
    switch (d.region) {
    case FaceRegion::interior:
        out.normal = towards(cross(c[1] - c[0], c[2] - c[0]), out.point);
        break;
    case FaceRegion::edge01:
        out.normal = across(out.point, c[1] - c[0]);
        break;
    case FaceRegion::edge12:
        out.normal = across(out.point, c[2] - c[1]);
        break;
    case FaceRegion::edge20:
        out.normal = across(out.point, c[0] - c[2]);
        break;
    default:
        out.normal = out.point;
    }
    return out;
}

Nearest nearest(const EdgeHull& hull) {
    const auto& [c] = hull;
    const Vec3 a = c[0] - c[2], b = c[1] - c[0];
    const EdgeEdgeDistance d = edge_edge_distance({0, 0, 0}, a, c[0], c[1]);
    Nearest out = {c[0] + d.t * b - d.s * a, {}, d.s, d.t};
    if (d.s_interior && d.t_interior)
        out.normal = towards(cross(a, b), out.point);
    else if (d.s_interior)
        out.normal = across(out.point, a);
    else if (d.t_interior)
        out.normal = across(out.point, b);
    else
        out.normal = out.point;
    return out;
}

/// Distances of the corners along a direction, at times 0 and 1.
template <int Count>
struct Projection {
    std::array<double, Count> begin, end;

    double lowest_at(double time) const {
        double low = HUGE_VAL;
        for (int i = 0; i < Count; ++i)
            low = std::min(low, begin[i] + time * (end[i] - begin[i]));
        return low;
    }
    double lowest_end() const { return *std::min_element(end.begin(), end.end()); }
    /// When the first corner comes down to `level`; all of them are above it now.
    double time_of(double level) const {
        double time = 1;
        for (int i = 0; i < Count; ++i)
            if (end[i] < level)
                time = std::min(time, (begin[i] - level) / (begin[i] - end[i]));
        return time;
    }
};

template <int Count>
class Motion {
public:
    Motion(const Hull<Count>& begin, const Hull<Count>& end) : begin_(begin), end_(end) {}

    Hull<Count> at(double time) const {
        Hull<Count> out;
        for (int i = 0; i < Count; ++i)
            out.c[i] = begin_.c[i] + time * (end_.c[i] - begin_.c[i]);
        return out;
    }
    /// On the direction `normal`, of any length; where that is lost to underflow or overflow, the
    /// projection is one that separates nothing.
    Projection<Count> on(const Vec3& normal) const {
        const double squared = dot(normal, normal);
        Projection<Count> out;
        if (!(squared > 1e-290 && squared < 1e290)) {
            out.begin.fill(-1);
            out.end.fill(-1);
            return out;
        }
        const Vec3 n = (1 / std::sqrt(squared)) * normal;
        for (int i = 0; i < Count; ++i) {
            out.begin[i] = dot(n, begin_.c[i]);
            out.end[i] = dot(n, end_.c[i]);
        }
        return out;
    }
    /// The box around all corners at all times.
    void bounds(Vec3& low, Vec3& high) const {
        low = high = begin_.c[0];
        for (int i = 0; i < Count; ++i) {
            for (const Vec3& c : {begin_.c[i], end_.c[i]}) {
                low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
                high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
            }
        }
    }

private:
    Hull<Count> begin_, end_;
};

double largest(const Vec3& a) {
    return std::max({a.x, a.y, a.z});
}

/// The direction with the better certificate: the feature's normal is the more precise one, but has
/// lost its direction where the feature is degenerate.
template <int Count>
Projection<Count> best_projection(const Motion<Count>& motion, const Nearest& near, double time,
                                  double& gap) {
    Projection<Count> projection = motion.on(near.normal);
    gap = projection.lowest_at(time);
    const double distance = norm(near.point);
    if (!(gap >= 0.5 * distance)) {
        const Projection<Count> other = motion.on(near.point);
        const double other_gap = other.lowest_at(time);
        if (!(gap >= other_gap)) {
            gap = other_gap;
            return other;
        }
    }
    return projection;
}

template <int Count>
std::optional<Impact> find_impact(const Motion<Count>& motion, const ContinuousSettings& settings) {
    Vec3 low, high;
    motion.bounds(low, high);
    const double size = std::max({largest(high), -std::min({low.x, low.y, low.z}), //
                                  settings.separation});
    const double slack = relative_slack * size;
    const double floor = settings.separation + slack;
    if (largest(low) > floor || largest(-high) > floor)
        return std::nullopt;

    double tolerance = std::max(settings.tolerance, 4 * slack);
    double time = 0;
    std::optional<Impact> impact; // set while within the tolerance
    int refinements = 0;
    for (int step = 0; step < settings.max_steps; ++step) {
        const Nearest near = nearest(motion.at(time));
        double gap;
        const Projection<Count> projection = best_projection(motion, near, time, gap);
        const double excess = gap - floor;
        if (!(excess > slack)) // also where the distance is zero and no direction was found
            return impact ? impact : Impact{time, near.a, near.b};
        if (projection.lowest_end() >= floor)
            return std::nullopt;
        if (step == 0)
            tolerance = std::min(tolerance, 0.5 * excess);

        double level = floor + 0.5 * tolerance;
        if (excess <= tolerance) {
            if (!impact) {
                impact = {time, near.a, near.b};
                refinements = 0;
            }
            if (++refinements > settings.refinements)
                return impact;
            level = floor + 0.5 * excess;
        } else {
            impact.reset();
        }
        const double next = projection.time_of(level);
        if (!(next > time))
            return impact ? impact : Impact{time, near.a, near.b};
        time = next;
    }
    const Nearest near = nearest(motion.at(time));
    return impact ? impact : Impact{time, near.a, near.b};
}

} // namespace

std::optional<Impact> vertex_face_impact(const std::array<Vec3, 4>& begin,
                                         const std::array<Vec3, 4>& end,
                                         const ContinuousSettings& settings) {
    return find_impact(Motion<3>(face_hull(begin), face_hull(end)), settings);
}

std::optional<Impact> edge_edge_impact(const std::array<Vec3, 4>& begin,
                                       const std::array<Vec3, 4>& end,
                                       const ContinuousSettings& settings) {
    return find_impact(Motion<4>(edge_hull(begin), edge_hull(end)), settings);
}

} // namespace muslin
