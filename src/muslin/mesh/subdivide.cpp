#include "muslin/mesh/subdivide.h"

#include "muslin/base/parallel.h"
#include "muslin/mesh/corner_split.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace muslin {

namespace {

constexpr std::size_t grain = 4096;

struct Edge {
    std::array<int, 2> ends;          // the smaller first
    std::array<int, 2> opposite = {}; // third vertices of the first two triangles
    int triangles = 0;

    bool inner() const { return triangles == 2; }
};

/// Each edge once, sorted, and the edge of every triangle's side (corner k to k + 1).
struct Edges {
    std::vector<Edge> list;
    std::vector<std::array<int, 3>> of_triangle;

    explicit Edges(const std::vector<std::array<int, 3>>& triangles);
};

Edges::Edges(const std::vector<std::array<int, 3>>& triangles) : of_triangle(triangles.size()) {
    struct Side {
        std::array<int, 2> ends;
        int triangle, corner;
    };
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(triangles[t][k], triangles[t][(k + 1) % 3]);
            sides.push_back({{low, high}, static_cast<int>(t), static_cast<int>(k)});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return a.ends != b.ends ? a.ends < b.ends : a.triangle < b.triangle;
    });
    for (const Side& side : sides) {
        if (list.empty() || list.back().ends != side.ends)
            list.push_back({side.ends});
        Edge& edge = list.back();
        const auto t = static_cast<std::size_t>(side.triangle);
        const auto k = static_cast<std::size_t>(side.corner);
        if (edge.triangles < 2)
            edge.opposite[static_cast<std::size_t>(edge.triangles)] = triangles[t][(k + 2) % 3];
        ++edge.triangles;
        of_triangle[t][k] = static_cast<int>(list.size()) - 1;
    }
}

/// The angle at corner k [radians], on the pattern.
double angle_at(const std::array<Vec2, 3>& uv, std::size_t k) {
    const Vec2 a = uv[(k + 1) % 3] - uv[k], b = uv[(k + 2) % 3] - uv[k];
    const double across = a.x * b.y - a.y * b.x;
    return std::atan2(std::abs(across), a.x * b.x + a.y * b.y);
}

/// Where the cloth's outline turns by more than 40 degrees; elsewhere it is a curve.
std::vector<char> find_corners(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                               std::span<const std::array<Vec2, 3>> material) {
    if (!material.empty() && material.size() != triangles.size())
        throw std::invalid_argument("Subdivision: material must have one entry per triangle");
    std::vector<double> angle(vertices, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) // a triangle of a regular mesh has 60 degrees
            angle[static_cast<std::size_t>(triangles[t][k])] +=
                material.empty() ? std::numbers::pi / 3 : angle_at(material[t], k);
    std::vector<char> out(vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        out[v] = std::abs(angle[v] - std::numbers::pi) > 40 * std::numbers::pi / 180;
    return out;
}

/// Loop's weight of a neighbour of an inner vertex with n of them.
double neighbour_weight(std::size_t n) {
    return n == 3 ? 3.0 / 16 : 3.0 / (8.0 * static_cast<double>(n));
}

} // namespace

/// Who surrounds each vertex.
struct Subdivision::Level {
    std::vector<std::vector<int>> around; // neighbours of an inner vertex
    std::vector<std::vector<int>> open;   // the other ends of its open edges

    Level(std::size_t vertices, const std::vector<Edge>& edges) : around(vertices), open(vertices) {
        for (const Edge& edge : edges)
            for (std::size_t k = 0; k < 2; ++k) {
                const auto v = static_cast<std::size_t>(edge.ends[k]);
                around[v].push_back(edge.ends[1 - k]);
                if (!edge.inner())
                    open[v].push_back(edge.ends[1 - k]);
            }
    }

    /// A row that mixes a vertex with its neighbours: `curve` of each along an open edge,
    /// `inner(n)` of each of n neighbours inside.
    template <class Inner>
    void add_row(Stencils& out, std::size_t v, bool corner, double curve, Inner&& inner) const {
        const int self = static_cast<int>(v);
        const bool on_curve = !open[v].empty();
        const std::vector<int>& others = on_curve ? open[v] : around[v];
        // Corners, ends where several sheets meet, and stray vertices stay where they are.
        if ((on_curve && (corner || others.size() != 2)) || others.size() < 2) {
            out.add(self, 1);
        } else {
            const double weight = on_curve ? curve : inner(others.size());
            out.add(self, 1 - static_cast<double>(others.size()) * weight);
            for (const int other : others)
                out.add(other, weight);
        }
        out.end_row();
    }
};

Subdivision::Subdivision(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                         std::span<const std::array<Vec2, 3>> material, int levels)
    : Subdivision(find_corners(vertices, triangles, material), triangles, levels) {
    if (!material.empty())
        subdivide_material(vertices, triangles, material, levels);
}

Subdivision::Subdivision(std::vector<char> corner, std::span<const std::array<int, 3>> triangles,
                         int levels)
    : vertices_(corner.size()), triangles_(triangles.begin(), triangles.end()),
      corner_(std::move(corner)) {
    if (levels < 0 || levels > 4)
        throw std::invalid_argument("Subdivision: levels must be in 0 .. 4");
    if (levels == 0)
        return;
    // 2 I - L first: after it L (2 I - L) = I - (I - L)^2 keeps vertices in place to second order.
    add_limit(-1);
    for (int i = 0; i < levels; ++i)
        add_level();
    add_limit(+1);
}

/// Where vertices come to lie in the end is a mean with their neighbours: there with sign +1, as
/// far on the other side with -1.
void Subdivision::add_limit(double sign) {
    const Edges edges(triangles_);
    const Level level(vertices_, edges.list);
    Stencils& stencils = stencils_.emplace_back();
    for (std::size_t v = 0; v < vertices_; ++v)
        level.add_row(stencils, v, corner_[v] != 0, sign / 6, [&](std::size_t n) {
            return sign / (static_cast<double>(n) + 3 / (8 * neighbour_weight(n)));
        });
}

/// The pattern is a flat mesh of its own, open along the seams.
void Subdivision::subdivide_material(std::size_t vertices,
                                     std::span<const std::array<int, 3>> triangles,
                                     std::span<const std::array<Vec2, 3>> material, int levels) {
    const CornerSplit split = split_corners(vertices, triangles, material);
    const std::size_t count = split.source.size();
    const Subdivision finer(find_corners(count, split.triangles, material), split.triangles,
                            levels);
    std::vector<Vec3> flat, fine;
    for (const Vec2& uv : split.uv)
        flat.push_back({uv.x, uv.y, 0});
    finer.apply(flat, fine);
    material_.reserve(finer.triangles().size());
    for (const auto& corners : finer.triangles()) {
        auto& uv = material_.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3& p = fine[static_cast<std::size_t>(corners[k])];
            uv[k] = {p.x, p.y};
        }
    }
}

void Subdivision::add_level() {
    const Edges edges(triangles_);
    const Level level(vertices_, edges.list);
    Stencils& stencils = stencils_.emplace_back();
    for (std::size_t v = 0; v < vertices_; ++v)
        level.add_row(stencils, v, corner_[v] != 0, 1.0 / 8, neighbour_weight);
    std::vector<std::array<int, 2>>& ends = new_ends_.emplace_back();
    for (const Edge& edge : edges.list) {
        const double near = edge.inner() ? 3.0 / 8 : 1.0 / 2;
        for (const int v : edge.ends)
            stencils.add(v, near);
        if (edge.inner())
            for (const int v : edge.opposite)
                stencils.add(v, 1.0 / 8);
        stencils.end_row();
        ends.push_back(edge.ends);
    }

    std::vector<std::array<int, 3>> triangles;
    triangles.reserve(4 * triangles_.size());
    for (std::size_t t = 0; t < triangles_.size(); ++t) {
        const auto& [a, b, c] = triangles_[t];
        std::array<int, 3> middle{};
        for (std::size_t k = 0; k < 3; ++k)
            middle[k] = static_cast<int>(vertices_) + edges.of_triangle[t][k];
        const auto& [ab, bc, ca] = middle;
        for (const auto& child : {std::array{a, ab, ca}, std::array{ab, b, bc},
                                  std::array{ca, bc, c}, std::array{ab, bc, ca}})
            triangles.push_back(child);
    }
    triangles_ = std::move(triangles);
    vertices_ += edges.list.size();
    corner_.resize(vertices_, 0);
    per_coarse_ *= 4;
}

void Subdivision::Stencils::apply(std::span<const Vec3> in, std::vector<Vec3>& out) const {
    out.resize(begin.size() - 1);
    parallel_for(out.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row) {
            Vec3 sum = {0, 0, 0};
            for (std::size_t e = begin[row]; e < begin[row + 1]; ++e)
                sum += entries[e].weight * in[static_cast<std::size_t>(entries[e].vertex)];
            out[row] = sum;
        }
    });
}

void Subdivision::apply(std::span<const Vec3> coarse, std::vector<Vec3>& fine) const {
    fine.assign(coarse.begin(), coarse.end());
    std::vector<Vec3> next;
    for (const Stencils& stencils : stencils_) {
        stencils.apply(fine, next);
        fine.swap(next);
    }
}

void Subdivision::apply(std::span<const double> coarse, std::vector<double>& fine) const {
    fine.assign(coarse.begin(), coarse.end());
    for (const auto& ends : new_ends_)
        for (const auto& [a, b] : ends)
            fine.push_back(0.5 *
                           (fine[static_cast<std::size_t>(a)] + fine[static_cast<std::size_t>(b)]));
}

} // namespace muslin
