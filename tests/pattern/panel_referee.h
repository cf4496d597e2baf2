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

/// Judges one mesh: each check says what it lacks, or nothing; they stand on one another in this
/// order.
class PanelReferee {
public:
    PanelReferee(const RandomPanel& made, const PanelMesh& mesh)
        : made_(made), mesh_(mesh), panel_(made.panel), neighbours_(mesh.points.size(), {-1, -1}),
          edges_at_(mesh.points.size()) {}

    std::string find_fault() {
        for (const auto check : {&PanelReferee::check_edges, &PanelReferee::check_triangles,
                                 &PanelReferee::check_sides, &PanelReferee::check_angles,
                                 &PanelReferee::check_mean_edge})
            if (std::string fault = (this->*check)(); !fault.empty())
                return fault;
        return {};
    }

private:
    static constexpr double degrees = std::numbers::pi / 180;

    const Vec2& at(int v) const { return mesh_.points[v]; }
    bool is_given(std::size_t edge) const {
        return edge < made_.segments.size() && made_.segments[edge] > 0;
    }

    // Their own ends, the points on the curve, the number that was asked for.
    std::string check_edges() {
        if (mesh_.edge_points.size() != panel_.edges.size())
            return "edge_points for other edges";
        for (int e = 0; e < static_cast<int>(panel_.edges.size()); ++e)
            if (std::string fault = check_edge(e); !fault.empty())
                return fault;
        return {};
    }
    std::string check_edge(int e) {
        const auto& points = mesh_.edge_points[e];
        const int count = static_cast<int>(points.size()) - 1;
        const int asked = e < static_cast<int>(made_.segments.size()) ? made_.segments[e] : 0;
        if (count < 1 || (asked > 0 && count != asked))
            return "an edge with another number of segments";
        const auto even = sample_edge(panel_, e, count);
        const bool line = panel_.edges[e].curve.kind == PatternCurve::Kind::line;
        const auto fine = sample_edge(panel_, e, line ? 1 : 512);
        const double length = edge_length(panel_, e);
        double sum = 0;
        for (int i = 0; i <= count; ++i) {
            const Vec2& p = at(points[i]);
            edges_at_[points[i]].push_back(e);
            if ((asked > 0 || i == 0 || i == count) && norm(p - even[i]) > 1e-9)
                return "a point of an edge in another place";
            if (distance_to_line(fine, p) > 1e-3 * length)
                return "a point beside its edge";
            if (i == 0)
                continue;
            if (!pieces_.emplace(std::array{points[i - 1], points[i]}, e).second)
                return "a piece of two edges";
            neighbours_[points[i - 1]][1] = points[i];
            neighbours_[points[i]][0] = points[i - 1];
            sum += norm(p - at(points[i - 1]));
        }
        if (sum > length * (1 + 1e-9) || sum < 0.6 * length)
            return "points of an edge in another order";
        return {};
    }

    // Holes may turn either way: they are counted against the outer loop.
    void measure_area() {
        for (std::size_t l = 0; l < panel_.loops.size(); ++l) {
            const std::size_t end =
                l + 1 < panel_.loops.size() ? panel_.loops[l + 1] : panel_.edges.size();
            double loop = 0;
            for (std::size_t e = panel_.loops[l]; e < end; ++e)
                for (std::size_t i = 1; i < mesh_.edge_points[e].size(); ++i)
                    loop += cross(at(mesh_.edge_points[e][i - 1]), at(mesh_.edge_points[e][i]));
            area_ += l == 0 ? std::abs(loop) : -std::abs(loop);
            if (l == 0)
                outer_ = loop;
        }
    }

    // Counter-clockwise, each side once.
    std::string check_triangles() {
        measure_area();
        used_.assign(mesh_.points.size(), 0);
        double covered = 0;
        for (const auto& t : mesh_.triangles) {
            if (orient2d(at(t[0]), at(t[1]), at(t[2])) <= 0)
                return "a triangle turned over";
            covered += cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
            for (int k = 0; k < 3; ++k) {
                used_[t[k]] = 1;
                if (++sides_[{t[k], t[(k + 1) % 3]}] > 1)
                    return "a side of two triangles on one side of it";
            }
        }
        covered_ = covered;
        return {};
    }

    // The outline's pieces are the only bare sides; every vertex is used, and the outline filled.
    std::string check_sides() {
        std::size_t bare = 0;
        for (const auto& [side, count] : sides_) {
            const bool lone = !sides_.contains({side[1], side[0]});
            bare += lone;
            if (lone && !pieces_.contains(side) && !pieces_.contains({side[1], side[0]}))
                return "a bare side off the outline";
            if (lone || side[0] < side[1]) {
                edge_sum_ += norm(at(side[1]) - at(side[0]));
                ++edges_;
            }
        }
        if (bare != pieces_.size())
            return "a piece of the outline lost";
        if (std::count(used_.begin(), used_.end(), 0) > 0)
            return "a vertex in no triangle";
        if (static_cast<int>(mesh_.points.size()) - edges_ +
                static_cast<int>(mesh_.triangles.size()) !=
            2 - static_cast<int>(panel_.loops.size()))
            return "other holes";
        if (std::abs(covered_ - area_) > 1e-9 * std::abs(outer_))
            return "another area";
        return {};
    }

    // With the exceptions of docs/panels.md.
    std::string check_angles() {
        for (const auto& t : mesh_.triangles) {
            const double least = least_angle(t);
            if (least >= 25 * degrees)
                continue;
            const double allowed =
                allowed_between_legs(t, has_uneven_piece(t) ? 20 * degrees : 25 * degrees);
            if (least < allowed * (1 - 1e-6))
                return "an angle of " + std::to_string(least / degrees) + " degrees";
        }
        return {};
    }
    double least_angle(const std::array<int, 3>& t) const {
        double least = 180 * degrees;
        for (int k = 0; k < 3; ++k) {
            const int v = t[k], p = t[(k + 1) % 3], q = t[(k + 2) % 3];
            const Vec2 u = at(p) - at(v), w = at(q) - at(v);
            const bool tip = (neighbours_[v][0] == p && neighbours_[v][1] == q) ||
                             (neighbours_[v][0] == q && neighbours_[v][1] == p);
            const double angle = std::atan2(cross(u, w), dot(u, w));
            if (!(tip && angle < 25.1 * degrees))
                least = std::min(least, angle);
        }
        return least;
    }
    // At the ends of a piece beside one four times as long whose number is given.
    bool has_uneven_piece(const std::array<int, 3>& t) const {
        const auto is_uneven = [&](int a, int b, int c) { // pieces a b and b c
            const double ab = norm(at(b) - at(a)), bc = norm(at(c) - at(b));
            const auto it = pieces_.find({b, c});
            const int e = it != pieces_.end() ? it->second : pieces_.at({c, b});
            return bc > 4 * ab * (1 - 1e-6) && is_given(static_cast<std::size_t>(e));
        };
        for (const int v : t)
            for (int way = 0; way < 2 && neighbours_[v][0] >= 0; ++way) {
                const int end = neighbours_[v][way], beyond = neighbours_[end][way];
                if (is_uneven(v, end, beyond) || is_uneven(end, v, neighbours_[v][1 - way]))
                    return true;
            }
        return false;
    }
    // Between the legs of a sharp corner of which one has a given number of pieces.
    double allowed_between_legs(const std::array<int, 3>& t, double allowed) const {
        for (std::size_t e = 0; e < panel_.edges.size(); ++e) {
            const int corner = mesh_.edge_points[e].back();
            for (const int next : edges_at_[corner]) {
                const bool given = is_given(e) || is_given(static_cast<std::size_t>(next));
                if (next == static_cast<int>(e) || !given || inner_angle(corner) >= 35 * degrees)
                    continue;
                const bool between = std::all_of(t.begin(), t.end(), [&](int v) {
                    return std::any_of(edges_at_[v].begin(), edges_at_[v].end(), [&](int x) {
                        return x == next || x == static_cast<int>(e);
                    });
                });
                if (between)
                    allowed = std::min(allowed, 0.7 * inner_angle(corner));
            }
        }
        return allowed;
    }
    double inner_angle(int v) const {
        const Vec2 u = at(neighbours_[v][0]) - at(v);
        const Vec2 w = at(neighbours_[v][1]) - at(v);
        const bool left = sides_.contains({v, neighbours_[v][1]});
        const double angle = std::atan2(left ? cross(w, u) : cross(u, w), dot(u, w));
        return angle < 0 ? angle + 2 * std::numbers::pi : angle;
    }

    // Where neither the number of pieces nor the width asks for another one.
    std::string check_mean_edge() {
        double around = 0;
        bool plain = true;
        for (const auto& [piece, e] : pieces_) {
            const double l = norm(at(piece[1]) - at(piece[0]));
            around += l;
            plain = plain && l > 0.6 * made_.length && l < 1.5 * made_.length;
        }
        const double mean_piece = around / static_cast<double>(pieces_.size()) / made_.length;
        plain = plain && std::abs(mean_piece - 1) < 0.1 && area_ / 2 > 1.5 * around * made_.length;
        if (plain && std::abs(edge_sum_ / edges_ / made_.length - 1) > 0.1)
            return "a mean edge of " + std::to_string(edge_sum_ / edges_ / made_.length);
        return {};
    }

    const RandomPanel& made_;
    const PanelMesh& mesh_;
    const PatternPanel& panel_;
    std::map<std::array<int, 2>, int> pieces_;   ///< of the outline, directed, to the edge
    std::vector<std::array<int, 2>> neighbours_; ///< along the outline
    std::vector<std::vector<int>> edges_at_;
    std::map<std::array<int, 2>, int> sides_;
    std::vector<int> used_;                     ///< by a triangle
    double area_ = 0, outer_ = 0, covered_ = 0; ///< twice
    double edge_sum_ = 0;
    int edges_ = 0;
};

/// What a mesh lacks, or nothing.
inline std::string find_fault(const RandomPanel& made, const PanelMesh& mesh) {
    return PanelReferee(made, mesh).find_fault();
}

} // namespace muslin::test
