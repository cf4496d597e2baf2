#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/text.h"
#include "muslin/pattern/panel_mesh.h"
#include "muslin/render/pattern_drawing.h"
#include "muslin/scene/load_pattern.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace muslin::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Width and height of a panel as it is drawn [m].
Vec2 size_of(const PatternPanel& panel) {
    Vec2 low = panel.vertices[panel.edges[0].start], high = low;
    for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e)
        for (const Vec2& p : sample_edge(panel, e, 64)) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    return high - low;
}

std::string edge_text(const PatternPanel& panel, int edge) {
    const std::string& label = panel.edges[edge].label;
    return fmt::format("{} {}{}", panel.name, edge, label.empty() ? "" : " " + label);
}

/// Of the longer edge to the shorter one.
double ratio(double a, double b) {
    return std::max(a, b) / std::min(a, b);
}

Json describe(const Pattern& pattern) {
    Json out = {{"name", pattern.name}, {"panels", Json::array()}, {"seams", Json::array()}};
    double total = 0;
    for (const PatternPanel& panel : pattern.panels) {
        const double area = 0.5 * doubled_area(panel);
        const Vec2 size = size_of(panel);
        const Vec3 &t = panel.translation, &r = panel.rotation;
        Json edges = Json::array();
        for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e)
            edges.push_back({{"label", panel.edges[e].label}, {"length", edge_length(panel, e)}});
        out["panels"].push_back({{"name", panel.name},
                                 {"label", panel.label},
                                 {"size", {size.x, size.y}},
                                 {"area", std::abs(area)},
                                 {"outer", area > 0 ? "up" : "down"},
                                 {"translation", {t.x, t.y, t.z}},
                                 {"rotation", {r.x, r.y, r.z}},
                                 {"edges", std::move(edges)}});
        total += std::abs(area);
    }
    for (const PatternStitch& seam : pattern.stitches) {
        Json sides = Json::array();
        double length[2] = {};
        for (int i = 0; i < 2; ++i) {
            const PatternPanel& panel = pattern.panels[seam.sides[i].panel];
            length[i] = edge_length(panel, seam.sides[i].edge);
            sides.push_back({{"panel", panel.name},
                             {"edge", seam.sides[i].edge},
                             {"label", panel.edges[seam.sides[i].edge].label},
                             {"length", length[i]}});
        }
        out["seams"].push_back({{"name", seam.name},
                                {"sides", std::move(sides)},
                                {"ratio", ratio(length[0], length[1])},
                                {"direct", seam.direct},
                                {"stage", seam.stage}});
    }
    out["area"] = total;
    return out;
}

void print_panels(const Pattern& pattern) {
    std::size_t width = 5;
    for (const PatternPanel& panel : pattern.panels)
        width = std::max(width, panel.name.size());
    fmt::print("     {:{}}  {:>15}  {:>9}  {:>5}  {:5}  {}\n", "panel", width, "size [cm]",
               "area [m2]", "edges", "outer", "place [m], turn [degrees]");
    for (std::size_t i = 0; i < pattern.panels.size(); ++i) {
        const PatternPanel& panel = pattern.panels[i];
        const double area = 0.5 * doubled_area(panel);
        const Vec2 size = size_of(panel);
        const Vec3 &t = panel.translation, &r = panel.rotation;
        fmt::print("{:4} {:{}}  {:6.1f} x {:6.1f}  {:9.4f}  {:5}  {:5}  ({:.3g}, {:.3g}, {:.3g})"
                   "{}\n",
                   i, panel.name, width, 100 * size.x, 100 * size.y, std::abs(area),
                   panel.edges.size(), area > 0 ? "up" : "down", t.x, t.y, t.z,
                   norm(r) > 0 ? fmt::format(", ({:.3g}, {:.3g}, {:.3g})", r.x, r.y, r.z) : "");
    }
}

void print_seams(const Pattern& pattern) {
    std::size_t width = 4;
    for (const PatternStitch& seam : pattern.stitches)
        for (const PatternStitch::Side& side : seam.sides)
            width = std::max(width, edge_text(pattern.panels[side.panel], side.edge).size());
    fmt::print("     {:{}}  {:>8}  {:{}}  {:>8}  ratio\n", "seam of", width, "[cm]", "and", width,
               "[cm]");
    for (std::size_t i = 0; i < pattern.stitches.size(); ++i) {
        const PatternStitch& seam = pattern.stitches[i];
        const PatternPanel& a = pattern.panels[seam.sides[0].panel];
        const PatternPanel& b = pattern.panels[seam.sides[1].panel];
        const double la = edge_length(a, seam.sides[0].edge);
        const double lb = edge_length(b, seam.sides[1].edge);
        fmt::print("{:4} {:{}}  {:8.2f}  {:{}}  {:8.2f}  {:.3f}{}{}\n", i,
                   edge_text(a, seam.sides[0].edge), width, 100 * la,
                   edge_text(b, seam.sides[1].edge), width, 100 * lb, ratio(la, lb),
                   seam.direct ? " direct" : "",
                   seam.stage > 0 ? fmt::format(" stage {}", seam.stage) : "");
    }
}

void draw(const Pattern& pattern, const std::string& output) {
    const std::string ending = lower_case_ending(output);
    if (ending == ".png")
        write_png(output, paint(draw_pattern(pattern)));
    else
        write_file_atomically(output, write_svg(draw_pattern(pattern)));
}

} // namespace

int info_pattern(const std::string& name_or_path, bool json, const std::string& output) {
    const std::string ending = lower_case_ending(output);
    if (!output.empty() && ending != ".svg" && ending != ".png")
        throw InputError({{}, "-o", "a file that ends in .svg or .png", '\'' + output + '\'', ""});
    const Pattern pattern = load_pattern(name_or_path);
    if (!output.empty())
        draw(pattern, output);
    const Json all = describe(pattern);
    if (json) {
        fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    fmt::print("{}: sewing pattern, {} panels, {} seams, {:.4g} m2 of cloth\n", name_or_path,
               pattern.panels.size(), pattern.stitches.size(), all["area"].get<double>());
    print_panels(pattern);
    if (!pattern.stitches.empty())
        print_seams(pattern);
    if (output.empty())
        fmt::print("  a drawing of it: -o {}.svg, or .png\n", pattern.name);
    else
        fmt::print("  drawn to {}\n", output);
    return 0;
}

} // namespace muslin::cli
