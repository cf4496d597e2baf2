// What a cloth is made of: the meshes of its layers and points without any surface [Ohta95].
#include "muslin/scene/load_parts.h"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

constexpr std::string_view a_mesh = "a mesh: the path of a file, or a table { type = ... }";

std::optional<LayerDescription> read_layer(TableReader& cloth, std::string_view key,
                                           const FileScope& scope, bool may_be_none) {
    const std::optional<Place> place = cloth.get(key);
    if (!place)
        return std::nullopt;
    LayerDescription out;
    out.where = place->where();
    if (place->is_text() && may_be_none && place->text() == "none")
        return out;
    if (!place->is_table())
        place->fail(may_be_none ? "\"none\", or a table { mesh = ... }" : "a table { mesh = ... }");
    TableReader reader(*place, keys::layer);
    out.mesh = read_mesh_source(reader.require("mesh", a_mesh), scope, true);
    return out;
}

PointsDescription read_points(const Place& place, const FileScope& scope) {
    constexpr std::array<std::string_view, 3> ways = {"places", "mesh", "spacing"};
    TableReader reader(place, keys::points);
    PointsDescription out;
    out.where = place.where();
    std::vector<std::string_view> given;
    for (const std::string_view way : ways)
        if (reader.has(way))
            given.push_back(way);
    if (given.size() != 1)
        place.fail_found(fmt::format("exactly one of {}", fmt::join(ways, ", ")),
                         given.empty() ? "none" : fmt::format("{}", fmt::join(given, " and ")));
    out.name = NameBook("points").read_optional(reader);
    if (const auto places = reader.get("places")) {
        for (const Place& item : places->items("an array of points"))
            out.places.push_back(item.vec3());
        if (out.places.empty())
            places->fail("at least one point");
    }
    if (const auto mesh = reader.get("mesh"))
        out.mesh = read_mesh_source(*mesh, scope, true);
    if (const auto spacing = reader.get("spacing")) {
        out.spacing = spacing->number();
        out.margin = out.spacing / 2;
        if (const auto box = reader.get("box"))
            out.box = read_region_box(*box);
        else
            reader.read("margin", out.margin);
    }
    out.mass = reader.require("mass").number();
    reader.reject_unasked(fmt::format("points by {}{}", given[0], out.box ? " in a box" : ""));
    return out;
}

} // namespace

void read_layers(TableReader& cloth, const FileScope& scope, ClothDescription& out) {
    const auto surface = read_layer(cloth, "surface", scope, false);
    out.dynamics = read_layer(cloth, "dynamics", scope, true);
    out.collision = read_layer(cloth, "collision", scope, true);
    if (surface && out.dynamics && out.collision) {
        if (const auto mesh = cloth.get("mesh"))
            mesh->fail_found("a mesh for the layers that are not given", "all three are given");
        out.mesh = *surface->mesh;
    } else {
        const Place mesh = cloth.require("mesh", a_mesh);
        out.mesh = read_mesh_source(mesh, scope, true);
        if (surface) { // what is not given is `mesh`
            for (auto* layer : {&out.dynamics, &out.collision})
                if (!*layer)
                    *layer = LayerDescription{mesh.where(), out.mesh};
            out.mesh = *surface->mesh;
        }
    }
    for (const Place& place : cloth.tables("points"))
        out.points.push_back(read_points(place, scope));
}

} // namespace muslin
