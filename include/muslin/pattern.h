#pragma once

#include "muslin/vec.h"

#include <filesystem>
#include <string>
#include <vector>

namespace muslin::api {

/// How an edge of a panel runs from one corner to the next.
struct PanelEdge {
    std::string name = {}; ///< by which seams know it; else its number, from 0
    /// None: a straight edge; one or two control points of a Bezier curve [m].
    std::vector<Vec2> controls = {};
    /// Of a straight edge: makes it an arc whose middle is so far to the right of it [m]; outward
    /// where points go counter-clockwise.
    double bulge = 0;
};

/// A flat piece of cloth, and where it stands before it is sewn.
struct Panel {
    std::string name = {};
    std::vector<Vec2> points = {}; ///< corners of the outline in turn [m]; y is along the grain
    /// The edge from each point to the next; empty: straight ones without names.
    std::vector<PanelEdge> edges = {};
    /// The name of an edge on which the cloth is folded: what is given is then one half.
    std::string fold = {};
    bool mirror = false;        ///< a pair is cut: "NAME" and "NAME.mirror"
    bool outer_is_down = false; ///< the outer side is that which the drawing does not show
    Vec3 position = {};         ///< of the panel's origin [m]; bodies face +z
    Vec3 rotation = {};         ///< about x, then y, then z [degrees]
    double wrap_radius =
        0; ///< of an upright cylinder that the panel is bent onto [m]; 0: it is flat
};

/// Two edges that are sewn together: "PANEL.EDGE", or "PANEL.mirror.EDGE" of a mirrored half. Where
/// both panels have a mirror image, so has the stitch.
struct Stitch {
    std::string first = {}, second = {};
    int stage = 0;       ///< those of a stage close after those of the stages before
    bool direct = false; ///< start meets start; else start meets end
};

/// A sewing pattern: what garments are cut and sewn from.
struct Pattern {
    std::string name = "pattern";
    std::vector<Panel> panels = {};
    std::vector<Stitch> stitches = {};
};

/// The pattern as a file holds it (docs/pattern-format.md), in metres. A garment takes it back by
/// the name of the file. Throws InputError where it cannot be cut or sewn.
std::string to_text(const Pattern& pattern);

/// The names of the built-in patterns.
std::vector<std::string> pattern_names();

} // namespace muslin::api
