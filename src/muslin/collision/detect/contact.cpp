#include "muslin/collision/detect/contact.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

std::array<Vec3, 4> corners(const std::array<int, 4>& points, std::span<const Vec3> positions) {
    return {positions[points[0]], positions[points[1]], positions[points[2]], positions[points[3]]};
}

std::array<int, 4> pair_points(const Surfaces& surfaces, FeaturePair pair, bool edges) {
    if (edges) {
        const auto [a0, a1] = surfaces.edges[pair.first];
        const auto [b0, b1] = surfaces.edges[pair.second];
        return {a0, a1, b0, b1};
    }
    const auto [f0, f1, f2] = surfaces.triangles[pair.second];
    return {pair.first, f0, f1, f2};
}

// The unit vector along `d`; none where `d` is too short to have a direction that rounding leaves
// alone.
std::optional<Vec3> direction(const Vec3& d, double shortest) {
    const double length = norm(d);
    if (!(length > shortest))
        return {};
    return (1 / length) * d;
}

} // namespace

Contact make_contact(const Surfaces& surfaces, FeaturePair pair, bool edges) {
    Contact c;
    c.first = pair.first;
    c.second = pair.second;
    c.edges = edges;
    c.points = pair_points(surfaces, pair, edges);
    // The first point of each side speaks for its cloth or body.
    const int a = c.points[0], b = c.points[edges ? 2 : 1];
    c.thickness =
        edges ? surfaces.edge_half_thickness[pair.first] + surfaces.edge_half_thickness[pair.second]
              : surfaces.half_thickness[pair.first] + surfaces.triangle_half_thickness[pair.second];
    c.friction = surfaces.friction_between(a, b);
    return c;
}

bool set_closest(Contact& c, std::span<const Vec3> positions, double& distance) {
    const auto x = corners(c.points, positions);
    bool interior;
    if (c.edges) {
        const EdgeEdgeDistance d = edge_edge_distance(x[0], x[1], x[2], x[3]);
        c.weights = {1 - d.s, d.s, d.t - 1, -d.t};
        interior = d.s_interior && d.t_interior;
        distance = std::sqrt(d.squared);
    } else {
        const VertexFaceDistance d = vertex_face_distance(x[0], x[1], x[2], x[3]);
        c.weights = {1, -d.weights.x, -d.weights.y, -d.weights.z};
        interior = d.region == FaceRegion::interior;
        distance = std::sqrt(d.squared);
    }
    if (const auto n = direction(c.difference(positions), 1e-9 * c.thickness))
        c.normal = *n;
    else
        interior = false;
    return interior;
}

// The gap along a fixed direction is the least of functions linear in time.
bool keeps_gap(const Contact& c, const Vec3& direction, std::span<const Vec3> begin,
               std::span<const Vec3> end, double at_begin, double at_end) {
    const auto gap = [&](std::span<const Vec3> positions) {
        const auto x = corners(c.points, positions);
        const double first = dot(direction, x[0]), second = dot(direction, x[1]);
        const double last = std::max(dot(direction, x[2]), dot(direction, x[3]));
        return c.edges ? std::min(first, second) - last : first - std::max(second, last);
    };
    const double length = norm(direction);
    return gap(begin) > at_begin * length && gap(end) > at_end * length;
}

Vec3 between_middles(const Contact& c, std::span<const Vec3> begin, std::span<const Vec3> end) {
    const auto between = [&](std::span<const Vec3> positions) {
        const auto x = corners(c.points, positions);
        return c.edges ? 0.5 * (x[0] + x[1] - x[2] - x[3])
                       : x[0] - (1.0 / 3) * (x[1] + x[2] + x[3]);
    };
    return between(begin) + between(end);
}

std::optional<Impact> find_impact(const Contact& c, std::span<const Vec3> begin,
                                  std::span<const Vec3> end) {
    // Far finer than any thickness, far coarser than the rounding of coordinates.
    ContinuousSettings settings;
    settings.tolerance = 1e-3 * c.thickness;
    settings.resolution = 1e-6 * c.thickness;
    const auto x0 = corners(c.points, begin), x1 = corners(c.points, end);
    return c.edges ? edge_edge_impact(x0, x1, settings) : vertex_face_impact(x0, x1, settings);
}

void set_impact(Contact& c, const Impact& impact, std::span<const Vec3> begin,
                std::span<const Vec3> end) {
    if (c.edges)
        c.weights = {1 - impact.a, impact.a, impact.b - 1, -impact.b};
    else
        c.weights = {1, impact.a + impact.b - 1, -impact.a, -impact.b};
    const auto x0 = corners(c.points, begin), x1 = corners(c.points, end);
    std::array<Vec3, 4> x;
    for (int k = 0; k < 4; ++k)
        x[k] = x0[k] + impact.time * (x1[k] - x0[k]);
    const Vec3 u = c.edges ? x[1] - x[0] : x[2] - x[1];
    const Vec3 v = c.edges ? x[3] - x[2] : x[3] - x[1];
    const Vec3 across = cross(u, v);
    const Vec3 apart = c.difference(begin);
    const Vec3 approach = c.difference(begin) - c.difference(end);
    // Features are on their right side at the start; where the start lies in their plane they come
    // from where the motion points.
    if (const auto n = direction(across, 1e-6 * norm(u) * norm(v))) {
        const double side = dot(*n, apart), coming = dot(*n, approach);
        const bool clear = std::abs(side) > 1e-3 * norm(apart) || coming == 0;
        c.normal = (clear ? side : coming) >= 0 ? *n : -*n;
    } else if (const auto n0 = direction(apart, 1e-9 * c.thickness)) {
        c.normal = *n0; // parallel edges, a face without area
    } else if (const auto n1 = direction(approach, 1e-12 * c.thickness)) {
        c.normal = *n1;
    } else {
        c.normal = {0, 1, 0}; // no distance, no motion: any direction separates
    }
}

} // namespace muslin
