// What part of a cloth a table is about: [[region]], and selectors where they are used.
#include "muslin/scene/load_parts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

constexpr std::array<std::string_view, 5> selectors = {"vertices", "box", "group", "map",
                                                       "nearest"};

RegionDescription::Map read_region_map(const Place& place) {
    if (place.is_text())
        return {place.text(), RegionDescription::Map{}.threshold};
    TableReader reader(place, keys::map);
    RegionDescription::Map map;
    map.name = reader.require("name", "the name of a vertex map").text();
    reader.read("threshold", map.threshold);
    return map;
}

/// The selectors of `names` that the table has.
std::vector<std::string_view> given_of(const TableReader& reader,
                                       std::span<const std::string_view> names) {
    std::vector<std::string_view> given;
    for (std::string_view name : names)
        if (reader.has(name))
            given.push_back(name);
    return given;
}

void read_selector(TableReader& reader, RegionDescription& out) {
    if (const auto place = reader.get("vertices"))
        out.vertices = read_vertices(*place);
    if (const auto place = reader.get("box"))
        out.box = read_region_box(*place);
    if (const auto place = reader.get("group"))
        out.group = place->text("the name of a group of the mesh file");
    if (const auto place = reader.get("map"))
        out.map = read_region_map(*place);
    if (const auto place = reader.get("nearest")) {
        for (const Place& point : place->items("an array of points"))
            out.nearest.push_back(point.vec3());
        if (out.nearest.empty())
            place->fail("at least one point");
    }
}

} // namespace

std::vector<int> read_vertices(const Place& place) {
    std::vector<int> out;
    for (const Place& item : place.items("an array of vertex numbers, from 0"))
        out.push_back(item.integer());
    if (out.empty())
        place.fail("at least one vertex number");
    std::vector<int> sorted = out;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        place.fail_found("each vertex once", fmt::format("{} twice", *twice));
    return out;
}

void check_one(TableReader& reader, std::span<const std::string_view> names, bool may_be_none) {
    const auto given = given_of(reader, names);
    if (given.size() == 1 || (given.empty() && may_be_none))
        return;
    const Source where = given.empty() ? reader.where() : reader.get(given[1])->where();
    throw InputError(
        {where, reader.path(),
         fmt::format("{} one of {}", may_be_none ? "at most" : "exactly", fmt::join(names, ", ")),
         given.empty() ? "none" : fmt::format("{}", fmt::join(given, " and ")), ""});
}

BoxDescription read_region_box(const Place& place) {
    TableReader reader(place, keys::box);
    BoxDescription box;
    box.min = reader.require("min").vec3();
    const Place max = reader.require("max");
    box.max = max.vec3();
    for (int i = 0; i < 3; ++i)
        if (box.max[i] < box.min[i])
            max.fail_found("no coordinate below that of min",
                           fmt::format("{} < {}", box.max[i], box.min[i]));
    return box;
}

SelectedRegion read_selection(TableReader& reader, SceneDescription& scene, std::size_t named,
                              bool may_be_whole) {
    std::vector<std::string_view> ways = {"region"};
    ways.insert(ways.end(), selectors.begin(), selectors.end());
    check_one(reader, ways, may_be_whole);
    if (const auto place = reader.get("region")) {
        const std::span<const RegionDescription> regions = std::span(scene.regions).first(named);
        const RegionDescription& region = find_named(*place, regions, "region");
        return {region.name, region.cloth};
    }
    const std::string cloth = read_cloth_name(reader, scene);
    if (given_of(reader, selectors).empty())
        return {"", cloth};
    RegionDescription own;
    own.where = reader.where();
    own.name = reader.path(); // no user can take it: brackets are not allowed in names
    own.cloth = cloth;
    read_selector(reader, own);
    scene.regions.push_back(own);
    return {own.name, cloth};
}

RegionDescription read_region_in_place(const Place& place, const SceneDescription& scene) {
    TableReader reader(place, keys::region);
    RegionDescription out;
    out.where = place.where();
    out.name = place.path(); // no user can take it: brackets are not allowed in names
    out.cloth = read_cloth_name(reader, scene);
    check_one(reader, selectors, false);
    read_selector(reader, out);
    reader.reject_unasked("a region given in place");
    return out;
}

void read_regions(TableReader& scene, SceneDescription& out) {
    NameBook names("region");
    for (const ClothDescription& cloth : out.cloths)
        for (std::size_t i = 0; i < cloth.points.size(); ++i) {
            const PointsDescription& points = cloth.points[i];
            if (points.name.empty())
                continue;
            names.take(points.name, points.where, "points.name");
            RegionDescription region;
            region.where = points.where;
            region.name = points.name;
            region.cloth = cloth.name;
            region.points = static_cast<int>(i);
            out.regions.push_back(std::move(region));
        }
    for (const Place& place : scene.tables("region")) {
        TableReader reader(place, keys::region);
        RegionDescription region;
        region.where = place.where();
        region.name = names.read(reader, "");
        region.cloth = read_cloth_name(reader, out);
        std::vector<std::string_view> ways(selectors.begin(), selectors.end());
        ways.emplace_back("layer");
        check_one(reader, ways, false);
        read_selector(reader, region);
        reader.read("layer", region.layer);
        out.regions.push_back(std::move(region));
    }
}

} // namespace muslin
