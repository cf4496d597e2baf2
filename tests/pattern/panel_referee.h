#pragma once

// The referee of panel meshes, which shares nothing with the mesher but the curves.

#include "muslin/mesh/predicates.h"
#include "muslin/pattern/outline_mesh.h"
#include "pattern/random_panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace muslin::test {

inline double distance_to_line(const std::vector<Vec2>& fine, const Vec2& p) {
    double least = HUGE_VAL;
    for (std::size_t i = 1; i < fine.size(); ++i)
        least = std::min(least, distance_to_segment(p, fine[i - 1], fine[i]));
    return least;
}

/// What a mesh lacks, or nothing.
inline std::string find_fault(const RandomPanel& made, const PanelMesh& mesh) {
    const PatternPanel& panel = made.panel;
    constexpr double degrees = std::numbers::pi / 180;
    const int n = static_cast<int>(mesh.points.size());
    // Edges: their own ends, the points on the curve, the number that was asked for.
    std::map<std::array<int, 2>, int> pieces; // directed, to the edge
    std::vector<std::array<int, 2>> neighbours(n, {-1, -1});
    std::vector<std::vector<int>> edges_at(n);
    if (mesh.edge_points.size() != panel.edges.size())
        return "edge_points for other edges";
    for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e) {
        const auto& points = mesh.edge_points[e];
        const int count = static_cast<int>(points.size()) - 1;
        const int asked = e < static_cast<int>(made.segments.size()) ? made.segments[e] : 0;
        if (count < 1 || (asked > 0 && count != asked))
            return "an edge with another number of segments";
        const auto even = sample_edge(panel, e, count);
        const bool line = panel.edges[e].curve.kind == PatternCurve::Kind::line;
        const auto fine = sample_edge(panel, e, line ? 1 : 512);
        const double length = edge_length(panel, e);
        double sum = 0;
        for (int i = 0; i <= count; ++i) {
            const Vec2& p = mesh.points[points[i]];
            edges_at[points[i]].push_back(e);
            if ((asked > 0 || i == 0 || i == count) && norm(p - even[i]) > 1e-9)
                return "a point of an edge in another place";
            if (distance_to_line(fine, p) > 1e-3 * length)
                return "a point beside its edge";
            if (i == 0)
                continue;
            if (!pieces.emplace(std::array{points[i - 1], points[i]}, e).second)
                return "a piece of two edges";
            neighbours[points[i - 1]][1] = points[i];
            neighbours[points[i]][0] = points[i - 1];
            sum += norm(p - mesh.points[points[i - 1]]);
        }
        if (sum > length * (1 + 1e-9) || sum < 0.6 * length)
            return "points of an edge in another order";
    }
    // Holes may turn either way: count them against the outer loop.
    double area = 0, outer = 0;
    for (std::size_t l = 0; l < panel.loops.size(); ++l) {
        const std::size_t end =
            l + 1 < panel.loops.size() ? panel.loops[l + 1] : panel.edges.size();
        double loop = 0;
        for (std::size_t e = panel.loops[l]; e < end; ++e)
            for (std::size_t i = 1; i < mesh.edge_points[e].size(); ++i)
                loop += cross(mesh.points[mesh.edge_points[e][i - 1]],
                              mesh.points[mesh.edge_points[e][i]]);
        area += l == 0 ? std::abs(loop) : -std::abs(loop);
        if (l == 0)
            outer = loop;
    }
    // Triangles: counter-clockwise, each side once, the outline's pieces the only bare sides.
    std::map<std::array<int, 2>, int> sides;
    std::vector<int> used(n, 0);
    double covered = 0;
    for (const auto& t : mesh.triangles) {
        if (orient2d(mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]) <= 0)
            return "a triangle turned over";
        covered +=
            cross(mesh.points[t[1]] - mesh.points[t[0]], mesh.points[t[2]] - mesh.points[t[0]]);
        for (int k = 0; k < 3; ++k) {
            used[t[k]] = 1;
            if (++sides[{t[k], t[(k + 1) % 3]}] > 1)
                return "a side of two triangles on one side of it";
        }
    }
    std::size_t bare = 0;
    double edge_sum = 0;
    int edges = 0;
    for (const auto& [side, count] : sides) {
        const bool lone = !sides.contains({side[1], side[0]});
        bare += lone;
        if (lone && !pieces.contains(side) && !pieces.contains({side[1], side[0]}))
            return "a bare side off the outline";
        if (lone || side[0] < side[1]) {
            edge_sum += norm(mesh.points[side[1]] - mesh.points[side[0]]);
            ++edges;
        }
    }
    if (bare != pieces.size())
        return "a piece of the outline lost";
    if (std::count(used.begin(), used.end(), 1) != n)
        return "a vertex in no triangle";
    if (n - edges + static_cast<int>(mesh.triangles.size()) !=
        2 - static_cast<int>(panel.loops.size()))
        return "other holes";
    if (std::abs(covered - area) > 1e-9 * std::abs(outer))
        return "another area";
    // Angles, with the exceptions of docs/panels.md.
    const auto inner_angle = [&](int v) {
        const Vec2 u = mesh.points[neighbours[v][0]] - mesh.points[v];
        const Vec2 w = mesh.points[neighbours[v][1]] - mesh.points[v];
        const bool left = sides.contains({v, neighbours[v][1]});
        const double angle = std::atan2(left ? cross(w, u) : cross(u, w), dot(u, w));
        return angle < 0 ? angle + 2 * std::numbers::pi : angle;
    };
    for (const auto& t : mesh.triangles) {
        double least = 180 * degrees, allowed = 25 * degrees;
        for (int k = 0; k < 3; ++k) {
            const int v = t[k], p = t[(k + 1) % 3], q = t[(k + 2) % 3];
            const Vec2 u = mesh.points[p] - mesh.points[v], w = mesh.points[q] - mesh.points[v];
            const bool tip = (neighbours[v][0] == p && neighbours[v][1] == q) ||
                             (neighbours[v][0] == q && neighbours[v][1] == p);
            const double angle = std::atan2(cross(u, w), dot(u, w));
            if (!(tip && angle < 25.1 * degrees))
                least = std::min(least, angle);
        }
        if (least >= allowed)
            continue;
        // At the ends of a piece beside one four times as long whose number is given.
        const auto is_given = [&](int e) {
            return static_cast<std::size_t>(e) < made.segments.size() && made.segments[e] > 0;
        };
        const auto is_uneven = [&](int a, int b, int c) { // pieces a b and b c
            const double ab = norm(mesh.points[b] - mesh.points[a]);
            const double bc = norm(mesh.points[c] - mesh.points[b]);
            const auto it = pieces.find({b, c});
            const int e = it != pieces.end() ? it->second : pieces.at({c, b});
            return bc > 4 * ab * (1 - 1e-6) && is_given(e);
        };
        for (const int v : t)
            for (int way = 0; way < 2 && neighbours[v][0] >= 0; ++way) {
                const int end = neighbours[v][way], beyond = neighbours[end][way];
                if (is_uneven(v, end, beyond) || is_uneven(end, v, neighbours[v][1 - way]))
                    allowed = 20 * degrees;
            }
        // Between the legs of a sharp corner of which one has a given number of pieces.
        for (std::size_t e = 0; e < panel.edges.size(); ++e) {
            const int corner = mesh.edge_points[e].back();
            for (const int next : edges_at[corner]) {
                const bool given = (e < made.segments.size() && made.segments[e] > 0) ||
                                   (static_cast<std::size_t>(next) < made.segments.size() &&
                                    made.segments[next] > 0);
                if (next == static_cast<int>(e) || !given || inner_angle(corner) >= 35 * degrees)
                    continue;
                bool between = true;
                for (const int v : t)
                    between =
                        between && std::any_of(edges_at[v].begin(), edges_at[v].end(), [&](int x) {
                            return x == next || x == static_cast<int>(e);
                        });
                if (between)
                    allowed = std::min(allowed, 0.7 * inner_angle(corner));
            }
        }
        if (least < allowed * (1 - 1e-6))
            return "an angle of " + std::to_string(least / degrees) + " degrees";
    }
    // The mean edge, where neither the number of pieces nor the width asks for another one.
    double around = 0;
    bool plain = true;
    for (const auto& [piece, e] : pieces) {
        const double l = norm(mesh.points[piece[1]] - mesh.points[piece[0]]);
        around += l;
        plain = plain && l > 0.6 * made.length && l < 1.5 * made.length;
    }
    const double mean_piece = around / static_cast<double>(pieces.size()) / made.length;
    plain = plain && std::abs(mean_piece - 1) < 0.1 && area / 2 > 1.5 * around * made.length;
    if (plain && std::abs(edge_sum / edges / made.length - 1) > 0.1)
        return "a mean edge of " + std::to_string(edge_sum / edges / made.length);
    return {};
}

} // namespace muslin::test
