#include "muslin/collision/response/tangles.h"

#include "muslin/collision/narrow/crossing.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// How fast a crossing is drawn out [m/s]: slow beside any motion, and a tangle of a centimetre is
// gone in a tenth of a second.
constexpr double pace = 0.1;

bool shares_point(const std::array<int, 3>& a, const std::array<int, 2>& edge) {
    for (int p : a)
        if (p == edge[0] || p == edge[1])
            return true;
    return false;
}

} // namespace

Tangles::Tangles(const Surfaces& surfaces)
    : surfaces_(surfaces), marks_(surfaces.point_count(), 0),
      edge_triangles_(surfaces.edges.size()) {
    for (std::size_t t = 0; t < surfaces.triangles.size(); ++t)
        for (int e : surfaces.triangle_edges[t])
            edge_triangles_[e].push_back(static_cast<int>(t));
}

void Tangles::release(std::span<const int> points) {
    for (int p : points)
        marks_[p] = squeezed;
    any_ = any_ || !points.empty();
}

void Tangles::test_pair(int a, int b, std::span<const Vec3> x) {
    const auto pierce = [&](int from, int face) {
        const auto& [f0, f1, f2] = surfaces_.triangles[face];
        for (int k = 0; k < 3; ++k) {
            const int e = surfaces_.triangle_edges[from][k];
            const auto [p, q] = surfaces_.edges[e];
            if ((surfaces_.owned[from] >> (3 + k) & 1) &&
                !shares_point(surfaces_.triangles[face], surfaces_.edges[e]) &&
                segment_crosses_triangle(x[p], x[q], x[f0], x[f1], x[f2]))
                crossings_.push_back({e, face});
        }
    };
    pierce(a, b);
    pierce(b, a);
}

void Tangles::update(std::span<const Vec3> positions, bool everywhere) {
    const int cloth = surfaces_.cloth_triangle_count();
    const int all = static_cast<int>(surfaces_.triangles.size());
    boxes_.resize(all);
    for (int t = 0; t < all; ++t) {
        const auto& [a, b, c] = surfaces_.triangles[t];
        boxes_[t] = Box::around(positions[a], positions[b], positions[c]);
    }
    const std::span<const Box> boxes = boxes_;
    cloth_.build(boxes.first(cloth));
    bodies_.build(boxes.subspan(cloth));
    std::vector<std::vector<std::array<int, 2>>> pairs(cloth_.chunk_count());
    cloth_.visit_self_pairs([&](std::size_t chunk, int a, int b) {
        pairs[chunk].push_back({a, b});
    });
    if (all > cloth)
        cloth_.visit_pairs(bodies_, [&](std::size_t chunk, int a, int b) {
            pairs[chunk].push_back({a, cloth + b});
        });
    const auto marked = [&](int t) {
        const auto& [a, b, c] = surfaces_.triangles[t];
        return marks_[a] || marks_[b] || marks_[c];
    };
    crossings_.clear();
    for (const auto& chunk : pairs)
        for (const auto& [a, b] : chunk)
            if (everywhere || (marked(a) && marked(b)))
                test_pair(a, b, positions);
    std::vector<std::uint8_t> marks(marks_.size(), held);
    const auto mark = [&](int p) { marks[p] = marks_[p] == squeezed ? squeezed : tangled; };
    for (const Crossing& c : crossings_) {
        for (int p : surfaces_.edges[c.edge])
            mark(p);
        for (int p : surfaces_.triangles[c.triangle])
            mark(p);
    }
    marks_ = std::move(marks);
    any_ = !crossings_.empty();
}

// The direction in which the edge is to move against the face: for each triangle at the edge, with
// R the direction in which the contour runs on in it, R - 2 (E.R)/(E.N) N.
Vec3 Tangles::way_out(const Crossing& crossing, std::span<const Vec3> x) const {
    const auto [p, q] = surfaces_.edges[crossing.edge];
    const auto& [f0, f1, f2] = surfaces_.triangles[crossing.triangle];
    const Vec3 n = cross(x[f1] - x[f0], x[f2] - x[f0]), e = x[q] - x[p];
    const double area = norm(n), length = norm(e);
    if (!(area > 0) || !(length > 0))
        return {0, 0, 0};
    const Vec3 normal = (1 / area) * n, edge = (1 / length) * e;
    Vec3 sum = {0, 0, 0};
    for (int t : edge_triangles_[crossing.edge]) {
        const auto& [a, b, c] = surfaces_.triangles[t];
        const int third = a != p && a != q ? a : (b != p && b != q ? b : c);
        const Vec3 across = cross(x[b] - x[a], x[c] - x[a]);
        Vec3 along = cross(normal, across); // lies in both planes
        const double size = norm(along);
        if (!(size > 1e-9 * norm(across)))
            continue;
        along = (1 / size) * along;
        // Into the triangle, away from its edge.
        const Vec3 inward = (x[third] - x[p]) - dot(x[third] - x[p], edge) * edge;
        if (dot(along, inward) < 0)
            along = -along;
        const double slope = dot(edge, normal);
        // An edge that nearly lies in the face would be sent far along it.
        const double steep = std::copysign(std::max(std::abs(slope), 0.2), slope);
        sum += along - (2 * dot(edge, along) / steep) * normal;
    }
    const double size = norm(sum);
    return size > 0 ? (1 / size) * sum : Vec3{0, 0, 0};
}

void Tangles::draw_out(std::span<const Vec3> begin, const Mobility& mobility, double h,
                       std::span<Vec3> end) const {
    std::vector<Vec3> sums(end.size(), {0, 0, 0});
    std::vector<int> counts(end.size(), 0);
    for (const Crossing& c : crossings_) {
        if (marks_[surfaces_.edges[c.edge][0]] == squeezed)
            continue;
        const Vec3 way = way_out(c, begin);
        const auto push = [&](int point, double sign) {
            if (!mobility.moves(point))
                return;
            sums[point] += sign * way;
            ++counts[point];
        };
        for (int p : surfaces_.edges[c.edge])
            push(p, 1);
        for (int p : surfaces_.triangles[c.triangle])
            push(p, -1);
    }
    for (std::size_t i = 0; i < end.size(); ++i)
        if (counts[i] > 0)
            end[i] += (pace * h / counts[i]) * sums[i];
}

} // namespace muslin
