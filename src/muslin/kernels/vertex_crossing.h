#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/vec.h"

#include <optional>
#include <type_traits>

namespace muslin {

/// Where a point passed through a triangle on the straight ways of a step.
template <class T>
struct VertexCrossingT {
    T time;           ///< of the step: 0 at its start, 1 at its end
    Vec3T<T> weights; ///< of the triangle's corners
    bool from_front;  ///< of the triangle: the side from where it is counter-clockwise
};
using VertexCrossing = VertexCrossingT<double>;

/// Whether a point is on the other side of a triangle at the end of a step and passed through it on
/// the way; with the time at which its height above the plane would be zero were it linear. The
/// point comes first, then the corners, at the start and at the end of the step [m].
template <class T>
MUSLIN_HD inline std::optional<VertexCrossingT<T>> vertex_crossing(const Vec3T<T> (&begin)[4],
                                                                   const Vec3T<T> (&end)[4]) {
    // A place this far outside of a triangle, as weights, still counts: what passes between two
    // triangles that share an edge passes one of them.
    const T slack = T(std::is_same_v<T, float> ? 1e-5 : 1e-9);
    const auto volume = [](const Vec3T<T>(&x)[4]) {
        return dot(cross(x[2] - x[1], x[3] - x[1]), x[0] - x[1]);
    };
    const T before = volume(begin), after = volume(end);
    // On the plane at the start: it comes from the side that it does not go to. On it at the end:
    // it has not passed.
    if (!(before >= 0 && after < 0) && !(before <= 0 && after > 0))
        return {};
    const T time = before / (before - after);
    const auto at = [&](int k) { return begin[k] + time * (end[k] - begin[k]); };
    const Vec3T<T> origin = at(1), e = at(2) - origin, f = at(3) - origin, d = at(0) - origin;
    const Vec3T<T> n = cross(e, f);
    const T area = dot(n, n);
    if (!(area > 0))
        return {};
    Vec3T<T> w = {0, dot(cross(d, f), n) / area, dot(cross(e, d), n) / area};
    w.x = 1 - w.y - w.z;
    if (!(w.x >= -slack && w.y >= -slack && w.z >= -slack))
        return {};
    return VertexCrossingT<T>{time, w, after < 0};
}

} // namespace muslin
