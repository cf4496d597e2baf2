#pragma once

#include "muslin/base/error.h"
#include "muslin/garment/mannequin.h"
#include "muslin/linalg/preconditioner.h"
#include "muslin/math/vec.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/animated.h"
#include "muslin/model/choices.h"
#include "muslin/model/material.h"
#include "muslin/model/parts.h"
#include "muslin/model/shape.h"
#include "muslin/pattern/flat_garments.h"
#include "muslin/pattern/irregular_sheet.h"
#include "muslin/pattern/pattern.h"
#include "muslin/pattern/plain_panel.h"

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// A scene as the user wrote it: every value present, checked for type, unit and range, nothing
// built yet. `load_scene` (scene/load.h) makes it from TOML; `build_scene` (scene/build_scene.h)
// makes the Model and the first State from it. docs/scene-format.md lists every key.

namespace muslin {

struct MeshFile {
    std::filesystem::path path;
    double unit = 1;   ///< metres per file unit ("m", "cm", "mm", "in", "ft" in the scene)
    bool z_up = false; ///< the file's up axis is z, not y
    RestShape rest = RestShape::positions;
};

/// A sewing pattern, cut: the cloth of a [[garment]].
struct PatternMesh {
    Pattern pattern;
    double edge = 0.02; ///< of triangles, about [m]
};

/// A mesh that a program gave (scene/given.h). With texture coordinates these are its rest shape.
struct GivenMesh {
    std::string name;
    std::shared_ptr<const PolygonMesh> mesh; ///< [m], y up
};

using MeshSource =
    std::variant<MeshFile, GridSettings, LatticeSettings, IrregularSettings, SphereSettings,
                 CylinderSettings, BoxSettings, RevolutionSettings, SculptureSettings, DrumSettings,
                 ShirtSettings, ShortsSettings, TableSettings, ChairSettings, PanelSettings,
                 FigureSettings, PatternMesh, MannequinSettings, GivenMesh>;

/// Where a mesh stands at the start: scaled, then rotated about x, y, z in turn, then moved.
struct Placement {
    Vec3 position = {0, 0, 0}; ///< [m]
    Vec3 rotation = {0, 0, 0}; ///< [degrees], about x, then y, then z
    double scale = 1;
};

/// The angles at which the edges of a cloth rest [Bridson03 4].
struct RestAngles {
    enum class From {
        flat,
        mesh, ///< as the cloth's own mesh is bent at the start
        file, ///< as another mesh of the same vertices is
    };
    From from = From::flat;
    Source where;
    std::filesystem::path path; ///< of `file`
};

/// Triangles of a cloth that have one role alone [Ohta95, Our approach]; placed as the cloth is.
struct LayerDescription {
    Source where;
    std::optional<MeshSource> mesh; ///< its vertices are points of the cloth; none: no such layer
};

enum class LayerKind { surface, dynamics, collision };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<LayerKind> = {"surface", "dynamics",
                                                                          "collision"};

struct BoxDescription {
    Vec3 min, max; ///< [m]
};

/// Particles of a cloth that no triangle need have. Exactly one of `places`, `mesh` and `spacing`
/// is given; all are placed as the cloth is, and what lies on a particle of the cloth is that one.
struct PointsDescription {
    Source where;
    std::string name;                  ///< of the region that they are; may be empty
    std::vector<Vec3> places;          ///< [m]
    std::optional<MeshSource> mesh;    ///< its vertices
    double spacing = 0;                ///< of a cubic lattice [m]
    std::optional<BoxDescription> box; ///< that it fills; none: the inside of the surface
    double margin = 0;                 ///< that the lattice keeps from the surface [m]
    double mass = 0;                   ///< of all together [kg]
};

struct ClothDescription {
    Source where;
    std::string name;
    MeshSource mesh = GridSettings{}; ///< the surface, and each layer that is not given below
    Placement placement;
    Material material;
    Vec3 velocity = {0, 0, 0}; ///< of every particle at the start [m/s]
    RestAngles rest_angles;
    std::optional<LayerDescription> dynamics, collision;
    std::vector<PointsDescription> points;
};

/// Frames that deform a body, or that move pinned vertices of a cloth: they hold the vertices of
/// its mesh in the unit and with the up axis of the mesh file, and are placed as the mesh is.
struct FramesDescription {
    Source where;
    std::filesystem::path path; ///< a PC2 or MDD file, or NAME.####.obj or .ply: numbered meshes
    double frame_rate = 0;      ///< frames a second; 0: that of the scene [1/s]
    // Of a body with a skeleton, in place of a path:
    std::string clip;  ///< of the glTF file or the mannequin
    double start = 0;  ///< of the clip at the scene's start [s]
    double speed = 1;  ///< of the clip in the scene
    bool loop = false; ///< begin again at its end; else the body stops there
};

struct BodyDescription {
    Source where;
    std::string name;
    MeshSource mesh = SphereSettings{};
    Placement placement;
    std::optional<double> friction; ///< Coulomb coefficient; none: the cloth's own
    double thickness = 0;           ///< [m]
    Motion motion;                  ///< rigid motion from its start
    std::optional<FramesDescription> animation;
    bool visible = true; ///< whether pictures show it
};

/// A set of vertices of one cloth. Exactly one selector is given. A pin, rest stretch, pull or load
/// that selects vertices itself gets a region of its own, named after it: "pin[0]".
struct RegionDescription {
    using Box = BoxDescription; ///< on the placed cloth at the start
    struct Map {
        std::string name;       ///< a per-vertex map of the cloth's mesh file
        double threshold = 0.5; ///< vertices with a value of at least this
    };
    Source where;
    std::string name;
    std::string cloth;
    std::vector<int> vertices; ///< the user's own numbering, from 0
    int points = -1;           ///< index into ClothDescription::points, for the region they are
    std::optional<Box> box;
    std::optional<std::string> group; ///< a named group of the mesh file
    std::optional<LayerKind> layer;   ///< the vertices of a layer
    std::optional<Map> map;
    std::vector<Vec3> nearest; ///< for each point the vertex that lies nearest at the start
};

/// Holds the particles of a region in one, two or three directions [BW98 5].
struct PinDescription {
    Source where;
    std::string region;
    /// What the particles are held to; a PointShape keeps each at its own place.
    Shape shape = PointShape{};
    Motion motion;                                   ///< rigid motion of the shape from its start
    TimeWindow window;                               ///< [s]
    std::string name = {};                           ///< optional
    std::optional<FramesDescription> animation = {}; ///< of a point or of directions
};

/// Rest stretch b_u, b_v of the triangles of a region, possibly changing in time [BW98 4.2].
struct RestStretchDescription {
    Source where;
    std::string region; ///< triangles with all three vertices in it; empty: the whole cloth
    std::string cloth;  ///< always given, the region's own if there is one
    Animated<double> b_u{1.0}, b_v{1.0};
    std::string name = {}; ///< optional
};

/// The angle at which the edges of a region rest: a crease, or none where the cloth has one.
struct RestAngleDescription {
    Source where;
    std::string region;    ///< edges with both ends in it; empty: the whole cloth
    std::string cloth;     ///< always given, the region's own if there is one
    double angle = 0;      ///< [degrees]; positive: a ridge seen from the outside
    std::string name = {}; ///< optional
};

/// A spring from each particle of a region to a moving point: the mouse [BW98 4.4].
struct PullDescription {
    Source where;
    std::string region;
    Animated<Vec3> target{Vec3{0, 0, 0}}; ///< [m]
    double stiffness = 10;                ///< [N/m] per particle
    double damping = 0.1;                 ///< [N s/m] per particle
    TimeWindow window;
    std::string name = {}; ///< optional
};

/// A given total force, shared by the particles of a region in proportion to their mass.
struct LoadDescription {
    Source where;
    std::string region;
    Animated<Vec3> force{Vec3{0, 0, 0}}; ///< [N], all particles together
    TimeWindow window;
    std::string name = {}; ///< optional
};

/// Vertices of the given regions that lie within `distance` of each other at the start become
/// one particle, each keeping its own material coordinates [BW98 2.1, footnote 3].
struct StitchDescription {
    Source where;
    std::vector<std::string> regions;
    double distance = 1e-6; ///< [m]
    std::string name = {};  ///< optional
};

/// Vertices that are drawn together until they meet and then are one particle [Ohta95, Deformation
/// process]. Either two regions, each a row of vertices along a border, or joints vertex by vertex.
struct SeamDescription {
    struct Vertex {
        std::string cloth;
        int vertex;
    };
    Source where;
    std::vector<std::string> regions;        ///< two, or none
    std::vector<std::vector<Vertex>> joints; ///< of two vertices or more each
    // What is not given is chosen by the cloth (scene/build_seams.cpp).
    std::optional<double> stiffness;     ///< [N/m] per particle
    std::optional<double> damping;       ///< [N s/m] per particle
    std::optional<double> max_force;     ///< of a joint [N]
    std::optional<double> meet_distance; ///< [m]
    double ramp = 2;                     ///< over which the force grows to its most [s]
    TimeWindow window;
    std::string name = {}; ///< optional
};

/// Vertices of a region stick to a body or to another region: [[sticking]] [Bridson03 6], and with
/// `nearest` [[tape]] and [[tack]].
struct StickingDescription {
    Source where;
    std::string table = "sticking"; ///< that it was read from
    std::string region;             ///< adheres
    std::string body;               ///< is sticky, or
    std::string to_region;          ///< the triangles of this region are
    /// Which part of the body; empty: all of it. Triangles with all three vertices in it.
    std::optional<RegionDescription::Box> body_box;
    std::vector<int> body_vertices;
    double tolerance = 0.005;     ///< [m]
    double break_distance = 0.02; ///< [m]
    double stiffness = 20;        ///< [N/m] per particle
    double damping = 0;           ///< [N s/m] per particle
    double interval = 0.01;       ///< [s]
    bool nearest = false;
    Animated<double> strength{1.0};
    TimeWindow window;
    std::string name = {}; ///< optional
};

/// Mass added to a region: weights in a hem [Bridson03 6]. Exactly one of the two is given.
struct WeightDescription {
    Source where;
    std::string region;
    std::optional<double> mass;            ///< [kg], all vertices together
    std::optional<double> mass_per_length; ///< [kg/m] along the cloth's border in the region
    std::string name = {};                 ///< optional
};

/// Where the vertices of a cloth are at the start: those of a mesh file, in metres, y up, in the
/// order of the cloth's own. Its rest shape and its regions stay those of its own mesh.
struct StartDescription {
    Source where;
    std::string cloth;
    std::filesystem::path path;
    std::shared_ptr<const PolygonMesh> given = {}; ///< in place of the file
};

enum class ConnectionRule {
    edges,          ///< of a layer
    second_nearest, ///< across every inner edge of a layer, and straight on over every vertex
    within,         ///< all no farther apart than `distance`
    nearest,        ///< each to the `count` nearest
    pairs,          ///< as listed
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<ConnectionRule> = {
    "edges", "second_nearest", "within", "nearest", "pairs"};

enum class ConnectionRest {
    start,   ///< as long as the connection is at the start, [[start]] included
    pattern, ///< as on the flat pattern of the layer
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<ConnectionRest> = {"start", "pattern"};

/// Connections superimposed on what the cloth's triangles do [Ohta95, Our approach].
struct ConnectionsDescription {
    using Rule = ConnectionRule;
    using Rest = ConnectionRest;
    Source where;
    std::string name = {};      ///< optional
    std::string cloth;          ///< whose points are joined, if no region is given
    std::string region;         ///< whose points are joined; may be empty
    std::string to_region = {}; ///< with `region`: from one to the other alone
    Rule rule = Rule::edges;
    LayerKind layer = LayerKind::dynamics;
    double distance = 0; ///< [m]
    int count = 0;
    std::vector<std::array<int, 2>> pairs = {}; ///< points of the cloth
    Rest rest = Rest::start;
    std::optional<double> stiffness; ///< [N/m] of each, or
    std::optional<double> modulus;   ///< [Pa] of all together, in
    std::optional<double> volume;    ///< [m^3]; none: that of the closed surface
    std::optional<double> damping;   ///< [N s/m] of each; none: from `relaxation`
    double relaxation = 1e-3;        ///< damping over stiffness [s]
    Potential potential;
};

/// A pattern that is sewn on a body: [[garment]]. It is the cloth of its name.
struct GarmentDescription {
    Source where;
    std::string cloth;
    std::string body;        ///< that wears it; empty: none
    int layer = 0;           ///< garments of a higher one are worn over those of a lower
    double clearance = 0.01; ///< between panels and body before they are sewn [m]
    // What is not given is chosen by the cloth (scene/build_seams.cpp).
    std::optional<double> stiffness; ///< of seams [N/m] per particle
    std::optional<double> max_force; ///< of a joint [N]
};

/// What happens before the first frame where a scene has garments: they are sewn on the bodies in
/// their rest pose, settle, and follow the bodies from there into the pose of the first frame.
struct DressingDescription {
    double sew = 8;             ///< the longest that seams of a layer may take to close [s]
    double stage = 0.8;         ///< after which seams of the next stage begin to close [s]
    double gravity = 0;         ///< share of gravity while seams close
    double friction = 0.5;      ///< share of friction while seams close
    double slim = 0.02;         ///< by how much bodies are slimmer while seams close [m]
    double settle = 1.5;        ///< of each layer [s]; in its first half bodies grow to their size
    double preroll = 1;         ///< from the rest pose into the first frame [s]
    bool show = false;          ///< these frames are part of the run, before its first
    std::string cache = "auto"; ///< where dressed states are kept: a folder, "auto" or "none"
};

struct WorldDescription {
    Vec3 gravity = {0, -9.81, 0};       ///< [m/s^2]
    Animated<Vec3> wind{Vec3{0, 0, 0}}; ///< air velocity [m/s], also by formulas in x, y, z
    double air_density = 1.2;           ///< [kg/m^3]
    double drag_coefficient = 1.0;      ///< of the normal flow, dimensionless
    double linear_drag = 0;             ///< [N s/m^3], pressure per normal speed
    double viscous_drag = 0;            ///< [N s/m^3], force per area and speed; air_vertices
};

struct TimeDescription {
    int frames = 75;
    double frame_rate = 30;          ///< [1/s]
    double max_step = 0;             ///< [s]; 0: the recipe's, at most one frame
    double min_step = 0;             ///< [s]; 0: max_step / 4096
    double stretch_change_limit = 0; ///< of |w_u|, |w_v| in one step [BW98 7]; 0: the recipe's
    int max_steps = 100'000;         ///< of one frame, those that fail included
};

struct SolverDescription {
    double tolerance =
        0; ///< of the residual in the preconditioned norm [BW98 5.3]; 0: the recipe's
    /// The largest error of an acceleration that an implicit solve may leave, as a root mean square
    /// over any patch of cloth [m/s^2]; 0: the recipe's, unless there is a tolerance.
    double accuracy = 0;
    int max_iterations = 0; ///< 0: 3000
    Preconditioner preconditioner = Preconditioner::multilevel;
    int newton_iterations = 0;               ///< solves per step; 0: the recipe's
    std::optional<LineariseAt> linearise_at; ///< none: the recipe's
    // Of the integrator euler_cromer [Volino95 3.2, 3.6].
    bool local_rates = true;       ///< elements that can afford it are evaluated less often
    bool stability_control = true; ///< momentum is shared where energy grows as it should not
    bool limit_damping = true;     ///< damping is reduced where it would shorten the step
    // Of the integrator runge_kutta [Bayraktar07 2].
    bool adaptive = true; ///< steps that are not accurate enough are taken again, shorter
    double error = 1e-5;  ///< the largest of a step [m]
};

/// What contact allows.
struct ContactDescription {
    bool allow_tangled = false; ///< start even if cloth crosses itself or a body
    bool untangle = false;      ///< separate a start that is tangled before the first frame
    /// In how long a point that forecasts itself in a body is to be on its surface; never less than
    /// the step [Bridson03 5.2] [s].
    double relaxation = 0.01;
    /// Whether contacts remember on which side they belong and are put right where they are not
    /// [Volino95 4.3].
    bool consistency = true;
    double memory = 0.1; ///< how long after two features were last near [s]
    /// Of the spheres that cover cloth [m]; 0: half the mean edge [Ohta95].
    double sphere_radius = 0;
    BodyMeeting bodies = BodyMeeting::sweep; ///< of cloth with spheres [Ohta95]
    // Of triangle_contact [Bayraktar07 3, 4].
    PairTest test = PairTest::triangles;
    PairVolume volume = PairVolume::boxes;
    ResolveAt resolve_at = ResolveAt::step;
    FrictionLaw friction_law = FrictionLaw::coulomb;
    SelfResponse self_response = SelfResponse::conserving;
};

/// How bodies become level sets, for the parts that meet them so [Bridson03 5.1].
struct LevelSetsDescription {
    double voxel = 0; ///< [m]; 0: chosen for each body by its size (collision/fields/body_fields.h)
    double band = 0;  ///< to both sides of the surface [m]; 0: chosen with the voxel
    /// Where those that took time are kept: a folder, "auto" or "none".
    std::string cache = "auto";
};

/// What is done to a frame once it is simulated and before it is written: cloth is pushed out of
/// bodies with its folds kept [Bridson03 5.3]. What is not given is chosen (run/post.h).
struct PostDescription {
    std::optional<bool> enabled;   ///< none: the recipe's
    std::optional<double> epsilon; ///< the least distance to a body [m]
    std::optional<double> tau;     ///< cloth farther off stays where it is [m]
    std::optional<double> depth;   ///< how deep in a body cloth is likely to be [m]
    int subdivide = 0;             ///< levels, 0 .. 4
};

/// A force that a program has registered, added to those of the recipe.
struct ForceDescription {
    std::string type;
    std::map<std::string, double> numbers; ///< by names and in units of its own
};

/// What the certificate report.json is held to. Empty: reported, not judged.
struct LimitsDescription {
    std::optional<double> stretch_max, stretch_min; ///< edge ratio at every frame
    std::optional<int> self_intersections, body_intersections;
    std::optional<double> body_penetration_max; ///< [m]
    std::optional<int> seams_open;              ///< joints that are, at the end
};

struct SceneDescription {
    std::filesystem::path file; ///< empty for a built-in scene
    std::string name;
    std::string title; ///< one line of description
    std::string recipe = "muslin";
    std::map<std::string, PartChoice> parts; ///< stages given to another part than the recipe's
    WorldDescription world;
    TimeDescription time;
    SolverDescription solver;
    ContactDescription contact;
    LevelSetsDescription level_sets;
    PostDescription post;
    LimitsDescription limits;
    std::vector<ClothDescription> cloths;
    std::vector<GarmentDescription> garments;
    DressingDescription dressing;
    std::vector<BodyDescription> bodies;
    std::vector<RegionDescription> regions;
    std::vector<PinDescription> pins;
    std::vector<RestStretchDescription> rest_stretches;
    std::vector<RestAngleDescription> rest_angles;
    std::vector<PullDescription> pulls;
    std::vector<LoadDescription> loads;
    std::vector<StitchDescription> stitches;
    std::vector<SeamDescription> seams;
    std::vector<StickingDescription> stickings; ///< [[sticking]], then [[tape]], then [[tack]]
    std::vector<WeightDescription> weights;
    std::vector<ConnectionsDescription> connections;
    std::vector<ForceDescription> forces;
    std::vector<StartDescription> starts; ///< at most one for a cloth
    std::string source_text;              ///< the TOML the description was made from, after --set
    /// The same without what only matters once garments are worn: a dressed state is known by it.
    std::string dressing_text;
    std::vector<std::filesystem::path>
        files; ///< that it names and a run reads; some more than once
};

} // namespace muslin
