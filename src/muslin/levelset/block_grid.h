#pragma once

#include "muslin/base/large_array.h"
#include "muslin/math/vec.h"

#include <array>
#include <cstddef>
#include <vector>

namespace muslin {

/// Where a place lies in a BlockGrid: the first of the eight nodes around it, and how far beyond
/// that node it is, 0 .. 1 of a voxel each way.
struct GridCell {
    int block;        ///< BlockGrid::outside or BlockGrid::inside where nothing is stored
    std::size_t node; ///< of the block grid's arrays
    Vec3 fraction;
};

/// Signed distances at the nodes of a regular grid, kept only near a surface: in blocks of 8 x 8 x
/// 8 nodes, found through a table over the box of them all. Each block repeats the first nodes of
/// the next ones, so that the eight nodes around a place are always in one block. Elsewhere only
/// the side is known.
struct BlockGrid {
    static constexpr int side = 8;
    static constexpr int row = side + 1;              ///< nodes along x, with the repeated one
    static constexpr int plane = row * row;           ///< nodes with one z
    static constexpr std::size_t nodes = row * plane; ///< of a block
    static constexpr int outside = -1, inside = -2;

    double voxel = 1;                  ///< from node to node [m]
    double band = 0;                   ///< how far from the surface distances hold [m]
    Vec3 origin = {0, 0, 0};           ///< of the first block's first node [m]
    std::array<int, 3> blocks{};       ///< of the table along x, y, z
    std::vector<int> table;            ///< the block at each place, x fastest; or outside, inside
    std::vector<int> place;            ///< of each block in the table
    LargeArray<float> values;          ///< [m], `nodes` of each block, x fastest
    std::vector<int> nearest_triangle; ///< the nearest triangle of each value, or -1; may be empty

    std::size_t block_count() const { return place.size(); }

    GridCell find(const Vec3& p) const {
        const double inverse = 1 / voxel;
        const Vec3 at = inverse * (p - origin);
        // Written so that a place that is no number is outside.
        if (!(at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < side * blocks[0] &&
              at.y < side * blocks[1] && at.z < side * blocks[2]))
            return {outside, 0, {0, 0, 0}};
        const int x = static_cast<int>(at.x), y = static_cast<int>(at.y),
                  z = static_cast<int>(at.z);
        const std::size_t cell =
            (static_cast<std::size_t>(z / side) * blocks[1] + y / side) * blocks[0] + x / side;
        const int block = table[cell];
        if (block < 0)
            return {block, 0, {0, 0, 0}};
        return {block,
                block * nodes + (z % side * row + y % side) * row + x % side,
                {at.x - x, at.y - y, at.z - z}};
    }

    /// Where a node is [m]: `node` counts within the block.
    Vec3 position(std::size_t block, std::size_t node) const {
        const int at = place[block], n = static_cast<int>(node);
        const int x = at % blocks[0] * side + n % row,
                  y = at / blocks[0] % blocks[1] * side + n / row % row,
                  z = at / (blocks[0] * blocks[1]) * side + n / plane;
        return origin + voxel * Vec3{double(x), double(y), double(z)};
    }
};

/// A number and its slope per voxel between eight nodes: the trilinear interpolant.
struct Trilinear {
    double value;
    Vec3 slope;
};
template <class T>
inline Trilinear interpolate(const T* v, const Vec3& f) {
    constexpr int y = BlockGrid::row, z = BlockGrid::plane;
    const double d00 = v[1] - v[0], d10 = v[y + 1] - v[y], d01 = v[z + 1] - v[z],
                 d11 = v[z + y + 1] - v[z + y];
    const double c00 = v[0] + f.x * d00, c10 = v[y] + f.x * d10, c01 = v[z] + f.x * d01,
                 c11 = v[z + y] + f.x * d11;
    const double c0 = c00 + f.y * (c10 - c00), c1 = c01 + f.y * (c11 - c01);
    const double d0 = d00 + f.y * (d10 - d00), d1 = d01 + f.y * (d11 - d01);
    const double e0 = c10 - c00, e1 = c11 - c01;
    return {c0 + f.z * (c1 - c0), {d0 + f.z * (d1 - d0), e0 + f.z * (e1 - e0), c1 - c0}};
}

/// Copies what each block has at its first nodes to the blocks that repeat them; where there is no
/// block, `outside` or `inside` takes the place of the values.
template <class T, class Array>
void fill_repeated_nodes(const BlockGrid& grid, Array& values, T outside, T inside) {
    constexpr int side = BlockGrid::side, row = BlockGrid::row;
    const auto& n = grid.blocks;
    for (std::size_t b = 0; b < grid.block_count(); ++b) {
        const int at = grid.place[b];
        const int bx = at % n[0], by = at / n[0] % n[1], bz = at / (n[0] * n[1]);
        for (int z = 0; z < row; ++z)
            for (int y = 0; y < row; ++y)
                for (int x = z < side && y < side ? side : 0; x < row; ++x) {
                    const int cx = bx + x / side, cy = by + y / side, cz = bz + z / side;
                    const int other =
                        cx < n[0] && cy < n[1] && cz < n[2]
                            ? grid.table[(static_cast<std::size_t>(cz) * n[1] + cy) * n[0] + cx]
                            : BlockGrid::outside;
                    T& value = values[b * BlockGrid::nodes + (z * row + y) * row + x];
                    if (other >= 0)
                        value = values[other * BlockGrid::nodes +
                                       (z % side * row + y % side) * row + x % side];
                    else
                        value = other == BlockGrid::outside ? outside : inside;
                }
    }
}

} // namespace muslin
