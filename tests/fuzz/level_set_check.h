#pragma once

#include "fuzz.h"

#include "muslin/levelset/level_set.h"

namespace muslin::fuzz {

inline void check_level_set(const LevelSet& level_set) {
    const BlockGrid& grid = level_set.grid();
    require(std::isfinite(grid.voxel) && grid.voxel > 0, "a voxel");
    require(std::isfinite(grid.band) && grid.band > 0, "a band");
    require(all_finite(grid.values), "finite distances");
    require(all_within(grid.table, BlockGrid::inside, grid.block_count()), "blocks of the table");
    const Bounds box = level_set.bounds();
    require(is_finite(box.low) && is_finite(box.high), "finite bounds");
    for (const double share : {-0.1, 0.0, 0.3, 0.5, 1.0}) {
        const Vec3 place = box.low + share * (box.high - box.low);
        const LevelSetSample sample = level_set.sample(place);
        require(std::isfinite(sample.distance) && is_finite(sample.normal), "a distance");
    }
}

} // namespace muslin::fuzz
