#include "muslin/io/json_text.h"
#include "muslin/pattern/pattern_formats.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

// The JSON of GarmentCode [Korosteleva and Sorkine-Hornung 2023] and of "Generating Datasets of 3D
// Garments with Sewing Patterns" [Korosteleva and Lee 2021], as its reference loader has it.

namespace muslin {
namespace {

struct Units {
    double metres = 1;
    bool relative = true;   ///< control points are shares of the edge, along it and to its left
    bool normalize = false; ///< panels are moved to the middle of their vertices
};

Units read_units(const JsonPlace& document) {
    const JsonPlace properties = document.at("properties", "an object");
    const JsonPlace per_metre =
        properties.at("units_in_meter", "a positive number").named("properties, units_in_meter");
    const double count = per_metre.number("a positive number");
    if (!(count > 0))
        per_metre.fail("a positive number: pattern units in a metre, 100 for centimetres");
    Units out;
    out.metres = 1 / count;
    if (properties.has("curvature_coords")) {
        const JsonPlace place = properties.at("curvature_coords", "a string");
        const std::string word = place.text();
        out.relative = word == "relative";
        if (!out.relative && word != "absolute")
            place.fail("\"relative\" or \"absolute\"");
    }
    if (properties.has("normalize_panel_translation")) {
        const JsonPlace place = properties.at("normalize_panel_translation", "true or false");
        if (!place.value().is_boolean())
            place.fail("true or false");
        out.normalize = place.value().get<bool>();
    }
    return out;
}

std::string optional_text(const JsonPlace& place, const char* name) {
    return place.has(name) ? place.at(name, "a string").text() : std::string();
}

Vec2 control_point(const JsonPlace& place, const PatternPanel& panel, const PatternEdge& edge,
                   const Units& units) {
    const Vec2 c = place.vec2("a control point, two numbers");
    if (!units.relative)
        return units.metres * c;
    const Vec2 start = panel.vertices[edge.start], d = panel.vertices[edge.end] - start;
    return start + c.x * d + c.y * Vec2{-d.y, d.x};
}

void read_circle(const JsonPlace& params, const Units& units, PatternCurve& out) {
    if (params.size("radius, large arc, right") != 3)
        params.fail("three numbers: radius, large arc, right");
    const auto flag = [&](std::size_t i) {
        const JsonPlace place = params.item(i);
        return place.value().is_boolean() ? place.value().get<bool>()
                                          : place.integer(0, 1, "0 or 1") == 1;
    };
    out.kind = PatternCurve::Kind::arc;
    out.radius = units.metres * params.item(0).number("a radius");
    out.large = flag(1);
    out.right = flag(2);
}

PatternCurve read_curvature(const JsonPlace& place, const PatternPanel& panel,
                            const PatternEdge& edge, const Units& units) {
    PatternCurve out;
    if (place.value().is_array()) {
        out.kind = PatternCurve::Kind::quadratic;
        out.controls[0] = control_point(place, panel, edge, units);
        return out;
    }
    const JsonPlace type = place.at("type", "quadratic, cubic or circle");
    const JsonPlace params = place.at("params", "an array");
    const std::string word = type.text();
    if (word == "circle") {
        read_circle(params, units, out);
        return out;
    }
    if (word != "quadratic" && word != "cubic")
        type.fail("\"quadratic\", \"cubic\" or \"circle\"");
    out.kind = word == "cubic" ? PatternCurve::Kind::cubic : PatternCurve::Kind::quadratic;
    const std::size_t count = word == "cubic" ? 2 : 1;
    if (params.size("an array of control points") != count)
        params.fail(fmt::format("{} control point{}", count, count == 1 ? "" : "s"));
    for (std::size_t i = 0; i < count; ++i)
        out.controls[i] = control_point(params.item(i), panel, edge, units);
    return out;
}

/// Each edge's two vertices. They are read before the vertices, so that what is wrong with one of
/// those can be told with an edge.
std::vector<PatternEdge> read_ends(const JsonPlace& edges, const std::string& panel, int vertices) {
    std::vector<PatternEdge> out;
    for (std::size_t e = 0; e < edges.size("an array of edges"); ++e) {
        const JsonPlace place = edges.item(e).named(fmt::format("panel '{}', edge {}", panel, e));
        const JsonPlace ends = place.at("endpoints", "two vertices").named(place.key());
        if (ends.size("two vertices") != 2)
            ends.fail("two vertices");
        const std::string expected = fmt::format("a vertex from 0 to {}", vertices - 1);
        PatternEdge edge;
        edge.start = ends.item(0).integer(0, vertices - 1, expected);
        edge.end = ends.item(1).integer(0, vertices - 1, expected);
        edge.label = optional_text(place, "label");
        out.push_back(std::move(edge));
    }
    return out;
}

void read_vertices(const JsonPlace& vertices, double metres, PatternPanel& panel) {
    std::vector<std::string> owners(vertices.size("an array of vertices"),
                                    fmt::format("panel '{}'", panel.name));
    for (std::size_t e = 0; e < panel.edges.size(); ++e)
        owners[static_cast<std::size_t>(panel.edges[e].start)] += fmt::format(", edge {}", e);
    for (std::size_t v = 0; v < owners.size(); ++v)
        panel.vertices.push_back(
            metres * vertices.item(v).named(fmt::format("{}, vertex {}", owners[v], v)).vec2());
}

/// Coordinates from the middle of the vertices; the place in the world stays as the reference
/// loader has it, which adds the middle without turning it.
void normalize(PatternPanel& panel) {
    Vec2 middle = {0, 0};
    for (const Vec2& p : panel.vertices)
        middle = middle + (1.0 / static_cast<double>(panel.vertices.size())) * p;
    for (Vec2& p : panel.vertices)
        p = p - middle;
    for (PatternEdge& edge : panel.edges)
        for (Vec2& control : edge.curve.controls)
            control = control - middle;
    panel.translation += Vec3{middle.x, middle.y, 0};
}

PatternPanel read_panel(const JsonPlace& place, const std::string& name, const Units& units) {
    PatternPanel panel;
    panel.name = name;
    panel.label = optional_text(place, "label");
    const JsonPlace vertices = place.at("vertices", "an array of vertices");
    const JsonPlace edges = place.at("edges", "an array of edges");
    panel.edges = read_ends(edges, name, static_cast<int>(vertices.size("an array of vertices")));
    read_vertices(vertices, units.metres, panel);
    if (place.has("translation"))
        panel.translation = units.metres * place.at("translation", "three numbers").vec3();
    if (place.has("rotation"))
        panel.rotation = place.at("rotation", "three numbers").vec3("three angles [degrees]");
    for (std::size_t e = 0; e < panel.edges.size(); ++e) {
        const JsonPlace edge = edges.item(e).named(fmt::format("panel '{}', edge {}", name, e));
        if (edge.has("curvature") && !edge.value()["curvature"].is_null())
            panel.edges[e].curve =
                read_curvature(edge.at("curvature", "a curve"), panel, panel.edges[e], units);
    }
    if (units.normalize)
        normalize(panel);
    return panel;
}

/// `panel_order`, where there is one, comes first; the others follow as they are in the file.
std::vector<std::string> panel_names(const JsonPlace& pattern, const JsonPlace& panels) {
    std::vector<std::string> names;
    if (pattern.has("panel_order") && !pattern.value()["panel_order"].is_null()) {
        const JsonPlace order = pattern.at("panel_order", "an array of names");
        for (std::size_t i = 0; i < order.size("an array of names"); ++i) {
            const std::string name = order.item(i).text("the name of a panel");
            if (!panels.value().contains(name) ||
                std::find(names.begin(), names.end(), name) != names.end())
                order.item(i).fail("each panel once, by its name");
            names.push_back(name);
        }
    }
    for (const auto& [name, panel] : panels.value().items())
        if (std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    return names;
}

PatternStitch::Side read_side(const JsonPlace& place, const Pattern& pattern) {
    const JsonPlace panel = place.at("panel", "the name of a panel").named(place.key());
    const std::string name = panel.text("the name of a panel");
    const auto found = std::find_if(pattern.panels.begin(), pattern.panels.end(),
                                    [&](const PatternPanel& one) { return one.name == name; });
    const JsonPlace edge = place.at("edge", "the number of an edge");
    const std::string key =
        fmt::format("{}, panel '{}', edge {}", place.key(), name, found_text(edge.value()));
    if (found == pattern.panels.end())
        panel.named(key).fail("the name of a panel");
    const int last = static_cast<int>(found->edges.size()) - 1;
    return {static_cast<int>(found - pattern.panels.begin()),
            edge.named(key).integer(0, last, fmt::format("an edge from 0 to {}", last))};
}

PatternStitch read_stitch(const JsonPlace& place, const Pattern& pattern) {
    const std::size_t size = place.size("two sides");
    if (size < 2 || size > 3)
        place.fail("two sides, and \"right_wrong\" where the faces are to look opposite ways");
    PatternStitch out;
    for (std::size_t i = 0; i < 2; ++i)
        out.sides[i] = read_side(place.item(i), pattern);
    if (size == 3) {
        out.direct = place.item(2).text("\"right_wrong\"") == "right_wrong";
        if (!out.direct)
            place.item(2).fail("\"right_wrong\"");
    }
    return out;
}

} // namespace

Pattern read_garmentcode(const JsonPlace& document) {
    const Units units = read_units(document);
    const JsonPlace pattern = document.at("pattern", "an object");
    const JsonPlace panels = pattern.at("panels", "an object of panels");
    if (!panels.value().is_object())
        panels.fail("an object of panels");
    Pattern out;
    for (const std::string& name : panel_names(pattern, panels))
        out.panels.push_back(
            read_panel(panels.at(name.c_str(), "a panel").named(fmt::format("panel '{}'", name)),
                       name, units));
    if (!pattern.has("stitches"))
        return out;
    const JsonPlace stitches = pattern.at("stitches", "an array of stitches");
    for (std::size_t i = 0; i < stitches.size("an array of stitches"); ++i)
        out.stitches.push_back(read_stitch(stitches.item(i).named(fmt::format("seam {}", i)), out));
    return out;
}

} // namespace muslin
