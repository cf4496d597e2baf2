#include "muslin/pattern/pattern_edit.h"

#include "muslin/base/error.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muslin {
namespace {

/// Files of patterns are rounded to a hundredth of a millimetre.
constexpr double on_line = 1e-5; // [m]

PatternEdge reversed(PatternEdge edge) {
    std::swap(edge.start, edge.end);
    if (edge.curve.kind == PatternCurve::Kind::cubic)
        std::swap(edge.curve.controls[0], edge.curve.controls[1]);
    edge.curve.right = !edge.curve.right;
    return edge;
}

/// The image of points on a line.
struct Reflection {
    Vec2 origin, along; ///< along: one long

    double distance(const Vec2& p) const { return std::abs(cross(along, p - origin)); }
    Vec2 operator()(const Vec2& p) const {
        const Vec2 d = p - origin;
        return origin + 2 * dot(d, along) * along - d;
    }
    PatternCurve operator()(PatternCurve curve) const {
        for (Vec2& control : curve.controls)
            control = (*this)(control);
        curve.right = !curve.right;
        return curve;
    }
};

[[noreturn]] void fail(const PatternPanel& panel, std::string expected, std::string found) {
    throw InputError(
        {{}, fmt::format("panel '{}'", panel.name), std::move(expected), std::move(found), {}});
}

/// The edges of the outer loop that are not on the fold, in turn from the one after it.
std::vector<int> edges_off_fold(const PatternPanel& panel, const Reflection& fold) {
    const int n = loop_end(panel, 0);
    const auto is_on_fold = [&](int e) {
        const PatternEdge& edge = panel.edges[e];
        return edge.curve.kind == PatternCurve::Kind::line &&
               fold.distance(panel.vertices[edge.start]) < on_line &&
               fold.distance(panel.vertices[edge.end]) < on_line;
    };
    int first = -1, pieces = 0;
    for (int e = 0; e < n; ++e)
        if (!is_on_fold(e) && is_on_fold((e + n - 1) % n)) {
            first = e;
            ++pieces;
        }
    if (pieces != 1)
        fail(panel, "straight edges on the fold line, all next to each other",
             pieces == 0 ? "none" : fmt::format("{} runs of them", pieces));
    std::vector<int> out;
    for (int e = first; !is_on_fold(e); e = (e + 1) % n)
        out.push_back(e);
    return out;
}

/// The vertices of these edges and, where they are not on the fold, of their images.
struct UnfoldedVertices {
    std::vector<Vec2> points;
    std::vector<int> kept, image; ///< for each old vertex its new one; -1: not needed

    UnfoldedVertices(const PatternPanel& panel, const std::vector<int>& edges,
                     const Reflection& fold)
        : kept(panel.vertices.size(), -1), image(panel.vertices.size(), -1) {
        for (const int e : edges)
            for (const int v : {panel.edges[e].start, panel.edges[e].end})
                add(panel.vertices[v], static_cast<std::size_t>(v), fold);
    }

private:
    void add(const Vec2& p, std::size_t v, const Reflection& fold) {
        if (kept[v] >= 0)
            return;
        kept[v] = image[v] = static_cast<int>(points.size());
        points.push_back(p);
        if (fold.distance(p) < on_line)
            return;
        image[v] = static_cast<int>(points.size());
        points.push_back(fold(p));
    }
};

} // namespace

int loop_end(const PatternPanel& panel, std::size_t loop) {
    return loop + 1 < panel.loops.size() ? panel.loops[loop + 1]
                                         : static_cast<int>(panel.edges.size());
}

std::vector<int> reverse_loops(PatternPanel& panel) {
    std::vector<int> was;
    std::vector<PatternEdge> edges;
    for (std::size_t loop = 0; loop < panel.loops.size(); ++loop)
        for (int e = loop_end(panel, loop) - 1; e >= panel.loops[loop]; --e) {
            was.push_back(e);
            edges.push_back(reversed(panel.edges[e]));
        }
    panel.edges = std::move(edges);
    return was;
}

PatternPanel mirrored(const PatternPanel& panel, std::string name) {
    PatternPanel out = panel;
    out.name = std::move(name);
    const Reflection reflection{{0, 0}, {0, 1}};
    for (Vec2& p : out.vertices)
        p.x = 0 - p.x;
    for (PatternEdge& edge : out.edges)
        edge.curve = reflection(edge.curve);
    // The world's image M R M of a rotation R turns the other way about y and z.
    // (0 - 0 is 0, and not -0, which a table would show.)
    out.translation.x = 0 - panel.translation.x;
    out.rotation = {panel.rotation.x, 0 - panel.rotation.y, 0 - panel.rotation.z};
    out.wrap.angle = 0 - panel.wrap.angle;
    reverse_loops(out);
    return out;
}

std::vector<UnfoldedEdge> unfold(PatternPanel& panel, const Vec2& a, const Vec2& b) {
    const double length = norm(b - a);
    if (!(length > on_line))
        fail(panel, "a fold line of some length", fmt::format("{:.3g} m", length));
    const Reflection fold{a, (1.0 / length) * (b - a)};
    const std::vector<int> outer = edges_off_fold(panel, fold);
    std::vector<int> all = outer;
    for (int e = loop_end(panel, 0); e < static_cast<int>(panel.edges.size()); ++e)
        all.push_back(e);
    const UnfoldedVertices vertices(panel, all, fold);

    std::vector<PatternEdge> edges;
    std::vector<UnfoldedEdge> origin;
    const auto add = [&](int e, bool mirror) {
        PatternEdge edge = panel.edges[e];
        const std::vector<int>& to = mirror ? vertices.image : vertices.kept;
        edge.start = to[edge.start];
        edge.end = to[edge.end];
        if (mirror) {
            edge.curve = fold(edge.curve);
            edge = reversed(edge);
        }
        edges.push_back(std::move(edge));
        origin.push_back({e, mirror});
    };
    for (const int e : outer)
        add(e, false);
    for (auto e = outer.rbegin(); e != outer.rend(); ++e)
        add(*e, true);
    std::vector<int> loops = {0};
    for (std::size_t loop = 1; loop < panel.loops.size(); ++loop) {
        loops.push_back(static_cast<int>(edges.size()));
        for (int e = panel.loops[loop]; e < loop_end(panel, loop); ++e)
            add(e, false);
        loops.push_back(static_cast<int>(edges.size()));
        for (int e = loop_end(panel, loop) - 1; e >= panel.loops[loop]; --e)
            add(e, true);
    }
    panel.vertices = vertices.points;
    panel.edges = std::move(edges);
    panel.loops = std::move(loops);
    return origin;
}

} // namespace muslin
