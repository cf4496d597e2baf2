#include "muslin/levelset/fast_marching.h"

#include "muslin/levelset/closest_point.h"
#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <stdexcept>

namespace muslin {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// Calls visit(index, axis, step) for the six neighbours of a node that the grid has; `step` leads
/// on from the node through the neighbour, or is 0 where that leaves the grid.
template <class Visit>
void for_neighbours(const DenseGrid& grid, std::size_t i, Visit&& visit) {
    const auto nx = static_cast<std::ptrdiff_t>(grid.nodes[0]),
               ny = static_cast<std::ptrdiff_t>(grid.nodes[1]);
    const auto node = static_cast<std::ptrdiff_t>(i);
    const std::ptrdiff_t at[] = {node % nx, node / nx % ny, node / (nx * ny)};
    const std::ptrdiff_t stride[] = {1, nx, nx * ny};
    for (int k = 0; k < 3; ++k)
        for (const int way : {-1, 1}) {
            const std::ptrdiff_t next = at[k] + way, beyond = next + way;
            if (next < 0 || next >= grid.nodes[k])
                continue;
            const std::ptrdiff_t step = way * stride[k];
            const bool ends = beyond < 0 || beyond >= grid.nodes[k];
            visit(static_cast<std::size_t>(node + step), k, ends ? 0 : step);
        }
}

/// A difference along one axis towards the surface: (d - value) sqrt(weight) / h is the slope.
struct Upwind {
    double nearest = unknown; ///< of the known neighbours
    double value = unknown, weight = 1;
};

/// The larger root of the sum of squared slopes over the axes, = 1: |grad d| = 1, upwind. Axes
/// whose neighbours are farther from the surface than that root have no part in it.
double solve_eikonal(std::array<Upwind, 3> axes, double h) {
    std::sort(axes.begin(), axes.end(),
              [](const Upwind& a, const Upwind& b) { return a.nearest < b.nearest; });
    double d = axes[0].nearest + h, a = 0, b = 0, c = -h * h;
    for (const Upwind& axis : axes) {
        if (!(axis.nearest < d))
            break;
        a += axis.weight;
        b += axis.weight * axis.value;
        c += axis.weight * axis.value * axis.value;
        const double root = b * b - a * c;
        if (root < 0)
            break;
        const double larger = (b + std::sqrt(root)) / a;
        if (larger >= axis.nearest)
            d = larger;
    }
    return d;
}

/// Marches over distances without sign, within one side at a time: nodes of the other side are
/// walls, and so neither side's values depend on the other's.
class Marcher {
public:
    Marcher(DenseGrid& grid, const std::vector<char>& known, double limit)
        : grid_(grid), limit_(limit), done_(known), value_(known.size(), unknown) {}

    void run() {
        for (std::size_t i = 0; i < value_.size(); ++i)
            if (done_[i])
                value_[i] = std::abs(grid_.distance[i]);
        for (std::size_t i = 0; i < value_.size(); ++i)
            if (done_[i])
                offer_neighbours(i);
        while (!front_.empty()) {
            const auto [d, i] = front_.top();
            front_.pop();
            if (done_[i] || d > value_[i])
                continue;
            if (d >= limit_)
                break;
            done_[i] = 1;
            offer_neighbours(i);
        }
        for (std::size_t i = 0; i < value_.size(); ++i)
            grid_.distance[i] =
                std::copysign(done_[i] ? std::min(value_[i], limit_) : limit_, grid_.distance[i]);
    }

private:
    bool same_side(std::size_t i, std::size_t j) const {
        return std::signbit(grid_.distance[i]) == std::signbit(grid_.distance[j]);
    }

    /// The differences at a node: of the second order where two known nodes lead to the surface
    /// [Sethian 1999, 8.3], else of the first.
    std::array<Upwind, 3> upwind(std::size_t j) const {
        std::array<Upwind, 3> out;
        for_neighbours(grid_, j, [&](std::size_t k, int axis, std::ptrdiff_t step) {
            if (!done_[k] || !same_side(j, k) || value_[k] >= out[axis].nearest)
                return;
            out[axis] = {value_[k], value_[k], 1};
            const std::size_t beyond = k + static_cast<std::size_t>(step);
            if (step != 0 && done_[beyond] && same_side(j, beyond) && value_[beyond] <= value_[k])
                out[axis] = {value_[k], (4 * value_[k] - value_[beyond]) / 3, 2.25};
        });
        return out;
    }

    void offer_neighbours(std::size_t i) {
        for_neighbours(grid_, i, [&](std::size_t j, int, std::ptrdiff_t) {
            if (done_[j] || !same_side(i, j))
                return;
            const double d = solve_eikonal(upwind(j), grid_.voxel);
            if (d < value_[j]) {
                value_[j] = d;
                front_.push({d, j});
            }
        });
    }

    using Entry = std::pair<double, std::size_t>;
    DenseGrid& grid_;
    double limit_;
    std::vector<char> done_;
    std::vector<double> value_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front_;
};

} // namespace

void march(DenseGrid& grid, const std::vector<char>& known, double limit) {
    if (known.size() != grid.distance.size())
        throw std::logic_error("march: one flag for each node");
    Marcher(grid, known, limit).run();
}

DenseGrid make_marched_distance(const TriangleView& surface, const LevelSetSettings& settings) {
    const judging::BoxTree tree(surface);
    const double h = settings.voxel;
    DenseGrid grid;
    grid.voxel = h;
    for (int k = 0; k < 3; ++k) {
        const double first = std::floor((tree.bounds().low[k] - settings.band) / h);
        grid.origin[k] = first * h;
        grid.nodes[k] =
            static_cast<int>(std::ceil((tree.bounds().high[k] + settings.band) / h) - first) + 1;
    }
    std::vector<Vec3> places;
    for (int z = 0; z < grid.nodes[2]; ++z)
        for (int y = 0; y < grid.nodes[1]; ++y)
            for (int x = 0; x < grid.nodes[0]; ++x)
                places.push_back(grid.position(x, y, z));
    grid.distance.assign(places.size(), h);
    for (const int i : find_inside(places, surface))
        grid.distance[i] = -h;
    std::vector<char> known(places.size(), 0);
    int near = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
        for_neighbours(grid, i, [&](std::size_t j, int, std::ptrdiff_t) {
            if (known[i] || std::signbit(grid.distance[i]) == std::signbit(grid.distance[j]))
                return;
            known[i] = 1;
            const double d =
                std::sqrt(closest_point(places[i], surface, tree, near).squared_distance);
            grid.distance[i] = std::copysign(d, grid.distance[i]);
        });
    march(grid, known, settings.band);
    return grid;
}

} // namespace muslin
