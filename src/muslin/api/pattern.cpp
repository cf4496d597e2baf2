#include "muslin/pattern.h"

#include "muslin/api/guard.h"
#include "muslin/api/toml_text.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load_pattern.h"

#include <fmt/format.h>

namespace muslin::api {
namespace {

std::string edge_text(const PanelEdge& edge) {
    std::string out = "{ name = " + toml(std::string_view(edge.name));
    if (edge.controls.size() == 1)
        out += ", quadratic = " + toml(edge.controls.front());
    else if (!edge.controls.empty())
        out += ", cubic = " + toml(std::span<const Vec2>(edge.controls));
    if (edge.bulge != 0)
        out += ", bulge = " + toml(edge.bulge);
    return out + " }";
}

std::string panel_text(const Panel& panel) {
    TomlText text("panel");
    text.add("name", panel.name);
    text.add_list("points", std::span<const Vec2>(panel.points));
    if (!panel.edges.empty()) {
        std::string edges;
        for (const PanelEdge& edge : panel.edges)
            edges += (edges.empty() ? "" : ", ") + edge_text(edge);
        text.write("edges", "[" + edges + "]");
    }
    text.add_text("fold", panel.fold);
    if (panel.mirror)
        text.add("mirror", true);
    if (panel.outer_is_down)
        text.add("outer", "down");
    text.add_vector("position", panel.position);
    text.add_vector("rotation", panel.rotation);
    if (panel.wrap_radius != 0)
        text.write("wrap", fmt::format("{{ radius = {} }}", panel.wrap_radius));
    return text.text();
}

} // namespace

std::string to_text(const Pattern& pattern) {
    std::string out =
        fmt::format("name = {}\nunit = \"m\"\n", toml(std::string_view(pattern.name)));
    for (const Panel& panel : pattern.panels)
        out += panel_text(panel);
    for (const Stitch& stitch : pattern.stitches) {
        TomlText text("seam");
        const std::string sides[] = {stitch.first, stitch.second};
        text.add_list("sides", std::span<const std::string>(sides));
        if (stitch.stage != 0)
            text.add("stage", stitch.stage);
        if (stitch.direct)
            text.add("direct", true);
        out += text.text();
    }
    guarded(nullptr,
            [&] { parse_pattern(out, std::string(given_prefix) + pattern.name, pattern.name); });
    return out;
}

std::vector<std::string> pattern_names() {
    std::vector<std::string> out;
    for (const BuiltinFile& file : builtin_patterns())
        out.emplace_back(file.name);
    return out;
}

} // namespace muslin::api
