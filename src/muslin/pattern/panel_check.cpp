// Whether loops of edges are the outline of a piece of cloth. All answers are exact for the points
// that stand for the curves.
#include "muslin/pattern/panel_check.h"

#include "muslin/mesh/mesh_builder.h"
#include "muslin/mesh/predicates.h"
#include "muslin/pattern/panel_curves.h"
#include "muslin/pattern/panel_mesh.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr double least_length = 1e-6; // of an edge [m]
constexpr double largest = 1e6;       // coordinate [m]
constexpr double most_triangles = 5e6, most_segments = 5e5;
constexpr double most_edges_across = 1e5; // the lattice has 1,342 units to an edge then
constexpr int chords = 32;                // that stand for a curved edge

bool is_good(const Vec2& p) {
    return std::abs(p.x) <= largest && std::abs(p.y) <= largest; // false for what is not a number
}

std::string text(const Vec2& p) {
    return fmt::format("({:.6g}, {:.6g})", p.x, p.y);
}

/// The edges of a loop: from begin to before end.
struct Loop {
    int begin, end;
};

std::vector<Loop> find_loops(const PatternPanel& panel) {
    const int edges = static_cast<int>(panel.edges.size());
    std::vector<Loop> loops;
    for (std::size_t l = 0; l < panel.loops.size(); ++l)
        loops.push_back({panel.loops[l], l + 1 < panel.loops.size() ? panel.loops[l + 1] : edges});
    bool good = !loops.empty() && loops[0].begin == 0;
    for (const Loop& loop : loops)
        good = good && loop.begin >= 0 && loop.begin < loop.end && loop.end <= edges;
    if (!good)
        reject(fmt::format("panel '{}'", panel.name), "loops of one edge or more each",
               fmt::format("{} loops in {} edges", panel.loops.size(), edges));
    return loops;
}

void check_edge(const PatternPanel& panel, int index) {
    const PatternEdge& e = panel.edges[index];
    const int vertices = static_cast<int>(panel.vertices.size());
    for (const int v : {e.start, e.end}) {
        if (v < 0 || v >= vertices)
            reject(edge_key(panel, index), fmt::format("vertices from 0 to {}", vertices - 1),
                   fmt::format("{}", v));
        if (!is_good(panel.vertices[v]))
            reject(edge_key(panel, index), "coordinates of at most 1e6 m",
                   fmt::format("vertex {} at {}", v, text(panel.vertices[v])));
    }
    const double chord = norm(panel.vertices[e.end] - panel.vertices[e.start]);
    const int controls = e.curve.kind == PatternCurve::Kind::cubic
                             ? 2
                             : (e.curve.kind == PatternCurve::Kind::quadratic ? 1 : 0);
    for (int i = 0; i < controls; ++i)
        if (!is_good(e.curve.controls[i]))
            reject(edge_key(panel, index), "control points of at most 1e6 m",
                   text(e.curve.controls[i]));
    if (e.curve.kind == PatternCurve::Kind::arc && chord > least_length) {
        // Half circles are written with as many digits as the radius has.
        if (!(e.curve.radius >= 0.5 * chord * (1 - 1e-6) && e.curve.radius <= largest))
            reject(edge_key(panel, index),
                   fmt::format("an arc's radius of at least half its chord, {:.6g} m", chord / 2),
                   fmt::format("{:.6g} m", e.curve.radius));
    }
    const bool is_arc = e.curve.kind == PatternCurve::Kind::arc;
    const double length = is_arc && chord <= least_length ? 0 : PanelCurve(panel, index).length();
    if (!(length > least_length))
        reject(edge_key(panel, index), "an edge of some length", fmt::format("{:.3g} m", length));
}

void check_closed(const PatternPanel& panel, const Loop& loop) {
    for (int e = loop.begin; e < loop.end; ++e) {
        const int next = e + 1 < loop.end ? e + 1 : loop.begin;
        const int end = panel.edges[e].end, start = panel.edges[next].start;
        const Vec2 &p = panel.vertices[end], &q = panel.vertices[start];
        if (end != start && !(p.x == q.x && p.y == q.y))
            reject(edge_key(panel, e), fmt::format("an end where edge {} starts", next),
                   fmt::format("vertex {}, and edge {} starts at vertex {}: the loop is open", end,
                               next, start));
    }
}

/// A chord of an edge.
struct Chord {
    Vec2 a, b;
    int edge, loop;
    int place, count; ///< in its loop, and how many that has
};

std::vector<Chord> cut_into_chords(const PatternPanel& panel, const std::vector<Loop>& loops) {
    std::vector<Chord> out;
    for (std::size_t l = 0; l < loops.size(); ++l) {
        const std::size_t first = out.size();
        for (int e = loops[l].begin; e < loops[l].end; ++e) {
            const bool line = panel.edges[e].curve.kind == PatternCurve::Kind::line;
            const auto points = sample_edge(panel, e, line ? 1 : chords);
            for (std::size_t i = 0; i + 1 < points.size(); ++i)
                out.push_back({points[i], points[i + 1], e, static_cast<int>(l),
                               static_cast<int>(out.size() - first), 0});
        }
        for (std::size_t i = first; i < out.size(); ++i)
            out[i].count = static_cast<int>(out.size() - first);
    }
    return out;
}

/// Whether two chords have a point in common that they should not.
bool meet(const Chord& s, const Chord& t) {
    if (s.loop == t.loop) {
        const int n = s.count;
        const bool t_next = (s.place + 1) % n == t.place, s_next = (t.place + 1) % n == s.place;
        if (t_next || s_next) { // they share a point: no more than that
            const auto folds = [](const Chord& p, const Chord& q) {
                return orient2d(p.a, p.b, q.b) == 0 && dot(p.a - p.b, q.b - p.b) > 0;
            };
            return (t_next && folds(s, t)) || (s_next && folds(t, s));
        }
    }
    return segments_meet(s.a, s.b, t.a, t.b);
}

void check_crossings(const PatternPanel& panel, const std::vector<Chord>& outline) {
    std::vector<const Chord*> sorted;
    for (const Chord& c : outline)
        sorted.push_back(&c);
    const auto low = [](const Chord* c) { return std::min(c->a.x, c->b.x); };
    std::sort(sorted.begin(), sorted.end(), [&](const Chord* p, const Chord* q) {
        return low(p) != low(q) ? low(p) < low(q) : p < q;
    });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const Chord& s = *sorted[i];
        const double high_x = std::max(s.a.x, s.b.x);
        const double low_y = std::min(s.a.y, s.b.y), high_y = std::max(s.a.y, s.b.y);
        for (std::size_t j = i + 1; j < sorted.size() && low(sorted[j]) <= high_x; ++j) {
            const Chord& t = *sorted[j];
            if (std::min(t.a.y, t.b.y) > high_y || std::max(t.a.y, t.b.y) < low_y || !meet(s, t))
                continue;
            const int first = std::min(s.edge, t.edge), second = std::max(s.edge, t.edge);
            reject(edge_key(panel, first), "an outline that neither crosses nor touches itself",
                   first == second ? "it meets itself"
                                   : fmt::format("it meets edge {} near {}", second, text(t.a)));
        }
    }
}

bool goes_around(const std::vector<Chord>& outline, int loop, const Vec2& p) {
    bool inside = false;
    for (const Chord& c : outline)
        if (c.loop == loop && (c.a.y > p.y) != (c.b.y > p.y) &&
            (orient2d(c.a, c.b, p) > 0) == (c.b.y > c.a.y))
            inside = !inside;
    return inside;
}

void check_holes(const PatternPanel& panel, const std::vector<Loop>& loops,
                 const std::vector<Chord>& outline) {
    for (std::size_t hole = 1; hole < loops.size(); ++hole) {
        const int first = loops[hole].begin;
        const Vec2 p = panel.vertices[panel.edges[first].start];
        if (!goes_around(outline, 0, p))
            reject(edge_key(panel, first), "a hole within the outer loop", "one outside of it");
        for (std::size_t other = 1; other < loops.size(); ++other)
            if (other != hole && goes_around(outline, static_cast<int>(other), p))
                reject(edge_key(panel, first), "a hole in the cloth",
                       fmt::format("one in the hole of edge {}", loops[other].begin));
    }
}

void check_area(const PatternPanel& panel, const Loop& loop) {
    double area = 0, around = 0;
    for (int e = loop.begin; e < loop.end; ++e) {
        const PanelCurve curve(panel, e);
        area += curve.doubled_area();
        around += curve.length();
    }
    if (!(std::abs(area) > 1e-9 * around * around))
        reject(edge_key(panel, loop.begin), "a loop around some area",
               fmt::format("{:.3g} m^2", std::abs(area) / 2));
}

} // namespace

std::string edge_key(const PatternPanel& panel, int edge) {
    const std::string& label = panel.edges[edge].label;
    return fmt::format("panel '{}', edge {}{}", panel.name, edge,
                       label.empty() ? "" : fmt::format(" '{}'", label));
}

void check_panel(const PatternPanel& panel) {
    const auto loops = find_loops(panel);
    for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e)
        check_edge(panel, e);
    for (const Loop& loop : loops)
        check_closed(panel, loop);
    for (const Loop& loop : loops)
        check_area(panel, loop);
    const auto outline = cut_into_chords(panel, loops);
    check_crossings(panel, outline);
    check_holes(panel, loops, outline);
}

void check_number(const PatternPanel& panel, double length, std::span<const int> segments) {
    if (!(length > 0 && length <= largest))
        reject(fmt::format("panel '{}'", panel.name), "a length of edges above 0 and up to 1e6 [m]",
               fmt::format("{}", length));
    const double area = std::abs(doubled_area(panel)) / 2;
    Vec2 low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};
    for (const Chord& c : cut_into_chords(panel, find_loops(panel))) {
        low = {std::min(low.x, c.a.x), std::min(low.y, c.a.y)};
        high = {std::max(high.x, c.a.x), std::max(high.y, c.a.y)};
    }
    const double least = std::max(std::sqrt(area / (std::sqrt(3.0) / 4) / most_triangles),
                                  std::max(high.x - low.x, high.y - low.y) / most_edges_across);
    if (length < least)
        reject(fmt::format("panel '{}'", panel.name),
               fmt::format("edges of at least {:.3g} m, for 5000000 triangles at most", least),
               fmt::format("{:.3g} m", length));
    double sum = 0;
    for (std::size_t e = 0; e < segments.size() && e < panel.edges.size(); ++e)
        if ((sum += std::max(0, segments[e])) > most_segments)
            reject(edge_key(panel, static_cast<int>(e)), "at most 500000 segments around a panel",
                   fmt::format("{}", sum));
}

} // namespace muslin
