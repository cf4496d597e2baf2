#pragma once

#include "muslin/scene/description.h"
#include "muslin/scene/file_scope.h"
#include "muslin/scene/suggest.h"
#include "muslin/scene/table_reader.h"

#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The stages of load_scene. Nothing outside the loader needs them.

namespace muslin {

/// Whether a file holds a grid of distances, .vdb, and so a body as its zero isocontour.
bool is_grid_file(const std::filesystem::path& file);

/// Whether a body has clips of its own: a glTF file, a mannequin.
bool has_skeleton(const MeshSource& source);

/// `mesh` of a cloth or a body: a file name or a table.
MeshSource read_mesh_source(const Place& place, const FileScope& scope, bool is_cloth);

/// `material` of a cloth: the name of a fabric, a file name or a table.
Material read_material(const Place& place, const FileScope& scope);

/// The meshes of a cloth's layers, and its points.
void read_layers(TableReader& cloth, const FileScope& scope, ClothDescription& out);

/// `potential` and `sharpness` of a fabric's springs or of connections; `base` where the table has
/// neither. Throws InputError for a formula that has no value, force or stiffness at rest.
Potential read_potential(TableReader& reader, const Potential& base);

/// Numbers of vertices, each once.
std::vector<int> read_vertices(const Place& place);

/// Throws unless the table has one of the keys `names`, or at most one.
void check_one(TableReader& reader, std::span<const std::string_view> names, bool may_be_none);

/// `min` and `max`.
BoxDescription read_region_box(const Place& place);

/// `motion` of a pin or a body; at rest if the table has none.
Motion read_motion(TableReader& reader);

/// `animation` of a body or a pin: a file name or a table; of a body with a skeleton a clip too.
FramesDescription read_animation(const Place& place, const FileScope& scope,
                                 bool has_skeleton = false);

/// `position`, `rotation` and `scale`.
Placement read_placement(TableReader& reader);

/// `cache`: a folder, "auto" or "none".
std::string read_cache_folder(const Place& place, const FileScope& scope);

// The tables that a scene has once.
WorldDescription read_world(const Place& place);
TimeDescription read_time(const Place& place);
SolverDescription read_solver(const Place& place);
ContactDescription read_contact(const Place& place);
LevelSetsDescription read_level_sets(const Place& place, const FileScope& scope);
PostDescription read_post(const Place& place);
LimitsDescription read_limits(const Place& place);

/// The document without what only matters once garments are worn, such as how bodies then move.
std::string dressing_text(TomlValue document);

/// [dressing].
DressingDescription read_dressing(const Place& place, const FileScope& scope);

/// Evaluates every formula over the times for which the scene needs it. Throws InputError where one
/// has no value then.
void check_formulas(SceneDescription& scene);

/// Names that must differ, each with the place that took it.
class NameBook {
public:
    /// `owners` is what the names belong to, e.g. "cloth or body".
    explicit NameBook(std::string owners) : owners_(std::move(owners)) {}
    /// The value of `name`, or `fallback` (empty: a name is required), once it is known to be good.
    std::string read(TableReader& reader, const std::string& fallback);
    /// The value of `name`, or "".
    std::string read_optional(TableReader& reader);
    /// Takes a name that the input does not spell out. Throws if it is taken.
    void take(const std::string& name, const Source& where, const std::string& key);

private:
    std::string owners_;
    std::map<std::string, Source> taken_;
};

/// The name of a cloth, which becomes that of its files; `material`, cotton if there is none.
std::string read_cloth_file_name(TableReader& reader, NameBook& names, const std::string& fallback);
Material read_cloth_material(TableReader& reader, const FileScope& scope);

/// [[garment]]: cloths, and what they are besides. Wants the bodies.
void read_garments(TableReader& scene, const FileScope& scope, NameBook& names,
                   SceneDescription& out);

template <class Named>
std::vector<std::string_view> names_of(std::span<const Named> all) {
    std::vector<std::string_view> names;
    for (const Named& one : all)
        names.push_back(one.name);
    return names;
}

/// The one of `all` that the text at `place` names.
template <class Named>
const Named& find_named(const Place& place, std::span<const Named> all, std::string_view kind) {
    const std::string expected = fmt::format("the name of a {}", kind);
    const std::string name = place.text(expected);
    for (const Named& one : all)
        if (one.name == name)
            return one;
    const auto names = names_of(all);
    place.fail(expected,
               names.empty() ? fmt::format("the scene has no [[{}]]", kind) : suggest(name, names));
}

/// The cloth that `cloth` names, or the only one.
std::string read_cloth_name(TableReader& reader, const SceneDescription& scene);

/// What part of which cloth a table is about; the region may be empty: the whole cloth.
struct SelectedRegion {
    std::string region, cloth;
};
/// A named region, one of the first `named` of the scene, or one of its own for a selector given in
/// place.
SelectedRegion read_selection(TableReader& reader, SceneDescription& scene, std::size_t named,
                              bool may_be_whole);

// Each reads the tables of one kind into `out`; cloths come before regions, regions before what
// refers to them.
void read_cloths_and_bodies(TableReader& scene, const FileScope& scope, SceneDescription& out);
void read_regions(TableReader& scene, SceneDescription& out);
void read_controls(TableReader& scene, const FileScope& scope, SceneDescription& out);
void read_connections(TableReader& scene, SceneDescription& out);
void read_seams(TableReader& scene, SceneDescription& out);

/// A region that is given where it is used: a table of a cloth and one selector. It is named after
/// its place.
RegionDescription read_region_in_place(const Place& place, const SceneDescription& scene);

/// `start` and `end`.
TimeWindow read_window(TableReader& reader);

} // namespace muslin
