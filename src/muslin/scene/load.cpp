#include "muslin/scene/load.h"

#include "muslin/scene/builtin.h"
#include "muslin/scene/load_parts.h"
#include "muslin/scene/overrides.h"
#include "muslin/scene/suggest.h"
#include "muslin/scene/unread_keys.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

std::string read_recipe(TableReader& scene, std::string fallback) {
    const std::optional<Place> place = scene.get("recipe");
    if (!place)
        return fallback;
    const std::string name = place->text();
    std::vector<std::string_view> names;
    for (const Recipe& recipe : recipes())
        names.push_back(recipe.name);
    if (std::find(names.begin(), names.end(), name) == names.end())
        place->fail(fmt::format("one of \"{}\"", fmt::join(names, "\", \"")), suggest(name, names));
    return name;
}

/// Whether a stage has the part is for the recipes to know (engine/recipe.h).
std::map<std::string, PartChoice> read_parts(const Place& place) {
    TableReader reader(place, keys::parts);
    std::map<std::string, PartChoice> out;
    for (const Key& stage : keys::parts.keys)
        if (const auto part = reader.get(stage.name))
            out[std::string(stage.name)] = {part->text("the name of a part"), part->where()};
    return out;
}

/// Forces that programs have registered (model/parts.h).
std::vector<ForceDescription> read_forces(TableReader& scene) {
    std::vector<std::string_view> known;
    for (const Part& part : parts())
        if (part.stage == added_force)
            known.push_back(part.name);
    std::vector<ForceDescription> out;
    for (const Place& place : scene.tables("force")) {
        TableReader reader(place, keys::force);
        const Place type = reader.require("type", "the name of a registered force");
        ForceDescription& force = out.emplace_back();
        force.type = type.text("the name of a registered force");
        if (const auto numbers = reader.get("numbers")) {
            if (!numbers->is_table())
                numbers->fail("a table of numbers, by the names that the force has for them");
            for (const TomlEntry& entry : numbers->value().table()->entries)
                force.numbers[entry.key] =
                    Place(entry.value, numbers->path() + "." + entry.key).number(any_number(""));
        }
        if (known.empty())
            type.fail_found("a force that the program has registered", "none is");
        if (std::find(known.begin(), known.end(), force.type) == known.end())
            type.fail(fmt::format("one of \"{}\"", fmt::join(known, "\", \"")),
                      suggest(force.type, known));
    }
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
    const Place many = repeat.require("count");
    const int count = many.integer();
    // A scene of a few lines must not fill the memory: each copy is a description of its own.
    const auto most_cloths = static_cast<std::size_t>(keys::repeat.find("count")->range.max);
    if (out.size() + static_cast<std::size_t>(count) > most_cloths)
        many.fail(fmt::format("at most {} cloths in all", most_cloths));
    Vec3 offset = {0, 0, 0}, rotation = {0, 0, 0};
    repeat.read("offset", offset);
    repeat.read("rotation", rotation);
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

Placement read_placement(TableReader& reader) {
    Placement out;
    reader.read("position", out.position);
    reader.read("rotation", out.rotation);
    reader.read("scale", out.scale);
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
        reader.read("velocity", cloth.velocity);
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
        reader.read("friction", body.friction);
        reader.read("thickness", body.thickness);
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
    out.recipe = read_recipe(scene, out.recipe);
    if (const auto place = scene.get("parts"))
        out.parts = read_parts(*place);
    out.forces = read_forces(scene);
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
    if (options.unread_keys != UnreadKeys::allow)
        check_keys_are_read(document, out, options.unread_keys == UnreadKeys::refuse);
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
