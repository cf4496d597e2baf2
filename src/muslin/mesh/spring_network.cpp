#include "muslin/mesh/spring_network.h"

#include "muslin/mesh/topology.h"
#include "muslin/mesh/vertex_fans.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace muslin {
namespace {

using Triangles = std::span<const std::array<int, 3>>;
using Pattern = std::span<const std::array<Vec2, 3>>;
using Pair = std::array<int, 2>;

constexpr double pi = std::numbers::pi;

Pair ordered(int a, int b) {
    return {std::min(a, b), std::max(a, b)};
}

int corner_of(const std::array<int, 3>& triangle, int vertex) {
    return triangle[0] == vertex ? 0 : triangle[1] == vertex ? 1 : 2;
}

double area(const std::array<Vec2, 3>& p) {
    return 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
}

int corner_of_largest_angle(const std::array<Vec2, 3>& p) {
    int out = 0;
    for (int k = 1; k < 3; ++k)
        if (corner_angle(p, k) > corner_angle(p, out))
            out = k;
    return out;
}

class NetworkBuilder {
public:
    NetworkBuilder(Triangles triangles, Pattern pattern)
        : triangles_(triangles), pattern_(pattern), topology_(build_topology(triangles)) {}

    SpringNetwork build() {
        find_quads();
        set_structural();
        set_shear();
        set_areas();
        set_flexion();
        return std::move(out_);
    }

private:
    double angle(const Hinge& hinge, int side, int vertex) const {
        const int t = hinge.t[side];
        return corner_angle(pattern_[t], corner_of(triangles_[t], vertex));
    }

    bool is_quad(const Hinge& hinge) const {
        for (int side = 0; side < 2; ++side) {
            const int t = hinge.t[side];
            if (triangles_[t][corner_of_largest_angle(pattern_[t])] != hinge.v[2 + side])
                return false;
        }
        const auto right = [](double a) { return std::abs(a - pi / 2) <= quad_angle_tolerance; };
        return right(angle(hinge, 0, hinge.v[2])) && right(angle(hinge, 1, hinge.v[3])) &&
               right(angle(hinge, 0, hinge.v[0]) + angle(hinge, 1, hinge.v[0])) &&
               right(angle(hinge, 0, hinge.v[1]) + angle(hinge, 1, hinge.v[1]));
    }

    // A triangle has one largest angle, so it is in one quad at most.
    void find_quads() {
        out_.diagonal.assign(triangles_.size(), -1);
        for (const Hinge& hinge : topology_.hinges)
            if (is_quad(hinge))
                for (int side = 0; side < 2; ++side) {
                    const int t = hinge.t[side];
                    out_.diagonal[t] = (corner_of(triangles_[t], hinge.v[2 + side]) + 1) % 3;
                }
    }
    bool is_diagonal(const Hinge& hinge) const {
        const int k = out_.diagonal[hinge.t[0]];
        const auto& t = triangles_[hinge.t[0]];
        return k >= 0 && ordered(t[k], t[(k + 1) % 3]) == ordered(hinge.v[0], hinge.v[1]);
    }

    void set_structural() {
        std::vector<Pair> diagonals;
        for (const Hinge& hinge : topology_.hinges)
            if (is_diagonal(hinge))
                diagonals.push_back(ordered(hinge.v[0], hinge.v[1]));
        std::sort(diagonals.begin(), diagonals.end());
        std::set_difference(topology_.edges.begin(), topology_.edges.end(), diagonals.begin(),
                            diagonals.end(), std::back_inserter(out_.structural));
    }
    bool is_structural(const Pair& pair) const {
        return std::binary_search(out_.structural.begin(), out_.structural.end(), pair);
    }

    double length(int t, int a, int b) const {
        return norm(pattern_[t][corner_of(triangles_[t], b)] -
                    pattern_[t][corner_of(triangles_[t], a)]);
    }

    /// Between the third vertices of two triangles laid out in one plane.
    double length_across(const Hinge& hinge) const {
        double along[2], height[2];
        for (int side = 0; side < 2; ++side) {
            const double arm = length(hinge.t[side], hinge.v[0], hinge.v[2 + side]);
            along[side] = arm * std::cos(angle(hinge, side, hinge.v[0]));
            height[side] = arm * std::sin(angle(hinge, side, hinge.v[0]));
        }
        return std::hypot(along[1] - along[0], height[0] + height[1]);
    }

    void set_shear() {
        for (const Hinge& hinge : topology_.hinges) {
            const bool quad = is_diagonal(hinge);
            if (!quad && (out_.diagonal[hinge.t[0]] >= 0 || out_.diagonal[hinge.t[1]] >= 0))
                continue;
            if (quad)
                out_.shear.push_back({ordered(hinge.v[0], hinge.v[1]),
                                      0.5 * (length(hinge.t[0], hinge.v[0], hinge.v[1]) +
                                             length(hinge.t[1], hinge.v[0], hinge.v[1])),
                                      hinge.t, true});
            if (hinge.v[2] != hinge.v[3])
                out_.shear.push_back(
                    {ordered(hinge.v[2], hinge.v[3]), length_across(hinge), hinge.t, quad});
        }
        std::erase_if(out_.shear, [&](const auto& s) { return is_structural(s.vertices); });
        keep_first(
            out_.shear, [](const auto& s) { return std::tuple(s.vertices, !s.quad); },
            [](const auto& s) { return s.vertices; });
    }
    bool is_shear(const Pair& pair) const {
        const auto it = std::lower_bound(
            out_.shear.begin(), out_.shear.end(), pair,
            [](const SpringNetwork::Shear& s, const Pair& p) { return s.vertices < p; });
        return it != out_.shear.end() && it->vertices == pair;
    }

    /// Sorts by a key and keeps the first of those that join the same vertices.
    template <class T, class Key, class Vertices>
    static void keep_first(std::vector<T>& all, Key key, Vertices vertices) {
        std::stable_sort(all.begin(), all.end(),
                         [&](const T& a, const T& b) { return key(a) < key(b); });
        all.erase(std::unique(all.begin(), all.end(),
                              [&](const T& a, const T& b) { return vertices(a) == vertices(b); }),
                  all.end());
    }

    // Of a quad, a corner has a quarter whichever way the quad was cut: half of it in its one
    // triangle there, or a quarter in each of two.
    void set_areas() {
        int vertices = 0;
        for (const auto& t : triangles_)
            vertices = std::max({vertices, t[0] + 1, t[1] + 1, t[2] + 1});
        out_.vertex_area.assign(vertices, 0);
        for (std::size_t t = 0; t < triangles_.size(); ++t)
            for (int c = 0; c < 3; ++c) {
                const int k = out_.diagonal[t];
                const double part = k < 0 ? 1.0 / 3 : c == (k + 2) % 3 ? 0.5 : 0.25;
                out_.vertex_area[triangles_[t][c]] += part * area(pattern_[t]);
            }
    }

    void set_flexion() {
        for (const VertexFan& fan : build_vertex_fans(triangles_, pattern_))
            add_flexion(fan);
        std::erase_if(out_.flexion,
                      [&](const auto& f) { return is_structural(f.ends) || is_shear(f.ends); });
        // Where two vertices lie between the same ends, the more nearly straight way counts.
        keep_first(
            out_.flexion,
            [](const SpringNetwork::Flexion& f) {
                return std::tuple(f.ends, f.arms[0] + f.arms[1] - f.length, f.middle);
            },
            [](const auto& f) { return f.ends; });
    }

    void add_flexion(const VertexFan& fan) {
        if (fan.closed && std::abs(fan.turn - 2 * pi) > opposite_tolerance)
            return;
        std::vector<int> neighbours; // spokes that are structural
        for (int i = 0; i < static_cast<int>(fan.spokes.size()); ++i)
            if (is_structural(ordered(fan.vertex, fan.spokes[i].vertex)))
                neighbours.push_back(i);
        struct Candidate {
            double off;
            int i, j;
        };
        std::vector<Candidate> candidates;
        const double straight = fan.closed ? fan.turn / 2 : pi;
        for (const int i : neighbours)
            for (const int j : neighbours)
                if (const double off =
                        std::abs(fan.spokes[j].angle - fan.spokes[i].angle - straight);
                    i < j && off <= opposite_tolerance)
                    candidates.push_back({off, i, j});
        std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return std::tie(a.off, a.i, a.j) < std::tie(b.off, b.i, b.j);
        });
        std::vector<bool> used(fan.spokes.size(), false);
        const std::size_t begin = out_.flexion.size();
        for (const Candidate& c : candidates)
            if (!used[c.i] && !used[c.j] && fan.spokes[c.i].vertex != fan.spokes[c.j].vertex) {
                used[c.i] = used[c.j] = true;
                out_.flexion.push_back(flexion(fan, c.i, c.j, c.off));
            }
        const double lines = fan.closed
                                 ? static_cast<double>(out_.flexion.size() - begin)
                                 : (static_cast<double>(neighbours.size()) - 1) * pi / fan.turn;
        const bool grid = std::all_of(fan.spokes.begin(), fan.spokes.end(), [&](const Spoke& s) {
            return out_.diagonal[s.triangles[0]] >= 0 && out_.diagonal[s.triangles[1]] >= 0;
        });
        for (std::size_t k = begin; k < out_.flexion.size(); ++k) {
            out_.flexion[k].lines = lines;
            out_.flexion[k].grid = grid;
        }
    }

    SpringNetwork::Flexion flexion(const VertexFan& fan, int i, int j, double off) const {
        if (fan.spokes[i].vertex > fan.spokes[j].vertex)
            std::swap(i, j);
        const Spoke &a = fan.spokes[i], &b = fan.spokes[j];
        const double length = std::sqrt(a.length * a.length + b.length * b.length +
                                        2 * a.length * b.length * std::cos(off));
        return {{a.vertex, b.vertex},
                fan.vertex,
                {a.length, b.length},
                length,
                {a.triangles, b.triangles},
                out_.vertex_area[fan.vertex],
                0,
                false};
    }

    Triangles triangles_;
    Pattern pattern_;
    Topology topology_;
    SpringNetwork out_;
};

} // namespace

SpringNetwork build_spring_network(Triangles triangles, Pattern pattern) {
    return NetworkBuilder(triangles, pattern).build();
}

} // namespace muslin
