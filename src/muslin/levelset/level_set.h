#pragma once

#include "muslin/levelset/block_grid.h"
#include "muslin/mesh/measure.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace muslin {

// The signed distance to a closed surface on a grid, known within a band around it
// [Bridson03 5.1]. docs/level-sets.md says how exact and how dear it is.

struct LevelSetSettings {
    double voxel = 0.01; ///< from node to node of the grid [m]
    double band = 0.05;  ///< how far from the surface distances are known, either side [m]
    /// Whether to keep the nearest triangle of each node, which velocities are carried by
    /// (levelset/velocity_extension.h). Doubles the memory.
    bool nearest_triangles = false;
};

/// What a surface is to a place.
struct LevelSetSample {
    double distance = 0;     ///< negative inside [m]; +-band beyond the band
    Vec3 normal = {0, 0, 0}; ///< the way out, unit length; zero beyond the band
};

/// A box along the axes [m].
struct Bounds {
    Vec3 low = {0, 0, 0}, high = {0, 0, 0};
};

/// Throws what LevelSet::from_mesh would throw of the same, without making anything.
void check_level_set(const TriangleView& surface, const LevelSetSettings& settings);

/// Does not change once made, and copies share their numbers: passing one around is cheap, and any
/// number of threads may ask it.
class LevelSet {
public:
    /// Outside of nothing: every place is at a distance of 0 without normal.
    LevelSet() : grid_(empty_grid()) {}

    /// Of a closed surface (mesh/penetration.h, is_closed); one that crosses itself, as limbs do,
    /// counts as the union of its parts. InputError for a surface that is not closed or not
    /// finite, a voxel or band that is not positive, and a grid that would be too large.
    static LevelSet from_mesh(const TriangleView& surface, const LevelSetSettings&);

    /// The distances of a grid that is at hand.
    explicit LevelSet(BlockGrid grid);

    double voxel_size() const { return grid_->voxel; } ///< [m]
    double band() const { return grid_->band; }        ///< [m]
    /// Of what the grid stores; everything farther out is outside.
    Bounds bounds() const;
    /// For tests and benchmarks: what the numbers take [bytes].
    std::size_t memory() const;
    bool empty() const { return grid_->block_count() == 0; }

    double distance(const Vec3& place) const { return sample(place).distance; }

    /// By trilinear interpolation; the normal is the interpolant's gradient at unit length.
    LevelSetSample sample(const Vec3& place) const {
        const GridCell cell = grid_->find(place);
        const double band = grid_->band;
        if (cell.block < 0)
            return {cell.block == BlockGrid::outside ? band : -band, {0, 0, 0}};
        const Trilinear t = interpolate(grid_->values.data() + cell.node, cell.fraction);
        if (t.value >= band)
            return {band, {0, 0, 0}};
        if (t.value <= -band)
            return {-band, {0, 0, 0}};
        const double length = norm(t.slope);
        return {t.value, length > 0 ? (1 / length) * t.slope : Vec3{0, 0, 0}};
    }

    /// One sample for each place, on all threads.
    void sample(std::span<const Vec3> places, std::span<LevelSetSample> out) const;

    const BlockGrid& grid() const { return *grid_; }

private:
    static std::shared_ptr<const BlockGrid> empty_grid();

    std::shared_ptr<const BlockGrid> grid_;
};

} // namespace muslin
