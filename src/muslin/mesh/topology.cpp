#include "muslin/mesh/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>

namespace muslin {
namespace {

using Triangles = std::span<const std::array<int, 3>>;

/// One side of a triangle, filed under the smaller vertex of its edge.
struct HalfEdge {
    int high; ///< the larger vertex
    int triangle;
    signed char side; ///< runs from corner `side` to the next
    bool ascending;   ///< from the smaller vertex to the larger
};

/// The sides of all triangles, grouped by edge. Filing by the smaller vertex first leaves groups
/// of a few sides to sort: linear in practice, and the order owes nothing to a hash.
class EdgeTable {
public:
    explicit EdgeTable(Triangles triangles) {
        int vertices = 0;
        for (const auto& t : triangles)
            vertices = std::max({vertices, t[0] + 1, t[1] + 1, t[2] + 1});
        begin_.assign(static_cast<std::size_t>(vertices) + 1, 0);
        for (const auto& t : triangles)
            for (int k = 0; k < 3; ++k)
                ++begin_[std::min(t[k], t[(k + 1) % 3]) + 1];
        for (std::size_t v = 0; v + 1 < begin_.size(); ++v)
            begin_[v + 1] += begin_[v];
        fill(triangles);
    }

    /// Calls visit(low, high, sides) for every edge in ascending order; the sides are in the order
    /// of their triangles.
    template <class Visit>
    void for_each_edge(Visit&& visit) const {
        for (std::size_t low = 0; low + 1 < begin_.size(); ++low) {
            for (std::size_t i = begin_[low], next = 0; i < begin_[low + 1]; i = next) {
                next = i + 1;
                while (next < begin_[low + 1] && sides_[next].high == sides_[i].high)
                    ++next;
                visit(static_cast<int>(low), sides_[i].high,
                      std::span<const HalfEdge>(&sides_[i], next - i));
            }
        }
    }

private:
    void fill(Triangles triangles) {
        sides_.resize(3 * triangles.size());
        std::vector<std::size_t> end(begin_.begin(), begin_.end());
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            for (int k = 0; k < 3; ++k) {
                const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
                sides_[end[std::min(a, b)]++] = {std::max(a, b), static_cast<int>(t),
                                                 static_cast<signed char>(k), a < b};
            }
        }
        for (std::size_t low = 0; low + 1 < begin_.size(); ++low)
            std::sort(&sides_[0] + begin_[low], &sides_[0] + begin_[low + 1],
                      [](const HalfEdge& p, const HalfEdge& q) {
                          return std::tie(p.high, p.triangle, p.side) <
                                 std::tie(q.high, q.triangle, q.side);
                      });
    }

    std::vector<std::size_t> begin_; ///< of the sides filed under each vertex
    std::vector<HalfEdge> sides_;
};

int corner(Triangles triangles, const HalfEdge& half, int offset) {
    return triangles[half.triangle][(half.side + offset) % 3];
}

Hinge make_hinge(Triangles triangles, const HalfEdge& first, const HalfEdge& second) {
    return {{corner(triangles, first, 0), corner(triangles, first, 1), corner(triangles, first, 2),
             corner(triangles, second, 2)},
            {first.triangle, second.triangle}};
}

std::optional<MeshDefect> find_corner_defect(Triangles triangles, int vertex_count) {
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const int v : triangles[t])
            if (v < 0 || v >= vertex_count)
                return MeshDefect{MeshDefect::Kind::index,
                                  fmt::format("triangle {} refers to vertex {}, but the mesh has "
                                              "{} vertices",
                                              t, v, vertex_count)};
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            if (triangles[t][k] == triangles[t][(k + 1) % 3])
                return MeshDefect{
                    MeshDefect::Kind::repeated_corner,
                    fmt::format("triangle {} has vertex {} at two corners", t, triangles[t][k])};
    return std::nullopt;
}

std::optional<MeshDefect> find_edge_defect(Triangles triangles) {
    std::optional<MeshDefect> crowded, reversed;
    EdgeTable(triangles).for_each_edge([&](int low, int high, std::span<const HalfEdge> sides) {
        if (sides.size() > 2 && !crowded) {
            std::string owners;
            for (const HalfEdge& half : sides)
                owners += fmt::format("{}{}", owners.empty() ? "" : ", ", half.triangle);
            crowded = {MeshDefect::Kind::non_manifold_edge,
                       fmt::format("edge {}-{} is shared by {} triangles ({})", low, high,
                                   sides.size(), owners)};
        } else if (sides.size() == 2 && sides[0].ascending == sides[1].ascending && !reversed) {
            reversed = {MeshDefect::Kind::orientation,
                        fmt::format("triangles {} and {} run along edge {}-{} the same way: one of "
                                    "them is turned over",
                                    sides[0].triangle, sides[1].triangle, low, high)};
        }
    });
    return crowded ? crowded : reversed;
}

std::optional<MeshDefect> find_unused_vertex(Triangles triangles, int vertex_count) {
    std::vector<char> used(static_cast<std::size_t>(std::max(0, vertex_count)), 0);
    for (const auto& t : triangles)
        for (const int v : t)
            used[v] = 1;
    const auto unused = std::find(used.begin(), used.end(), 0);
    if (unused == used.end())
        return std::nullopt;
    return MeshDefect{MeshDefect::Kind::unused_vertex,
                      fmt::format("vertex {} is in no triangle", unused - used.begin())};
}

} // namespace

Topology build_topology(Triangles triangles) {
    Topology topology;
    EdgeTable(triangles).for_each_edge([&](int low, int high, std::span<const HalfEdge> sides) {
        topology.edges.push_back({low, high});
        if (sides.size() == 1)
            topology.boundary_edges.push_back(
                {corner(triangles, sides[0], 0), corner(triangles, sides[0], 1)});
        else if (sides.size() == 2)
            topology.hinges.push_back(make_hinge(triangles, sides[0], sides[1]));
    });
    return topology;
}

std::optional<MeshDefect> find_defect(Triangles triangles, int vertex_count) {
    if (auto defect = find_corner_defect(triangles, vertex_count))
        return defect;
    if (auto defect = find_edge_defect(triangles))
        return defect;
    return find_unused_vertex(triangles, vertex_count);
}

} // namespace muslin
