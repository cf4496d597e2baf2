// The tables of a scene that stand once: what is simulated for how long, by what and how.
#include "muslin/scene/description.h"
#include "muslin/scene/key_rows.h"

namespace muslin {
namespace {

using namespace key_rows;

// Their initialisers are the defaults.
const SceneDescription whole;
const WorldDescription air;
const TimeDescription steps;
const SolverDescription solving;
const ContactDescription touching;
const LevelSetsDescription grids;
const PostDescription after;
const DressingDescription sewing;

constexpr const char* the_recipes = "the recipe's";
constexpr const char* not_judged = "not judged";
constexpr const char* cache_meaning =
    "where grids are kept: a folder, `\"auto\"` (that of the user) or `\"none\"`";

} // namespace

const KeyGroup keys::scene = {
    "scene",
    {
        text("name", "the file's name", "a name"),
        text("title", "empty", "one line about the scene"),
        text("recipe", whole.recipe, "the set of methods, one of `muslin recipes`"),
        table("parts", "", "stages given to another part than the recipe's: see [parts](#parts)"),
        table("world", "", "gravity and air"),
        table("time", "", "frames and steps"),
        table("solver", "", "the linear solver"),
        table("contact", "", "what contact allows"),
        table("level_sets", "", "how bodies become level sets"),
        table("post", "", "what is done to frames before they are written"),
        table("limits", "", "what the run is judged by"),
        tables("cloth", none, "what is simulated; at least one, or a garment"),
        tables("garment", none, "sewing patterns that are sewn on bodies before the first frame"),
        table("dressing", "", "how garments are sewn, settle and get into the first frame"),
        tables("body", none, "what the cloth may touch"),
        tables("region", none, "named sets of vertices"),
        tables("pin", none, "holds vertices, in one to three directions"),
        tables("rest_stretch", none, "makes cloth longer or shorter than its pattern"),
        tables("rest_angle", none, "creases cloth"),
        tables("pull", none, "springs that draw vertices to a moving point"),
        tables("load", none, "given forces"),
        tables("stitch", none, "joins vertices that lie together"),
        tables("seam", none, "draws vertices together until they meet, and joins them then"),
        tables("sticking", none, "what sticks to a body or to cloth when it comes near"),
        tables("tape", none, "holds vertices to a body"),
        tables("tack", none, "holds parts of cloth together"),
        tables("weight", none, "adds mass"),
        tables("start", none, "where cloths start"),
        tables("connections", none, "layers of connections between any points"),
        tables("force", none, "forces that a program has registered"),
    }};

const KeyGroup keys::parts = {
    "parts",
    {
        text("in_plane", the_recipes, "stretch and shear"),
        text("bending", the_recipes, "bending; `\"none\"` leaves it out"),
        text("weight", the_recipes, "gravity"),
        text("air", the_recipes, "drag and wind; `\"none\"` leaves it out"),
        text("outside", the_recipes, "pulls and loads"),
        text("integrator", the_recipes, "how a step advances"),
        text("strain_limit", the_recipes,
             "impulses that keep edges within limits; `\"none\"` leaves it out"),
        text("step_control", the_recipes, "what a step must keep, and what follows if it does not"),
        text("contact", the_recipes, "contact with bodies and with itself"),
    }};

const KeyGroup keys::force = {
    "force",
    {
        text("type", required, "the name by which the program has registered it"),
        other("numbers", "table of numbers", "empty", {},
              "by the names that the force has for them"),
    }};

const KeyGroup keys::world = {
    "world",
    {
        vec3("gravity", air.gravity, any_number("m/s^2"), "the acceleration of free fall"),
        animated(vec3("wind", Vec3{0, 0, 0}, any_number("m/s"),
                      "velocity of the air; formulas may have `x`, `y`, `z` [m]")),
        number("air_density", air.air_density, at_least(0, "kg/m^3"), "density of the air"),
        number("drag_coefficient", air.drag_coefficient, at_least(0),
               "of the flow normal to the cloth"),
        number("linear_drag", air.linear_drag, at_least(0, "N s/m^3"),
               "pressure per normal speed of the air"),
        number("viscous_drag", air.viscous_drag, at_least(0, "N s/m^3"),
               "force per area and speed of the cloth, whatever its direction"),
    }};

const KeyGroup keys::time = {
    "time",
    {
        integer("frames", steps.frames, at_least(1, {}, 10'000'000), "how many are simulated"),
        number("frame_rate", steps.frame_rate, positive("1/s", 1e6), "frames a second"),
        number(
            "max_step",
            "the recipe's: 1/120 for `muslin`, and up to 1/30 while cloth is near rest; 1/250 for "
            "`volino95`; else one frame",
            positive("s"), "the longest step, at most one frame"),
        number("min_step", "`max_step` / 4096", positive("s"),
               "the shortest step, at most `max_step`; below it the run stops"),
        number("stretch_change_limit", "the recipe's: 0.05 for `muslin`, else 0.2", positive(""),
               "a step that changes the stretch of a triangle by more is taken back"),
        integer("max_steps", steps.max_steps, at_least(1, {}, 1'000'000'000),
                "of one frame, those that fail included"),
    }};

const KeyGroup keys::solver = {
    "solver",
    {
        number("tolerance", "the recipe's: 8e-3 for `muslin`, else 1e-3", positive("", 1),
               "a solve ends at this residual relative to the right side"),
        number("accuracy", "the recipe's: 0.04905 (0.005 g) for `muslin`, none for others",
               positive("m/s^2", 10),
               "a solve of an implicit step ends at this error of the acceleration"),
        integer("max_iterations", {solving.max_iterations, "3000, or the integrator's"},
                at_least(0), "the most of one solve"),
        choice<Preconditioner>("preconditioner", solving.preconditioner,
                               "of the conjugate gradients"),
        integer("newton_iterations", "the recipe's: 20 for `muslin`, else 1", at_least(1, {}, 1000),
                "how often an implicit step is linearised and solved, at most"),
        choice<LineariseAt>("linearise_at",
                            "the recipe's: `\"predicted\"` for `muslin`, else `\"start\"`",
                            "where an implicit step is linearised first"),
        boolean("local_rates", solving.local_rates,
                "elements that can afford it are evaluated less often than others"),
        boolean("stability_control", solving.stability_control,
                "momentum is shared where energy grows as no stable motion lets it"),
        boolean("limit_damping", solving.limit_damping,
                "damping that would shorten explicit steps is reduced instead"),
        boolean("adaptive", solving.adaptive,
                "a step whose error is larger than `error` is taken again, shorter"),
        // Metres: an error of more was meant in millimetres.
        number("error", solving.error, positive("m", 0.1), "the largest of a step"),
    }};

const KeyGroup keys::contact = {
    "contact",
    {
        boolean("allow_tangled", touching.allow_tangled,
                "lets a tangled start begin all the same, with a warning"),
        boolean("untangle", touching.untangle, "separates a tangled start before the first frame"),
        number("relaxation", touching.relaxation, at_least(0, "s", 10),
               "in how long a point that would be inside a body comes to its surface; never below "
               "the step"),
        boolean("consistency", touching.consistency,
                "layers that passed through each other are drawn back to the side where they "
                "belong"),
        number("memory", touching.memory, at_least(0, "s", 10),
               "how long after two places were last near their sides are remembered"),
        // Metres: more was meant in millimetres.
        number("sphere_radius", {touching.sphere_radius, "half the mean edge"},
               at_least(0, "m", 0.5), "of the spheres that cover cloth"),
        choice<BodyMeeting>("bodies", touching.bodies, "how cloth with spheres meets bodies"),
        choice<PairTest>("test", touching.test, "what makes two triangles a pair"),
        choice<PairVolume>("volume", touching.volume, "what the trees over triangles are made of"),
        choice<ResolveAt>("resolve_at", touching.resolve_at, "when collisions are resolved"),
        choice<FrictionLaw>("friction_law", touching.friction_law, "friction on bodies"),
        choice<SelfResponse>("self_response", touching.self_response,
                             "what triangles of cloth do that intersect"),
    }};

const KeyGroup keys::level_sets = {
    "level_sets",
    {
        // Metres: a voxel of 1 would be one of a millimetre mistaken for it.
        number("voxel", "by the body's size and thickness", positive("m", 0.5),
               "the side of a cell of the grid"),
        number("band", "ten voxels", positive("m", 5),
               "how far from the surface the grid is known; at least three voxels"),
        text("cache", grids.cache, cache_meaning),
    }};

const KeyGroup keys::post = {
    "post",
    {
        boolean("enabled",
                "`true` for recipe `bridson03` with the part `forecast_contact`, else `false`",
                "whether cloth is pushed out of bodies before a frame is written"),
        // Metres: what is a finger's breadth or more was meant in millimetres.
        number("epsilon",
               "half the thickest cloth's thickness, at least 0.0005; at most `tau` / 1.5",
               positive("m", 0.05), "the least distance to a body"),
        number("tau", "`epsilon + 4 (depth + epsilon)`, at most 0.5", positive("m", 0.5),
               "cloth farther off stays where it is; at least 1.5 `epsilon`"),
        number("depth", "0.0005", at_least(0, "m", 0.5),
               "how deep in a body cloth is likely to be"),
        integer("subdivide", after.subdivide, at_least(0, "levels", 4),
                "how often the triangles that are written are divided by four"),
    }};

const KeyGroup keys::limits = {
    "limits",
    {
        number("stretch_max", not_judged, positive(""),
               "the longest edge over its rest length; at least `stretch_min`"),
        number("stretch_min", not_judged, at_least(0), "the shortest edge over its rest length"),
        integer("self_intersections", not_judged, at_least(0),
                "pairs of triangles of cloth that cross or touch"),
        integer("body_intersections", not_judged, at_least(0),
                "pairs of a triangle of cloth and one of a body that cross or touch"),
        number("body_penetration_max", not_judged, at_least(0, "m"),
               "depth of a vertex in a closed body; the scene has one, or none at all"),
        integer("seams_open", not_judged, at_least(0), "joints that have not met at the end"),
    }};

const KeyGroup keys::dressing = {
    "dressing",
    {
        number("sew", sewing.sew, positive("s", 1000),
               "the longest that the seams of a layer may take to close"),
        number("stage", sewing.stage, at_least(0, "s", 100),
               "after which seams of the next stage begin to close"),
        number("gravity", sewing.gravity, at_least(0, {}, 1),
               "the share of gravity that acts while seams close"),
        number("friction", sewing.friction, at_least(0, {}, 1),
               "the share of friction that acts while seams close"),
        number("slim", sewing.slim, at_least(0, "m", 0.2),
               "by how much bodies are slimmer while seams of the lowest layer close"),
        number("settle", sewing.settle, at_least(0, "s", 1000),
               "of each layer; bodies grow to their size in its first half, and the cloth comes to "
               "rest on them"),
        number("preroll", sewing.preroll, at_least(0, "s", 1000),
               "from the rest pose into the first frame; only where a body has an animation"),
        boolean("show", sewing.show, "makes these frames part of the run, before its first one"),
        text("cache", sewing.cache,
             "where dressed states are kept: a folder, `\"auto\"` (that of the user) or "
             "`\"none\"`"),
    }};

} // namespace muslin
