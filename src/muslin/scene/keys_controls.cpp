// The tables of what acts on parts of cloth.
#include "muslin/scene/description.h"
#include "muslin/scene/key_rows.h"

namespace muslin {
namespace {

using namespace key_rows;

// Their initialisers are the defaults.
const PullDescription pulling;
const StitchDescription stitching;
const SeamDescription sewing;
const StickingDescription sticky;
const ConnectionsDescription linked;
const TimeWindow window;
const RegionDescription::Map chosen;

Key optional_name(std::string meaning) {
    return text("name", none, std::move(meaning));
}

/// Which vertices of a cloth: of a region, and of whatever may select its own.
const Rows selectors = {
    other("vertices", "array of integers", "", at_least(0),
          "numbers of the mesh, from 0, each once"),
    table("box", "", "all vertices in a [box](#box)"),
    text("group", "", "a named group of the mesh file"),
    other("map", "string or table", "", {}, "a per-vertex map of the mesh file: [map](#map)"),
    other("nearest", "array of points", "", any_number("m"),
          "for each point the vertex nearest to it"),
};

Rows selection(const char* none_given) {
    return Rows{text("region", none_given,
                     "the name of a region; or one of the five selectors below"),
                text("cloth", "the only cloth", "with a selector: the name of a cloth")} +
           selectors;
}

const Rows time_window = {
    number("start", window.start, any_number("s"), "when it begins to act"),
    number("end", "never", any_number("s"), "when it ceases to, after `start`"),
};

const Rows sticky_part = {
    table("body_box", "the whole body",
          "as a region's `box`: triangles of the body with all three corners in it at the start"),
    other("body_vertices", "array of integers", "the whole body", at_least(0),
          "triangles with all three corners among these; not with `body_box`"),
};

const Rows sticky_spring =
    Rows{
        number("stiffness", sticky.stiffness, positive("N/m"), "of each vertex"),
        number("damping", sticky.damping, at_least(0, "N s/m"),
               "of each vertex, besides `stiffness` times `interval`"),
        number("interval", sticky.interval, at_least(0, "s"),
               "the spring acts between the places predicted for the end of this time"),
        animated(number("strength", 1, at_least(0),
                        "factor of stiffness and damping; at 0 nothing sticks")),
    } +
    time_window;

const Key reach = number("tolerance", "no limit", positive("m"),
                         "vertices further away are not held until they come as near");

} // namespace

const KeyGroup keys::region = {
    "region", Rows{text("name", required, "a name no other region has"),
                   text("cloth", "the only cloth", "the name of a cloth")} +
                  selectors + Rows{choice<LayerKind>("layer", "", "the vertices of a layer")}};

const KeyGroup keys::box = {
    "box",
    {
        vec3("min", required, any_number("m"), "the corner of the least coordinates"),
        vec3("max", required, any_number("m"), "no coordinate below that of `min`"),
    }};

const KeyGroup keys::map = {
    "map",
    {
        text("name", required,
             "a per-vertex number of the mesh file, such as a PLY property; of a garment, an edge"),
        number("threshold", chosen.threshold, any_number(""),
               "vertices with a value of at least this"),
    }};

const KeyGroup keys::pin = {
    "pin",
    Rows{optional_name("a name no other pin has")} + selection("") +
        Rows{
            choice("hold", "`\"point\"`",
                   {"point", "directions", "line", "circle", "plane", "sphere", "cylinder"},
                   "what vertices are held to"),
            other("directions", "array of 1 to 3 vectors", required, any_number(""),
                  "of `\"directions\"`; independent"),
            vec3("point", required, any_number("m"), "of `\"line\"`, `\"plane\"`, `\"cylinder\"`"),
            vec3("direction", required, any_number(""), "of `\"line\"`; not zero"),
            vec3("center", required, any_number("m"), "of `\"circle\"`, `\"sphere\"`"),
            vec3("normal", required, any_number(""), "of `\"circle\"`, `\"plane\"`; not zero"),
            vec3("axis", required, any_number(""), "of `\"cylinder\"`; not zero"),
            number("radius", required, positive("m"),
                   "of `\"circle\"`, `\"sphere\"`, `\"cylinder\"`"),
            table("motion", "at rest", "see [motion](#motion)"),
            other("animation", "path or table", none, {},
                  "of `\"point\"` and `\"directions\"`; see [animation](#animation)"),
        } +
        time_window};

// Rest lengths of zero, or of many times the cloth, fold triangles over.
const KeyGroup keys::rest_stretch = {
    "rest_stretch",
    Rows{optional_name("a name no other rest stretch has")} + selection("the whole cloth") +
        Rows{
            animated(number("b_u", 1, between(0.05, 20, {}, "1 is the length of the pattern"),
                            "the length along u over that of the pattern")),
            animated(number("b_v", 1, between(0.05, 20, {}, "1 is the length of the pattern"),
                            "the length along v over that of the pattern")),
        }};

const KeyGroup keys::rest_angle = {
    "rest_angle",
    Rows{optional_name("a name no other rest angle has")} + selection("the whole cloth") +
        Rows{number("angle", required, between(-170, 170, "degrees", "180 is a fold on itself"),
                    "positive: a ridge seen from the outside")}};

const KeyGroup keys::pull = {
    "pull", Rows{optional_name("a name no other pull has")} + selection("") +
                Rows{
                    animated(vec3("target", required, any_number("m"), "the point that draws")),
                    number("stiffness", pulling.stiffness, positive("N/m"), "of each vertex"),
                    number("damping", pulling.damping, at_least(0, "N s/m"), "of each vertex"),
                } +
                time_window};

const KeyGroup keys::load = {
    "load",
    Rows{optional_name("a name no other load has")} + selection("") +
        Rows{animated(vec3("force", required, any_number("N"), "on all vertices together"))} +
        time_window};

const KeyGroup keys::stitch = {
    "stitch",
    {
        optional_name("a name no other stitch has"),
        other("regions", "array of strings", required, {}, "at least one name of a region"),
        number("distance", stitching.distance, positive("m"), "within which vertices are joined"),
    }};

const KeyGroup keys::seam = {
    "seam",
    Rows{
        optional_name("a name no other seam has"),
        other("regions", "array of two", none, {},
              "names of regions, or tables of a `cloth` and a selector as in [region](#region)"),
        other("joints", "array of arrays of vertices", none, at_least(0),
              "a vertex is `[cloth, number]`; two or more for each joint"),
        number("stiffness", "`max_force` over a hundredth of the edges along the seam",
               positive("N/m"), "per vertex"),
        number("damping", "`max_force` over 2 m/s", at_least(0, "N s/m"), "per vertex"),
        number("max_force", "what stretches the softest cloth by 10 %", positive("N"),
               "of a joint of two vertices"),
        number("ramp", sewing.ramp, at_least(0, "s"),
               "how long the force takes to grow to its most"),
        number(
            "meet_distance",
            "twice the thickness of the cloth; at least a hundredth, at most a tenth of the edges "
            "along the seam; never less than 1.2 thicknesses",
            positive("m"), "within which a joint is one"),
    } + time_window};

const KeyGroup keys::sticking = {
    "sticking",
    Rows{optional_name("a name no other sticking has")} + selection("") +
        Rows{
            text("body", "", "the name of a body that is sticky; either this or `to_region`"),
            text("to_region", "",
                 "the name of a region whose triangles are sticky: those with all three corners in "
                 "it")} +
        sticky_part +
        Rows{number("tolerance", sticky.tolerance, positive("m"),
                    "a vertex sticks to all sticky triangles that are as near"),
             number("break_distance", "0.02, or four times `tolerance` where that is more",
                    positive("m"),
                    "a bond this long ends, and fades on the way; more than `tolerance`")} +
        sticky_spring};

const KeyGroup keys::tape = {"tape", Rows{optional_name("a name no other tape has")} +
                                         selection("") +
                                         Rows{text("body", required, "the name of a body")} +
                                         sticky_part + Rows{reach} + sticky_spring};

const KeyGroup keys::tack = {
    "tack",
    Rows{optional_name("a name no other tack has"),
         other("regions", "array of strings", required, {}, "the names of two regions"), reach} +
        sticky_spring};

const KeyGroup keys::weight = {
    "weight",
    Rows{optional_name("a name no other weight has")} + selection("") +
        Rows{
            number("mass", "", positive("kg"),
                   "shared out as the vertices' own mass is; either this or `mass_per_length`"),
            number("mass_per_length", "", positive("kg/m"),
                   "along the edges of the cloth's border with both ends in the region"),
        }};

const KeyGroup keys::start = {
    "start",
    {
        text("cloth", "the only cloth", "the name of a cloth that has no other start"),
        text("path", required,
             "a mesh file, `.obj`, `.ply` or `.off`, in metres, y up, with as many vertices in the "
             "same order; of a cloth with points besides its surface: with all points in their "
             "numbering"),
    }};

const KeyGroup keys::connections = {
    "connections",
    Rows{optional_name("a name no other connections have"),
         text("region", "", "the name of a region, whose points are joined with each other, or"),
         text("cloth", "the only cloth", "whose points are, all of them, or those of a selector")} +
        selectors +
        Rows{
            other("between", "two names of regions", "", {},
                  "points of the first with points of the second"),
            choice<ConnectionRule>("rule", required, "which points are joined"),
            choice<LayerKind>("layer", linked.layer, "whose edges or second neighbours"),
            number("distance", "required with `within`", positive("m"), "the longest"),
            integer("count", "required with `nearest`", at_least(1, {}, 1000),
                    "how many from each point"),
            other("pairs", "array of pairs of integers", "required with `pairs`", at_least(0),
                  "vertices of the cloth"),
            choice<ConnectionRest>("rest", linked.rest, "where the rest length is measured"),
            number("stiffness", "", positive("N/m", 1e9), "of each connection, or"),
            number("modulus", "", positive("Pa", 1e12, "1 MPa is 1e6 Pa"), "of all together"),
            number("volume", "that of the closed surface", positive("m^3"),
                   "that the modulus is of"),
            number("damping", "`relaxation` times the stiffness", at_least(0, "N s/m", 1e9),
                   "of each connection"),
            number("relaxation", linked.relaxation, at_least(0, "s", 10), "damping over stiffness"),
            text("potential", "`\"quadratic\"`",
                 "`\"quadratic\"`, `\"exponential\"`, or a formula [J]"),
            number("sharpness", linked.potential.sharpness, positive({}, 1e3),
                   "of `\"exponential\"`"),
        }};

const KeyGroup keys::keyframe = {
    "keyframe",
    {
        number("t", required, any_number("s"), "after the keyframe before"),
        other("value", "as the key it stands for", required, {}, "at that time"),
    }};

} // namespace muslin
