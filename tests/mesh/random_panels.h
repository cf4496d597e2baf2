#pragma once

// Random panels, from what garments are cut to what no cutter would like, and the referee of their
// meshes, which shares nothing with the mesher but the curves.

#include "muslin/base/error.h"
#include "muslin/mesh/outline_mesh.h"
#include "muslin/mesh/panel_mesh.h"
#include "muslin/mesh/predicates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <vector>

namespace muslin::test {

struct RandomPanel {
    PatternPanel panel;
    double length = 0; ///< of edges [m]
    std::vector<int> segments;
    std::string kind;
};

class PanelMaker {
public:
    explicit PanelMaker(std::uint64_t seed) : state_(seed) {}

    RandomPanel make(int index) {
        out_ = {};
        static const std::array<const char*, 12> kinds = {"bodice",   "sleeve", "skirt",  "sector",
                                                          "trousers", "strip",  "collar", "star",
                                                          "holes",    "sliver", "slit",   "loop"};
        // The last kind crosses itself half of the time: a twentieth of the others' share.
        const int kind = index % 60 == 59 ? 11 : index % 11;
        out_.kind = kinds[kind];
        out_.panel.name = std::string(out_.kind) + std::to_string(index);
        switch (kind) {
        case 0:
            bodice();
            break;
        case 1:
            sleeve();
            break;
        case 2:
            skirt();
            break;
        case 3:
            sector();
            break;
        case 4:
            trousers();
            break;
        case 5:
            strip();
            break;
        case 6:
            collar();
            break;
        case 7:
            star();
            break;
        case 8:
            holes();
            break;
        case 9:
            sliver();
            break;
        case 10:
            slit();
            break;
        default:
            loop();
            break;
        }
        finish();
        return out_;
    }

private:
    double uniform(double low, double high) {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL); // splitmix64
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        z ^= z >> 31;
        return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
    }
    bool chance(double p) { return uniform(0, 1) < p; }
    int whole(int low, int high) { // both included
        return std::min(high, low + static_cast<int>(uniform(0, 1) * (high - low + 1)));
    }

    // A loop is drawn with a pen: start, edges, close.
    void start(Vec2 p) {
        first_ = static_cast<int>(out_.panel.vertices.size());
        if (!out_.panel.edges.empty())
            out_.panel.loops.push_back(static_cast<int>(out_.panel.edges.size()));
        out_.panel.vertices.push_back(p);
    }
    PatternEdge& edge_to(int v) {
        PatternEdge e;
        e.start = out_.panel.edges.size() > static_cast<std::size_t>(out_.panel.loops.back())
                      ? out_.panel.edges.back().end
                      : first_;
        e.end = v;
        out_.panel.edges.push_back(e);
        return out_.panel.edges.back();
    }
    PatternEdge& to(Vec2 p) {
        out_.panel.vertices.push_back(p);
        return edge_to(static_cast<int>(out_.panel.vertices.size()) - 1);
    }
    PatternEdge& close() { return edge_to(first_); }
    static void bend(PatternEdge& e, Vec2 control) {
        e.curve.kind = PatternCurve::Kind::quadratic;
        e.curve.controls[0] = control;
    }
    static void bend(PatternEdge& e, Vec2 first, Vec2 second) {
        e.curve.kind = PatternCurve::Kind::cubic;
        e.curve.controls = {first, second};
    }
    static void arc(PatternEdge& e, double radius, bool right, bool large = false) {
        e.curve.kind = PatternCurve::Kind::arc;
        e.curve.radius = radius;
        e.curve.right = right;
        e.curve.large = large;
    }

    /// A straight side with darts on its left.
    void side_with_darts(Vec2 from, Vec2 end, int darts, bool last) {
        const Vec2 way = end - from, left = {-way.y, way.x};
        for (int i = 0; i < darts; ++i) {
            const double middle = (i + 1.0) / (darts + 1) + uniform(-0.05, 0.05);
            const double half = uniform(0.004, 0.05), deep = uniform(0.1, 0.6);
            to(from + (middle - half) * way);
            to(from + middle * way + deep * left);
            to(from + (middle + half) * way);
        }
        if (last)
            close();
        else
            to(end);
    }
    void bodice() {
        const double w = uniform(0.16, 0.26), h = uniform(0.35, 0.55), neck = uniform(0.05, 0.09);
        start({-w, 0});
        side_with_darts({-w, 0}, {w, 0}, whole(0, 2), false);
        const double arm = h * uniform(0.45, 0.6), shoulder = h - uniform(0.02, 0.06);
        to({w * uniform(0.95, 1.15), arm});
        bend(to({w * 0.85, shoulder}), {w * 0.75, arm + 0.02}, {w * 0.7, shoulder - 0.1});
        to({neck, h});
        const double deep = uniform(0.02, 0.14);
        bend(to({-neck, h}), {-neck * 0.2, h - 2 * deep}, {neck * 0.2, h - 2 * deep});
        to({-w * 0.85, shoulder});
        bend(to({-w * uniform(0.95, 1.15), arm}), {-w * 0.7, shoulder - 0.1},
             {-w * 0.75, arm + 0.02});
        close();
    }
    void sleeve() {
        const double w = uniform(0.14, 0.22), cuff = uniform(0.08, 0.14), h = uniform(0.1, 0.6);
        const double cap = uniform(0.06, 0.16);
        start({-cuff, 0});
        if (chance(0.5))
            to({cuff, 0});
        else
            arc(to({cuff, 0}), cuff * uniform(2, 6), chance(0.5));
        to({w, h});
        bend(to({0, h + cap}), {w * 0.5, h}, {w * 0.6, h + cap});
        bend(to({-w, h}), {-w * 0.6, h + cap}, {-w * 0.5, h});
        close();
    }
    void skirt() {
        const double waist = uniform(0.12, 0.3), hem = uniform(0.15, 0.6), h = uniform(0.2, 0.8);
        start({-hem, 0});
        bend(to({hem, 0}), {0, -uniform(0, 0.15)});
        to({waist, h});
        side_with_darts({waist, h}, {-waist, h}, whole(0, 3), false);
        close();
    }
    void sector() {
        const double inner = uniform(0.03, 0.3), outer = inner + uniform(0.05, 0.6);
        const double angle = uniform(0.4, 2.9), c = std::cos(angle / 2), s = std::sin(angle / 2);
        const bool large = chance(0.3);
        start({-outer * s, -outer * c * (large ? -1 : 1)});
        const double y = large ? c : -c;
        arc(to({outer * s, outer * y}), outer, true, large);
        to({inner * s, inner * y});
        arc(to({-inner * s, inner * y}), inner, false, large);
        close();
    }
    void trousers() {
        const double h = uniform(0.8, 1.1), w = uniform(0.2, 0.28), crotch = uniform(0.05, 0.16);
        const double knee = uniform(0.1, 0.14), up = h * 0.72;
        start({-knee, 0});
        to({knee, 0});
        bend(to({w * 0.5 + crotch, up}), {knee + 0.02, up * uniform(0.5, 0.95)});
        bend(to({w * 0.5, h}), {w * 0.5 + crotch * 0.3, up + uniform(0.0, 0.02)},
             {w * 0.5, up + 0.06});
        side_with_darts({w * 0.5, h}, {-w * 0.5, h}, whole(0, 2), false);
        bend(close(), {-w * 0.7, h * 0.6}, {-knee - 0.02, h * 0.3});
    }
    void strip() {
        const double w = uniform(0.2, 0.9), h = uniform(0.004, 0.08);
        start({0, 0});
        to({w, chance(0.3) ? h * uniform(-0.8, 0.5) : 0});
        to({w + (chance(0.3) ? h * uniform(0, 1) : 0), h});
        to({0, h * uniform(0.7, 1.2)});
        close();
        width_ = h;
    }
    void collar() {
        const double w = uniform(0.15, 0.25), h = uniform(0.03, 0.1), bow = uniform(-0.05, 0.08);
        start({-w, 0});
        bend(to({w, 0}), {0, bow});
        if (chance(0.5)) { // a point
            to({w + uniform(0.01, 0.08), h * uniform(0.8, 1.2)});
            bend(to({-w - uniform(0.01, 0.08), h}), {0, h + bow});
        } else { // runs out in tips
            bend(close(), {w * 0.3, h + bow}, {-w * 0.3, h + bow});
            return;
        }
        close();
    }
    void star() {
        const int n = whole(5, 14);
        const double low = uniform(0.15, 0.7);
        std::vector<Vec2> corners;
        for (int i = 0; i < n; ++i) {
            const double a = 2 * std::numbers::pi * (i + uniform(-0.25, 0.25)) / n;
            const double r = 0.3 * uniform(low, 1);
            corners.push_back({r * std::cos(a), r * std::sin(a)});
        }
        start(corners[0]);
        for (int i = 1; i <= n; ++i) {
            PatternEdge& e = i < n ? to(corners[i]) : close();
            const Vec2 a = corners[i - 1], b = corners[i % n], way = b - a;
            const double u = uniform(-0.12, 0.12);
            const Vec2 bulge = 0.5 * (a + b) + u * Vec2{-way.y, way.x};
            if (chance(0.3))
                bend(e, bulge);
            else if (chance(0.2))
                arc(e, norm(way) * uniform(0.8, 3), chance(0.5));
        }
    }
    void holes() {
        const double w = uniform(0.2, 0.5), h = uniform(0.2, 0.5);
        start({-w, -h});
        to({w, -h});
        to({w, h});
        bend(to({-w, h}), {0, h * uniform(0.9, 1.5)});
        close();
        const int n = whole(1, 3);
        for (int i = 0; i < n; ++i) {
            const Vec2 c = {w * (-0.6 + 0.6 * i), h * uniform(-0.6, 0.6)};
            const double r = std::min(w, h) * uniform(0.02, 0.27);
            if (chance(0.6)) {
                const bool turn = chance(0.5);
                start(c + Vec2{-r, 0});
                arc(to(c + Vec2{r, 0}), r, turn);
                arc(close(), r, turn);
            } else {
                const double a = uniform(0, 1);
                start(c + r * Vec2{std::cos(a), std::sin(a)});
                to(c + r * Vec2{std::cos(a + 1.8), std::sin(a + 1.8)});
                to(c + r * Vec2{std::cos(a + 4.1), std::sin(a + 4.1)});
                close();
            }
        }
    }
    void sliver() {
        const double tip = uniform(5, 40) * std::numbers::pi / 180;
        start({0, 0});
        to({uniform(0.2, 0.5), 0});
        const double r = uniform(0.2, 0.5);
        to({r * std::cos(tip), r * std::sin(tip)});
        close();
    }
    void slit() {
        // A sheet cut open, down to a hair's breadth, and nearly cut through.
        const double w = uniform(0.2, 0.5), h = uniform(0.2, 0.5);
        const double gap = w * std::pow(10, uniform(-4, -0.7)), at = w * uniform(-0.5, 0.5);
        const double left = h * uniform(0.03, 0.6);
        start({-w, 0});
        to({w, 0});
        to({w, h});
        to({at + gap / 2, h});
        if (chance(0.5)) {
            to({at + gap / 2, left});
            if (chance(0.5))
                to({at - gap / 2, left});
            else
                arc(to({at - gap / 2, left}), gap * uniform(0.5, 1), false);
            to({at - gap / 2, h});
        } else {
            to({at, left});
            to({at - gap / 2, h});
        }
        to({-w, h});
        close();
    }
    void loop() {
        const auto random = [&] { return Vec2{uniform(-0.3, 0.3), uniform(-0.3, 0.3)}; };
        start(random());
        bend(to(random()), random(), random());
        bend(to(random()), random(), random());
        bend(close(), random(), random());
    }

    void finish() {
        PatternPanel& p = out_.panel;
        if (chance(0.4))
            reverse();
        const double angle = chance(0.3) ? 0 : uniform(0, 6.3), scale = uniform(0.7, 1.4);
        const double c = scale * std::cos(angle), s = scale * std::sin(angle);
        const Vec2 shift = {uniform(-1, 1), uniform(-1, 1)};
        const auto turn = [&](Vec2& v) { v = shift + Vec2{c * v.x - s * v.y, s * v.x + c * v.y}; };
        for (Vec2& v : p.vertices)
            turn(v);
        double around = 0;
        for (PatternEdge& e : p.edges) {
            turn(e.curve.controls[0]);
            turn(e.curve.controls[1]);
            e.curve.radius *= scale;
        }
        for (int e = 0; e < static_cast<int>(p.edges.size()); ++e)
            around += edge_length(p, e);
        out_.length = around / uniform(40, 160);
        if (out_.kind == "strip") // from one row to many, or narrower than an edge
            out_.length = width_ * uniform(0.25, 1.5);
        out_.length = std::max(out_.length, around / 400);
        if (chance(0.5))
            give_segments();
    }
    /// As seams do: some edges have the number of the edge that they are sewn to.
    void give_segments() {
        const bool gathered = chance(0.3);
        for (int e = 0; e < static_cast<int>(out_.panel.edges.size()); ++e) {
            const double natural = edge_length(out_.panel, e) / out_.length;
            double wanted = natural * uniform(1, 1.08);
            if (gathered && chance(0.4))
                wanted = natural * uniform(1, 2.2);
            const bool sewn = chance(0.5) && natural > 0.7;
            out_.segments.push_back(sewn ? static_cast<int>(std::ceil(wanted)) : 0);
        }
    }
    void reverse() {
        PatternPanel& p = out_.panel;
        for (std::size_t l = 0; l < p.loops.size(); ++l) {
            const std::size_t end = l + 1 < p.loops.size() ? p.loops[l + 1] : p.edges.size();
            std::reverse(p.edges.begin() + p.loops[l],
                         p.edges.begin() + static_cast<std::ptrdiff_t>(end));
        }
        for (PatternEdge& e : p.edges) {
            std::swap(e.start, e.end);
            if (e.curve.kind == PatternCurve::Kind::cubic)
                std::swap(e.curve.controls[0], e.curve.controls[1]);
            e.curve.right = !e.curve.right;
        }
    }

    std::uint64_t state_;
    RandomPanel out_;
    int first_ = 0;
    double width_ = 0;
};

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
            if (distance_to_line(fine, p) > 1e-5 * length)
                return "a point beside its edge";
            if (i == 0)
                continue;
            if (!pieces.emplace(std::array{points[i - 1], points[i]}, e).second)
                return "a piece of two edges";
            neighbours[points[i - 1]][1] = points[i];
            neighbours[points[i]][0] = points[i - 1];
            sum += norm(p - mesh.points[points[i - 1]]);
        }
        if (sum > length * (1 + 1e-9) || sum < 0.8 * length)
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
    // The mean edge, where nothing asks for another one than the target.
    bool plain = area > 60 * made.length * made.length;
    for (const auto& [piece, e] : pieces) {
        const double l = norm(mesh.points[piece[1]] - mesh.points[piece[0]]);
        plain = plain && l > 0.75 * made.length && l < 1.3 * made.length;
    }
    if (plain && std::abs(edge_sum / edges / made.length - 1) > 0.1)
        return "a mean edge of " + std::to_string(edge_sum / edges / made.length);
    return {};
}

} // namespace muslin::test
