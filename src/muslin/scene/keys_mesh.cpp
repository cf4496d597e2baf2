// The table `mesh` of a cloth or a body: for each type the keys of what makes it.
#include "muslin/scene/description.h"
#include "muslin/scene/key_rows.h"
#include "muslin/scene/length_unit.h"

namespace muslin {
namespace {

using namespace key_rows;

// More is a slip of the keyboard, not a mesh; refused before anything is allocated.
constexpr double max_count = 20'000;

constexpr Range length = positive("m");

constexpr Range count(double min, double max = max_count) {
    return at_least(min, {}, max);
}

// Their initialisers are the defaults.
const MeshFile file;
const GridSettings grid;
const LatticeSettings lattice;
const IrregularSettings irregular;
const SphereSettings sphere;
const CylinderSettings cylinder;
const BoxSettings block;
const RevolutionSettings revolution;
const SculptureSettings sculpture;
const DrumSettings drum;
const ShirtSettings shirt;
const ShortsSettings shorts;
const TableSettings furniture;
const ChairSettings chair;
const PanelSettings panel;
const FigureSettings figure;
const MannequinSettings mannequin;

const Rows scattered = {
    integer("vertices", irregular.vertices, count(16, IrregularSettings::most_vertices),
            "exactly so many"),
    integer("seed", static_cast<int>(irregular.seed), at_least(0), "gives another mesh"),
    number("jitter", irregular.jitter, at_least(0, {}, 0.45),
           "how irregular, as a fraction of an edge"),
};

Rows panels(double width, const char* from, double whole, const char* to, double edge, double gap) {
    return {
        number("width", width, length, from),
        number("length", whole, length, to),
        number("edge", edge, length, "how long edges are, about; none may reach from seam to seam"),
        number("gap", gap, length, "between front and back"),
    };
}

} // namespace

const KeyGroup keys::mesh = {
    "mesh",
    {text("type", "`\"file\"` if there is a `path`", "of the mesh: one of those below")},
    {
        {"file",
         {
             text(
                 "path", required,
                 "a file that can be read: `.obj`, `.ply`, `.off`, `.gltf`, `.glb`; of a body also "
                 "`.vdb`"),
             choice<LengthUnit>("unit", LengthUnit::m, "of the file"),
             choice("up", "`\"y\"`", {"y", "z"}, "the file's upward axis"),
             choice<RestShape>("rest", file.rest, "where a cloth has its rest shape from"),
         }},
        {"grid",
         {
             number("width", grid.width, length, "along x"),
             number("depth", grid.depth, length, "along z"),
             integer("columns", grid.columns, count(2), "vertices along x"),
             integer("rows", grid.rows, count(2), "vertices along z"),
             integer("resolution", none, count(2),
                     "vertices along the longer side, in place of `columns` and `rows`"),
             choice<Diagonals>("diagonals", grid.diagonals, "how quads are cut"),
             integer("folds", grid.folds, count(0),
                     "creases, evenly spaced; `columns` - 1 is a multiple of `folds` + 1"),
             number("fold_angle", grid.fold_angle, between(-175, 175, "degrees"),
                    "by which it turns at each, down and up in turn; with `folds`"),
         }},
        {"lattice",
         {
             number("width", lattice.width, length, "along x"),
             number("depth", lattice.depth, length, "along z"),
             integer("rows", lattice.rows, count(1), "of triangles across the depth"),
             boolean("along_z", lattice.along_z, "rows go across the width instead"),
         }},
        {"irregular", Rows{number("width", irregular.width, length, "along x"),
                           number("depth", irregular.depth, length, "along z")} +
                          scattered},
        {"disc", Rows{number("radius", irregular.width / 2, length, "of its border")} + scattered},
        {"sphere",
         {
             number("radius", sphere.radius, length, "of the sphere"),
             integer("rings", sphere.rings, count(2), "from pole to pole"),
             integer("segments", sphere.segments, count(3), "around the axis"),
         }},
        {"cylinder",
         {
             number("radius", cylinder.radius, length, "around the axis"),
             number("height", cylinder.height, length, "along the axis"),
             integer("segments", cylinder.segments, count(3), "around the axis"),
             integer("bands", cylinder.bands, count(1), "along the axis"),
             boolean("capped", cylinder.capped, "closed at its ends"),
             boolean("staggered", cylinder.staggered, "every other ring turned by half a segment"),
         }},
        {"box",
         {
             vec3("size", block.size, length, "along x, y, z"),
             integer("divisions", block.divisions, count(1), "of each edge"),
         }},
        {"revolution",
         {
             other("profile", "array of pairs of numbers", required, any_number("m"),
                   "`[radius, y]`; radii of 0 only at the ends"),
             integer("segments", revolution.segments, count(3), "around the axis"),
         }},
        {"sculpture",
         {
             other("balls", "array of four numbers", required, any_number("m"),
                   "`[x, y, z, radius]`"),
             number("blend", sculpture.blend, length, "width over which balls flow together"),
             integer("frequency", sculpture.frequency, count(1), "how fine it is"),
         }},
        {"drum",
         {
             number("radius", drum.radius, length, "of the room inside"),
             number("height", drum.height, length, "of the room inside"),
             number("wall", drum.wall, length, "thickness of wall and floor"),
             integer("paddles", drum.paddles, count(0), "ridges; at most half of `segments`"),
             number("paddle_height", drum.paddle_height, length, "at most six tenths of `radius`"),
             number("paddle_width", drum.paddle_width, length, "a fifth of the wall stays free"),
             integer("segments", drum.segments, count(8), "around the axis"),
             integer("bands", drum.bands, count(1), "along the axis"),
         }},
        {"shirt", panels(shirt.width, "from side to side", shirt.length, "from neck to hem",
                         shirt.edge, shirt.gap) +
                      Rows{
                          number("neck", shirt.neck, length, "of its opening; less than `width`"),
                          number("sleeve", shirt.sleeve, length, "how long a sleeve is"),
                          number("cuff", shirt.cuff, length, "how wide a sleeve is at its end"),
                      }},
        {"shorts",
         panels(shorts.width, "of the waist", shorts.length, "from waist to hem", shorts.edge,
                shorts.gap) +
             Rows{
                 number("rise", shorts.rise, length, "from waist to crotch; less than `length`"),
                 number("leg", shorts.leg, length, "width of a leg at its end"),
             }},
        {"table",
         {
             number("width", furniture.width, length, "along x"),
             number("depth", furniture.depth, length, "along z"),
             number("height", furniture.height, length, "of its upper side"),
             number("thickness", furniture.thickness, length, "of the top; less than `height`"),
             integer("sides", furniture.sides, count(3, 1000), "of the top"),
             integer("legs", furniture.legs, count(0, 100), "how many"),
             number("leg_size", furniture.leg_size, length,
                    "how wide a leg is; at most a quarter of `width` and `depth`"),
             integer("leg_sides", furniture.leg_sides, count(3, 1000), "of a leg's section"),
         }},
        {"chair",
         {
             number("width", chair.width, length, "along x"),
             number("depth", chair.depth, length, "along z"),
             number("height", chair.height, length, "of the seat"),
             number("thickness", chair.thickness, length,
                    "less than `height`, at most a quarter of `width` and `depth`"),
             number("leg_size", chair.leg_size, length,
                    "how wide a leg is; at most a quarter of `width` and `depth`"),
             number("back", chair.back, at_least(0, "m"), "how high it is above the seat"),
         }},
        {"panel",
         {
             other("outline", "array of pairs of numbers", required, any_number("m"),
                   "`[x, y]`, three or more; a line that does not cross itself"),
             other("sides", "array of strings", "`\"side0\"`, `\"side1\"`, ...", {},
                   "a name for the side from each point to the next, points of one side in a row"),
             other("counts", "array of integers", "by `edge`", count(0),
                   "edges along each side; 0: by `edge`"),
             number("edge", panel.edge, length, "how long edges are, about"),
             number("roll", panel.roll, any_number("degrees"),
                    "by which it is bent round an axis along v; less than 360"),
         }},
        {"figure",
         {
             number("height", figure.height, length, "from the ground up"),
             number("arm_angle", figure.arm_angle, any_number("degrees"),
                    "of the arms below the horizontal; -90 (up) to 80 (down)"),
             choice<FigurePart>("part", figure.part, "the pieces that there are"),
         }},
        {"mannequin",
         {
             number("height", mannequin.height, between(1.4, 2.1, "m"), "from the ground up"),
             number("bust", mannequin.bust, between(0.7, 1.3, "m"), "girth"),
             number("waist", mannequin.waist, between(0.5, 1.2, "m"), "girth"),
             number("hip", mannequin.hip, between(0.75, 1.4, "m"), "girth"),
             number("shoulder_width", mannequin.shoulder_width, between(0.26, 0.46, "m"),
                    "between the joints"),
             number("arm_length", mannequin.arm_length, between(0.42, 0.7, "m"),
                    "from the shoulder joint to the wrist"),
             number("arm_angle", mannequin.arm_angle, between(0, 60, "degrees"),
                    "of the arms below the horizontal"),
             number("edge", mannequin.edge, between(0.008, 0.035, "m"),
                    "of the skin's triangles, about"),
         }},
    }};

} // namespace muslin
