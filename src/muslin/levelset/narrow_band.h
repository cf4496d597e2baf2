#pragma once

#include "muslin/levelset/level_set.h"

namespace muslin {

/// The signed distances to a closed surface in a band around it, exact at every node up to the
/// rounding of 32-bit numbers, and known two voxels farther than the band, so that all eight nodes
/// around a place within it are. The side is the winding number's, as in mesh/penetration.h;
/// triangles that lie wholly inside, as those of limbs that cross, are no surface. The work goes
/// with the area of the surface, not with the volume of its box. The same bits for any number of
/// threads.
BlockGrid make_narrow_band(const TriangleView& surface, const LevelSetSettings& settings);

} // namespace muslin
