#include "muslin/render/marks.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace muslin {

namespace {

/// All cloths as one mesh: triangle t is triangle `triangle[t]` of surface `owner[t]`.
struct Wardrobe {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;
    std::vector<std::size_t> owner;
    std::vector<int> triangle;

    void add(std::size_t surface, const TriangleView& view) {
        const int first = static_cast<int>(positions.size());
        positions.insert(positions.end(), view.positions.begin(), view.positions.end());
        for (std::size_t t = 0; t < view.triangles.size(); ++t) {
            const auto& [a, b, c] = view.triangles[t];
            triangles.push_back({first + a, first + b, first + c});
            owner.push_back(surface);
            triangle.push_back(static_cast<int>(t));
        }
    }

    void join_equal_places() {
        std::vector<int> order(positions.size());
        std::iota(order.begin(), order.end(), 0);
        const auto key = [&](int v) {
            const Vec3& p = positions[static_cast<std::size_t>(v)];
            return std::array{p.x, p.y, p.z};
        };
        std::sort(order.begin(), order.end(),
                  [&](int a, int b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
        std::vector<int> name(positions.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            name[static_cast<std::size_t>(order[i])] =
                i > 0 && key(order[i - 1]) == key(order[i])
                    ? name[static_cast<std::size_t>(order[i - 1])]
                    : order[i];
        for (auto& corners : triangles)
            for (int& v : corners)
                v = name[static_cast<std::size_t>(v)];
    }
};

bool all_finite(std::span<const Vec3> positions) {
    return std::all_of(positions.begin(), positions.end(),
                       [](const Vec3& p) { return is_finite(p); });
}

void mark_pinched(const MarkedSurface& cloth, std::vector<int>& marks) {
    if (cloth.pinched.size() != cloth.surface.positions.size())
        return;
    for (std::size_t t = 0; t < cloth.surface.triangles.size(); ++t)
        for (const int v : cloth.surface.triangles[t])
            if (cloth.pinched[static_cast<std::size_t>(v)] > 0)
                marks.push_back(static_cast<int>(t));
}

} // namespace

std::vector<std::vector<int>> find_marks(std::span<const MarkedSurface> surfaces) {
    std::vector<std::vector<int>> marks(surfaces.size());
    Wardrobe cloths;
    for (std::size_t s = 0; s < surfaces.size(); ++s)
        if (!surfaces[s].is_body && all_finite(surfaces[s].surface.positions)) {
            cloths.add(s, surfaces[s].surface);
            mark_pinched(surfaces[s], marks[s]);
        }
    cloths.join_equal_places();
    const auto mark_cloth = [&](int t) {
        const auto i = static_cast<std::size_t>(t);
        marks[cloths.owner[i]].push_back(cloths.triangle[i]);
    };
    for (const auto& [a, b] : find_self_intersections(cloths.positions, cloths.triangles)) {
        mark_cloth(a);
        mark_cloth(b);
    }
    for (const MarkedSurface& body : surfaces)
        if (body.is_body && all_finite(body.surface.positions))
            for (const auto& pair :
                 find_intersections_between({cloths.positions, cloths.triangles}, body.surface))
                mark_cloth(pair[0]);
    for (std::vector<int>& list : marks) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    return marks;
}

} // namespace muslin
