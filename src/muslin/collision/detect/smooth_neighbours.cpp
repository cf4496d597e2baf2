#include "muslin/collision/detect/smooth_neighbours.h"

#include "muslin/base/parallel.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

// So that two triangles that are near each other fit into a window wherever they lie.
double cell_size(const Surfaces& surfaces, double edge) {
    double thickness = 0;
    for (int p = 0; p < surfaces.particle_count(); ++p)
        thickness = std::max(thickness, 2 * surfaces.half_thickness[p]);
    return 2 * (edge + thickness) / (PatternWindows::most - 1);
}

} // namespace

SmoothNeighbours::SmoothNeighbours(const Surfaces& surfaces,
                                   std::span<const std::array<Vec2, 3>> pattern, double edge)
    : windows_(surfaces, pattern, cell_size(surfaces, edge)) {}

void SmoothNeighbours::set_motion(std::span<const Vec3> begin, std::span<const Vec3> end,
                                  const BoxTree& cloth) {
    windows_.set_motion(begin, end);
    place_leaves(cloth);
}

// Where in the pattern the leaves of the tree are.
void SmoothNeighbours::place_leaves(const BoxTree& cloth) {
    if (leaf_builds_ == cloth.builds())
        return;
    leaf_builds_ = cloth.builds();
    leaf_ranges_.resize(cloth.leaf_count());
    parallel_for(leaf_ranges_.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const auto leaf = cloth.leaf(i);
            leaf_ranges_[i] = leaf[0] < 0 ? SmoothWindows::Range{} : windows_.range(leaf[0]);
            for (std::size_t k = 1; k < leaf.size() && leaf[k] >= 0; ++k)
                leaf_ranges_[i].merge(windows_.range(leaf[k]));
        }
    });
}

} // namespace muslin
