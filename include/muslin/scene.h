#pragma once

#include "muslin/material.h"
#include "muslin/mesh.h"
#include "muslin/pattern.h"
#include "muslin/vec.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin::api {

/// A cloth: a mesh and what it is made of.
struct Cloth {
    std::string name = "cloth";
    Mesh mesh = {};
    std::string source = {}; ///< in place of `mesh`: what make_mesh takes
    Material material = {};
    Vec3 position = {}, rotation = {}; ///< [m]; [degrees] about x, then y, then z
    double scale = 1;                  ///< of mesh and pattern, before it is turned and moved
    Vec3 velocity = {};                ///< of every vertex at the start [m/s]
    /// Where each vertex is at the start, in space [m]; empty: where the placed mesh has it.
    std::vector<Vec3> start = {};
};

/// A solid that cloth touches; its mesh need not be closed, but should be.
struct Body {
    std::string name = "body";
    Mesh mesh = {};
    std::string source = {};           ///< in place of `mesh`: what make_mesh takes
    Vec3 position = {}, rotation = {}; ///< [m]; [degrees] about x, then y, then z
    double scale = 1;
    std::optional<double> friction = {}; ///< Coulomb coefficient; none: the cloth's own
    double thickness = 0;                ///< how far its surface reaches outward [m]
    bool visible = true;                 ///< whether pictures show it
};

/// A set of vertices of one cloth. One of the selectors after `cloth` is given.
struct Region {
    std::string name = {};
    std::string cloth = {};         ///< may be empty where there is only one
    std::vector<int> vertices = {}; ///< of the mesh, from 0
    std::string group = {};         ///< the corners of a group of polygons
    std::vector<Vec3> nearest = {}; ///< for each point the vertex nearest to it at the start [m]
};

/// Holds vertices where they are at the start. It names a region or has one of the selectors of a
/// Region.
struct Pin {
    std::string name = {};
    std::string region = {};
    std::string cloth = {};
    std::vector<int> vertices = {};
    std::string group = {};
    std::vector<Vec3> nearest = {};
    double start = 0;               ///< from when on it holds [s]
    std::optional<double> end = {}; ///< until when [s]; none: to the end
};

/// Draws two rows of vertices along the borders of cloths together, until they meet and are one.
struct Seam {
    std::string name = {};
    std::string first = {}, second = {}; ///< regions of as many vertices each
    double start = 0;                    ///< from when on it pulls [s]
};

/// Vertices of regions that lie within `distance` of each other at the start are one from then on.
struct Join {
    std::vector<std::string> regions = {};
    double distance = 1e-6; ///< [m]
};

/// A pattern that is sewn on a body before the first frame. It is the cloth of its name.
struct Garment {
    std::string name = "garment";
    Pattern pattern = {};
    std::string source = {};                  ///< in place of `pattern`: a built-in name or a file
    std::map<std::string, double> sizes = {}; ///< of the pattern's own, in its own units
    double resolution = 0.02;                 ///< length of edges, about [m]
    Material material = {};
    std::string body = {};             ///< that wears it; may be empty where there is only one
    int layer = 0;                     ///< garments of a higher one are worn over those of a lower
    Vec3 position = {}, rotation = {}; ///< of the pattern's own places [m], [degrees]
};

/// What most programs choose. What is not given is the recipe's, or the default of the scene's key.
struct Settings {
    std::optional<std::string> recipe = {}; ///< "muslin", "bw98", ...: docs/recipes
    std::optional<int> frames = {};         ///< of a run
    std::optional<double> frame_rate = {};  ///< [1/s]
    std::optional<double> max_step = {};    ///< [s]
    std::optional<double> accuracy = {};    ///< error of accelerations that solves leave [m/s^2]
    std::optional<double> tolerance = {};   ///< of linear solves, in place of `accuracy`
    std::optional<Vec3> gravity = {};       ///< [m/s^2]
    std::optional<Vec3> wind = {};          ///< [m/s]
    std::optional<double> air_density = {}; ///< [kg/m^3]
    std::optional<double> drag_coefficient = {};
};

/// Everything that a simulation starts from: a scene file, or a part of it, or none, and what a
/// program adds. It is a value: a copy may be changed alone. Nothing is checked before a Simulation
/// or a run is made of it, or check() is called; then the checks and messages are those of a scene
/// file, without file and line for what the program gave.
class Scene {
public:
    /// An empty one. The name is that of files of its runs.
    explicit Scene(const std::string& name = "scene");
    /// A scene file, or a built-in scene by its name. `allow_outside`: the file may name files
    /// outside its folder. Throws InputError where the name is not known, FileError where the file
    /// cannot be read.
    static Scene load(const std::string& name_or_path, bool allow_outside = false);
    /// The text of a scene file; names of files in it count from `folder`.
    static Scene parse(const std::string& toml, const std::filesystem::path& folder = {},
                       const std::string& name = "scene");
    Scene(const Scene&);
    Scene(Scene&&) noexcept;
    Scene& operator=(const Scene&);
    Scene& operator=(Scene&&) noexcept;
    ~Scene();

    Scene& add(const Cloth& cloth);
    Scene& add(const Body& body);
    Scene& add(const Region& region);
    Scene& add(const Pin& pin);
    Scene& add(const Seam& seam);
    Scene& add(const Join& join);
    Scene& add(const Garment& garment);
    /// Tables as a scene file has them, such as "[[weight]]\nregion = 'hem'\nmass = 0.1": whatever
    /// has no type here.
    Scene& add_tables(const std::string& toml);

    Scene& settings(const Settings& settings);
    /// Changes one value by its key in a scene file, in the key's unit: set("solver.accuracy",
    /// 0.05), set("cloth.sheet.material.bend_u", 1e-5), set("cloth[0].scale", 2). It goes before
    /// what a file has, and before whatever was set earlier.
    Scene& set(const std::string& key, double value);
    Scene& set(const std::string& key, int value);
    Scene& set(const std::string& key, bool value);
    Scene& set(const std::string& key, const Vec3& value);
    Scene& set(const std::string& key, const char* text);
    Scene& set(const std::string& key, const std::string& text);
    /// Gives a stage of the step another part than the recipe's: part("bending", "bend_shape").
    Scene& part(const std::string& stage, const std::string& part);
    /// Adds a registered force to those of the recipe; `numbers` are its own, by its names and in
    /// its units.
    Scene& add_force(const std::string& type, const std::map<std::string, double>& numbers = {});

    /// Reads the files that it names and checks everything that can be without simulating. Throws
    /// InputError and FileError.
    void check() const;
    /// The scene as a file has it. What the program gave as arrays is named there, not listed.
    std::string text() const;
    std::string name() const;
    std::vector<std::string> cloths() const; ///< names, garments among them
    std::vector<std::string> bodies() const;

    struct Parts;                                  ///< of the library
    const Parts& parts() const { return *parts_; } ///< for the library

private:
    explicit Scene(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

/// The names of the built-in scenes.
std::vector<std::string> scene_names();

} // namespace muslin::api
