#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/math/vec.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace muslin {

struct SphereLayerSettings {
    double radius = 0; ///< [m]; 0: half the mean edge
    /// The surface stays covered while no direction in it is longer by more than this part.
    double stretch = 0.1;
    std::size_t most = 2'000'000; ///< spheres; a radius that needs more is an InputError
};

/// The middle of a sphere: fixed weights of three points. One at a vertex has the weight 1, one on
/// an edge a weight of 0; points without weight repeat the first.
struct SurfaceSphere {
    std::array<int, 3> points;
    std::array<double, 3> weights; ///< not negative, sum 1
};

/// A triangle's corners at rest, in a plane of its own [m].
using RestTriangle = std::array<Vec2, 3>;

/// Spheres of one radius that cover a surface [Ohta95, Collision detection].
///
/// Each triangle is covered by spheres with their middles in that triangle: one at each vertex,
/// those along its edges (which its neighbours share), and some inside where these do not suffice.
/// They are placed for radius / (1 + stretch). A triangle that deforms does so by a linear map, so
/// no point of it is then further from the middle of its sphere than (1 + stretch) times as far as
/// at rest: while no principal stretch exceeds 1 + stretch, the cover holds, however the surface
/// bends. That it holds at rest is not estimated: places are cut into pieces until each is known
/// to lie in one sphere.
class SphereLayer {
public:
    /// `triangles` are points; `rest` their shapes at rest, one each.
    SphereLayer(std::span<const std::array<int, 3>> triangles, std::span<const RestTriangle> rest,
                const SphereLayerSettings& settings);

    double radius() const { return radius_; }
    /// At vertices, on edges, then inside of triangles.
    const std::vector<SurfaceSphere>& spheres() const { return spheres_; }
    int count() const { return static_cast<int>(spheres_.size()); }
    /// The spheres that cover a triangle.
    std::span<const int> of_triangle(std::size_t triangle) const { return of_triangle_[triangle]; }
    /// The sphere at a point; -1 where no triangle has it.
    int at_point(int point) const {
        return static_cast<std::size_t>(point) < at_point_.size() ? at_point_[point] : -1;
    }

    Vec3 middle(int sphere, std::span<const Vec3> positions) const {
        const auto& [p, w] = spheres_[sphere];
        return w[0] * positions[p[0]] + w[1] * positions[p[1]] + w[2] * positions[p[2]];
    }

    /// For each sphere those no further than `reach` [m] away along the surface at rest, itself not
    /// among them, increasing. Distances are those of paths from middle to middle, straight within
    /// a triangle. Points of a joint count as one: a seam as closed.
    Rows neighbours(std::span<const std::array<int, 3>> triangles,
                    std::span<const RestTriangle> rest, double reach,
                    std::span<const std::vector<int>> joints = {}) const;

private:
    void check_count(std::span<const RestTriangle> rest, const SphereLayerSettings& settings) const;

    double radius_;
    std::vector<SurfaceSphere> spheres_;
    std::vector<int> at_point_;
    Rows of_triangle_;
};

/// The triangle in a plane of its own.
RestTriangle flatten(const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace muslin
