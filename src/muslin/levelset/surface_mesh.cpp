#include "muslin/levelset/surface_mesh.h"

#include <cstdint>
#include <unordered_map>

namespace muslin {
namespace {

constexpr int side = BlockGrid::side, row = BlockGrid::row, plane = BlockGrid::plane;

using Cell = std::array<int, 3>; // of the whole grid

class Net {
public:
    explicit Net(const LevelSet& level_set) : level_set_(level_set), grid_(level_set.grid()) {}

    PolygonMesh make() {
        visit([this](const Cell& cell, const float* v) { add_vertex(cell, v); });
        visit([this](const Cell& cell, const float* v) { add_faces(cell, v); });
        return std::move(mesh_);
    }

private:
    // All cells that the grid stores, with the values of their nodes, the first node's first.
    template <class Visitor>
    void visit(Visitor visitor) const {
        const auto& n = grid_.blocks;
        for (std::size_t b = 0; b < grid_.block_count(); ++b) {
            const int at = grid_.place[b];
            const Cell first = {at % n[0] * side, at / n[0] % n[1] * side,
                                at / (n[0] * n[1]) * side};
            const float* values = grid_.values.data() + b * BlockGrid::nodes;
            for (int z = 0; z < side; ++z)
                for (int y = 0; y < side; ++y)
                    for (int x = 0; x < side; ++x)
                        visitor({first[0] + x, first[1] + y, first[2] + z},
                                values + (z * row + y) * row + x);
        }
    }
    static std::uint64_t key(const Cell& c) {
        return std::uint64_t(c[2] + 1) << 42 | std::uint64_t(c[1] + 1) << 21 |
               std::uint64_t(c[0] + 1);
    }

    void add_vertex(const Cell& cell, const float* v) {
        constexpr int step[3] = {1, row, plane};
        Vec3 sum = {0, 0, 0};
        int crossed = 0;
        // The edges of the cell along each axis, from the corners that are 0 on it.
        for (int axis = 0; axis < 3; ++axis)
            for (int corner = 0; corner < 4; ++corner) {
                const int p = (axis + 1) % 3, q = (axis + 2) % 3;
                const int node = (corner & 1 ? step[p] : 0) + (corner & 2 ? step[q] : 0);
                const double a = v[node], b = v[node + step[axis]];
                if ((a < 0) == (b < 0))
                    continue;
                Vec3 at;
                at[axis] = a / (a - b);
                at[p] = corner & 1 ? 1 : 0;
                at[q] = corner & 2 ? 1 : 0;
                sum += at;
                ++crossed;
            }
        if (crossed == 0)
            return;
        const Vec3 corner = {double(cell[0]), double(cell[1]), double(cell[2])};
        Vec3 place = grid_.origin + grid_.voxel * (corner + (1.0 / crossed) * sum);
        for (int k = 0; k < 3; ++k) {
            const LevelSetSample at = level_set_.sample(place);
            place -= at.distance * at.normal;
        }
        vertex_.emplace(key(cell), static_cast<int>(mesh_.positions.size()));
        mesh_.positions.push_back(place);
    }

    // Of the edges from the first node of the cell, those that cross the surface.
    void add_faces(const Cell& cell, const float* v) {
        constexpr int step[3] = {1, row, plane};
        for (int axis = 0; axis < 3; ++axis) {
            const bool inside = v[0] < 0;
            if (inside == (v[step[axis]] < 0))
                continue;
            const int p = (axis + 1) % 3, q = (axis + 2) % 3;
            // The cells around the edge, counter-clockwise seen from its far end.
            constexpr int around[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
            for (int k = 0; k < 4; ++k) {
                const auto& [dp, dq] = around[inside ? k : 3 - k];
                Cell beside = cell;
                beside[p] += dp;
                beside[q] += dq;
                mesh_.corner_vertex.push_back(vertex_.at(key(beside)));
            }
            mesh_.face_begin.push_back(static_cast<int>(mesh_.corner_vertex.size()));
        }
    }

    const LevelSet& level_set_;
    const BlockGrid& grid_;
    std::unordered_map<std::uint64_t, int> vertex_;
    PolygonMesh mesh_;
};

} // namespace

PolygonMesh surface_mesh(const LevelSet& level_set) {
    return Net(level_set).make();
}

} // namespace muslin
