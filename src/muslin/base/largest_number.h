#pragma once

namespace muslin {

/// Numbers of a scene, places and velocities that are larger are refused: products of a few of them
/// and sums over all particles are to stay finite, and the single precision of point caches must
/// hold places.
inline constexpr double largest_number = 1e30; // in any unit

} // namespace muslin
