#include "muslin/collision/detect/contact.h"

#include "muslin/kernels/contact_pair.h"

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
    const ClosestPair<double> closest = closest_pair(corners(c.points, positions), c.edges);
    c.weights = closest.weights;
    distance = closest.distance;
    const auto n = direction_of(c.difference(positions), ShortParts<double>{}.apart * c.thickness);
    if (n)
        c.normal = *n;
    return n && closest.interior;
}

// The gap along a fixed direction is the least of functions linear in time.
bool keeps_gap(const Contact& c, const Vec3& direction, std::span<const Vec3> begin,
               std::span<const Vec3> end, double at_begin, double at_end) {
    const auto gap = [&](std::span<const Vec3> positions) {
        return gap_along(corners(c.points, positions), c.edges, direction);
    };
    const double length = norm(direction);
    return gap(begin) > at_begin * length && gap(end) > at_end * length;
}

Vec3 between_middles(const Contact& c, std::span<const Vec3> begin, std::span<const Vec3> end) {
    return between_middles(corners(c.points, begin), c.edges) +
           between_middles(corners(c.points, end), c.edges);
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
    c.weights = impact_weights(impact, c.edges);
    c.normal =
        impact_normal(corners(c.points, begin), corners(c.points, end), c.edges, impact.time,
                      c.difference(begin), c.difference(begin) - c.difference(end), c.thickness);
}

} // namespace muslin
