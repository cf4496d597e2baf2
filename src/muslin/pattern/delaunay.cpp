#include "muslin/pattern/delaunay.h"

#include <boost/polygon/voronoi.hpp>

#include <algorithm>
#include <cassert>
#include <tuple>

template <>
struct boost::polygon::geometry_concept<muslin::LatticePoint> {
    using type = point_concept;
};
template <>
struct boost::polygon::point_traits<muslin::LatticePoint> {
    using coordinate_type = std::int32_t;
    static coordinate_type get(const muslin::LatticePoint& p, orientation_2d axis) {
        return axis == HORIZONTAL ? p.x : p.y;
    }
};

namespace muslin {
namespace {

__extension__ typedef __int128 Wide;

/// Whether d lies inside the circle through the counter-clockwise a, b, c; exact: the terms stay
/// below 2^122 for coordinates up to 2^28.
bool in_circle(LatticePoint a, LatticePoint b, LatticePoint c, LatticePoint d) {
    const std::int64_t ax = std::int64_t{a.x} - d.x, ay = std::int64_t{a.y} - d.y;
    const std::int64_t bx = std::int64_t{b.x} - d.x, by = std::int64_t{b.y} - d.y;
    const std::int64_t cx = std::int64_t{c.x} - d.x, cy = std::int64_t{c.y} - d.y;
    const Wide det = static_cast<Wide>(ax * ax + ay * ay) * (bx * cy - by * cx) +
                     static_cast<Wide>(bx * bx + by * by) * (cx * ay - cy * ax) +
                     static_cast<Wide>(cx * cx + cy * cy) * (ax * by - ay * bx);
    return det > 0;
}

} // namespace

Delaunay::Delaunay(std::vector<LatticePoint> points) : points_(std::move(points)) {
    triangulate();
    join();
    restore(); // the Voronoi diagram merges vertices that are a rounding apart
}

void Delaunay::triangulate() {
    boost::polygon::voronoi_diagram<double> diagram;
    boost::polygon::construct_voronoi(points_.begin(), points_.end(), &diagram);
    triangles_.reserve(2 * points_.size());
    for (const auto& vertex : diagram.vertices()) {
        // The cells around a Voronoi vertex are the corners of a Delaunay polygon.
        const auto* edge = vertex.incident_edge();
        const int first = static_cast<int>(edge->cell()->source_index());
        int previous = -1;
        do {
            const int site = static_cast<int>(edge->cell()->source_index());
            if (previous >= 0 && previous != first &&
                doubled_area(points_[first], points_[previous], points_[site]) > 0)
                triangles_.push_back({first, previous, site});
            previous = site;
            edge = edge->rot_next();
        } while (edge != vertex.incident_edge());
    }
    for (auto& t : triangles_)
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(triangles_.begin(), triangles_.end());
}

void Delaunay::join() {
    struct Side {
        int low, high, triangle, corner;
    };
    std::vector<Side> sides;
    sides.reserve(3 * triangles_.size());
    triangle_of_.assign(points_.size(), -1);
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = triangles_[t][(k + 1) % 3], b = triangles_[t][(k + 2) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, k});
            triangle_of_[triangles_[t][k]] = t;
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) {
        return std::tie(p.low, p.high, p.triangle) < std::tie(q.low, q.high, q.triangle);
    });
    neighbours_.assign(triangles_.size(), {-1, -1, -1});
    fixed_.assign(triangles_.size(), 0);
    inside_.assign(triangles_.size(), 0);
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &p = sides[i], &q = sides[i + 1];
        if (p.low == q.low && p.high == q.high) {
            neighbours_[p.triangle][p.corner] = q.triangle;
            neighbours_[q.triangle][q.corner] = p.triangle;
        }
    }
}

int Delaunay::corner_towards(int triangle, int neighbour) const {
    const auto& n = neighbours_[triangle];
    return n[0] == neighbour ? 0 : (n[1] == neighbour ? 1 : 2);
}

std::span<const int> Delaunay::ring(int vertex) {
    ring_.clear();
    const int start = triangle_of_[vertex];
    int t = start;
    do {
        const auto& v = triangles_[t];
        const int k = v[0] == vertex ? 0 : (v[1] == vertex ? 1 : 2);
        ring_.push_back(v[(k + 1) % 3]);
        t = neighbours_[t][(k + 1) % 3]; // across the side that ends the corner
        assert(t >= 0);                  // an inner vertex
    } while (t != start);
    return ring_;
}

bool Delaunay::move(int vertex, LatticePoint to) {
    const auto around = ring(vertex);
    for (std::size_t i = 0; i < around.size(); ++i)
        if (doubled_area(to, points_[around[i]], points_[around[(i + 1) % around.size()]]) <= 0)
            return false;
    if (record_.on) {
        note_ring(vertex);
        record_.moved.push_back({vertex, points_[vertex]});
    }
    points_[vertex] = to;
    return true;
}

void Delaunay::restore() {
    for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
        if (triangles_[t][0] < 0)
            continue;
        pending_.push_back(t);
        restore_pending();
    }
}

void Delaunay::restore_pending() {
    while (!pending_.empty()) {
        const int u = pending_.back();
        pending_.pop_back();
        // A flip changes both triangles, so all sides of u are looked at anew.
        for (int k = 0; k < 3; ++k)
            if (flip_if_needed(u, k))
                k = -1;
    }
}

bool Delaunay::flip_if_needed(int t, int i) {
    const int u = neighbours_[t][i];
    if (u < 0 || is_fixed(t, i))
        return false;
    const int j = corner_towards(u, t);
    const auto& v = triangles_[t];
    if (!in_circle(points_[v[0]], points_[v[1]], points_[v[2]], points_[triangles_[u][j]]))
        return false;
    flip(t, i, u, j);
    pending_.push_back(u);
    return true;
}

/// Replaces the side that t (opposite its corner i) and u (opposite its corner j) share by the
/// other diagonal: t = (a, b, c), u = (d, c, b) become t = (a, b, d), u = (d, c, a).
void Delaunay::flip(int t, int i, int u, int j) {
    if (record_.on) {
        note(t);
        note(u);
    }
    const int b = triangles_[t][(i + 1) % 3], c = triangles_[t][(i + 2) % 3];
    const int a = triangles_[t][i], d = triangles_[u][j];
    const int across_ab = neighbours_[t][(i + 2) % 3], across_ca = neighbours_[t][(i + 1) % 3];
    const int across_dc = neighbours_[u][(j + 2) % 3], across_bd = neighbours_[u][(j + 1) % 3];
    if (across_ca >= 0) {
        if (record_.on)
            note(across_ca);
        neighbours_[across_ca][corner_towards(across_ca, t)] = u;
    }
    if (across_bd >= 0) {
        if (record_.on)
            note(across_bd);
        neighbours_[across_bd][corner_towards(across_bd, u)] = t;
    }
    const int fixed_ab = fixed_[t] >> (i + 2) % 3 & 1, fixed_ca = fixed_[t] >> (i + 1) % 3 & 1;
    const int fixed_dc = fixed_[u] >> (j + 2) % 3 & 1, fixed_bd = fixed_[u] >> (j + 1) % 3 & 1;
    fixed_[t] = static_cast<std::uint8_t>(fixed_bd | fixed_ab << 2);
    fixed_[u] = static_cast<std::uint8_t>(fixed_ca | fixed_dc << 2);
    triangles_[t] = {a, b, d};
    neighbours_[t] = {across_bd, u, across_ab};
    triangles_[u] = {d, c, a};
    neighbours_[u] = {across_ca, t, across_dc};
    triangle_of_[a] = triangle_of_[b] = t;
    triangle_of_[c] = triangle_of_[d] = u;
}

namespace {

LatticePoint mean_of(const std::vector<LatticePoint>& points, std::span<const int> ring) {
    std::int64_t x = 0, y = 0;
    for (const int v : ring) {
        x += points[v].x;
        y += points[v].y;
    }
    const auto n = static_cast<std::int64_t>(ring.size());
    return {static_cast<std::int32_t>(x / n), static_cast<std::int32_t>(y / n)};
}

LatticePoint towards(LatticePoint from, LatticePoint to, int eighths) {
    return {from.x + (to.x - from.x) / 8 * eighths, from.y + (to.y - from.y) / 8 * eighths};
}

} // namespace

void smooth(Delaunay& mesh, int first_inner) {
    for (int v = first_inner; v < static_cast<int>(mesh.points().size()); ++v) {
        if (!mesh.exists(v))
            continue;
        const LatticePoint at = mesh.points()[v], mean = mean_of(mesh.points(), mesh.ring(v));
        if (!mesh.move(v, towards(at, mean, 4)))
            mesh.move(v, towards(at, mean, 2));
    }
    mesh.restore();
}

} // namespace muslin
