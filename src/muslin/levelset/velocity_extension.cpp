#include "muslin/levelset/velocity_extension.h"

#include "muslin/levelset/closest_point.h"

#include <algorithm>
#include <stdexcept>

namespace muslin {

VelocityExtension::VelocityExtension(const LevelSet& level_set, const TriangleView& surface,
                                     std::span<const Vec3> velocities)
    : grid_(&level_set.grid()), surface_(surface), velocities_(velocities) {
    const auto& nearest = grid_->nearest_triangle;
    if (nearest.size() != grid_->values.size())
        throw std::logic_error("VelocityExtension: the level set has no nearest triangles");
    if (velocities.size() != surface.positions.size())
        throw std::logic_error("VelocityExtension: one velocity for each position");
}

Vec3 VelocityExtension::at(const Vec3& place) const {
    const GridCell cell = grid_->find(place);
    if (cell.block < 0)
        return {0, 0, 0};
    const std::size_t first = cell.node - cell.block * BlockGrid::nodes;
    const Vec3& f = cell.fraction;
    Vec3 sum = {0, 0, 0};
    double total = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        const std::size_t step = z * BlockGrid::plane + y * BlockGrid::row + x;
        const int triangle = grid_->nearest_triangle[cell.node + step];
        const double weight = (x ? f.x : 1 - f.x) * (y ? f.y : 1 - f.y) * (z ? f.z : 1 - f.z);
        // A file may belong to another mesh: what is not there has no velocity.
        if (triangle < 0 || static_cast<std::size_t>(triangle) >= surface_.triangles.size())
            continue;
        const Vec3 node = grid_->position(cell.block, first + step);
        const auto& t = surface_.triangles[triangle];
        const ClosestPoint on = closest_point(node, surface_, triangle);
        sum += weight * (on.weight[0] * velocities_[t[0]] + on.weight[1] * velocities_[t[1]] +
                         on.weight[2] * velocities_[t[2]]);
        total += weight;
    }
    return total > 0 ? (1 / total) * sum : Vec3{0, 0, 0};
}

} // namespace muslin
