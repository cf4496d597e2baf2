#pragma once

#include "muslin/levelset/level_set.h"

#include <span>

namespace muslin {

/// A level set that has been turned and moved as a whole: place = rotation * own + translation.
struct PlacedLevelSet {
    LevelSet level_set;
    Mat3 rotation = Mat3::identity();
    Vec3 translation = {0, 0, 0}; ///< [m]

    LevelSetSample sample(const Vec3& place) const {
        LevelSetSample s = level_set.sample(transpose(rotation) * (place - translation));
        s.normal = rotation * s.normal;
        return s;
    }
};

// The union of parts: the smallest of their distances [Bridson03 5.1]. Outside all of them it is
// the distance to the nearest. Inside two it is that to the part in which the place lies deeper,
// and its normal leads out of that part: the normals of both sides of the surface where two parts
// are equally deep lead to that surface. Depth, the distance with its sign turned, has its local
// minimum there. What is caught between two limbs belongs on it, so such places are marked.

struct UnionSample {
    double distance = 0;     ///< [m]
    Vec3 normal = {0, 0, 0}; ///< the way out of `part`; zero beyond its band
    int part = -1;           ///< whose distance it is, the first of equals; -1 beyond all bands
    bool pinched = false;    ///< inside two or more parts
};
UnionSample sample_union(std::span<const PlacedLevelSet> parts, const Vec3& place);
/// For tests and benchmarks: one sample for each place, on all threads.
void sample_union(std::span<const PlacedLevelSet> parts, std::span<const Vec3> places,
                  std::span<UnionSample> out);

/// The union as a grid of its own, with the smallest voxel and the narrowest band of the parts. Its
/// nodes are interpolated from theirs: the error is of the second order of a voxel.
/// Only tests ask for it so far: the engine meets bodies one by one.
LevelSet unite(std::span<const PlacedLevelSet> parts);

} // namespace muslin
