// The tables of what is simulated and what it touches: cloths, garments, bodies, fabrics.
#include "muslin/scene/description.h"
#include "muslin/scene/key_rows.h"

namespace muslin {
namespace {

using namespace key_rows;

// Their initialisers are the defaults.
const Placement placed;
const ClothDescription sheet;
const BodyDescription solid;
const FramesDescription frames;
const GarmentDescription worn;
const Material fabric;

constexpr const char* mesh_type = "path or table";
constexpr const char* see_mesh = "see [mesh](#mesh)";

Rows placement(std::string of = "") {
    return {
        vec3("position", placed.position, any_number("m"), std::move(of)),
        vec3("rotation", placed.rotation, any_number("degrees"), "about x, then y, then z"),
        number("scale", placed.scale, positive(""), "times the size of the mesh"),
    };
}

} // namespace

const KeyGroup keys::cloth = {
    "cloth",
    Rows{
        text("name", "`\"cloth\"`; `\"cloth0\"`, `\"cloth1\"`, ... of several",
             "a name no other cloth or body has, without `body-` at its front"),
        other("mesh", mesh_type, required, {},
              "see [mesh](#mesh); what the layers below are that are not given"),
        table("surface", "`mesh`", "what is drawn and written: a [layer](#layer)"),
        other("dynamics", "`\"none\"` or table", "`mesh`", {}, "what pulls: a [layer](#layer)"),
        other("collision", "`\"none\"` or table", "`mesh`", {}, "what touches: a [layer](#layer)"),
        tables("points", none, "particles without any surface: [points](#points)"),
        other("material", "name, path or table", "`\"cotton\"`", {}, "see [material](#material)"),
    } + placement("where the mesh's origin is") +
        Rows{
            vec3("velocity", sheet.velocity, any_number("m/s"), "of every vertex at the start"),
            table("repeat", "once", "see [repeat](#repeat)"),
            text("rest_angles", "`\"flat\"`", "`\"flat\"`, `\"mesh\"`, or the path of a mesh"),
        }};

const KeyGroup keys::layer = {"layer", {other("mesh", mesh_type, required, {}, see_mesh)}};

const KeyGroup keys::points = {
    "points",
    {
        text("name", none, "a name no other region has"),
        other("places", "array of points", "", any_number("m"), "one particle at each"),
        other("mesh", mesh_type, "", {}, "one particle at each vertex; see [mesh](#mesh)"),
        number("spacing", "", positive("m"), "of a cubic lattice of particles"),
        table("box", "the inside of the surface",
              "that the lattice fills, both ends included: [box](#box)"),
        number("margin", "half the spacing", at_least(0, "m"),
               "that a lattice inside the surface keeps from it"),
        number("mass", required, positive("kg"), "of all together"),
    }};

const KeyGroup keys::repeat = {
    "repeat",
    {
        integer("count", required, at_least(1, {}, 10'000),
                "how many; no more cloths than 10,000 in a scene"),
        vec3("offset", Vec3{0, 0, 0}, any_number("m"), "added to `position` for each"),
        vec3("rotation", Vec3{0, 0, 0}, any_number("degrees"), "added to `rotation` for each"),
    }};

const KeyGroup keys::body = {
    "body",
    Rows{
        text("name", "`\"body\"`; `\"body0\"`, `\"body1\"`, ... of several",
             "a name no other cloth or body has"),
        other("mesh", mesh_type, required, {}, see_mesh),
    } + placement("where the mesh's origin is") +
        Rows{
            number("friction", "that of the cloth", at_least(0, {}, 10),
                   "the Coulomb coefficient against any cloth"),
            number("thickness", solid.thickness, at_least(0, "m", 0.1),
                   "by which the surface that the cloth touches lies outward"),
            table("motion", "at rest", "see [motion](#motion)"),
            other("animation", mesh_type, none, {}, "see [animation](#animation)"),
            boolean("visible", solid.visible, "whether pictures show it"),
        }};

const KeyGroup keys::animation = {
    "animation",
    {
        text("path", "required, or `clip`",
             "a `.pc2` or `.mdd` file that can be read, or a pattern with `#` for the number and "
             "`.obj` or `.ply` at its end"),
        number("frame_rate", "that of the times in an MDD, else of the scene", positive("1/s", 1e6),
               "frames of the cache a second"),
        text("clip", "required, or `path`",
             "a clip of the body's own: of its glTF file, or of the mannequin"),
        number("start", frames.start, at_least(0, "s"), "where in the clip the scene begins"),
        number("speed", frames.speed, positive("", 100), "of the clip in the scene"),
        boolean("loop", frames.loop,
                "begins again at the end of the clip; else the body stays in its last pose"),
    }};

const KeyGroup keys::motion = {
    "motion",
    {
        animated(vec3("translation", Vec3{0, 0, 0}, any_number("m"), "moves it")),
        animated(vec3("rotation", Vec3{0, 0, 0}, any_number("degrees"),
                      "turns it about x, then y, then z")),
        vec3("pivot", Vec3{0, 0, 0}, any_number("m"), "that it turns about"),
    }};

const KeyGroup keys::garment = {
    "garment",
    Rows{
        text("name", "`\"garment\"`; `\"garment0\"`, `\"garment1\"`, ... of several",
             "a name no other cloth or body has"),
        text("pattern", required,
             "the name of a built-in pattern, or a file: [patterns](pattern-format.md)"),
        number("resolution", PatternMesh{}.edge, positive("m", 0.2), "of triangles, about"),
        other("material", "name, path or table", "`\"cotton\"`", {}, "see [material](#material)"),
    } + placement("of the whole pattern") +
        Rows{
            text("body", "the only body, if there is one", "the name of the body that wears it"),
            integer("layer", worn.layer, at_least(0, {}, 20),
                    "a garment of a higher layer is worn over those of lower ones, and sewn after "
                    "they have settled"),
            number("clearance", worn.clearance, at_least(0, "m", 0.5),
                   "how far panels keep from the body and from garments below before they are "
                   "sewn"),
            number("stiffness", "as of [[seam]](#seam)", positive("N/m"),
                   "of its seams, per vertex"),
            number("max_force", "as of [[seam]](#seam)", positive("N"),
                   "of a joint of two vertices"),
            table("sizes", "those of the pattern",
                  "sizes of a TOML pattern by their names, in its unit"),
            tables("panels", none,
                   "panels that stand elsewhere than the pattern has them: see [panels](#panels)"),
        }};

const KeyGroup keys::placed_panel = {
    "panels",
    {
        text("name", required, "the name of a panel"),
        vec3("position", "the pattern's", any_number("m"),
             "of the origin of the panel's coordinates"),
        vec3("move", Vec3{0, 0, 0}, any_number("m"),
             "from the pattern's position; not with `position`"),
        vec3("rotation", "the pattern's", any_number("degrees"), "about x, then y, then z"),
    }};

// The upper limits are far above any fabric; what passes them was written in another unit.
const KeyGroup keys::material = {
    "material",
    {
        text("base", none,
             "a material to start from: a name, or the path of a `.toml` or `.json` file"),
        text("name", "that of `base`, else the file's name, else `\"custom\"`", "of the fabric"),
        text("source", "that of `base`, with a note of what changed",
             "where the numbers come from"),
        number("density", required, positive("kg/m^2", 100, "1 g/m^2 is 0.001 kg/m^2"),
               "mass per area"),
        number("stretch_u", required, positive("N/m", 1e9), "tensile stiffness along the weft"),
        number("stretch_v", required, positive("N/m", 1e9), "tensile stiffness along the warp"),
        number("shear", required, at_least(0, "N/m", 1e9), "in-plane shear stiffness"),
        number("bend_u", required, at_least(0, "N m", 1e3),
               "flexural rigidity against curvature along the weft"),
        number("bend_v", required, at_least(0, "N m", 1e3),
               "flexural rigidity against curvature along the warp"),
        number("stretch_damping", "1 ms times the mean stretch", at_least(0, "N s/m", 1e9),
               "of stretch"),
        number("shear_damping", "1 ms times `shear`", at_least(0, "N s/m", 1e9), "of shear"),
        number("bend_damping", "10 ms times the mean bend", at_least(0, "N m s", 1e6),
               "of bending"),
        number("bend_stiffening", fabric.bend_stiffening, at_least(0, {}, 1e3),
               "by how much sharp folds resist more"),
        number("bend_rate_stiffening", fabric.bend_rate_stiffening, at_least(0, "s", 1e3),
               "by how much fast folding resists more"),
        number("thickness", required, positive("m", 0.1, "1 mm is 0.001 m"),
               "that contact keeps free"),
        number("friction", fabric.friction, at_least(0, {}, 10),
               "the Coulomb coefficient of cloth on cloth, and on bodies without one"),
        number("young", "from the mean stretch", positive("Pa", 1e13, "1 MPa is 1e6 Pa"),
               "Young's modulus of an isotropic sheet"),
        number("poisson", fabric.poisson, at_least(0, {}, 0.499), "Poisson's ratio of the sheet"),
        number("bend_factor", "from the mean bend", positive({}, 1e3),
               "rigidity over that of a solid sheet"),
        number("compression_stiffness", fabric.compression_stiffness, positive({}, 1),
               "Young's modulus in compression over that in extension"),
        number("soft_extension", fabric.soft_extension, at_least(0, {}, 1),
               "strain up to which extension is as soft as compression"),
        number("curvature_limit", "1 / (5 `thickness`), less on coarse meshes",
               positive("1/m", 1e6), "curvature that no force passes"),
        number("yield_stretch", "never", positive({}, 10),
               "elastic strain beyond which the rest shape gives way"),
        number("yield_bend", "never", positive("1/m", 1e6),
               "elastic curvature beyond which the rest shape gives way"),
        number("relaxation_time", "never", positive("s", 1e9),
               "in which a rest shape that gave way returns"),
        number("spring_structural", {fabric.spring_structural, "from `stretch_u`, `stretch_v`"},
               at_least(0, "N/m", 1e9), "of each structural spring"),
        number("spring_shear", {fabric.spring_shear, "from `shear`"}, at_least(0, "N/m", 1e9),
               "of each shear spring"),
        number("spring_flexion", {fabric.spring_flexion, "from `bend_u`, `bend_v`"},
               at_least(0, "N/m", 1e9), "of each flexion spring"),
        number("spring_damping", {fabric.spring_damping, "from the damping above"},
               at_least(0, "N s/m", 1e9), "of each spring"),
        number("elongation_limit", "never", at_least(0, {}, 10),
               "elongation from which a spring is stiffer"),
        choice<ElongationLaw>("elongation_law", fabric.elongation_law,
                              "the length that its constant then grows with"),
        text("potential", "`\"quadratic\"`",
             "`\"quadratic\"`, `\"exponential\"` or a formula [J] of structural and shear springs"),
        number("sharpness", fabric.potential.sharpness, positive({}, 1e3), "of `\"exponential\"`"),
    }};

} // namespace muslin
