#include "muslin/scene/pattern_panel.h"

#include "muslin/pattern/panel_mesh.h"
#include "muslin/pattern/pattern_edit.h"
#include "muslin/scene/pattern_keys.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muslin {
namespace {

void read_curve(TableReader& reader, const PatternPanel& panel, const PatternScale& scale,
                PatternEdge& edge) {
    using Kind = PatternCurve::Kind;
    PatternCurve& curve = edge.curve;
    const auto choose = [&](std::string_view key, Kind kind) {
        const auto place = reader.get(key);
        if (place && curve.kind != Kind::line)
            place->fail_found("one of quadratic, cubic, bulge and radius", "a second one");
        if (place)
            curve.kind = kind;
        return place;
    };
    if (const auto place = choose("quadratic", Kind::quadratic))
        curve.controls[0] = scale.point(*place);
    if (const auto place = choose("cubic", Kind::cubic)) {
        const std::vector<Place> points = place->items("two control points");
        if (points.size() != 2)
            place->fail("two control points");
        curve.controls = {scale.point(points[0]), scale.point(points[1])};
    }
    if (const auto place = choose("bulge", Kind::arc)) {
        const double height = scale.length(*place);
        const double half = 0.5 * norm(panel.vertices[edge.end] - panel.vertices[edge.start]);
        if (height == 0)
            curve.kind = Kind::line;
        else
            curve.radius = (half * half + height * height) / (2 * std::abs(height));
        curve.large = std::abs(height) > half;
        curve.right = height > 0;
    }
    if (const auto place = choose("radius", Kind::arc)) {
        const double radius = scale.length(*place);
        curve.radius = std::abs(radius);
        curve.right = radius > 0;
        reader.read("large", curve.large);
    }
}

/// `edges`: for each point what leads from it to the next; a name or a table.
void read_edges(const Place& list, int first, const PatternScale& scale, DrawnPanel& out) {
    const std::vector<Place> items = list.items("an array of names and tables");
    const std::size_t count = out.panel.edges.size() - static_cast<std::size_t>(first);
    if (items.size() != count)
        list.fail_found(fmt::format("{} edges, one for each point", count),
                        fmt::format("{}", items.size()));
    for (std::size_t i = 0; i < count; ++i) {
        PatternEdge& edge = out.panel.edges[first + i];
        std::string& name = out.edges[first + i].name;
        if (items[i].is_text()) {
            name = items[i].text();
        } else {
            TableReader reader(items[i], pattern_keys::edge);
            reader.read("name", name);
            reader.read("label", edge.label);
            read_curve(reader, out.panel, scale, edge);
            reader.reject_unasked("this edge");
        }
        if (edge.label.empty())
            edge.label = name;
        const bool digits =
            std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!name.empty() && (digits || name.find('.') != std::string::npos))
            items[i].fail_found("a name that is no number and has no dot", '\'' + name + '\'');
        for (std::size_t other = 0; other < first + i; ++other)
            if (!name.empty() && out.edges[other].name == name)
                items[i].fail_found("edges of different names", '\'' + name + "' again");
    }
}

/// `points` and `edges` of a panel or of a hole in it.
void read_loop(TableReader& reader, const PatternScale& scale, DrawnPanel& out) {
    const std::string expected = "an array of points [x, y], at least 2";
    const Place place = reader.require("points", expected);
    const std::vector<Place> points = place.items(expected);
    if (points.size() < 2)
        place.fail(expected);
    const int first = static_cast<int>(out.panel.edges.size());
    const int count = static_cast<int>(points.size());
    for (int i = 0; i < count; ++i) {
        out.panel.vertices.push_back(scale.point(points[i]));
        out.panel.edges.push_back({first + i, first + (i + 1) % count, {}, {}});
        out.edges.push_back({"", first + i, false});
    }
    if (const auto edges = reader.get("edges"))
        read_edges(*edges, first, scale, out);
}

void read_placement(TableReader& reader, const PatternScale& scale, PatternPanel& panel) {
    const auto vec3 = [&](std::string_view key, double factor, Vec3& out) {
        const auto place = reader.get(key);
        if (!place)
            return;
        const std::vector<Place> parts = place->items("three numbers");
        if (parts.size() != 3)
            place->fail("three numbers");
        for (int k = 0; k < 3; ++k)
            out[k] = factor * scale.number(parts[k]);
    };
    vec3("position", scale.metres, panel.translation);
    vec3("rotation", 1, panel.rotation);
    if (const auto place = reader.get("wrap")) {
        TableReader wrap(*place, pattern_keys::wrap);
        const Place radius = wrap.require("radius", "a positive length");
        panel.wrap.radius = scale.length(radius);
        if (!(panel.wrap.radius > 0))
            radius.fail("a positive length");
        if (const auto angle = wrap.get("angle"))
            panel.wrap.angle = scale.number(*angle);
    }
}

void read_fold(const Place& place, DrawnPanel& out) {
    const std::string name = place.text("the name of an edge");
    std::vector<std::string_view> known;
    for (const NamedEdge& edge : out.edges)
        if (!edge.name.empty())
            known.push_back(edge.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
        place.fail("the name of an edge of the panel", suggest(name, known));
    for (std::size_t e = 0; e < out.edges.size(); ++e) {
        if (out.edges[e].name != name)
            continue;
        const PatternEdge& edge = out.panel.edges[e];
        const Vec2 a = out.panel.vertices[edge.start], b = out.panel.vertices[edge.end];
        std::vector<UnfoldedEdge> origin;
        checked_at(place.where(), [&] { origin = unfold(out.panel, a, b); });
        std::vector<NamedEdge> names;
        for (const UnfoldedEdge& one : origin)
            names.push_back({out.edges[one.edge].name, out.edges[one.edge].drawn, one.mirror});
        out.edges = std::move(names);
        out.folded = true;
        return;
    }
}

void reverse(DrawnPanel& out) {
    std::vector<NamedEdge> names;
    for (const int e : reverse_loops(out.panel))
        names.push_back(out.edges[e]);
    out.edges = std::move(names);
}

DrawnPanel image_of(const DrawnPanel& drawn) {
    DrawnPanel out = drawn;
    reverse(out); // for the order of the names
    out.panel = mirrored(drawn.panel, drawn.panel.name + ".mirror");
    for (NamedEdge& edge : out.edges)
        edge.mirror = true;
    return out;
}

} // namespace

double PatternScale::number(const Place& place) const {
    const std::vector<std::string_view> known(names.begin(), names.end());
    const double value = place.expression(known, "it may name sizes")(values);
    if (!std::isfinite(value))
        place.fail("a formula that has a finite value");
    return value;
}

Vec2 PatternScale::point(const Place& place) const {
    const std::vector<Place> parts = place.items("a point [x, y]");
    if (parts.size() != 2)
        place.fail("a point [x, y]");
    return {length(parts[0]), length(parts[1])};
}

std::vector<DrawnPanel> read_panel(const Place& place, const PatternScale& scale) {
    TableReader reader(place, pattern_keys::panel);
    DrawnPanel out;
    out.where = reader.where();
    const Place name = reader.require("name", "the name of the panel");
    out.panel.name = name.text("the name of the panel");
    if (out.panel.name.empty() || out.panel.name.find('.') != std::string::npos)
        name.fail("a name without dots");
    reader.get("like"); // whose keys are among the panel's by now
    reader.read("label", out.panel.label);
    read_loop(reader, scale, out);
    for (const Place& hole : reader.tables("hole")) {
        TableReader table(hole, pattern_keys::hole);
        out.panel.loops.push_back(static_cast<int>(out.panel.edges.size()));
        read_loop(table, scale, out);
    }
    read_placement(reader, scale, out.panel);
    const auto fold = reader.get("fold");
    if (fold) {
        checked_at(out.where, [&] { check_panel(out.panel); });
        read_fold(*fold, out);
    }
    bool is_pair = false;
    reader.read("mirror", is_pair);
    if (is_pair && fold)
        fold->fail_found("fold or mirror", "both");
    checked_at(out.where, [&] { check_panel(out.panel); });

    bool down = false;
    if (const auto outer = reader.get("outer"))
        down = outer->choice() == 1;
    if ((doubled_area(out.panel) < 0) != down)
        reverse(out);
    if (!is_pair)
        return {std::move(out)};
    out.copied = true;
    DrawnPanel image = image_of(out);
    return {std::move(out), std::move(image)};
}

} // namespace muslin
