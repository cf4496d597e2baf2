#include "muslin/scene/load_parts.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

constexpr std::array<std::string_view, 5> selectors = {"vertices", "box", "group", "map",
                                                       "nearest"};

std::vector<int> read_vertices(const Place& place) {
    std::vector<int> out;
    for (const Place& item : place.items("an array of vertex numbers, from 0"))
        out.push_back(item.integer(at_least(0)));
    if (out.empty())
        place.fail("at least one vertex number");
    std::vector<int> sorted = out;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        place.fail_found("each vertex once", fmt::format("{} twice", *twice));
    return out;
}

RegionDescription::Map read_region_map(const Place& place) {
    if (place.is_text())
        return {place.text(), RegionDescription::Map{}.threshold};
    TableReader reader(place, keys::map);
    RegionDescription::Map map;
    map.name = reader.require("name", "the name of a vertex map").text();
    reader.read("threshold", map.threshold, any_number(""));
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

/// Throws unless the table has as many of `names` as it should.
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
            out.nearest.push_back(point.vec3("m"));
        if (out.nearest.empty())
            place->fail("at least one point");
    }
}

/// One to three directions, made orthonormal in their order.
DirectionsShape read_directions(const Place& place) {
    DirectionsShape shape;
    const auto items = place.items("an array of 1 to 3 directions");
    if (items.empty() || items.size() > 3)
        place.fail("an array of 1 to 3 directions");
    for (const Place& item : items) {
        Vec3 rest = item.direction();
        for (const Vec3& earlier : shape.directions)
            rest -= dot(rest, earlier) * earlier;
        if (norm(rest) < 1e-6)
            item.fail_found("a direction independent of those before it",
                            "one that they already hold");
        shape.directions.push_back(normalized(rest));
    }
    return shape;
}

Shape read_shape(TableReader& reader, std::string& hold) {
    constexpr std::array<std::string_view, 7> holds = {"point", "directions", "line",    "circle",
                                                       "plane", "sphere",     "cylinder"};
    std::size_t kind = 0;
    if (const auto place = reader.get("hold"))
        kind = place->choice(holds);
    hold = holds[kind];
    const auto point = [&](std::string_view key) {
        return reader.require(key, "a point, three numbers [m]").vec3("m");
    };
    const auto direction = [&](std::string_view key) {
        return reader.require(key, "a direction, three numbers").direction();
    };
    const auto radius = [&] {
        return reader.require("radius", "a positive number [m]").number(positive("m"));
    };
    switch (kind) {
    case 0:
        return PointShape{};
    case 1:
        return read_directions(reader.require("directions", "an array of 1 to 3 directions"));
    case 2:
        return LineShape{point("point"), direction("direction")};
    case 3:
        return CircleShape{point("center"), direction("normal"), radius()};
    case 4:
        return PlaneShape{point("point"), direction("normal")};
    case 5:
        return SphereShape{point("center"), radius()};
    default:
        return CylinderShape{point("point"), direction("axis"), radius()};
    }
}

/// Reads what acts on part of a cloth. All named regions are known when it starts.
class ControlReader {
public:
    ControlReader(const FileScope& scope, SceneDescription& scene)
        : scope_(scope), scene_(scene), named_(scene.regions.size()) {}

    void pin(const Place& place) {
        TableReader reader(place, keys::pin);
        PinDescription out;
        out.where = place.where();
        out.name = names_pin_.read_optional(reader);
        out.region = selection(reader, false).region;
        std::string hold;
        out.shape = read_shape(reader, hold);
        out.motion = read_motion(reader);
        // Frames are of vertices: they have nothing to say of a curve or surface.
        if (hold == "point" || hold == "directions")
            if (const auto animation = reader.get("animation"))
                out.animation = read_animation(*animation, scope_);
        out.window = read_window(reader);
        reader.finish(fmt::format("hold = \"{}\"{}", hold, selected_by(reader)));
        scene_.pins.push_back(std::move(out));
    }

    void rest_stretch(const Place& place) {
        TableReader reader(place, keys::rest_stretch);
        RestStretchDescription out;
        out.where = place.where();
        out.name = names_rest_.read_optional(reader);
        const Selection selected = selection(reader, true);
        out.region = selected.region;
        out.cloth = selected.cloth;
        // Rest lengths of zero, or of many times the cloth, fold triangles over.
        const Range factor = {0.05, 20, false, {}, "1 is the length of the pattern"};
        reader.read("b_u", out.b_u, factor);
        reader.read("b_v", out.b_v, factor);
        reader.finish("a rest stretch" + selected_by(reader));
        scene_.rest_stretches.push_back(std::move(out));
    }

    void rest_angle(const Place& place) {
        TableReader reader(place, keys::rest_angle);
        RestAngleDescription out;
        out.where = place.where();
        out.name = names_angle_.read_optional(reader);
        const Selection selected = selection(reader, true);
        out.region = selected.region;
        out.cloth = selected.cloth;
        out.angle = reader.require("angle", "a number [degrees]")
                        .number({-170, 170, false, "degrees", "180 is a fold on itself"});
        reader.finish("a rest angle" + selected_by(reader));
        scene_.rest_angles.push_back(std::move(out));
    }

    void pull(const Place& place) {
        TableReader reader(place, keys::pull);
        PullDescription out;
        out.where = place.where();
        out.name = names_pull_.read_optional(reader);
        out.region = selection(reader, false).region;
        out.target = reader.require("target", "a point, three numbers [m]").animated_vec3("m");
        reader.read("stiffness", out.stiffness, positive("N/m"));
        reader.read("damping", out.damping, at_least(0, "N s/m"));
        out.window = read_window(reader);
        reader.finish("a pull" + selected_by(reader));
        scene_.pulls.push_back(std::move(out));
    }

    void load(const Place& place) {
        TableReader reader(place, keys::load);
        LoadDescription out;
        out.where = place.where();
        out.name = names_load_.read_optional(reader);
        out.region = selection(reader, false).region;
        out.force = reader.require("force", "three numbers [N]").animated_vec3("N");
        out.window = read_window(reader);
        reader.finish("a load" + selected_by(reader));
        scene_.loads.push_back(std::move(out));
    }

    void stitch(const Place& place) {
        TableReader reader(place, keys::stitch);
        StitchDescription out;
        out.where = place.where();
        out.name = names_stitch_.read_optional(reader);
        const Place regions = reader.require("regions", "an array of names of regions");
        for (const Place& item : regions.items("an array of names of regions"))
            out.regions.push_back(find_named(item, named_regions(), "region").name);
        if (out.regions.empty())
            regions.fail("at least one region");
        reader.read("distance", out.distance, positive("m"));
        scene_.stitches.push_back(std::move(out));
    }

    void sticking(const Place& place) {
        TableReader reader(place, keys::sticking);
        StickingDescription out;
        out.name = names_sticking_.read_optional(reader);
        out.region = selection(reader, false).region;
        constexpr std::array<std::string_view, 2> ways = {"body", "to_region"};
        check_one(reader, ways, false);
        if (const auto to = reader.get("to_region"))
            out.to_region = find_named(*to, named_regions(), "region").name;
        else
            read_sticky_body(reader, out);
        reader.read("tolerance", out.tolerance, positive("m"));
        const auto distance = reader.get("break_distance");
        if (distance)
            out.break_distance = distance->number(positive("m"));
        else // as far beyond a tolerance that the scene gives as the defaults are apart
            out.break_distance = std::max(out.break_distance, 4 * out.tolerance);
        if (distance && out.break_distance <= out.tolerance)
            distance->fail(fmt::format("more than tolerance = {} [m]", out.tolerance),
                           "what sticks would come loose at once");
        add_sticking(reader, "sticking", std::move(out));
    }

    void tape(const Place& place) {
        TableReader reader(place, keys::tape);
        StickingDescription out;
        out.name = names_tape_.read_optional(reader);
        out.region = selection(reader, false).region;
        reader.require("body", "the name of a body");
        read_sticky_body(reader, out);
        hold_nearest(reader, out);
        add_sticking(reader, "tape", std::move(out));
    }

    void tack(const Place& place) {
        TableReader reader(place, keys::tack);
        StickingDescription out;
        out.name = names_tack_.read_optional(reader);
        const Place regions = reader.require("regions", "the names of two regions");
        const auto items = regions.items("the names of two regions");
        if (items.size() != 2)
            regions.fail_found("the names of two regions", std::to_string(items.size()));
        out.region = find_named(items[0], named_regions(), "region").name;
        out.to_region = find_named(items[1], named_regions(), "region").name;
        if (out.region == out.to_region)
            items[1].fail("another region than the first");
        hold_nearest(reader, out);
        add_sticking(reader, "tack", std::move(out));
    }

    void weight(const Place& place) {
        TableReader reader(place, keys::weight);
        WeightDescription out;
        out.where = place.where();
        out.name = names_weight_.read_optional(reader);
        out.region = selection(reader, false).region;
        constexpr std::array<std::string_view, 2> ways = {"mass", "mass_per_length"};
        check_one(reader, ways, false);
        reader.read("mass", out.mass, positive("kg"));
        reader.read("mass_per_length", out.mass_per_length, positive("kg/m"));
        reader.finish("a weight" + selected_by(reader));
        scene_.weights.push_back(std::move(out));
    }

private:
    void read_sticky_body(TableReader& reader, StickingDescription& out) {
        const std::span<const BodyDescription> bodies = scene_.bodies;
        out.body = find_named(*reader.get("body"), bodies, "body").name;
        constexpr std::array<std::string_view, 2> parts = {"body_box", "body_vertices"};
        check_one(reader, parts, true);
        if (const auto box = reader.get("body_box"))
            out.body_box = read_region_box(*box);
        if (const auto vertices = reader.get("body_vertices"))
            out.body_vertices = read_vertices(*vertices);
    }

    /// Tape and tacks hold each vertex to what is nearest, for good.
    static void hold_nearest(TableReader& reader, StickingDescription& out) {
        out.nearest = true;
        out.tolerance = out.break_distance = no_limit;
        reader.read("tolerance", out.tolerance, positive("m"));
    }

    void add_sticking(TableReader& reader, std::string_view table, StickingDescription out) {
        out.where = reader.where();
        out.table = table;
        reader.read("stiffness", out.stiffness, positive("N/m"));
        reader.read("damping", out.damping, at_least(0, "N s/m"));
        reader.read("interval", out.interval, at_least(0, "s"));
        reader.read("strength", out.strength, at_least(0));
        out.window = read_window(reader);
        reader.finish(fmt::format("a {}{}{}", table,
                                  out.to_region.empty() || out.nearest ? "" : " to a region",
                                  selected_by(reader)));
        scene_.stickings.push_back(std::move(out));
    }

    using Selection = SelectedRegion;

    std::span<const RegionDescription> named_regions() const {
        return std::span(scene_.regions).first(named_);
    }

    Selection selection(TableReader& reader, bool may_be_whole) {
        return read_selection(reader, scene_, named_, may_be_whole);
    }

    static std::string selected_by(const TableReader& reader) {
        return reader.has("region") ? " and a region" : "";
    }

    const FileScope& scope_;
    SceneDescription& scene_;
    std::size_t named_;
    NameBook names_pin_{"pin"}, names_rest_{"rest_stretch"}, names_angle_{"rest_angle"},
        names_pull_{"pull"}, names_load_{"load"}, names_stitch_{"stitch"},
        names_sticking_{"sticking"}, names_tape_{"tape"}, names_tack_{"tack"},
        names_weight_{"weight"};
};

} // namespace

BoxDescription read_region_box(const Place& place) {
    TableReader reader(place, keys::box);
    BoxDescription box;
    box.min = reader.require("min", "three numbers [m]").vec3("m");
    const Place max = reader.require("max", "three numbers [m]");
    box.max = max.vec3("m");
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

TimeWindow read_window(TableReader& reader) {
    TimeWindow window;
    reader.read("start", window.start, any_number("s"));
    if (const auto end = reader.get("end")) {
        window.end = end->number(any_number("s"));
        if (window.end <= window.start)
            end->fail(fmt::format("a time after start = {} [s]", window.start),
                      "the time window is reversed");
    }
    return window;
}

RegionDescription read_region_in_place(const Place& place, const SceneDescription& scene) {
    TableReader reader(place, keys::region);
    RegionDescription out;
    out.where = place.where();
    out.name = place.path(); // no user can take it: brackets are not allowed in names
    out.cloth = read_cloth_name(reader, scene);
    check_one(reader, selectors, false);
    read_selector(reader, out);
    reader.finish("a region given in place");
    return out;
}

std::string NameBook::read(TableReader& reader, const std::string& fallback) {
    const std::optional<Place> place =
        fallback.empty() ? reader.require("name", "a name") : reader.get("name");
    const std::string name = place ? place->text("a name") : fallback;
    if (place) {
        // Names become file names and parts of --set paths.
        const auto good = [](unsigned char c) {
            return std::isalnum(c) || c == '_' || c == '-' || c >= 0x80;
        };
        if (name.empty() || !std::all_of(name.begin(), name.end(), good) ||
            std::isdigit(static_cast<unsigned char>(name[0])) || name[0] == '-')
            place->fail("a name of letters, digits, '_' and '-' that begins with a letter");
    }
    take(name, place ? place->where() : reader.where(), reader.path_of("name"));
    return name;
}

void NameBook::take(const std::string& name, const Source& where, const std::string& key) {
    const auto [taken, is_new] = taken_.emplace(name, where);
    if (!is_new)
        throw InputError({where, key, fmt::format("a name that no other {} has", owners_),
                          '"' + name + '"',
                          taken->second.line > 0 ? fmt::format("line {} has it", taken->second.line)
                                                 : std::string()});
}

std::string NameBook::read_optional(TableReader& reader) {
    return reader.get("name") ? read(reader, "") : std::string();
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
        if (const auto layer = reader.get("layer"))
            region.layer = read_layer_kind(*layer);
        out.regions.push_back(std::move(region));
    }
}

void read_controls(TableReader& scene, const FileScope& scope, SceneDescription& out) {
    ControlReader controls(scope, out);
    for (const Place& place : scene.tables("pin"))
        controls.pin(place);
    for (const Place& place : scene.tables("rest_stretch"))
        controls.rest_stretch(place);
    for (const Place& place : scene.tables("rest_angle"))
        controls.rest_angle(place);
    for (const Place& place : scene.tables("pull"))
        controls.pull(place);
    for (const Place& place : scene.tables("load"))
        controls.load(place);
    for (const Place& place : scene.tables("stitch"))
        controls.stitch(place);
    for (const Place& place : scene.tables("sticking"))
        controls.sticking(place);
    for (const Place& place : scene.tables("tape"))
        controls.tape(place);
    for (const Place& place : scene.tables("tack"))
        controls.tack(place);
    for (const Place& place : scene.tables("weight"))
        controls.weight(place);
}

} // namespace muslin
