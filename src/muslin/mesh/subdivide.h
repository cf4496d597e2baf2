#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// A finer, smoother mesh over a coarse one, for pictures: each level cuts every triangle into four
/// by Loop's scheme (1987, weights of Warren 1995). What depends on the triangles alone is worked
/// out once; apply() then costs a few multiplications a vertex in every frame.
///
/// Loop's surface shrinks away from its vertices, which would pull cloth into the body it lies on.
/// One step of progressive interpolation (Maillot and Stam 2001) on the coarse vertices brings it
/// back to second order: a sphere of triangles comes closer to the sphere.
///
/// Open edges stay curves of their own, which depend on their own vertices alone, so that both
/// sides of a seam stay together. Corners of the pattern stay sharp.
class Subdivision {
public:
    /// `material` may be empty; corners of the cloth are then known by their number of triangles.
    /// Places on the pattern follow the same scheme as those in space, so that a straight thread
    /// stays straight. 0 <= levels <= 4.
    Subdivision(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                std::span<const std::array<Vec2, 3>> material, int levels);

    /// Of the finer mesh. Its first vertices are those of the coarse one; triangle t comes from
    /// the coarse triangle t / 4^levels.
    std::size_t vertices() const { return vertices_; }
    const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }
    const std::vector<std::array<Vec2, 3>>& material() const { return material_; }
    int triangles_per_coarse() const { return per_coarse_; }

    void apply(std::span<const Vec3> coarse, std::vector<Vec3>& fine) const;
    /// Numbers are interpolated along edges, so that they stay within their range.
    void apply(std::span<const double> coarse, std::vector<double>& fine) const;

private:
    /// Weighted sums, row by row: row r is entries [begin[r], begin[r + 1]).
    struct Stencils {
        struct Entry {
            int vertex;
            double weight;
        };
        std::vector<std::size_t> begin = {0};
        std::vector<Entry> entries;
        void add(int vertex, double weight) { entries.push_back({vertex, weight}); }
        void end_row() { begin.push_back(entries.size()); }
        void apply(std::span<const Vec3> in, std::vector<Vec3>& out) const;
    };
    struct Level; // neighbourhoods of one level, while its stencils are made

    Subdivision(std::vector<char> corner, std::span<const std::array<int, 3>> triangles,
                int levels);
    void add_level();
    void add_limit(double sign);
    void subdivide_material(std::size_t vertices, std::span<const std::array<int, 3>> triangles,
                            std::span<const std::array<Vec2, 3>> material, int levels);

    std::size_t vertices_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<std::array<Vec2, 3>> material_;
    std::vector<char> corner_; // whether a vertex is one, by vertex
    int per_coarse_ = 1;
    std::vector<Stencils> stencils_;                        // in the order in which they apply
    std::vector<std::vector<std::array<int, 2>>> new_ends_; // per level, ends of the edges cut
};

} // namespace muslin
