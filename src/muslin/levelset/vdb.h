#pragma once

#include "muslin/levelset/level_set.h"

// The door to OpenVDB: its headers are included by vdb.cpp alone, as they take long to compile.

namespace muslin::vdb {

/// The narrow band of a closed surface. Distances are exact to the rounding of 32-bit numbers, and
/// known two voxels farther than the band, so that all eight nodes around a place within it are.
BlockGrid voxelize(const TriangleView& surface, const LevelSetSettings& settings);

} // namespace muslin::vdb
