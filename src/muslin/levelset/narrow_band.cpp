#include "muslin/levelset/narrow_band.h"

#include "muslin/base/parallel.h"
#include "muslin/levelset/closest_point.h"
#include "muslin/mesh/penetration.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace muslin {
namespace {

using Triangle = std::array<int, 3>;
using judging::Box;
using judging::BoxTree;
constexpr int side = BlockGrid::side, row = BlockGrid::row;
constexpr double reach_beyond = 2; // voxels that distances are known beyond the band, > sqrt(3)

/// More than rounding may feign.
bool has_area(const TriangleView& surface, const Triangle& t) {
    const Vec3 u = surface.positions[t[1]] - surface.positions[t[0]],
               v = surface.positions[t[2]] - surface.positions[t[0]];
    return norm(cross(u, v)) > 1e-14 * (dot(u, u) + dot(v, v));
}

/// The triangles with one number for all vertices at a place: those that meet along a texture seam
/// are neighbours and do not cross.
std::vector<Triangle> welded(const TriangleView& surface) {
    std::vector<int> order(surface.positions.size()), first(order.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int v) {
        const Vec3& p = surface.positions[v];
        return std::tuple(p.x, p.y, p.z);
    };
    std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i)
        first[order[i]] =
            i > 0 && key(order[i - 1]) == key(order[i]) ? first[order[i - 1]] : order[i];
    std::vector<Triangle> out;
    out.reserve(surface.triangles.size());
    for (const Triangle& t : surface.triangles)
        out.push_back({first[t[0]], first[t[1]], first[t[2]]});
    return out;
}

/// The triangles with the outside on one side and the inside on the other. One that crosses no
/// other is swallowed wholly or not at all, so one place on each side tells; those that cross
/// others stay. Triangles without area have no sides, and what they cover their neighbours cover
/// too.
std::vector<int> find_boundary(const TriangleView& surface, const Box& bounds) {
    const double step = 1e-9 * norm(bounds.high - bounds.low);
    std::vector<Vec3> places;
    places.reserve(2 * surface.triangles.size());
    for (const Triangle& t : surface.triangles) {
        const Vec3 &a = surface.positions[t[0]], &b = surface.positions[t[1]],
                   &c = surface.positions[t[2]];
        const Vec3 normal = cross(b - a, c - a), middle = (1.0 / 3) * (a + b + c);
        const double length = norm(normal);
        const Vec3 off = length > 0 ? (step / length) * normal : Vec3{0, 0, 0};
        places.push_back(middle + off);
        places.push_back(middle - off);
    }
    std::vector<char> swallowed(surface.triangles.size(), 0);
    const std::vector<int> inside = find_inside(places, surface);
    for (std::size_t i = 1; i < inside.size(); ++i)
        if (inside[i - 1] % 2 == 0 && inside[i] == inside[i - 1] + 1)
            swallowed[inside[i] / 2] = 1;
    if (std::find(swallowed.begin(), swallowed.end(), 1) != swallowed.end())
        for (const auto& pair : find_self_intersections(surface.positions, welded(surface)))
            swallowed[pair[0]] = swallowed[pair[1]] = 0;
    std::vector<int> out;
    for (std::size_t t = 0; t < swallowed.size(); ++t)
        if (!swallowed[t] && has_area(surface, surface.triangles[t]))
            out.push_back(static_cast<int>(t));
    return out;
}

class Maker {
public:
    Maker(const TriangleView& surface, const LevelSetSettings& settings)
        : whole_(surface), kept_(find_boundary(surface, BoxTree(surface).bounds())),
          triangles_(chosen()), surface_{surface.positions, triangles_}, tree_(surface_),
          limit_(settings.band + reach_beyond * settings.voxel),
          keep_nearest_(settings.nearest_triangles) {
        grid_.voxel = settings.voxel;
        grid_.band = settings.band;
    }

    BlockGrid make() {
        lay_out();
        measure();
        decide_sides();
        drop_far_blocks();
        fill_table();
        const auto far = static_cast<float>(limit_);
        fill_repeated_nodes(grid_, grid_.values, far, -far);
        if (keep_nearest_)
            fill_repeated_nodes(grid_, grid_.nearest_triangle, -1, -1);
        return std::move(grid_);
    }

private:
    std::vector<Triangle> chosen() const {
        std::vector<Triangle> out;
        out.reserve(kept_.size());
        for (const int t : kept_)
            out.push_back(whole_.triangles[t]);
        return out;
    }

    /// The blocks that may hold a node within the limit, and the box of them all. The grid's nodes
    /// are at whole multiples of a voxel, whatever the surface.
    void lay_out() {
        const double width = side * grid_.voxel;
        const Box all = tree_.bounds();
        std::array<double, 3> first{};
        for (int k = 0; k < 3; ++k) {
            first[k] = std::floor((all.low[k] - limit_) / width);
            grid_.blocks[k] =
                static_cast<int>(std::floor((all.high[k] + limit_) / width) - first[k]) + 1;
            grid_.origin[k] = first[k] * width;
        }
        const auto& n = grid_.blocks;
        grid_.table.assign(static_cast<std::size_t>(n[0]) * n[1] * n[2], BlockGrid::outside);
        const auto block = [&](double at, int k) {
            return std::clamp(static_cast<int>((at - grid_.origin[k]) / width), 0, n[k] - 1);
        };
        for (const Triangle& t : triangles_) {
            const Box box = judging::box_of(surface_, t);
            for (int z = block(box.low.z - limit_, 2); z <= block(box.high.z + limit_, 2); ++z)
                for (int y = block(box.low.y - limit_, 1); y <= block(box.high.y + limit_, 1); ++y)
                    for (int x = block(box.low.x - limit_, 0); x <= block(box.high.x + limit_, 0);
                         ++x)
                        grid_.table[(static_cast<std::size_t>(z) * n[1] + y) * n[0] + x] = 0;
        }
        for (std::size_t i = 0; i < grid_.table.size(); ++i)
            if (grid_.table[i] == 0)
                grid_.place.push_back(static_cast<int>(i));
        keep_near_blocks();
    }

    /// Boxes around large triangles are mostly empty: what counts is the distance itself.
    void keep_near_blocks() {
        const std::size_t count = grid_.block_count();
        const double half = 0.5 * (side - 1) * grid_.voxel;
        const double farthest = limit_ + std::sqrt(3.0) * half;
        std::vector<char> near(count);
        parallel_for(count, 64, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b) {
                double bound = farthest * farthest;
                const Vec3 middle = grid_.position(b, 0) + Vec3{half, half, half};
                near[b] = 0;
                tree_.approach(middle, bound, [&](int t, double& limit) {
                    if (closest_point(middle, surface_, t).squared_distance < limit) {
                        near[b] = 1;
                        limit = 0; // known: ends the search
                    }
                });
            }
        });
        keep(near);
    }

    void keep(const std::vector<char>& wanted) {
        std::size_t count = 0;
        for (std::size_t b = 0; b < grid_.block_count(); ++b)
            if (wanted[b])
                grid_.place[count++] = grid_.place[b];
        grid_.place.resize(count);
    }

    /// Distances without sign, and the nearest triangles; the limit and none where farther.
    void measure() {
        const std::size_t count = grid_.block_count();
        grid_.values.assign(count * BlockGrid::nodes, static_cast<float>(limit_));
        if (keep_nearest_)
            grid_.nearest_triangle.assign(count * BlockGrid::nodes, -1);
        parallel_for(count, 4, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b)
                measure(b);
        });
    }

    void measure(std::size_t b) {
        int near = -1;
        // To and fro, so that the triangle nearest to one node is a good guess for the next.
        for (int z = 0; z < side; ++z)
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i) {
                    const int y = z % 2 == 0 ? j : side - 1 - j;
                    const int x = (z + j) % 2 == 0 ? i : side - 1 - i;
                    const std::size_t node = (z * row + y) * row + x;
                    const Vec3 p = grid_.position(b, node);
                    const double squared = approach(p, near);
                    if (near >= 0 && squared < limit_ * limit_) {
                        grid_.values[b * BlockGrid::nodes + node] =
                            static_cast<float>(std::sqrt(squared));
                        if (keep_nearest_)
                            grid_.nearest_triangle[b * BlockGrid::nodes + node] = kept_[near];
                    }
                }
    }

    /// The squared distance to the nearest triangle, if within the limit; else no less than it.
    double approach(const Vec3& p, int& near) const {
        double bound = limit_ * limit_;
        if (near >= 0)
            bound = std::min(bound, closest_point(p, surface_, near).squared_distance);
        tree_.approach(p, bound, [&](int t, double& limit) {
            const double squared = closest_point(p, surface_, t).squared_distance;
            if (squared < limit) {
                limit = squared;
                near = t;
            }
        });
        return bound;
    }

    /// Neighbours are on one side unless both are within a voxel of the surface, so the winding
    /// number is needed only there and at each block's first node.
    void decide_sides() {
        const std::size_t count = grid_.block_count();
        constexpr std::uint8_t ask = 3; // 0, 1, 2: as the node before it along x, y, z
        std::vector<std::uint8_t> as(count * BlockGrid::nodes, ask);
        std::vector<std::size_t> asked;
        std::vector<Vec3> places;
        const auto clear = static_cast<float>(1.001 * grid_.voxel);
        const int back[] = {1, row, BlockGrid::plane};
        for_nodes(count, [&](std::size_t b, int x, int y, int z) {
            const std::size_t i = index(b, x, y, z);
            const int at[] = {x, y, z};
            for (int k = 0; k < 3; ++k)
                if (at[k] > 0 && std::max(grid_.values[i], grid_.values[i - back[k]]) > clear)
                    as[i] = static_cast<std::uint8_t>(k);
            if (as[i] == ask) {
                asked.push_back(i);
                places.push_back(grid_.position(b, i - b * BlockGrid::nodes));
            }
        });
        std::vector<char> negative(as.size(), 0);
        for (const int i : find_inside(places, whole_))
            negative[asked[i]] = 1;
        for_nodes(count, [&](std::size_t b, int x, int y, int z) {
            const std::size_t i = index(b, x, y, z);
            if (as[i] != ask)
                negative[i] = negative[i - back[as[i]]];
            if (negative[i])
                grid_.values[i] = -grid_.values[i];
        });
    }

    static std::size_t index(std::size_t b, int x, int y, int z) {
        return b * BlockGrid::nodes + (z * row + y) * row + x;
    }
    template <class Visit>
    static void for_nodes(std::size_t blocks, Visit&& visit) {
        for (std::size_t b = 0; b < blocks; ++b)
            for (int z = 0; z < side; ++z)
                for (int y = 0; y < side; ++y)
                    for (int x = 0; x < side; ++x)
                        visit(b, x, y, z);
    }

    /// Blocks with all nodes beyond the limit say no more than their side does.
    void drop_far_blocks() {
        std::fill(grid_.table.begin(), grid_.table.end(), BlockGrid::outside);
        std::vector<char> wanted(grid_.block_count(), 0);
        std::size_t kept = 0;
        for_nodes(grid_.block_count(), [&](std::size_t b, int x, int y, int z) {
            wanted[b] |= std::abs(grid_.values[index(b, x, y, z)]) < static_cast<float>(limit_);
        });
        for (std::size_t b = 0; b < grid_.block_count(); ++b) {
            if (!wanted[b]) {
                if (grid_.values[b * BlockGrid::nodes] < 0)
                    grid_.table[grid_.place[b]] = BlockGrid::inside;
                continue;
            }
            grid_.table[grid_.place[b]] = static_cast<int>(kept);
            if (kept != b) {
                move_block(grid_.values, b, kept);
                if (keep_nearest_)
                    move_block(grid_.nearest_triangle, b, kept);
            }
            ++kept;
        }
        keep(wanted);
        grid_.values.resize(kept * BlockGrid::nodes);
        if (keep_nearest_)
            grid_.nearest_triangle.resize(kept * BlockGrid::nodes);
    }
    template <class Array>
    static void move_block(Array& values, std::size_t from, std::size_t to) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from * BlockGrid::nodes);
        std::copy_n(begin, BlockGrid::nodes,
                    values.begin() + static_cast<std::ptrdiff_t>(to * BlockGrid::nodes));
    }

    /// A place without block is on the side of the block's nodes next to it, as the surface is
    /// farther from both than they are from each other; so is one next to a place without block.
    void fill_table() {
        const auto& n = grid_.blocks;
        std::size_t i = 0;
        for (int line = 0; line < n[1] * n[2]; ++line) {
            int before = BlockGrid::outside;
            for (int x = 0; x < n[0]; ++x, ++i) {
                const int b = grid_.table[i];
                if (b >= 0)
                    before = grid_.values[index(b, side - 1, 0, 0)] < 0 ? BlockGrid::inside
                                                                        : BlockGrid::outside;
                else
                    grid_.table[i] = before;
            }
        }
    }

    TriangleView whole_;
    std::vector<int> kept_; ///< triangles that separate the inside from the outside
    std::vector<Triangle> triangles_;
    TriangleView surface_; ///< of these alone
    BoxTree tree_;
    double limit_; ///< [m]
    bool keep_nearest_;
    BlockGrid grid_;
};

} // namespace

BlockGrid make_narrow_band(const TriangleView& surface, const LevelSetSettings& settings) {
    return Maker(surface, settings).make();
}

} // namespace muslin
