#include "muslin/levelset/vdb.h"

#include "muslin/base/parallel.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin::vdb {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;
using openvdb::Int32Grid;

void start() {
    static const bool started = (openvdb::initialize(), true);
    (void)started;
}

/// Runs a function on as many threads of TBB, which OpenVDB works with, as our own loops use.
template <class Function>
auto on_threads(Function&& function) {
    tbb::task_arena arena(thread_count());
    return arena.execute(function);
}

/// The block of each leaf of a tree, and the side of everything else in the box of all leaves.
/// `corner` is the index of the first block's first node.
Coord lay_out(const FloatGrid::TreeType& tree, BlockGrid& grid) {
    Coord low = Coord::max(), high = Coord::min();
    for (auto leaf = tree.cbeginLeaf(); leaf; ++leaf) {
        low.minComponent(leaf->origin());
        high.maxComponent(leaf->origin());
    }
    if (low == Coord::max())
        return Coord(0);
    for (int k = 0; k < 3; ++k)
        grid.blocks[k] = (high[k] - low[k]) / BlockGrid::side + 1;
    grid.table.reserve(static_cast<std::size_t>(grid.blocks[0]) * grid.blocks[1] * grid.blocks[2]);
    for (int z = 0; z < grid.blocks[2]; ++z)
        for (int y = 0; y < grid.blocks[1]; ++y)
            for (int x = 0; x < grid.blocks[0]; ++x) {
                const Coord first =
                    low + Coord(x * BlockGrid::side, y * BlockGrid::side, z * BlockGrid::side);
                if (tree.probeConstLeaf(first) != nullptr) {
                    const int place = static_cast<int>(grid.table.size());
                    grid.table.push_back(static_cast<int>(grid.place.size()));
                    grid.place.push_back(place);
                } else
                    grid.table.push_back(tree.getValue(first) < 0 ? BlockGrid::inside
                                                                  : BlockGrid::outside);
            }
    return low;
}

Coord first_node(const BlockGrid& grid, std::size_t block, const Coord& corner) {
    constexpr int side = BlockGrid::side;
    const int at = grid.place[block], x = at % grid.blocks[0],
              y = at / grid.blocks[0] % grid.blocks[1], z = at / (grid.blocks[0] * grid.blocks[1]);
    return corner + Coord(x * side, y * side, z * side);
}

/// Copies the values of a tree, and of those at its borders. A leaf has z fastest, a block x.
template <class Tree, class Array, class Value>
void copy_values(const Tree& tree, const BlockGrid& grid, const Coord& corner, Array& out,
                 Value outside, Value inside) {
    constexpr int side = BlockGrid::side, row = BlockGrid::row;
    out.resize(grid.block_count() * BlockGrid::nodes);
    for (std::size_t b = 0; b < grid.block_count(); ++b) {
        const auto* leaf = tree.probeConstLeaf(first_node(grid, b, corner));
        const auto* from = leaf != nullptr ? leaf->buffer().data() : nullptr;
        for (int z = 0; z < side; ++z)
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x)
                    out[b * BlockGrid::nodes + (z * row + y) * row + x] =
                        from != nullptr ? from[(x * side + y) * side + z] : outside;
    }
    fill_repeated_nodes(grid, out, outside, inside);
}

} // namespace

BlockGrid voxelize(const TriangleView& surface, const LevelSetSettings& settings) {
    start();
    const double h = settings.voxel;
    const auto rounded = [h](double x) { return std::floor(x / h); };
    Vec3 low = surface.positions[surface.triangles[0][0]];
    for (const auto& t : surface.triangles)
        for (const int v : t)
            for (int k = 0; k < 3; ++k)
                low[k] = std::min(low[k], surface.positions[v][k]);
    // OpenVDB takes places as 32-bit numbers, counted in voxels: from near the body, not from the
    // origin of its space. Whole voxels away, so that moving a body does not shift it in its grid.
    const Vec3 base = {rounded(low.x), rounded(low.y), rounded(low.z)};
    std::vector<openvdb::Vec3s> points;
    points.reserve(surface.positions.size());
    for (const Vec3& p : surface.positions)
        points.emplace_back(p.x / h - base.x, p.y / h - base.y, p.z / h - base.z);
    std::vector<openvdb::Vec3I> triangles;
    triangles.reserve(surface.triangles.size());
    for (const auto& t : surface.triangles)
        triangles.emplace_back(t[0], t[1], t[2]);

    // Renormalising would smooth the distances, which are exact as they are.
    const auto width = static_cast<float>(settings.band / h + 2);
    const auto transform = openvdb::math::Transform::createLinearTransform(h);
    Int32Grid nearest(openvdb::Int32(-1));
    const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> mesh(
        points, triangles);
    const FloatGrid::Ptr made = on_threads([&] {
        openvdb::util::NullInterrupter never;
        return openvdb::tools::meshToVolume<FloatGrid>(never, mesh, *transform, width, width,
                                                       openvdb::tools::DISABLE_RENORMALIZATION,
                                                       &nearest);
    });

    BlockGrid grid;
    grid.voxel = h;
    grid.band = settings.band;
    const Coord corner = lay_out(made->tree(), grid);
    grid.origin = h * (base + Vec3{double(corner.x()), double(corner.y()), double(corner.z())});
    copy_values(made->tree(), grid, corner, grid.values, made->background(), -made->background());
    copy_values(nearest.tree(), grid, corner, grid.nearest_surface, -1, -1);
    return grid;
}

} // namespace muslin::vdb
