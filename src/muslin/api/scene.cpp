#include "muslin/scene.h"

#include "muslin/api/convert.h"
#include "muslin/api/guard.h"
#include "muslin/api/material_text.h"
#include "muslin/api/scene_parts.h"
#include "muslin/api/toml_text.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/builtin.h"

#include <algorithm>
#include <fmt/format.h>

namespace muslin::api {
namespace {

/// Gives a mesh under a name of its own: a second cloth of a name is for the checks to refuse.
std::string give(const Mesh& mesh, const std::string& name, const std::string& key,
                 GivenInputs& given) {
    std::string free = name;
    for (int i = 2; given.meshes.contains(free); ++i)
        free = fmt::format("{}-{}", name, i);
    given.meshes[free] =
        std::make_shared<const PolygonMesh>(guarded(nullptr, [&] { return to_engine(mesh, key); }));
    return std::string(given_prefix) + free;
}

void add_placement(TomlText& text, const Vec3& position, const Vec3& rotation, double scale) {
    text.add_vector("position", position);
    text.add_vector("rotation", rotation);
    text.add_number("scale", scale, 1);
}

/// `mesh` of a cloth or a body, which both have as arrays or as text.
template <class Owner>
void add_mesh(TomlText& text, const Owner& owner, const std::string& key, GivenInputs& given) {
    if (owner.source.empty())
        text.add("mesh", give(owner.mesh, owner.name, key + ".mesh", given));
    else if (owner.source.front() == '{')
        text.write("mesh", owner.source);
    else
        text.add("mesh", owner.source);
}

template <class Selector>
void add_selector(TomlText& text, const Selector& selector) {
    text.add_text("cloth", selector.cloth);
    text.add_list("vertices", std::span<const int>(selector.vertices));
    text.add_text("group", selector.group);
    text.add_list("nearest", std::span<const Vec3>(selector.nearest));
}

std::string whole_text(const Scene::Parts& scene) {
    const bool ends = scene.base.text.empty() || scene.base.text.back() == '\n';
    return scene.base.text + (ends ? "" : "\n") + scene.added;
}

} // namespace

SceneDescription read(const Scene& scene) {
    const Scene::Parts& parts = scene.parts();
    LoadOptions options;
    options.allow_outside = parts.allow_outside;
    options.given = &parts.given;
    options.unread_keys = UnreadKeys::allow_of_materials;
    SceneDescription out = parse_scene(whole_text(parts), parts.base.label, parts.base.folder,
                                       parts.base.name, parts.changes, options);
    out.file = parts.base.file;
    return out;
}

Scene::Scene(const std::string& name) : parts_(std::make_unique<Parts>()) {
    parts_->base = {{}, "scene", {}, name, {}};
    parts_->allow_outside = true; // nothing is named but by the program
}

Scene::Scene(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Scene::Scene(const Scene& other) : parts_(std::make_unique<Parts>(*other.parts_)) {}
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(const Scene& other) {
    if (this != &other)
        parts_ = std::make_unique<Parts>(*other.parts_);
    return *this;
}
Scene& Scene::operator=(Scene&&) noexcept = default;
Scene::~Scene() = default;

Scene Scene::load(const std::string& name_or_path, bool allow_outside) {
    auto parts = std::make_unique<Parts>();
    parts->base = guarded(nullptr, [&] { return find_scene(name_or_path); });
    parts->allow_outside = allow_outside;
    return Scene(std::move(parts));
}

Scene Scene::parse(const std::string& toml, const std::filesystem::path& folder,
                   const std::string& name) {
    auto parts = std::make_unique<Parts>();
    parts->base = {toml, "scene", folder, name, {}};
    return Scene(std::move(parts));
}

Scene& Scene::add(const Cloth& cloth) {
    TomlText text("cloth");
    text.add("name", cloth.name);
    const std::string key = fmt::format("cloth '{}'", cloth.name);
    add_mesh(text, cloth, key, parts_->given);
    text.write("material", material_text(cloth.material));
    add_placement(text, cloth.position, cloth.rotation, cloth.scale);
    text.add_vector("velocity", cloth.velocity);
    parts_->added += text.text();
    if (cloth.start.empty())
        return *this;
    Mesh start;
    start.positions = cloth.start;
    TomlText table("start");
    table.add("cloth", cloth.name);
    table.add("path", give(start, cloth.name + ".start", key + ".start", parts_->given));
    parts_->added += table.text();
    return *this;
}

Scene& Scene::add(const Body& body) {
    TomlText text("body");
    text.add("name", body.name);
    add_mesh(text, body, fmt::format("body '{}'", body.name), parts_->given);
    add_placement(text, body.position, body.rotation, body.scale);
    text.add("friction", body.friction);
    text.add_number("thickness", body.thickness, 0);
    if (!body.visible)
        text.add("visible", false);
    parts_->added += text.text();
    return *this;
}

Scene& Scene::add(const Region& region) {
    TomlText text("region");
    text.add("name", region.name);
    add_selector(text, region);
    parts_->added += text.text();
    return *this;
}

Scene& Scene::add(const Pin& pin) {
    TomlText text("pin");
    text.add_text("name", pin.name);
    text.add_text("region", pin.region);
    add_selector(text, pin);
    text.add_number("start", pin.start, 0);
    text.add("end", pin.end);
    parts_->added += text.text();
    return *this;
}

Scene& Scene::add(const Seam& seam) {
    TomlText text("seam");
    text.add_text("name", seam.name);
    const std::string regions[] = {seam.first, seam.second};
    text.add_list("regions", std::span<const std::string>(regions));
    text.add_number("start", seam.start, 0);
    parts_->added += text.text();
    return *this;
}

Scene& Scene::add(const Join& join) {
    TomlText text("stitch");
    text.add_list("regions", std::span<const std::string>(join.regions));
    text.add("distance", join.distance);
    parts_->added += text.text();
    return *this;
}

Scene& Scene::add(const Garment& garment) {
    TomlText text("garment");
    text.add("name", garment.name);
    if (garment.source.empty()) {
        parts_->given.patterns[garment.name] = to_text(garment.pattern);
        text.add("pattern", std::string(given_prefix) + garment.name);
    } else {
        text.add("pattern", garment.source);
    }
    if (!garment.sizes.empty())
        text.write("sizes", toml(garment.sizes));
    text.add("resolution", garment.resolution);
    text.write("material", material_text(garment.material));
    text.add_text("body", garment.body);
    if (garment.layer != 0)
        text.add("layer", garment.layer);
    add_placement(text, garment.position, garment.rotation, 1);
    parts_->added += text.text();
    return *this;
}

Scene& Scene::add_tables(const std::string& toml) {
    parts_->added += "\n" + toml + "\n";
    return *this;
}

Scene& Scene::settings(const Settings& s) {
    const auto change = [&](const char* key, const auto& value) {
        if (value)
            set(key, *value);
    };
    change("recipe", s.recipe);
    change("time.frames", s.frames);
    change("time.frame_rate", s.frame_rate);
    change("time.max_step", s.max_step);
    change("solver.accuracy", s.accuracy);
    change("solver.tolerance", s.tolerance);
    change("world.gravity", s.gravity);
    change("world.wind", s.wind);
    change("world.air_density", s.air_density);
    change("world.drag_coefficient", s.drag_coefficient);
    return *this;
}

Scene& Scene::set(const std::string& key, double value) {
    parts_->changes.push_back(key + "=" + toml(value));
    return *this;
}
Scene& Scene::set(const std::string& key, int value) {
    parts_->changes.push_back(key + "=" + toml(value));
    return *this;
}
Scene& Scene::set(const std::string& key, bool value) {
    parts_->changes.push_back(key + "=" + toml(value));
    return *this;
}
Scene& Scene::set(const std::string& key, const Vec3& value) {
    parts_->changes.push_back(key + "=" + toml(value));
    return *this;
}
Scene& Scene::set(const std::string& key, const char* text) {
    parts_->changes.push_back(key + "=" + toml(text));
    return *this;
}
Scene& Scene::set(const std::string& key, const std::string& text) {
    parts_->changes.push_back(key + "=" + toml(std::string_view(text)));
    return *this;
}

Scene& Scene::part(const std::string& stage, const std::string& part) {
    return set("parts." + stage, part);
}

Scene& Scene::add_force(const std::string& type, const std::map<std::string, double>& numbers) {
    TomlText text("force");
    text.add("type", type);
    if (!numbers.empty())
        text.write("numbers", toml(numbers));
    parts_->added += text.text();
    return *this;
}

void Scene::check() const {
    guarded(parts_.get(), [&] { build_scene(read(*this)); });
}

std::string Scene::text() const {
    return guarded(parts_.get(), [&] { return read(*this).source_text; });
}

std::string Scene::name() const {
    return guarded(parts_.get(), [&] { return read(*this).name; });
}

std::vector<std::string> Scene::cloths() const {
    return guarded(parts_.get(), [&] {
        std::vector<std::string> out;
        for (const ClothDescription& cloth : read(*this).cloths)
            out.push_back(cloth.name);
        return out;
    });
}

std::vector<std::string> Scene::bodies() const {
    return guarded(parts_.get(), [&] {
        std::vector<std::string> out;
        for (const BodyDescription& body : read(*this).bodies)
            out.push_back(body.name);
        return out;
    });
}

std::vector<std::string> scene_names() {
    std::vector<std::string> out;
    for (const BuiltinFile& file : builtin_scenes())
        out.emplace_back(file.name);
    return out;
}

} // namespace muslin::api
