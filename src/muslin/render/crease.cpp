#include "muslin/render/crease.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace muslin {

namespace {

/// Sets of corners that share a vertex of the result.
class CornerSets {
public:
    explicit CornerSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t find(std::size_t corner) {
        while (parent_[corner] != corner)
            corner = parent_[corner] = parent_[parent_[corner]];
        return corner;
    }
    void join(std::size_t a, std::size_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::size_t> parent_;
};

/// One triangle's side: corner 3 t + k runs to the next corner of t.
struct Side {
    int low, high;
    std::size_t triangle;
    std::size_t at_low, at_high; // corners at the two ends
};

std::vector<Side> sorted_sides(std::span<const std::array<int, 3>> triangles) {
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t next = (k + 1) % 3;
            Side side{triangles[t][k], triangles[t][next], t, 3 * t + k, 3 * t + next};
            if (side.low > side.high) {
                std::swap(side.low, side.high);
                std::swap(side.at_low, side.at_high);
            }
            sides.push_back(side);
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::array{a.low, a.high} != std::array{b.low, b.high}
                   ? std::array{a.low, a.high} < std::array{b.low, b.high}
                   : a.triangle < b.triangle;
    });
    return sides;
}

} // namespace

CreaseSplit split_creases(std::span<const Vec3> positions,
                          std::span<const std::array<int, 3>> triangles, double degrees) {
    std::vector<Vec3> normals;
    normals.reserve(triangles.size());
    for (const auto& [a, b, c] : triangles) {
        const Vec3& p = positions[static_cast<std::size_t>(a)];
        const Vec3 n = cross(positions[static_cast<std::size_t>(b)] - p,
                             positions[static_cast<std::size_t>(c)] - p);
        const double length = norm(n);
        normals.push_back(length > 0 ? (1.0 / length) * n : Vec3{0, 0, 0});
    }

    CornerSets sets(3 * triangles.size());
    const double least = std::cos(degrees * std::numbers::pi / 180.0);
    const std::vector<Side> sides = sorted_sides(triangles);
    for (std::size_t i = 1; i < sides.size(); ++i) {
        const Side &a = sides[i - 1], &b = sides[i];
        const bool same_edge = a.low == b.low && a.high == b.high;
        const double cosine = dot(normals[a.triangle], normals[b.triangle]);
        // A triangle without area has no direction of its own and follows its neighbours.
        const bool no_area = dot(normals[a.triangle], normals[a.triangle]) == 0 ||
                             dot(normals[b.triangle], normals[b.triangle]) == 0;
        if (same_edge && (cosine >= least || no_area)) {
            sets.join(a.at_low, b.at_low);
            sets.join(a.at_high, b.at_high);
        }
    }

    CreaseSplit out;
    out.triangles.resize(triangles.size());
    std::vector<int> name(3 * triangles.size(), -1);
    for (std::size_t corner = 0; corner < name.size(); ++corner) {
        int& vertex = name[sets.find(corner)];
        const int original = triangles[corner / 3][corner % 3];
        if (vertex < 0) {
            vertex = static_cast<int>(out.source.size());
            out.source.push_back(original);
        }
        out.triangles[corner / 3][corner % 3] = vertex;
    }
    return out;
}

} // namespace muslin
