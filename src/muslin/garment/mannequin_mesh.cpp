// Even triangles on an implicit surface: marching tetrahedra find it, then edges are split,
// collapsed and flipped and vertices slide along it [Botsch and Kobbelt: A remeshing approach to
// multiresolution modeling, 2004].
#include "muslin/base/parallel.h"
#include "muslin/garment/mannequin_parts.h"
#include "muslin/mesh/quality.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace muslin::mannequin {
namespace {

using Triangle = std::array<int, 3>;
using Edge = std::array<int, 2>;
using Function = std::function<double(const Vec3&)>;

/// Values of the function on a grid, and the surface between its nodes.
class Grid {
public:
    Grid(const Function& shape, const SkinSettings& settings)
        : low_(settings.low), cell_(settings.cell) {
        const Vec3 size = settings.high - settings.low;
        for (int k = 0; k < 3; ++k)
            n_[k] = (static_cast<int>(size[k] / cell_) / block + 1) * block + 1;
        fill(shape);
    }

    HalfSkin march() {
        for (int z = 0; z + 1 < n_[2]; ++z)
            for (int y = 0; y + 1 < n_[1]; ++y)
                for (int x = 0; x + 1 < n_[0]; ++x)
                    march_cell(x, y, z);
        return std::move(skin_);
    }

private:
    static constexpr int block = 4; // cells that are passed over together far from the surface

    int node(int x, int y, int z) const { return (z * n_[1] + y) * n_[0] + x; }
    Vec3 place(int node) const {
        return low_ + cell_ * Vec3{double(node % n_[0]), double(node / n_[0] % n_[1]),
                                   double(node / (n_[0] * n_[1]))};
    }

    void fill(const Function& shape) {
        values_.assign(std::size_t(n_[0]) * n_[1] * n_[2], 0.0);
        const int nx = (n_[0] - 1) / block, ny = (n_[1] - 1) / block, nz = (n_[2] - 1) / block;
        // Half a diagonal, and somewhat more as the function is only roughly a distance.
        const double safe = 1.4 * 0.87 * block * cell_;
        std::vector<double> middle(std::size_t(nx) * ny * nz);
        parallel_for(middle.size(), 64, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const int b = static_cast<int>(i);
                const Vec3 at = {b % nx + 0.5, b / nx % ny + 0.5, b / (nx * ny) + 0.5};
                middle[i] = shape(low_ + (block * cell_) * at);
            }
        });
        parallel_for(values_.size(), 1024, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const int v = static_cast<int>(i);
                const int x = v % n_[0], y = v / n_[0] % n_[1], z = v / (n_[0] * n_[1]);
                // A node between blocks needs its value if any of them does.
                double nearest = 1e9;
                for (int corner = 0; corner < 8; ++corner) {
                    const int bx = std::clamp((x - (corner & 1)) / block, 0, nx - 1);
                    const int by = std::clamp((y - (corner >> 1 & 1)) / block, 0, ny - 1);
                    const int bz = std::clamp((z - (corner >> 2)) / block, 0, nz - 1);
                    const double m = middle[(std::size_t(bz) * ny + by) * nx + bx];
                    nearest = std::abs(m) < std::abs(nearest) ? m : nearest;
                }
                values_[i] = std::abs(nearest) > safe ? nearest : shape(place(v));
            }
        });
    }

    // Six tetrahedra around the diagonal of a cell, alike in all cells, so that they fit together.
    void march_cell(int x, int y, int z) {
        constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        const int first = node(x, y, z), step[3] = {1, n_[0], n_[0] * n_[1]};
        bool in = false, out = false;
        for (int corner = 0; corner < 8; ++corner) {
            const int v = first + (corner & 1) * step[0] + (corner >> 1 & 1) * step[1] +
                          (corner >> 2) * step[2];
            (values_[v] < 0 ? in : out) = true;
        }
        if (!in || !out)
            return;
        for (const auto& order : orders) {
            std::array<int, 4> tet = {first, 0, 0, 0};
            for (int k = 0; k < 3; ++k)
                tet[k + 1] = tet[k] + step[order[k]];
            march_tetrahedron(tet);
        }
    }

    void march_tetrahedron(const std::array<int, 4>& tet) {
        std::array<int, 4> in{}, out{};
        int ins = 0, outs = 0;
        for (const int v : tet)
            (values_[v] < 0 ? in[ins++] : out[outs++]) = v;
        if (ins == 0 || outs == 0)
            return;
        const Vec3 outward = place(out[0]) - place(in[0]);
        if (ins == 1)
            add({cut(in[0], out[0]), cut(in[0], out[1]), cut(in[0], out[2])}, outward);
        else if (outs == 1)
            add({cut(in[0], out[0]), cut(in[1], out[0]), cut(in[2], out[0])}, outward);
        else {
            const int a = cut(in[0], out[0]), b = cut(in[0], out[1]), c = cut(in[1], out[1]),
                      d = cut(in[1], out[0]);
            add({a, b, c}, outward);
            add({a, c, d}, outward);
        }
    }

    void add(Triangle t, const Vec3& outward) {
        const auto& x = skin_.positions;
        if (dot(cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]), outward) < 0)
            std::swap(t[1], t[2]);
        skin_.triangles.push_back(t);
    }

    int cut(int a, int b) {
        if (a > b)
            std::swap(a, b);
        const auto [at, is_new] = vertex_.emplace(std::uint64_t(a) << 32 | std::uint32_t(b),
                                                  static_cast<int>(skin_.positions.size()));
        if (is_new) {
            // Kept off the nodes: no triangle loses its area.
            const double t = std::clamp(values_[a] / (values_[a] - values_[b]), 0.1, 0.9);
            skin_.positions.push_back(place(a) + t * (place(b) - place(a)));
            skin_.rim.push_back(a % n_[0] == 0 && b % n_[0] == 0);
        }
        return at->second;
    }

    Vec3 low_;
    double cell_;
    int n_[3];
    std::vector<double> values_;
    std::unordered_map<std::uint64_t, int> vertex_;
    HalfSkin skin_;
};

class Remesher {
public:
    Remesher(HalfSkin skin, const Function& shape, const Function& edge)
        : x_(std::move(skin.positions)), rim_(std::move(skin.rim)), t_(std::move(skin.triangles)),
          shape_(shape), edge_(edge), around_(x_.size()) {
        for (std::size_t t = 0; t < t_.size(); ++t)
            for (const int v : t_[t])
                around_[v].push_back(static_cast<int>(t));
        for (const Vec3& x : x_)
            target_.push_back(edge_(x));
    }

    HalfSkin make() {
        for (int round = 0; round < 6; ++round) {
            split_long();
            collapse_short();
            flip([this](const auto& q) { return gain_of_valence(q) > 0 && fits(q, 0.8); });
            slide(2);
        }
        for (int round = 0; round < 4; ++round) {
            flip([this](const auto& q) { return gain_of_angle(q) > 1e-3 && fits(q, 0.8); });
            slide(2);
        }
        for (std::size_t v = 0; v < x_.size(); ++v)
            x_[v] = around_[v].empty() ? x_[v] : project(x_[v], rim_[v]);
        for (int round = 0; round < 2; ++round)
            flip([this](const auto& q) { return follows_better(q); });
        return packed();
    }

private:
    /// An edge q[0]-q[1] and the vertices opposite to it: q[2] left of it, q[3] right.
    using Quad = std::array<int, 4>;

    std::vector<Edge> edges() const {
        std::vector<Edge> out;
        for (const Triangle& t : t_)
            for (int k = 0; t[0] >= 0 && k < 3; ++k)
                out.push_back({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    double target(int a, int b) const { return 0.5 * (target_[a] + target_[b]); }
    static bool has(const Triangle& t, int v) { return t[0] == v || t[1] == v || t[2] == v; }
    static void replace(Triangle& t, int from, int to) {
        for (int& v : t)
            v = v == from ? to : v;
    }
    std::vector<int> sharing(int a, int b) const {
        std::vector<int> out;
        for (const int t : around_[a])
            if (has(t_[t], b))
                out.push_back(t);
        return out;
    }
    std::vector<int> neighbours(int v) const {
        std::vector<int> out;
        for (const int t : around_[v])
            for (const int w : t_[t])
                if (w != v)
                    out.push_back(w);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return out;
    }
    Vec3 normal(const Triangle& t) const { return cross(x_[t[1]] - x_[t[0]], x_[t[2]] - x_[t[0]]); }
    void forget(int v, int t) { std::erase(around_[v], t); }

    void split_long() {
        for (const auto& [a, b] : edges()) {
            if (norm(x_[a] - x_[b]) < 4.0 / 3.0 * target(a, b))
                continue;
            const std::vector<int> both = sharing(a, b);
            const int m = static_cast<int>(x_.size());
            x_.push_back(0.5 * (x_[a] + x_[b]));
            rim_.push_back(both.size() == 1);
            target_.push_back(edge_(x_.back()));
            around_.emplace_back();
            for (const int t : both) {
                const int n = static_cast<int>(t_.size());
                t_.push_back(t_[t]);
                replace(t_[t], b, m);
                replace(t_[n], a, m);
                forget(b, t);
                for (const int v : t_[n])
                    around_[v].push_back(n);
                around_[m].push_back(t);
            }
        }
    }

    void collapse_short() {
        for (auto [keep, gone] : edges()) {
            if (around_[keep].empty() || around_[gone].empty())
                continue;
            if (norm(x_[keep] - x_[gone]) > 4.0 / 5.0 * target(keep, gone))
                continue;
            if (rim_[gone] && !rim_[keep])
                std::swap(keep, gone);
            const std::vector<int> both = sharing(keep, gone);
            if (both.empty() || (rim_[gone] && both.size() != 1))
                continue;
            const Vec3 place = rim_[keep] && !rim_[gone] ? x_[keep] : 0.5 * (x_[keep] + x_[gone]);
            if (may_collapse(keep, gone, both, place))
                collapse(keep, gone, both, place);
        }
    }
    bool may_collapse(int keep, int gone, const std::vector<int>& both, const Vec3& place) const {
        std::vector<int> common;
        const std::vector<int> a = neighbours(keep), b = neighbours(gone);
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
        if (common.size() != both.size())
            return false;
        for (const int v : common)
            if (around_[v].size() <= (rim_[v] ? 2u : 4u))
                return false;
        for (const int end : {keep, gone})
            for (const int t : around_[end]) {
                if (has(t_[t], keep) && has(t_[t], gone))
                    continue;
                std::array<Vec3, 3> c;
                for (int k = 0; k < 3; ++k) {
                    const int v = t_[t][k];
                    c[k] = v == end ? place : x_[v];
                    if (v != end && norm(x_[v] - place) > 4.0 / 3.0 * target(v, keep))
                        return false;
                }
                const Vec3 before = normal(t_[t]), after = cross(c[1] - c[0], c[2] - c[0]);
                if (dot(before, after) < 0.6 * norm(before) * norm(after))
                    return false;
            }
        return true;
    }
    void collapse(int keep, int gone, const std::vector<int>& both, const Vec3& place) {
        for (const int t : both) {
            for (const int v : t_[t])
                forget(v, t);
            t_[t] = {-1, -1, -1};
        }
        for (const int t : around_[gone]) {
            replace(t_[t], gone, keep);
            around_[keep].push_back(t);
        }
        around_[gone].clear();
        x_[keep] = place;
        target_[keep] = edge_(place);
    }

    template <class Worth>
    void flip(Worth worth) {
        for (const auto& [a, b] : edges()) {
            const std::vector<int> both = sharing(a, b);
            if (both.size() != 2)
                continue;
            Quad q = {a, b, -1, -1};
            std::array<int, 2> side{};
            for (const int t : both)
                for (int k = 0; k < 3; ++k)
                    if (t_[t][k] != a && t_[t][k] != b) {
                        const bool left = t_[t][(k + 1) % 3] == a;
                        q[left ? 2 : 3] = t_[t][k];
                        side[left ? 0 : 1] = t;
                    }
            if (q[2] < 0 || q[3] < 0 || !sharing(q[2], q[3]).empty() || !worth(q))
                continue;
            t_[side[0]] = {q[3], q[2], q[0]};
            t_[side[1]] = {q[2], q[3], q[1]};
            forget(b, side[0]);
            forget(a, side[1]);
            around_[q[3]].push_back(side[0]);
            around_[q[2]].push_back(side[1]);
        }
    }
    // Flat enough that the other diagonal lies in the surface as well: by the cosine of an angle.
    bool fits(const Quad& q, double least) const {
        const Vec3 n0 = normal({q[0], q[1], q[2]}), n1 = normal({q[1], q[0], q[3]});
        const Vec3 m0 = normal({q[3], q[2], q[0]}), m1 = normal({q[2], q[3], q[1]});
        const Vec3 n = n0 + n1;
        return dot(n0, n1) > (2 * least * least - 1) * norm(n0) * norm(n1) &&
               dot(m0, n) > least * norm(m0) * norm(n) && dot(m1, n) > least * norm(m1) * norm(n);
    }
    int gain_of_valence(const Quad& q) const {
        int before = 0, after = 0;
        for (int k = 0; k < 4; ++k) {
            const int v = q[k], ideal = rim_[v] ? 3 : 6;
            const int valence = static_cast<int>(around_[v].size()), change = k < 2 ? -1 : 1;
            before += (valence - ideal) * (valence - ideal);
            after += (valence + change - ideal) * (valence + change - ideal);
        }
        return before - after;
    }
    double least_angle(int a, int b, int c) const {
        const auto angles = triangle_angles(x_[a], x_[b], x_[c]);
        return std::min({angles[0], angles[1], angles[2]});
    }
    double gain_of_angle(const Quad& q) const {
        if (!fits(q, 0.6) || norm(x_[q[2]] - x_[q[3]]) > 1.5 * target(q[2], q[3]))
            return false;
        return std::min(least_angle(q[3], q[2], q[0]), least_angle(q[2], q[3], q[1])) -
               std::min(least_angle(q[0], q[1], q[2]), least_angle(q[1], q[0], q[3]));
    }

    // Edges along the lines of curvature leave no notches in the outline of a thin limb.
    bool follows_better(const Quad& q) const {
        const auto off = [&](int a, int b) { return std::abs(shape_(0.5 * (x_[a] + x_[b]))); };
        constexpr double enough = 30 * std::numbers::pi / 180;
        if (!fits(q, 0.6) || norm(x_[q[2]] - x_[q[3]]) > 1.5 * target(q[2], q[3]))
            return false;
        return std::min(least_angle(q[3], q[2], q[0]), least_angle(q[2], q[3], q[1])) > enough &&
               off(q[2], q[3]) < 0.9 * off(q[0], q[1]);
    }

    // Towards the middle of the neighbours, then back onto the surface.
    void slide(int rounds) {
        std::vector<Vec3> next(x_.size());
        for (int round = 0; round < rounds; ++round) {
            parallel_for(x_.size(), 128, [&](std::size_t begin, std::size_t end) {
                for (std::size_t v = begin; v < end; ++v)
                    next[v] = around_[v].empty() ? x_[v] : slid(static_cast<int>(v));
            });
            x_.swap(next);
        }
        for (std::size_t v = 0; v < x_.size(); ++v)
            target_[v] = edge_(x_[v]);
    }
    Vec3 slid(int v) const {
        Vec3 sum = {0, 0, 0};
        double total = 0;
        if (rim_[v]) {
            for (const int w : neighbours(v))
                if (rim_[w] && sharing(v, w).size() == 1) {
                    sum += x_[w];
                    total += 1;
                }
        } else {
            for (const int t : around_[v]) {
                const double weight = norm(normal(t_[t])) / target_[v];
                sum += (weight / 3) * (x_[t_[t][0]] + x_[t_[t][1]] + x_[t_[t][2]]);
                total += weight;
            }
        }
        Vec3 step = (1 / total) * sum - x_[v];
        double value;
        const Vec3 g = gradient(x_[v], rim_[v], value);
        step -= (dot(step, g) / dot(g, g)) * g;
        const Vec3 moved = x_[v] + 0.8 * step;
        return project(moved, rim_[v]);
    }
    // From the corners of a small tetrahedron: four values give the mean and the gradient.
    Vec3 gradient(const Vec3& p, bool rim, double& value) const {
        constexpr double e = 1e-5; // [m]
        Vec3 g = {0, 0, 0};
        value = 0;
        for (const Vec3& k : {Vec3{1, -1, -1}, {-1, -1, 1}, {-1, 1, -1}, {1, 1, 1}}) {
            const double f = shape_(p + e * k);
            g += (f / (4 * e)) * k;
            value += 0.25 * f;
        }
        if (rim)
            g.x = 0;
        return g;
    }
    Vec3 project(const Vec3& p, bool rim) const {
        double value;
        const Vec3 g = gradient(p, rim, value);
        Vec3 out = p - (value / std::max(dot(g, g), 0.25)) * g;
        out.x = rim ? 0 : std::max(out.x, 1e-4);
        return out;
    }

    HalfSkin packed() const {
        HalfSkin out;
        std::vector<int> place(x_.size(), -1);
        for (const Triangle& t : t_) {
            if (t[0] < 0)
                continue;
            for (const int v : t)
                if (place[v] < 0) {
                    place[v] = static_cast<int>(out.positions.size());
                    out.positions.push_back(x_[v]);
                    out.rim.push_back(rim_[v]);
                }
            out.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
        }
        return out;
    }

    std::vector<Vec3> x_;
    std::vector<char> rim_;
    std::vector<Triangle> t_;
    const Function& shape_;
    const Function& edge_;
    std::vector<std::vector<int>> around_; ///< triangles of each vertex
    std::vector<double> target_;           ///< length of edges at each vertex [m]
};

} // namespace

HalfSkin mesh_half(const Function& shape, const SkinSettings& settings) {
    return Remesher(Grid(shape, settings).march(), shape, settings.edge).make();
}

} // namespace muslin::mannequin
