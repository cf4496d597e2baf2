#include "muslin/scene/load_parts.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

using Rule = ConnectionsDescription::Rule;
using Rest = ConnectionsDescription::Rest;

/// One end of a connection may be in one region, the other in another.
void read_ends(TableReader& reader, SceneDescription& scene, std::size_t named,
               ConnectionsDescription& out) {
    const std::optional<Place> between = reader.get("between");
    if (!between) {
        const SelectedRegion selected = read_selection(reader, scene, named, true);
        out.region = selected.region;
        out.cloth = selected.cloth;
        return;
    }
    const std::span<const RegionDescription> regions = std::span(scene.regions).first(named);
    const auto items = between->items("the names of two regions");
    if (items.size() != 2)
        between->fail_found("the names of two regions", std::to_string(items.size()));
    const RegionDescription& from = find_named(items[0], regions, "region");
    out.region = from.name;
    out.cloth = from.cloth;
    out.to_region = find_named(items[1], regions, "region").name;
    if (out.region == out.to_region)
        items[1].fail("another region than the first");
}

void read_pairs(TableReader& reader, ConnectionsDescription& out) {
    constexpr std::string_view expected = "an array of pairs of vertex numbers, from 0";
    const Place place = reader.require("pairs", expected);
    for (const Place& item : place.items(expected)) {
        const auto ends = item.items(expected);
        if (ends.size() != 2)
            item.fail(std::string(expected));
        out.pairs.push_back({ends[0].integer(), ends[1].integer()});
        if (out.pairs.back()[0] == out.pairs.back()[1])
            item.fail("two vertices");
    }
    if (out.pairs.empty())
        place.fail("at least one pair");
}

/// The rule and what it needs.
void read_rule(TableReader& reader, ConnectionsDescription& out) {
    reader.require("rule").read(out.rule);
    const bool of_layer = out.rule == Rule::edges || out.rule == Rule::second_nearest;
    if (of_layer)
        reader.read("layer", out.layer);
    if (out.rule == Rule::within)
        out.distance = reader.require("distance").number();
    if (out.rule == Rule::nearest)
        out.count = reader.require("count").integer();
    if (out.rule == Rule::pairs) {
        if (!out.region.empty())
            throw InputError({reader.where(), reader.path(), "pairs of vertices of a whole cloth",
                              "a region", ""});
        read_pairs(reader, out);
    }
    if (const auto rest = reader.get("rest")) {
        rest->read(out.rest);
        if (out.rest == Rest::pattern && !of_layer)
            rest->fail(fmt::format("\"start\" with rule = \"{}\": only the edges and second "
                                   "neighbours of a layer have a length on its pattern",
                                   name_of(out.rule)));
    }
}

void read_strength(TableReader& reader, ConnectionsDescription& out) {
    if (reader.has("stiffness") == reader.has("modulus"))
        throw InputError({reader.where(), reader.path(),
                          "exactly one of stiffness [N/m] and modulus [Pa]",
                          reader.has("modulus") ? "both" : "none", ""});
    reader.read("stiffness", out.stiffness);
    reader.read("modulus", out.modulus);
    if (out.modulus)
        reader.read("volume", out.volume);
    reader.read("damping", out.damping);
    if (!out.damping)
        reader.read("relaxation", out.relaxation);
    out.potential = read_potential(reader, {});
}

} // namespace

void read_connections(TableReader& scene, SceneDescription& out) {
    NameBook names("connections");
    // Selections in place have added regions of their own at the end, which no name refers to.
    std::size_t named = 0;
    while (named < out.regions.size() && out.regions[named].name.find('[') == std::string::npos)
        ++named;
    for (const Place& place : scene.tables("connections")) {
        TableReader reader(place, keys::connections);
        ConnectionsDescription c;
        c.where = place.where();
        c.name = names.read_optional(reader);
        read_ends(reader, out, named, c);
        read_rule(reader, c);
        read_strength(reader, c);
        reader.reject_unasked(
            fmt::format("such connections{}", c.region.empty() ? "" : " and a region"));
        out.connections.push_back(std::move(c));
    }
}

} // namespace muslin
