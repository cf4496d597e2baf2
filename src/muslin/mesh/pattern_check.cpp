#include "muslin/mesh/pattern_check.h"

#include "muslin/base/error.h"
#include "muslin/mesh/panel_mesh.h"
#include "muslin/mesh/pattern_edit.h"
#include "muslin/mesh/predicates.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace muslin {
namespace {

/// Shorter edges are slips of the pen: no thread is that thin [m].
constexpr double shortest = 1e-6;
/// Larger panels were written in another unit [m].
constexpr double largest = 1000;
/// Into how many straight parts a curve goes where crossings are looked for.
constexpr int curve_parts = 24;

[[noreturn]] void fail(std::string key, std::string expected, std::string found,
                       std::string hint = {}) {
    throw InputError({{}, std::move(key), std::move(expected), std::move(found), std::move(hint)});
}

std::string panel_name(const PatternPanel& panel) {
    return fmt::format("panel '{}'", panel.name);
}

const Vec2& vertex(const PatternPanel& panel, int v) {
    return panel.vertices[v];
}

bool is_good(const Vec2& p) {
    return std::abs(p.x) <= largest && std::abs(p.y) <= largest; // not of nan
}

void check_numbers(const PatternPanel& panel) {
    const auto text = [](const Vec2& p) { return fmt::format("({}, {})", p.x, p.y); };
    const std::string expected = fmt::format("coordinates within {} m", largest);
    for (std::size_t e = 0; e < panel.edges.size(); ++e) {
        const PatternEdge& edge = panel.edges[e];
        for (const int v : {edge.start, edge.end}) {
            if (v < 0 || v >= static_cast<int>(panel.vertices.size()))
                fail(edge_name(panel, static_cast<int>(e)),
                     fmt::format("a vertex from 0 to {}",
                                 static_cast<int>(panel.vertices.size()) - 1),
                     fmt::format("{}", v));
            if (!is_good(vertex(panel, v)))
                fail(edge_name(panel, static_cast<int>(e)), expected, text(vertex(panel, v)),
                     "is the unit right?");
        }
        for (const Vec2& control : edge.curve.controls)
            if (!is_good(control))
                fail(edge_name(panel, static_cast<int>(e)), expected, text(control),
                     "is the unit right?");
    }
    for (int k = 0; k < 3; ++k)
        if (!(std::abs(panel.translation[k]) <= largest) || !std::isfinite(panel.rotation[k]))
            fail(panel_name(panel), fmt::format("a place within {} m", largest),
                 fmt::format("({}, {}, {})", panel.translation.x, panel.translation.y,
                             panel.translation.z),
                 "is the unit right?");
}

void check_loops(const PatternPanel& panel) {
    if (panel.edges.empty())
        fail(panel_name(panel), "edges", "none");
    for (std::size_t loop = 0; loop < panel.loops.size(); ++loop) {
        const int begin = panel.loops[loop], end = loop_end(panel, loop);
        for (int e = begin; e < end; ++e) {
            const int last =
                panel.edges[static_cast<std::size_t>(e == begin ? end - 1 : e - 1)].end;
            const int start = panel.edges[e].start;
            if (start != last)
                fail(edge_name(panel, e),
                     fmt::format("a closed loop: a start at vertex {}, where edge {} ends", last,
                                 e == begin ? end - 1 : e - 1),
                     fmt::format("a start at vertex {}", start));
        }
    }
}

void check_curves(const PatternPanel& panel) {
    for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e) {
        const PatternEdge& edge = panel.edges[e];
        const double chord = norm(vertex(panel, edge.end) - vertex(panel, edge.start));
        if (edge.curve.kind == PatternCurve::Kind::arc) {
            if (chord < shortest)
                fail(edge_name(panel, e), "an arc between two places",
                     fmt::format("one of chord {:.3g} m", chord));
            if (!(edge.curve.radius >= 0.5 * (1 - 1e-9) * chord) || edge.curve.radius > largest)
                fail(edge_name(panel, e),
                     fmt::format("a radius of at least half the chord, {:.6g} m", 0.5 * chord),
                     fmt::format("{:.6g} m", edge.curve.radius));
        }
        const double length = edge_length(panel, e);
        if (!(length >= shortest))
            fail(edge_name(panel, e), "an edge of some length", fmt::format("{:.3g} m", length));
    }
}

struct Segment {
    Vec2 a, b;
    int edge;
    std::size_t loop, place, count; ///< `place`-th of the `count` segments of its loop

    bool precedes(const Segment& next) const {
        return loop == next.loop && (place + 1) % count == next.place;
    }
};

std::vector<Segment> segments_of(const PatternPanel& panel) {
    std::vector<Segment> out;
    for (std::size_t loop = 0; loop < panel.loops.size(); ++loop) {
        const std::size_t begin = out.size();
        for (int e = panel.loops[loop]; e < loop_end(panel, loop); ++e) {
            const bool line = panel.edges[e].curve.kind == PatternCurve::Kind::line;
            const std::vector<Vec2> points = sample_edge(panel, e, line ? 1 : curve_parts);
            for (std::size_t i = 0; i + 1 < points.size(); ++i)
                out.push_back({points[i], points[i + 1], e, loop, out.size() - begin, 0});
        }
        for (std::size_t s = begin; s < out.size(); ++s)
            out[s].count = out.size() - begin;
    }
    return out;
}

bool boxes_meet(const Segment& s, const Segment& t) {
    return std::min(s.a.x, s.b.x) <= std::max(t.a.x, t.b.x) &&
           std::min(t.a.x, t.b.x) <= std::max(s.a.x, s.b.x) &&
           std::min(s.a.y, s.b.y) <= std::max(t.a.y, t.b.y) &&
           std::min(t.a.y, t.b.y) <= std::max(s.a.y, s.b.y);
}

/// Whether closed segments whose boxes meet have a point in common.
bool meet(const Segment& s, const Segment& t) {
    return orient2d(s.a, s.b, t.a) * orient2d(s.a, s.b, t.b) <= 0 &&
           orient2d(t.a, t.b, s.a) * orient2d(t.a, t.b, s.b) <= 0;
}

/// Whether `t`, which starts where `s` ends, runs back along it.
bool folds_back(const Segment& s, const Segment& t) {
    return orient2d(s.a, s.b, t.b) == 0 && dot(s.b - s.a, t.b - t.a) < 0;
}

void check_crossings(const PatternPanel& panel, const std::vector<Segment>& segments) {
    for (std::size_t i = 0; i < segments.size(); ++i)
        for (std::size_t j = i + 1; j < segments.size(); ++j) {
            const Segment &s = segments[i], &t = segments[j];
            if (!boxes_meet(s, t))
                continue;
            const bool next = s.precedes(t), previous = t.precedes(s);
            const bool bad = next && previous ? true
                             : next           ? folds_back(s, t)
                             : previous       ? folds_back(t, s)
                                              : meet(s, t);
            if (bad)
                fail(edge_name(panel, s.edge), "an outline that does not cross or touch itself",
                     s.edge == t.edge ? std::string("an edge that meets itself")
                                      : fmt::format("it meets {} near ({:.4g}, {:.4g}) m",
                                                    edge_name(panel, t.edge), t.a.x, t.a.y));
        }
}

/// Whether p is inside of the outer loop, by the crossings of a ray to the right.
bool is_inside(const std::vector<Segment>& segments, const Vec2& p) {
    bool inside = false;
    for (const Segment& s : segments)
        if (s.loop == 0 && (s.a.y > p.y) != (s.b.y > p.y))
            inside ^= (orient2d(s.a, s.b, p) > 0) == (s.b.y > s.a.y);
    return inside;
}

double length_of(const Pattern& pattern, const PatternStitch::Side& side) {
    return edge_length(pattern.panels[side.panel], side.edge);
}

bool same(const PatternStitch::Side& a, const PatternStitch::Side& b) {
    return a.panel == b.panel && a.edge == b.edge;
}

template <class Check>
void with_file(const std::string& file, const Check& check) {
    try {
        check();
    } catch (const InputError& error) {
        Problem problem = error.problem();
        if (problem.where.file.empty())
            problem.where.file = file;
        throw InputError(std::move(problem));
    }
}

} // namespace

std::string edge_name(const PatternPanel& panel, int edge) {
    const std::string& label = edge >= 0 && edge < static_cast<int>(panel.edges.size())
                                   ? panel.edges[edge].label
                                   : std::string();
    return fmt::format("panel '{}', edge {}{}", panel.name, edge,
                       label.empty() ? "" : fmt::format(" '{}'", label));
}

void check_pattern_panel(const PatternPanel& panel) {
    check_numbers(panel);
    check_loops(panel);
    check_curves(panel);
    const std::vector<Segment> segments = segments_of(panel);
    check_crossings(panel, segments);
    for (const Segment& s : segments)
        if (s.loop > 0 && s.place == 0 && !is_inside(segments, s.a))
            fail(edge_name(panel, s.edge), "a hole inside of the outline", "one outside of it");
    if (!(std::abs(doubled_area(panel)) > shortest * shortest))
        fail(panel_name(panel), "an outline around some area",
             fmt::format("{:.3g} m^2", 0.5 * std::abs(doubled_area(panel))));
}

void check_stitch(const Pattern& pattern, std::size_t stitch) {
    const PatternStitch& seam = pattern.stitches[stitch];
    const std::string key = seam.name.empty() ? fmt::format("seam {}", stitch)
                                              : fmt::format("seam {} '{}'", stitch, seam.name);
    for (const PatternStitch::Side& side : seam.sides) {
        if (side.panel < 0 || side.panel >= static_cast<int>(pattern.panels.size()))
            fail(key, fmt::format("a panel from 0 to {}", pattern.panels.size() - 1),
                 fmt::format("{}", side.panel));
        const PatternPanel& panel = pattern.panels[side.panel];
        if (side.edge < 0 || side.edge >= static_cast<int>(panel.edges.size()))
            fail(fmt::format("{}, panel '{}', edge {}", key, panel.name, side.edge),
                 fmt::format("an edge from 0 to {}", panel.edges.size() - 1),
                 fmt::format("{}", side.edge));
    }
    const auto name = [&](const PatternStitch::Side& side) {
        return edge_name(pattern.panels[side.panel], side.edge);
    };
    if (same(seam.sides[0], seam.sides[1]))
        fail(fmt::format("{}, {}", key, name(seam.sides[0])), "two edges", "one edge twice");
    for (std::size_t other = 0; other < stitch; ++other)
        for (const PatternStitch::Side& side : seam.sides)
            for (const PatternStitch::Side& taken : pattern.stitches[other].sides)
                if (same(side, taken))
                    fail(fmt::format("{}, {}", key, name(side)), "an edge that is not sewn yet",
                         fmt::format("one of seam {}", other));
    const double a = length_of(pattern, seam.sides[0]), b = length_of(pattern, seam.sides[1]);
    if (std::max(a, b) > max_seam_ratio * std::min(a, b))
        fail(fmt::format("{}, {}", key, name(seam.sides[0])),
             fmt::format("two edges, neither more than {} times as long as the other",
                         max_seam_ratio),
             fmt::format("{:.4g} m, and {:.4g} m of {}", a, b, name(seam.sides[1])));
}

void check_pattern(const Pattern& pattern, const std::string& file) {
    with_file(file, [&] {
        if (pattern.panels.empty())
            fail("", "a pattern with panels", "none");
        std::set<std::string> names;
        for (const PatternPanel& panel : pattern.panels) {
            if (!names.insert(panel.name).second)
                fail(panel_name(panel), "panels of different names", "two of this one");
            check_pattern_panel(panel);
        }
        for (std::size_t stitch = 0; stitch < pattern.stitches.size(); ++stitch)
            check_stitch(pattern, stitch);
    });
}

} // namespace muslin
