// The tables of a sewing pattern in TOML.
#include "muslin/scene/description.h"
#include "muslin/scene/key_rows.h"
#include "muslin/scene/length_unit.h"
#include "muslin/scene/pattern_keys.h"

namespace muslin {
namespace {

using namespace key_rows;

constexpr const char* point_pairs = "array of pairs of numbers";

} // namespace

const KeyGroup pattern_keys::pattern = {
    "pattern",
    {
        text("name", "that of the file", "of the pattern"),
        text("title", "empty", "a line for people"),
        choice<LengthUnit>("unit", required, "of all lengths"),
        table("sizes", none, "names for numbers, as in the example"),
        tables("panel", required, "the pieces; at least one"),
        other(
            "sew", "array of pairs", none, {},
            "pairs of edges to be sewn together, `[\"PANEL.EDGE\", \"PANEL.EDGE\"]`, with a stage "
            "if any, `[\"PANEL.EDGE\", \"PANEL.EDGE\", 1]`: short for `[[seam]]`"),
        tables("seam", none, "seams with more to say; they come after those of `sew`"),
    }};

const KeyGroup pattern_keys::panel = {
    "panel",
    {
        text("name", required, "without dots"),
        text("like", none,
             "an earlier panel: its keys count here too, where this panel does not give them "
             "itself"),
        other("points", point_pairs, required, {},
              "the corners `[x, y]` of the outline in turn, either way around"),
        other("edges", "array of strings and tables", "straight, without names", {},
              "for each point the edge from it to the next one: its name, `\"\"` for none, or a "
              "table ([edge](#edge))"),
        tables("hole", none, "outlines to be cut out of it ([hole](#hole))"),
        text(
            "fold", none,
            "an edge on which the panel is folded: what is drawn is one half, and the other is its "
            "mirror image"),
        boolean(
            "mirror", false,
            "a pair is cut. The second panel, `NAME.mirror`, is the image, also of its place: x "
            "becomes -x"),
        choice("outer", "`\"up\"`", {"up", "down"},
               "which side of the drawing is the outer side of the cloth. A back that is drawn as "
               "seen from the front is `\"down\"`"),
        vec3("position", "the origin", {}, "where its origin is in the world"),
        vec3("rotation", Vec3{0, 0, 0}, any_number("degrees"), "about x, then y, then z"),
        table("wrap", none, "bends the panel before it is placed ([wrap](#wrap))"),
        text("label", none, "the part of the body that it is for"),
    }};

const KeyGroup pattern_keys::edge = {
    "edge",
    {
        text("name", none, "by which seams know it; differs from the panel's others"),
        text("label", "the name", "for regions"),
        other("quadratic", "two numbers", none, {},
              "the control point `[x, y]` of a quadratic Bézier curve"),
        other("cubic", point_pairs, none, {}, "the two control points of a cubic Bézier curve"),
        number(
            "bulge", none, {},
            "a circular arc, by how far its middle is from the straight line: to the right of the "
            "way from start to end where positive, which is outward where points go "
            "counter-clockwise"),
        number("radius", none, {}, "a circular arc, by its radius; to the right where positive"),
        boolean("large", false, "with `radius`: the longer one of the two arcs"),
    }};

const KeyGroup pattern_keys::hole = {
    "hole",
    {
        other("points", point_pairs, required, {}, "as for a panel"),
        other("edges", "array of strings and tables", "straight, without names", {},
              "as for a panel; they are numbered on from the panel's"),
    }};

const KeyGroup pattern_keys::wrap = {
    "wrap",
    {
        number("radius", required, positive(""), "of the cylinder that the panel is bent onto"),
        number("angle", 0, any_number("degrees"),
               "of the cylinder's axis to the panel's y, in the plane of the panel"),
    }};

const KeyGroup pattern_keys::seam = {
    "seam",
    {
        other("sides", "two strings", required, {},
              "two edges: `\"PANEL.EDGE\"` by name or number, `\"PANEL.mirror.EDGE\"` for the edge "
              "on "
              "the other half of a panel with `fold`, or on the second piece of one with `mirror`"),
        text("name", none, "for messages and reports"),
        boolean("direct", false, "start meets start"),
        integer("stage", 0, at_least(0), "seams of a stage close after those of the stages before"),
        boolean("mirror", true,
                "where both panels have a mirror image, so has the seam; `false`: only what is "
                "written is sewn"),
    }};

std::vector<const KeyGroup*> pattern_keys::all() {
    return {&pattern, &panel, &edge, &hole, &wrap, &seam};
}

} // namespace muslin
