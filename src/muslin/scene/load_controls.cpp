#include "muslin/scene/load_parts.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

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
    std::size_t kind = 0;
    if (const auto place = reader.get("hold"))
        kind = place->choice();
    hold = keys::pin.find("hold")->words[kind];
    const auto point = [&](std::string_view key) {
        return reader.require(key, "a point, three numbers [m]").vec3();
    };
    const auto direction = [&](std::string_view key) {
        return reader.require(key, "a direction, three numbers").direction();
    };
    const auto radius = [&] { return reader.require("radius").number(); };
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
        reader.reject_unasked(fmt::format("hold = \"{}\"{}", hold, selected_by(reader)));
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
        reader.read("b_u", out.b_u);
        reader.read("b_v", out.b_v);
        reader.reject_unasked("a rest stretch" + selected_by(reader));
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
        out.angle = reader.require("angle").number();
        reader.reject_unasked("a rest angle" + selected_by(reader));
        scene_.rest_angles.push_back(std::move(out));
    }

    void pull(const Place& place) {
        TableReader reader(place, keys::pull);
        PullDescription out;
        out.where = place.where();
        out.name = names_pull_.read_optional(reader);
        out.region = selection(reader, false).region;
        reader.require("target", "a point, three numbers [m]").read(out.target);
        reader.read("stiffness", out.stiffness);
        reader.read("damping", out.damping);
        out.window = read_window(reader);
        reader.reject_unasked("a pull" + selected_by(reader));
        scene_.pulls.push_back(std::move(out));
    }

    void load(const Place& place) {
        TableReader reader(place, keys::load);
        LoadDescription out;
        out.where = place.where();
        out.name = names_load_.read_optional(reader);
        out.region = selection(reader, false).region;
        reader.require("force").read(out.force);
        out.window = read_window(reader);
        reader.reject_unasked("a load" + selected_by(reader));
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
        reader.read("distance", out.distance);
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
        reader.read("tolerance", out.tolerance);
        const auto distance = reader.get("break_distance");
        if (distance)
            out.break_distance = distance->number();
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
        reader.read("mass", out.mass);
        reader.read("mass_per_length", out.mass_per_length);
        reader.reject_unasked("a weight" + selected_by(reader));
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
        reader.read("tolerance", out.tolerance);
    }

    void add_sticking(TableReader& reader, std::string_view table, StickingDescription out) {
        out.where = reader.where();
        out.table = table;
        reader.read("stiffness", out.stiffness);
        reader.read("damping", out.damping);
        reader.read("interval", out.interval);
        reader.read("strength", out.strength);
        out.window = read_window(reader);
        reader.reject_unasked(fmt::format(
            "a {}{}{}", table, out.to_region.empty() || out.nearest ? "" : " to a region",
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

TimeWindow read_window(TableReader& reader) {
    TimeWindow window;
    reader.read("start", window.start);
    if (const auto end = reader.get("end")) {
        window.end = end->number();
        if (window.end <= window.start)
            end->fail(fmt::format("a time after start = {} [s]", window.start),
                      "the time window is reversed");
    }
    return window;
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
