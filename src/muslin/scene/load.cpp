#include "muslin/scene/load.h"

#include "muslin/scene/builtin.h"
#include "muslin/scene/load_parts.h"
#include "muslin/scene/overrides.h"
#include "muslin/scene/suggest.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

WorldDescription read_world(const Place& place) {
    TableReader reader(place, keys::world);
    WorldDescription out;
    reader.read("gravity", out.gravity, "m/s^2");
    reader.read_field("wind", out.wind, "m/s");
    reader.read("air_density", out.air_density, at_least(0, "kg/m^3"));
    reader.read("drag_coefficient", out.drag_coefficient, at_least(0));
    reader.read("linear_drag", out.linear_drag, at_least(0, "N s/m^3"));
    reader.read("viscous_drag", out.viscous_drag, at_least(0, "N s/m^3"));
    return out;
}

TimeDescription read_time(const Place& place) {
    TableReader reader(place, keys::time);
    TimeDescription out;
    reader.read("frames", out.frames, at_least(1, {}, 10'000'000));
    reader.read("frame_rate", out.frame_rate, positive("1/s", 1e6));
    const double frame = 1 / out.frame_rate;
    // So that a frame's length may be written in decimals, rounded up.
    constexpr double slack = 1 + 1e-3;
    if (const auto step = reader.get("max_step")) {
        out.max_step = step->number(positive("s"));
        if (out.max_step > frame * slack)
            step->fail(fmt::format("at most one frame, {:.4g} [s]", frame),
                       fmt::format("frame_rate = {}", out.frame_rate));
    }
    const double longest = out.max_step > 0 ? out.max_step : frame;
    if (const auto step = reader.get("min_step")) {
        out.min_step = step->number(positive("s"));
        if (out.min_step > longest * slack)
            step->fail(fmt::format("at most the longest step, {:.4g} [s]", longest));
    }
    reader.read("stretch_change_limit", out.stretch_change_limit, positive(""));
    reader.read("max_steps", out.max_steps, at_least(1, {}, 1'000'000'000));
    return out;
}

SolverDescription read_solver(const Place& place) {
    TableReader reader(place, keys::solver);
    SolverDescription out;
    reader.read("tolerance", out.tolerance, positive("", 1));
    reader.read("accuracy", out.accuracy, positive("m/s^2", 10));
    reader.read("max_iterations", out.max_iterations, at_least(0));
    reader.read("preconditioner", out.preconditioner);
    reader.read("newton_iterations", out.newton_iterations, at_least(1, {}, 1000));
    reader.read("linearise_at", out.linearise_at);
    reader.read("local_rates", out.local_rates);
    reader.read("stability_control", out.stability_control);
    reader.read("limit_damping", out.limit_damping);
    reader.read("adaptive", out.adaptive);
    // Metres: an error of more was meant in millimetres.
    reader.read("error", out.error, positive("m", 0.1));
    return out;
}

ContactDescription read_contact(const Place& place) {
    TableReader reader(place, keys::contact);
    ContactDescription out;
    reader.read("allow_tangled", out.allow_tangled);
    reader.read("untangle", out.untangle);
    reader.read("relaxation", out.relaxation, at_least(0, "s", 10));
    reader.read("consistency", out.consistency);
    reader.read("memory", out.memory, at_least(0, "s", 10));
    // Metres: more was meant in millimetres.
    reader.read("sphere_radius", out.sphere_radius, at_least(0, "m", 0.5));
    reader.read("bodies", out.bodies);
    reader.read("test", out.test);
    reader.read("volume", out.volume);
    reader.read("resolve_at", out.resolve_at);
    reader.read("friction_law", out.friction_law);
    reader.read("self_response", out.self_response);
    return out;
}

LevelSetsDescription read_level_sets(const Place& place, const FileScope& scope) {
    TableReader reader(place, keys::level_sets);
    LevelSetsDescription out;
    // Metres: a voxel of 1 would be one of a millimetre mistaken for it.
    reader.read("voxel", out.voxel, positive("m", 0.5));
    if (const auto band = reader.get("band")) {
        out.band = band->number(positive("m", 5));
        if (out.voxel > 0 && out.band < 3 * out.voxel)
            band->fail(fmt::format("at least three voxels, {:.4g} [m]", 3 * out.voxel));
    }
    if (const auto cache = reader.get("cache"))
        out.cache = read_cache_folder(*cache, scope);
    return out;
}

PostDescription read_post(const Place& place) {
    TableReader reader(place, keys::post);
    PostDescription out;
    if (const auto enabled = reader.get("enabled"))
        out.enabled = enabled->boolean();
    // Metres: what is a finger's breadth or more was meant in millimetres.
    reader.read("epsilon", out.epsilon, positive("m", 0.05));
    if (const auto tau = reader.get("tau")) {
        out.tau = tau->number(positive("m", 0.5));
        if (out.epsilon && *out.tau < 1.5 * *out.epsilon)
            tau->fail(fmt::format("at least one and a half times epsilon, {:.4g} [m]",
                                  1.5 * *out.epsilon));
    }
    reader.read("depth", out.depth, at_least(0, "m", 0.5));
    reader.read("subdivide", out.subdivide, at_least(0, "levels", 4));
    return out;
}

LimitsDescription read_limits(const Place& place) {
    TableReader reader(place, keys::limits);
    LimitsDescription out;
    reader.read("stretch_min", out.stretch_min, at_least(0));
    if (const auto max = reader.get("stretch_max")) {
        out.stretch_max = max->number(positive(""));
        if (out.stretch_min && *out.stretch_max < *out.stretch_min)
            max->fail(fmt::format("at least stretch_min = {}", *out.stretch_min));
    }
    reader.read("self_intersections", out.self_intersections, at_least(0));
    reader.read("body_intersections", out.body_intersections, at_least(0));
    reader.read("body_penetration_max", out.body_penetration_max, at_least(0, "m"));
    reader.read("seams_open", out.seams_open, at_least(0));
    return out;
}

std::string read_recipe(TableReader& scene, const std::vector<std::string>& recipes,
                        std::string fallback) {
    const std::optional<Place> place = scene.get("recipe");
    if (!place)
        return fallback;
    const std::vector<std::string_view> names(recipes.begin(), recipes.end());
    return recipes[place->choice(names)];
}

/// Whether a stage has the part is for the recipes to know (engine/recipe.h).
std::map<std::string, PartChoice> read_parts(const Place& place) {
    TableReader reader(place, keys::parts);
    std::map<std::string, PartChoice> out;
    for (std::string_view stage : keys::parts.keys)
        if (const auto part = reader.get(stage))
            out[std::string(stage)] = {part->text("the name of a part"), part->where()};
    return out;
}

/// The name of an element that has none: "cloth" if it is alone, else "cloth0", "cloth1", ...
std::string default_name(std::string_view kind, std::size_t index, std::size_t count) {
    return count == 1 ? std::string(kind) : fmt::format("{}{}", kind, index);
}

/// Adds a cloth, or with `repeat` copies of it: "sheet0", "sheet1", ... of "sheet".
void add_cloth(TableReader& reader, const ClothDescription& cloth, NameBook& names,
               std::vector<ClothDescription>& out) {
    const std::optional<Place> place = reader.get("repeat");
    if (!place) {
        out.push_back(cloth);
        return;
    }
    TableReader repeat(*place, keys::repeat);
    // A scene of a few lines must not fill the memory: each copy is a description of its own.
    constexpr std::size_t most_cloths = 10'000;
    const Place many = repeat.require("count", "how many");
    const int count = many.integer(at_least(1, {}, most_cloths));
    if (out.size() + static_cast<std::size_t>(count) > most_cloths)
        many.fail(fmt::format("at most {} cloths in all", most_cloths));
    Vec3 offset = {0, 0, 0}, rotation = {0, 0, 0};
    repeat.read("offset", offset, "m");
    repeat.read("rotation", rotation, "degrees");
    for (int i = 0; i < count; ++i) {
        ClothDescription copy = cloth;
        copy.name = fmt::format("{}{}", cloth.name, i);
        for (PointsDescription& points : copy.points)
            if (!points.name.empty())
                points.name += std::to_string(i);
        names.take(copy.name, place->where(), place->path());
        copy.placement.position += static_cast<double>(i) * offset;
        copy.placement.rotation += static_cast<double>(i) * rotation;
        out.push_back(std::move(copy));
    }
}

RestAngles read_rest_angles(const Place& place, const FileScope& scope) {
    const std::string text = place.text("\"flat\", \"mesh\" or the path of a mesh");
    RestAngles out;
    out.where = place.where();
    if (text == "mesh") {
        out.from = RestAngles::From::mesh;
    } else if (text != "flat") {
        if (std::filesystem::path(text).extension().empty())
            place.fail("\"flat\", \"mesh\" or the path of a mesh");
        out.from = RestAngles::From::file;
        out.path = readable_file(place, text, scope, "mesh file");
    }
    return out;
}

} // namespace

std::string read_cache_folder(const Place& place, const FileScope& scope) {
    constexpr const char* expected = "\"auto\", \"none\" or the path of a folder";
    const std::string text = place.text(expected);
    if (text.empty())
        place.fail(expected);
    return text == "auto" || text == "none" ? text : scoped_path(place, text, scope).string();
}

Placement read_placement(TableReader& reader) {
    Placement out;
    reader.read("position", out.position, "m");
    reader.read("rotation", out.rotation, "degrees");
    reader.read("scale", out.scale, positive(""));
    return out;
}

std::string read_cloth_file_name(TableReader& reader, NameBook& names,
                                 const std::string& fallback) {
    std::string name = names.read(reader, fallback);
    if (name.starts_with("body-"))
        reader.get("name")->fail("a name that does not begin with body-, as files of bodies do");
    return name;
}

Material read_cloth_material(TableReader& reader, const FileScope& scope) {
    const auto material = reader.get("material");
    return material ? read_material(*material, scope) : load_material("cotton");
}

void read_cloths_and_bodies(TableReader& scene, const FileScope& scope, SceneDescription& out) {
    NameBook names("cloth or body"); // together: both become files of a run
    const std::vector<Place> cloths = scene.tables("cloth");
    if (cloths.empty() && scene.tables("garment").empty())
        throw InputError(
            {scene.where(), "cloth", "at least one [[cloth]] or [[garment]]", "none", ""});
    for (std::size_t i = 0; i < cloths.size(); ++i) {
        TableReader reader(cloths[i], keys::cloth);
        ClothDescription cloth;
        cloth.where = cloths[i].where();
        cloth.name = read_cloth_file_name(reader, names, default_name("cloth", i, cloths.size()));
        read_layers(reader, scope, cloth);
        cloth.placement = read_placement(reader);
        cloth.material = read_cloth_material(reader, scope);
        reader.read("velocity", cloth.velocity, "m/s");
        if (const auto angles = reader.get("rest_angles"))
            cloth.rest_angles = read_rest_angles(*angles, scope);
        add_cloth(reader, cloth, names, out.cloths);
    }
    const std::vector<Place> bodies = scene.tables("body");
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        TableReader reader(bodies[i], keys::body);
        BodyDescription body;
        body.where = bodies[i].where();
        body.name = names.read(reader, default_name("body", i, bodies.size()));
        body.mesh = read_mesh_source(
            reader.require("mesh", "a mesh: the path of a file, or a table { type = ... }"), scope,
            false);
        body.placement = read_placement(reader);
        reader.read("friction", body.friction, at_least(0, {}, 10));
        reader.read("thickness", body.thickness, at_least(0, "m", 0.1));
        body.motion = read_motion(reader);
        if (const auto animation = reader.get("animation"))
            body.animation = read_animation(*animation, scope, has_skeleton(body.mesh));
        reader.read("visible", body.visible);
        out.bodies.push_back(std::move(body));
    }
    read_garments(scene, scope, names, out);
}

std::string read_cloth_name(TableReader& reader, const SceneDescription& scene) {
    const std::span<const ClothDescription> cloths = scene.cloths;
    if (const auto place = reader.get("cloth"))
        return find_named(*place, cloths, "cloth").name;
    if (cloths.size() == 1)
        return cloths.front().name;
    reader.require("cloth", "the name of a cloth",
                   fmt::format("there are several: {}", fmt::join(names_of(cloths), ", ")));
    return {};
}

namespace {

void read_starts(TableReader& scene, const FileScope& scope, SceneDescription& out) {
    for (const Place& place : scene.tables("start")) {
        TableReader reader(place, keys::start);
        StartDescription start;
        start.where = place.where();
        start.cloth = read_cloth_name(reader, out);
        for (const StartDescription& other : out.starts)
            if (other.cloth == start.cloth)
                place.fail_found("one start for each cloth",
                                 fmt::format("another for '{}'", start.cloth));
        const Place path = reader.require("path", "the path of a mesh");
        const std::string name = path.text("the path of a mesh");
        if (is_given(name))
            start.given = given_mesh(path, scope);
        else
            start.path = readable_file(path, name, scope, "mesh file");
        out.starts.push_back(std::move(start));
    }
}

} // namespace

SceneDescription parse_scene(std::string_view text, const std::string& file,
                             const std::filesystem::path& folder, const std::string& name,
                             std::span<const std::string> overrides, const LoadOptions& options) {
    TomlValue document = parse_toml(text, file);
    apply_overrides(document, overrides);

    SceneDescription out;
    FileScope scope = FileScope::of(folder, options.allow_outside);
    scope.found = &out.files;
    scope.given = options.given;
    out.source_text = overrides.empty() ? std::string(text) : write_toml(*document.table());
    out.dressing_text = dressing_text(document);
    TableReader scene(Place(document, ""), keys::scene);
    out.name = name;
    if (scene.has("name"))
        out.name = NameBook("scene").read(scene, name);
    scene.read("title", out.title);
    out.recipe = read_recipe(scene, options.recipes, out.recipe);
    if (const auto place = scene.get("parts"))
        out.parts = read_parts(*place);
    if (const auto place = scene.get("world"))
        out.world = read_world(*place);
    if (const auto place = scene.get("time"))
        out.time = read_time(*place);
    if (const auto place = scene.get("solver"))
        out.solver = read_solver(*place);
    if (const auto place = scene.get("contact"))
        out.contact = read_contact(*place);
    if (const auto place = scene.get("level_sets"))
        out.level_sets = read_level_sets(*place, scope);
    if (const auto place = scene.get("post"))
        out.post = read_post(*place);
    if (const auto place = scene.get("limits"))
        out.limits = read_limits(*place);
    if (const auto place = scene.get("dressing"))
        out.dressing = read_dressing(*place, scope);
    read_cloths_and_bodies(scene, scope, out);
    read_starts(scene, scope, out);
    read_regions(scene, out);
    read_controls(scene, scope, out);
    read_connections(scene, out);
    read_seams(scene, out);
    check_formulas(out);
    return out;
}

namespace {

/// "two-corner-sheet" of "bw98/two-corner-sheet".
std::string_view short_name(std::string_view name) {
    return name.substr(name.rfind('/') + 1); // npos + 1 is 0
}

const BuiltinFile* find_builtin_scene(std::string_view name) {
    std::vector<std::string_view> matches;
    const BuiltinFile* found = nullptr;
    for (const BuiltinFile& scene : builtin_scenes()) {
        if (scene.name == name)
            return &scene;
        if (short_name(scene.name) == name) {
            matches.push_back(scene.name);
            found = &scene;
        }
    }
    if (matches.size() > 1)
        throw InputError({{},
                          "scene",
                          "the full name of a built-in scene",
                          fmt::format("'{}'", name),
                          fmt::format("one of {}", fmt::join(matches, ", "))});
    return found;
}

[[noreturn]] void fail_unknown_scene(const std::string& name) {
    std::vector<std::string_view> known;
    for (const BuiltinFile& scene : builtin_scenes()) {
        known.push_back(scene.name);
        known.push_back(short_name(scene.name));
    }
    std::string hint;
    if (const std::string nearest = nearest_word(name, known); !nearest.empty())
        hint = fmt::format("did you mean '{}'?", nearest);
    throw InputError(
        {{}, "scene", "a scene file or the name of a built-in scene", '\'' + name + '\'', hint});
}

} // namespace

SceneText find_scene(const std::string& name_or_path) {
    const std::filesystem::path path = name_or_path;
    std::error_code error;
    // A directory is no scene, so one of the name of a built-in scene does not hide it.
    const bool is_file =
        std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error);
    if (!is_file) {
        if (const BuiltinFile* scene = find_builtin_scene(name_or_path))
            return {std::string(scene->text),
                    "built-in scene " + std::string(scene->name),
                    {},
                    std::string(short_name(scene->name)),
                    {}};
        if (path.extension() != ".toml" && !std::filesystem::is_directory(path, error))
            fail_unknown_scene(name_or_path);
    }
    return {read_text_file(path), path.string(), path.parent_path(), path.stem().string(), path};
}

SceneDescription load_scene(const std::string& name_or_path, std::span<const std::string> overrides,
                            const LoadOptions& options) {
    const SceneText scene = find_scene(name_or_path);
    SceneDescription out =
        parse_scene(scene.text, scene.label, scene.folder, scene.name, overrides, options);
    out.file = scene.file;
    return out;
}

} // namespace muslin
