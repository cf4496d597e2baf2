// [[seam]]: what is sewn while the scene runs.
#include "muslin/scene/load_parts.h"

#include <algorithm>

#include <fmt/format.h>

namespace muslin {
namespace {

/// Regions that the scene names come before those that were given in place.
std::span<const RegionDescription> named_regions(const SceneDescription& scene) {
    const auto end =
        std::find_if(scene.regions.begin(), scene.regions.end(), [](const RegionDescription& r) {
            return r.name.find('[') != std::string::npos;
        });
    return std::span(scene.regions).first(end - scene.regions.begin());
}

std::vector<std::string> read_pair(const Place& place, SceneDescription& scene) {
    constexpr std::string_view expected = "two regions: names, or tables of a cloth and a selector";
    const std::vector<Place> items = place.items(expected);
    if (items.size() != 2)
        place.fail_found(std::string(expected), fmt::format("{}", items.size()));
    std::vector<std::string> out;
    for (const Place& item : items) {
        if (!item.is_table()) {
            out.push_back(find_named(item, named_regions(scene), "region").name);
            continue;
        }
        scene.regions.push_back(read_region_in_place(item, scene));
        out.push_back(scene.regions.back().name);
    }
    if (out[0] == out[1])
        items[1].fail("another region than the first");
    return out;
}

std::vector<SeamDescription::Vertex> read_joint(const Place& place, const SceneDescription& scene) {
    constexpr std::string_view expected = "an array of vertices, [cloth, number] each";
    std::vector<SeamDescription::Vertex> out;
    for (const Place& item : place.items(expected)) {
        const std::vector<Place> parts = item.items("a vertex, [cloth, number]");
        if (parts.size() != 2)
            item.fail("a vertex, [cloth, number]");
        const std::span<const ClothDescription> cloths = scene.cloths;
        out.push_back({find_named(parts[0], cloths, "cloth").name, parts[1].integer()});
    }
    if (out.size() < 2)
        place.fail_found("two vertices or more", fmt::format("{}", out.size()));
    return out;
}

SeamDescription read_seam(const Place& place, NameBook& names, SceneDescription& scene) {
    TableReader reader(place, keys::seam);
    SeamDescription out;
    out.where = place.where();
    out.name = names.read_optional(reader);
    if (reader.has("regions") == reader.has("joints"))
        throw InputError({place.where(), place.path(), "exactly one of regions, joints",
                          reader.has("regions") ? "both" : "none", ""});
    if (const auto regions = reader.get("regions"))
        out.regions = read_pair(*regions, scene);
    if (const auto joints = reader.get("joints")) {
        for (const Place& joint : joints->items("an array of joints"))
            out.joints.push_back(read_joint(joint, scene));
        if (out.joints.empty())
            joints->fail("at least one joint");
    }
    reader.read("stiffness", out.stiffness);
    reader.read("damping", out.damping);
    reader.read("max_force", out.max_force);
    reader.read("ramp", out.ramp);
    reader.read("meet_distance", out.meet_distance);
    out.window = read_window(reader);
    return out;
}

} // namespace

void read_seams(TableReader& scene, SceneDescription& out) {
    NameBook names("seam");
    for (const Place& place : scene.tables("seam"))
        out.seams.push_back(read_seam(place, names, out));
}

} // namespace muslin
