#pragma once

// Conservative advancement [Mirtich 1996] with a certificate for each step.
//
// The differences of a point of one and a point of the other fill the hull of a few corners, each
// of which moves along a straight line: three for a vertex and a face, four for two edges. The two
// come as close as s where the hull comes as close as s to the origin. Let n be any direction of
// length one. While n . c > s for every corner c, that has not happened; and as n . c is linear in
// time, the times for which it holds follow from its values at times 0 and 1. So: take n from the
// origin to the closest point of the hull at time t, go on to the time when the first n . c reaches
// the wanted distance, repeat. A poor n costs steps but cannot make the answer wrong.
//
// Where the pair turns while its distance is small beside its size, these steps are short. The
// plane of the hull, which turns along, then allows longer ones: see plane_reach.
//
// Rounding. Corners are differences of given numbers, each rounded once, so the place in the world
// does not matter, only the size m of the differences. With u the unit roundoff, n . c is off by
// less than 4 sqrt(3) u m, by as much again as |n| is not quite one, by 9 u m more where it is
// interpolated in time, and by 11 u m where a time was computed from it: below 32 u m in all.
// `slack` is twice that, and every comparison keeps it.

#include "muslin/base/host_device.h"
#include "muslin/kernels/continuous.h"
#include "muslin/kernels/distance.h"
#include "muslin/math/scalar.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace muslin {
// Local to each source that includes this: what is called once is then inlined, as it was when it
// was written in that source, and rounds the same.
namespace {
namespace advancement_detail {

template <class Real>
MUSLIN_HD Real unit_roundoff() {
    return machine_epsilon<Real>() / 2;
}

/// Between these, a squared length is a normal number, and so is its reciprocal.
template <class Real>
MUSLIN_HD Real least_squared() {
    return Real(std::is_same_v<Real, float> ? 1e-35 : 1e-290);
}
template <class Real>
MUSLIN_HD Real greatest_squared() {
    return Real(std::is_same_v<Real, float> ? 1e35 : 1e290);
}

template <class Real, int Count>
using Hull = std::array<Vec3T<Real>, Count>;

template <class Real, class Given>
MUSLIN_HD Vec3T<Real> difference(const Vec3T<Given>& a, const Vec3T<Given>& b) {
    return {Real(a.x) - b.x, Real(a.y) - b.y, Real(a.z) - b.z};
}

/// Three corners for x = {v, f0, f1, f2}, four for {a0, a1, b0, b1}.
template <class Real, int Count, class Given>
MUSLIN_HD Hull<Real, Count> hull_of(const std::array<Vec3T<Given>, 4>& x) {
    if constexpr (Count == 3)
        return {difference<Real>(x[1], x[0]), difference<Real>(x[2], x[0]),
                difference<Real>(x[3], x[0])};
    else
        return {difference<Real>(x[2], x[0]), difference<Real>(x[3], x[0]),
                difference<Real>(x[2], x[1]), difference<Real>(x[3], x[1])};
}

/// The point of a hull that is closest to the origin.
template <class Real>
struct Nearest {
    Vec3T<Real> point;
    Vec3T<Real> normal; ///< of the feature it lies on, turned away from the origin; any length
    Real a, b;          ///< as in Impact
    bool in_plane;      ///< the feature is the hull itself, not an edge or a corner of it

    template <class Given>
    MUSLIN_HD ImpactT<Given> impact(Real time) const {
        return {static_cast<Given>(time), static_cast<Given>(a), static_cast<Given>(b)};
    }
};

/// The part of p at right angles to an edge. As p is the offset to a closest point inside the edge
/// that is p itself, but for rounding, which counts once p is short beside the edge.
template <class Real>
MUSLIN_HD Vec3T<Real> across(const Vec3T<Real>& p, const Vec3T<Real>& edge) {
    return p - (dot(p, edge) / dot(edge, edge)) * edge;
}

template <class Real>
MUSLIN_HD Vec3T<Real> towards(const Vec3T<Real>& normal, const Vec3T<Real>& p) {
    return dot(normal, p) < 0 ? -normal : normal;
}

template <class Real>
MUSLIN_HD Nearest<Real> nearest(const Hull<Real, 3>& c) {
    const auto d = vertex_face_distance<Real>({0, 0, 0}, c[0], c[1], c[2]);
    const Vec3T<Real>& w = d.weights;
    Nearest<Real> out = {w.x * c[0] + w.y * c[1] + w.z * c[2], {}, w.y, w.z, false};
    switch (d.region) {
    case FaceRegion::interior:
        out.normal = towards(cross(c[1] - c[0], c[2] - c[0]), out.point);
        out.in_plane = true;
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

template <class Real>
MUSLIN_HD Nearest<Real> nearest(const Hull<Real, 4>& c) {
    const Vec3T<Real> a = c[0] - c[2], b = c[1] - c[0];
    const auto d = edge_edge_distance<Real>({0, 0, 0}, a, c[0], c[1]);
    Nearest<Real> out = {c[0] + d.t * b - d.s * a, {}, d.s, d.t, d.s_interior && d.t_interior};
    if (out.in_plane)
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
template <class Real, int Count>
struct Projection {
    std::array<Real, Count> begin, end;

    MUSLIN_HD Real lowest_at(Real time) const {
        Real low = begin[0] + time * (end[0] - begin[0]);
        for (int i = 1; i < Count; ++i)
            low = std::min(low, begin[i] + time * (end[i] - begin[i]));
        return low;
    }
    MUSLIN_HD Real lowest_end() const { return *std::min_element(end.begin(), end.end()); }
    /// When the first corner comes down to `level`; all of them are above it now.
    MUSLIN_HD Real time_of(Real level) const {
        Real time = 1;
        for (int i = 0; i < Count; ++i)
            if (end[i] < level)
                time = std::min(time, (begin[i] - level) / (begin[i] - end[i]));
        return time;
    }
};

template <class Real, int Count>
struct Motion {
    Hull<Real, Count> begin, end;

    template <class Given>
    MUSLIN_HD Motion(const std::array<Vec3T<Given>, 4>& from, const std::array<Vec3T<Given>, 4>& to)
        : begin(hull_of<Real, Count>(from)), end(hull_of<Real, Count>(to)) {}

    MUSLIN_HD Hull<Real, Count> at(Real time) const {
        Hull<Real, Count> out;
        for (int i = 0; i < Count; ++i)
            out[i] = begin[i] + time * (end[i] - begin[i]);
        return out;
    }
    /// On the direction `normal`, of any length; where that is lost to underflow or overflow, the
    /// projection is one that separates nothing.
    MUSLIN_HD Projection<Real, Count> on(const Vec3T<Real>& normal) const {
        const Real squared = dot(normal, normal);
        Projection<Real, Count> out;
        if (!(squared > least_squared<Real>() && squared < greatest_squared<Real>())) {
            out.begin.fill(-1);
            out.end.fill(-1);
            return out;
        }
        const Vec3T<Real> n = (1 / std::sqrt(squared)) * normal;
        for (int i = 0; i < Count; ++i) {
            out.begin[i] = dot(n, begin[i]);
            out.end[i] = dot(n, end[i]);
        }
        return out;
    }
};

/// The box around all corners at all times.
template <class Real>
struct Bounds {
    Vec3T<Real> low, high;

    template <int Count>
    MUSLIN_HD explicit Bounds(const Motion<Real, Count>& motion)
        : low(motion.begin[0]), high(motion.begin[0]) {
        for (int i = 0; i < Count; ++i) {
            include(motion.begin[i]);
            include(motion.end[i]);
        }
    }
    /// The greatest absolute value of a component.
    MUSLIN_HD Real size() const {
        return std::max({high.x, high.y, high.z, -low.x, -low.y, -low.z});
    }
    /// How far it is from the origin along one of the axes; negative where it surrounds it.
    MUSLIN_HD Real gap() const {
        return std::max({low.x, low.y, low.z, -high.x, -high.y, -high.z});
    }

private:
    MUSLIN_HD void include(const Vec3T<Real>& c) {
        low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
        high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
    }
};

/// Whether the plane of the hull stays further than `level` from the origin from hull p to hull q
/// of one motion. Its distance is f(t) / |n(t)|, n = (c1 - c0) x (c2 - c0), f = n . c0, polynomials
/// of degree 2 and 3 in time; in Bernstein form, the least coefficient of one and the greatest of
/// the other bound them. `error` bounds the rounding.
template <class Real, int Count>
MUSLIN_HD bool plane_stays_off(const Hull<Real, Count>& p, const Hull<Real, Count>& q, Real level,
                               Real error) {
    const Vec3T<Real> p1 = p[1] - p[0], p2 = p[2] - p[0], q1 = q[1] - q[0], q2 = q[2] - q[0];
    const Vec3T<Real> n0 = cross(p1, p2), n1 = Real(0.5) * (cross(p1, q2) + cross(q1, p2)),
                      n2 = cross(q1, q2);
    const Real third = Real(1) / 3;
    const Real f0 = dot(n0, p[0]), f1 = third * (dot(n0, q[0]) + 2 * dot(n1, p[0])),
               f2 = third * (dot(n2, p[0]) + 2 * dot(n1, q[0])), f3 = dot(n2, q[0]);
    const Real least = f0 > 0 ? std::min({f0, f1, f2, f3}) : -std::max({f0, f1, f2, f3});
    const Real area = std::sqrt(std::max({dot(n0, n0), dot(n1, n1), dot(n2, n2)}));
    return least > level * area + error;
}

/// Follows one motion.
template <class Real, int Count, class Given>
class Pursuit {
public:
    MUSLIN_HD Pursuit(const Motion<Real, Count>& motion, const ContinuousSettingsT<Given>& settings)
        : motion_(motion), settings_(settings) {
        const Bounds<Real> bounds(motion);
        size_ = std::max(bounds.size(), Real(settings.separation));
        slack_ = 64 * unit_roundoff<Real>() * size_;
        floor_ = settings.separation + slack_;
        apart_ = bounds.gap() > floor_;
    }

    /// From a time until which no impact is known to happen.
    MUSLIN_HD std::optional<ImpactT<Given>> run(Real start) {
        time_ = start;
        if (apart_)
            return std::nullopt;
        Real tolerance = std::max(Real(settings_.tolerance), 4 * slack_);
        Real reach = 1;
        std::optional<ImpactT<Given>> impact; // set while within the tolerance
        for (int step = 0; step < settings_.max_steps; ++step) {
            const Hull<Real, Count> hull = motion_.at(time_);
            const Nearest<Real> near = nearest(hull);
            const Projection<Real, Count> projection = motion_.on(near.normal);
            const Real excess = projection.lowest_at(time_) - floor_;
            if (!(excess > slack_)) // also where they touch and there is no direction
                return impact ? impact : near.template impact<Given>(time_);
            if (projection.lowest_end() >= floor_)
                return std::nullopt;
            if (step == 0)
                tolerance = std::min(tolerance, excess / 2);

            Real level = floor_ + tolerance / 2;
            if (excess > tolerance) {
                impact.reset();
            } else {
                if (!impact)
                    impact = near.template impact<Given>(time_);
                if (excess <= settings_.resolution)
                    return impact;
                level = floor_ + excess / 64;
            }
            Real next = projection.time_of(level);
            if (step >= first_plane_step && near.in_plane)
                next =
                    std::max(next, plane_reach(hull, level, guess(near, projection, level), reach));
            if (next >= 1)
                return std::nullopt;
            if (!(next > time_))
                return impact ? impact : near.template impact<Given>(time_);
            time_ = next;
        }
        return impact ? impact : nearest(motion_.at(time_)).template impact<Given>(time_);
    }

    /// Until when no impact happens, after a run that found one.
    MUSLIN_HD Real time() const { return time_; }

private:
    // Most misses are settled by then, and would only pay for the attempt.
    static constexpr int first_plane_step = 3;

    /// When the nearest point will be almost down to `level`, if it goes on as it does now.
    MUSLIN_HD Real guess(const Nearest<Real>& near, const Projection<Real, Count>& projection,
                         Real level) const {
        const auto& [begin, end] = projection;
        const std::array<Real, 3> weights = {1 - near.a - near.b, Count == 3 ? near.a : near.b,
                                             Count == 3 ? near.b : near.a};
        Real from = 0, to = 0;
        for (int i = 0; i < 3; ++i) {
            from += weights[i] * begin[i];
            to += weights[i] * end[i];
        }
        if (!(to < level))
            return 1;
        const Real gap = from + time_ * (to - from);
        return time_ + Real(0.97) * (gap - level) / (from - to);
    }

    /// A time until which the plane of the hull proves them apart, if that is the guess, or the
    /// part `reach` of the time up to it; `reach` adapts to how well it goes.
    MUSLIN_HD Real plane_reach(const Hull<Real, Count>& hull, Real level, Real guessed,
                               Real& reach) const {
        // In units of u m^3: less than 800 for f, 500 for the product of level and area.
        const Real error = 2048 * unit_roundoff<Real>() * size_ * size_ * size_;
        const Real until = std::min(Real(1), time_ + reach * (guessed - time_));
        if (plane_stays_off<Real, Count>(hull, motion_.at(until), level, error)) {
            reach = std::min(Real(1), 4 * reach);
            return until;
        }
        reach /= 4;
        return 0;
    }

    const Motion<Real, Count>& motion_;
    const ContinuousSettingsT<Given>& settings_;
    Real size_, slack_, floor_;
    Real time_ = 0;
    bool apart_;
};

} // namespace advancement_detail

/// Of a vertex and a face for Count 3, of two edges for Count 4, as in continuous.h, without the
/// second look in longer numbers: for a resolution and a separation of zero more near misses count
/// as impacts.
template <int Count, class T>
MUSLIN_HD std::optional<ImpactT<T>> advance_to_impact(const std::array<Vec3T<T>, 4>& begin,
                                                      const std::array<Vec3T<T>, 4>& end,
                                                      const ContinuousSettingsT<T>& settings) {
    const advancement_detail::Motion<T, Count> motion(begin, end);
    advancement_detail::Pursuit<T, Count, T> pursuit(motion, settings);
    return pursuit.run(0);
}

} // namespace
} // namespace muslin
