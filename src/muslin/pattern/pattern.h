#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <string>
#include <vector>

namespace muslin {

/// How an edge of a panel runs from its start to its end.
struct PatternCurve {
    enum class Kind { line, quadratic, cubic, arc };
    Kind kind = Kind::line;
    std::array<Vec2, 2> controls = {}; ///< of a Bezier curve, in the panel's coordinates [m]
    double radius = 0;                 ///< of an arc [m]
    bool large = false;                ///< the arc is the longer one of the two
    bool right = false;                ///< the arc bulges to the right of start to end
};

struct PatternEdge {
    int start = 0, end = 0; ///< indices into PatternPanel::vertices
    PatternCurve curve;
    std::string label; ///< optional
};

/// Bends a panel about an axis before it is placed, so that it stands around a body.
struct PanelWrap {
    double radius = 0; ///< of the cylinder that the panel lies on [m]; 0: the panel stays flat
    double angle = 0;  ///< of the cylinder's axis to the panel's y, in its plane [degrees]
};

/// A flat piece of cloth. Its outer loop comes first in `edges`, then holes; in each loop an edge
/// ends where the next one starts, and the last ends where the first starts. An edge is known by
/// its index. The outer side is up (+z of the panel) where the outer loop is counter-clockwise, and
/// down where it is clockwise.
struct PatternPanel {
    std::string name;
    std::vector<Vec2> vertices; ///< [m], y up
    std::vector<PatternEdge> edges;
    std::vector<int> loops = {0}; ///< the first edge of each loop
    Vec3 translation = {0, 0, 0}; ///< [m]; world = rotation * (x, y, 0) + translation
    Vec3 rotation = {0, 0, 0};    ///< [degrees], about x, then y, then z
    PanelWrap wrap;
    std::string label; ///< of the body part that it is for; optional
};

/// Two edges that are sewn together, point by point by their share of the length.
struct PatternStitch {
    struct Side {
        int panel = 0, edge = 0;
    };
    std::array<Side, 2> sides;
    bool direct = false; ///< start meets start; else start meets end, as faces that look one way do
    int stage = 0;       ///< seams of a stage close after those of the stages before
    std::string name;    ///< optional
};

/// A sewing pattern: what garments are cut and sewn from.
struct Pattern {
    std::string name;
    std::vector<PatternPanel> panels;
    std::vector<PatternStitch> stitches;
};

} // namespace muslin
