#pragma once

#include "muslin/levelset/level_set.h"

namespace muslin {

/// Carries the velocity of a deforming surface off it, constant along normals [Bridson03 5.1]: at
/// each node of the grid stands that of the nearest point of the surface, and between nodes it is
/// interpolated as distances are. Nothing is stored: a place asks its eight nodes, so the same
/// level set serves any velocities.
class VelocityExtension {
public:
    /// The level set must know its nearest triangles, and `surface` be what it was made from;
    /// `velocities` [m/s] has one for each position. All must outlive this.
    VelocityExtension(const LevelSet& level_set, const TriangleView& surface,
                      std::span<const Vec3> velocities);

    /// Zero where distances are not known [m/s].
    Vec3 at(const Vec3& place) const;

private:
    const BlockGrid* grid_;
    TriangleView surface_;
    std::span<const Vec3> velocities_;
};

} // namespace muslin
