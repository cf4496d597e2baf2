#pragma once

#include "muslin/levelset/level_set.h"

#include <array>
#include <vector>

namespace muslin {

// The paper's own way to distances [Bridson03 5.1]: small values of the right sign, then fast
// marching [Tsitsiklis 1995, Sethian 1996]. Every node of a box is stored, and the work
// goes with the volume of the box: the referee of the narrow band, not its maker.

/// Numbers at every node of a box.
struct DenseGrid {
    double voxel = 1;             ///< from node to node [m]
    Vec3 origin = {0, 0, 0};      ///< of the first node [m]
    std::array<int, 3> nodes{};   ///< along x, y, z
    std::vector<double> distance; ///< negative inside [m]; x fastest

    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * nodes[1] + y) * nodes[0] + x;
    }
    Vec3 position(int x, int y, int z) const {
        return origin + voxel * Vec3{double(x), double(y), double(z)};
    }
};

/// Turns values into signed distances. Before, each node has the sign of its side; those that are
/// `known` keep their values. The others get the solution of |grad phi| = 1 that goes on from
/// these, outward and inward, upwind, nearest first. Nodes farther than `limit` [m] get +-limit, as
/// do those that no known node leads to.
void march(DenseGrid& grid, const std::vector<char>& known, double limit);

/// For tests and benchmarks: distances to a closed surface in its box and `settings.band` around,
/// exact at nodes next to it, marched up to the band at others, with sides by the winding number.
DenseGrid make_marched_distance(const TriangleView& surface, const LevelSetSettings& settings);

} // namespace muslin
