#pragma once

#include "muslin/mesh/predicates.h"

namespace muslin {

// Whether two triangles intersect: the interval test of [Moeller 1997], decided exactly for the
// positions as they are stored, by exact arithmetic where rounding leaves a sign open, and so on
// the host alone. (Coordinates are taken to be 0 or between 1e-90 and 1e90.)
//
// The corners of each triangle are on the sides of the other's plane; where none of the two is all
// on one side, both triangles cut the line that the planes share in an interval, and they intersect
// where the intervals overlap. An end of an interval lies on an edge. Which of two ends comes first
// is the orientation of the two edges [Guigue, Devillers 2003], so that no end is ever computed
// and nothing is divided. Each sign is taken from doubles where their rounding cannot have changed
// it and from exact arithmetic (mesh/predicates.h) elsewhere. What lies in one plane, and triangles
// without area, which are segments or points, are decided in the plane or on the line.

/// Whether two closed triangles have a point in common; touching counts. Sets `exact` where
/// rounding left a sign open, and leaves it alone elsewhere.
bool triangles_intersect(const Corners& a, const Corners& b, bool& exact);

inline bool triangles_intersect(const Corners& a, const Corners& b) {
    bool exact = false;
    return triangles_intersect(a, b, exact);
}

} // namespace muslin
