// [[garment]] and [dressing]: patterns that are sewn on bodies before the first frame.
#include "muslin/scene/load_parts.h"
#include "muslin/scene/load_pattern.h"
#include "muslin/scene/overrides.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace muslin {
namespace {

Pattern read_pattern(const Place& place, const FileScope& scope,
                     const std::vector<PatternSize>& sizes) {
    const std::string name = place.text("the name of a pattern, or the path of a pattern file");
    if (is_given(name))
        return parse_pattern(given_pattern(place, scope), name, name.substr(given_prefix.size()),
                             sizes);
    if (std::filesystem::path(name).extension().empty())
        return load_pattern(name, {}, sizes);
    return load_pattern(readable_file(place, name, scope, "pattern file").string(), {}, sizes);
}

std::vector<PatternSize> read_sizes(const Place& place) {
    std::vector<PatternSize> out;
    if (!place.is_table())
        place.fail("a table of sizes, by the names that the pattern has for them");
    for (const TomlEntry& size : place.value().table()->entries)
        out.push_back(
            {size.key, Place(size.value, place.path() + "." + size.key).number(any_number(""))});
    return out;
}

/// Panels that stand elsewhere than the pattern has them: for a body in another pose.
void place_panels(const Place& place, Pattern& pattern) {
    for (const Place& item : place.items("an array of tables, one for each panel")) {
        TableReader reader(item, keys::placed_panel);
        const Place name = reader.require("name", "the name of a panel");
        const std::span<PatternPanel> panels = pattern.panels;
        const std::span<const PatternPanel> known = panels;
        PatternPanel& panel = panels[&find_named(name, known, "panel") - known.data()];
        if (reader.has("position") && reader.has("move"))
            reader.get("move")->fail_found("either position or move", "both");
        reader.read("position", panel.translation);
        Vec3 way = {0, 0, 0};
        reader.read("move", way);
        panel.translation += way;
        reader.read("rotation", panel.rotation);
    }
}

/// The body that wears a garment: the one that is named, or the only one there is.
std::string read_wearer(TableReader& reader, const SceneDescription& scene) {
    const std::span<const BodyDescription> bodies = scene.bodies;
    if (const auto place = reader.get("body"))
        return find_named(*place, bodies, "body").name;
    return bodies.size() == 1 ? bodies.front().name : std::string();
}

void remove_keys(TomlTable& table, std::initializer_list<std::string_view> keys) {
    std::erase_if(table.entries, [&](const TomlEntry& entry) {
        return std::find(keys.begin(), keys.end(), entry.key) != keys.end();
    });
}

} // namespace

std::string dressing_text(TomlValue document) {
    TomlTable& scene = *document.table();
    remove_keys(scene, {"name", "title", "limits", "post"});
    if (TomlEntry* time = scene.find("time"); time && time->value.table())
        remove_keys(*time->value.table(), {"frames"});
    if (TomlEntry* dressing = scene.find("dressing"); dressing && dressing->value.table())
        remove_keys(*dressing->value.table(), {"preroll", "show", "cache"});
    if (TomlEntry* bodies = scene.find("body"); bodies && bodies->value.array())
        for (TomlValue& body : *bodies->value.array())
            if (body.table())
                remove_keys(*body.table(), {"animation", "motion", "visible"});
    return write_toml(scene);
}

void read_garments(TableReader& scene, const FileScope& scope, NameBook& names,
                   SceneDescription& out) {
    const std::vector<Place> garments = scene.tables("garment");
    for (std::size_t i = 0; i < garments.size(); ++i) {
        TableReader reader(garments[i], keys::garment);
        ClothDescription cloth;
        cloth.where = garments[i].where();
        cloth.name = read_cloth_file_name(
            reader, names, garments.size() == 1 ? "garment" : fmt::format("garment{}", i));
        PatternMesh mesh;
        std::vector<PatternSize> sizes;
        if (const auto table = reader.get("sizes"))
            sizes = read_sizes(*table);
        mesh.pattern = read_pattern(
            reader.require("pattern", "the name or the path of a sewing pattern"), scope, sizes);
        if (const auto panels = reader.get("panels"))
            place_panels(*panels, mesh.pattern);
        reader.read("resolution", mesh.edge);
        cloth.mesh = std::move(mesh);
        cloth.placement = read_placement(reader);
        cloth.material = read_cloth_material(reader, scope);
        GarmentDescription garment;
        garment.where = cloth.where;
        garment.cloth = cloth.name;
        garment.body = read_wearer(reader, out);
        reader.read("layer", garment.layer);
        reader.read("clearance", garment.clearance);
        reader.read("stiffness", garment.stiffness);
        reader.read("max_force", garment.max_force);
        out.cloths.push_back(std::move(cloth));
        out.garments.push_back(std::move(garment));
    }
}

DressingDescription read_dressing(const Place& place, const FileScope& scope) {
    TableReader reader(place, keys::dressing);
    DressingDescription out;
    reader.read("sew", out.sew);
    reader.read("stage", out.stage);
    reader.read("gravity", out.gravity);
    reader.read("friction", out.friction);
    reader.read("slim", out.slim);
    reader.read("settle", out.settle);
    reader.read("preroll", out.preroll);
    reader.read("show", out.show);
    if (const auto cache = reader.get("cache"))
        out.cache = read_cache_folder(*cache, scope);
    return out;
}

} // namespace muslin
