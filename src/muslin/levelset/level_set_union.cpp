#include "muslin/levelset/level_set_union.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace muslin {
namespace {

constexpr int side = BlockGrid::side, row = BlockGrid::row;

/// What the grid holds around a place, also beyond the band.
double stored_distance(const LevelSet& level_set, const Vec3& place) {
    const BlockGrid& grid = level_set.grid();
    const GridCell cell = grid.find(place);
    const double far = grid.band + 2 * grid.voxel;
    if (cell.block < 0)
        return cell.block == BlockGrid::outside ? far : -far;
    return interpolate(grid.values.data() + cell.node, cell.fraction).value;
}

double least_distance(std::span<const PlacedLevelSet> parts, const Vec3& place) {
    double least = std::numeric_limits<double>::infinity();
    for (const PlacedLevelSet& part : parts)
        least = std::min(least, stored_distance(part.level_set, transpose(part.rotation) *
                                                                    (place - part.translation)));
    return least;
}

/// The box of a part's block where it has been placed.
Bounds placed_block(const PlacedLevelSet& part, std::size_t block) {
    const BlockGrid& grid = part.level_set.grid();
    Bounds out;
    for (int corner = 0; corner < 8; ++corner) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        const std::size_t node = (z * side * row + y * side) * row + x * side;
        const Vec3 p = part.rotation * grid.position(block, node) + part.translation;
        for (int k = 0; k < 3; ++k) {
            out.low[k] = corner == 0 ? p[k] : std::min(out.low[k], p[k]);
            out.high[k] = corner == 0 ? p[k] : std::max(out.high[k], p[k]);
        }
    }
    return out;
}

/// Lays the blocks of a union over those of all parts.
void lay_out(std::span<const PlacedLevelSet> parts, BlockGrid& grid) {
    std::vector<Bounds> boxes;
    for (const PlacedLevelSet& part : parts)
        for (std::size_t b = 0; b < part.level_set.grid().block_count(); ++b)
            boxes.push_back(placed_block(part, b));
    if (boxes.empty())
        return;
    const double width = side * grid.voxel;
    std::array<double, 3> low{}, high{};
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = boxes[0].low[k];
        for (const Bounds& box : boxes) {
            low[k] = std::min(low[k], box.low[k]);
            high[k] = std::max(high[k], box.high[k]);
        }
        const double first = std::floor(low[k] / width);
        grid.origin[k] = first * width;
        grid.blocks[k] = static_cast<int>(std::floor(high[k] / width) - first) + 1;
    }
    const auto& n = grid.blocks;
    const auto block = [&](double at, int k) {
        return std::clamp(static_cast<int>((at - grid.origin[k]) / width), 0, n[k] - 1);
    };
    grid.table.assign(static_cast<std::size_t>(n[0]) * n[1] * n[2], BlockGrid::outside);
    for (const Bounds& box : boxes)
        for (int z = block(box.low.z, 2); z <= block(box.high.z, 2); ++z)
            for (int y = block(box.low.y, 1); y <= block(box.high.y, 1); ++y)
                for (int x = block(box.low.x, 0); x <= block(box.high.x, 0); ++x)
                    grid.table[(static_cast<std::size_t>(z) * n[1] + y) * n[0] + x] = 0;
    for (std::size_t i = 0; i < grid.table.size(); ++i)
        if (grid.table[i] == 0) {
            grid.table[i] = static_cast<int>(grid.block_count());
            grid.place.push_back(static_cast<int>(i));
        }
}

} // namespace

UnionSample sample_union(std::span<const PlacedLevelSet> parts, const Vec3& place) {
    UnionSample out;
    int around = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const LevelSetSample s = parts[i].sample(place);
        around += s.distance < 0;
        if (i == 0 || s.distance < out.distance) {
            const bool beyond = s.distance >= parts[i].level_set.band();
            out.distance = s.distance;
            out.normal = s.normal;
            out.part = beyond ? -1 : static_cast<int>(i);
        }
    }
    out.pinched = around > 1;
    return out;
}

void sample_union(std::span<const PlacedLevelSet> parts, std::span<const Vec3> places,
                  std::span<UnionSample> out) {
    if (places.size() != out.size())
        throw std::logic_error("sample_union: one sample for each place");
    parallel_for(places.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            out[i] = sample_union(parts, places[i]);
    });
}

LevelSet unite(std::span<const PlacedLevelSet> parts) {
    if (parts.empty())
        return {};
    BlockGrid grid;
    grid.voxel = grid.band = std::numeric_limits<double>::infinity();
    for (const PlacedLevelSet& part : parts) {
        grid.voxel = std::min(grid.voxel, part.level_set.voxel_size());
        grid.band = std::min(grid.band, part.level_set.band());
    }
    const double far = grid.band + 2 * grid.voxel;
    lay_out(parts, grid);
    grid.values.assign(grid.block_count() * BlockGrid::nodes, 0);
    parallel_for(grid.block_count(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            for (std::size_t node = 0; node < BlockGrid::nodes; ++node)
                grid.values[b * BlockGrid::nodes + node] = static_cast<float>(
                    std::clamp(least_distance(parts, grid.position(b, node)), -far, far));
    });
    for (std::size_t i = 0; i < grid.table.size(); ++i)
        if (grid.table[i] < 0) {
            const auto& n = grid.blocks;
            const std::size_t x = i % n[0], y = i / n[0] % n[1], z = i / n[0] / n[1];
            const Vec3 first =
                grid.origin + (side * grid.voxel) * Vec3{double(x), double(y), double(z)};
            grid.table[i] =
                least_distance(parts, first) < 0 ? BlockGrid::inside : BlockGrid::outside;
        }
    return LevelSet(std::move(grid));
}

} // namespace muslin
