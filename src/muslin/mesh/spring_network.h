#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Which vertices of a cloth are joined by springs [Bayraktar07 2], from its triangles and their
/// pattern coordinates alone. Each triangle counts with its own pattern: seams and closed surfaces
/// need no rule of their own.
///
/// On a grid of quads, however they were cut, these are the springs of the paper: structural from
/// [i, j] to [i + 1, j] and [i, j + 1], shear along both diagonals, flexion from [i, j] to
/// [i + 2, j] and [i, j + 2]. On other triangles they are the edges, the opposite vertices of two
/// triangles with a common edge, and neighbours of a vertex on opposite sides of it.
struct SpringNetwork {
    struct Shear {
        std::array<int, 2> vertices; ///< the smaller first
        double length;               ///< [m], as if the two triangles lay in one plane
        std::array<int, 2> triangles;
        bool quad; ///< a diagonal of a quad; else across the edge between two triangles
    };
    /// Two neighbours of a vertex, straight through it.
    struct Flexion {
        std::array<int, 2> ends; ///< the smaller first
        int middle;
        std::array<double, 2> arms; ///< from the middle to each end [m]
        double length;              ///< between the ends [m]: less than the arms where these bend
        /// Two triangles of each arm, perhaps the same twice: for directions and fabrics.
        std::array<std::array<int, 2>, 2> triangles;
        double area; ///< of the middle vertex [m^2]: see `vertex_area`
        /// What the flexions of a vertex add up to as if they were `lines` of them all around.
        double lines;
        bool grid; ///< whether all cells around the middle are quads
    };

    /// For each triangle the side that is the diagonal of its quad, from corner k to the next; -1
    /// where the triangle is a cell of its own.
    std::vector<int> diagonal;
    std::vector<std::array<int, 2>> structural; ///< edges but for diagonals, smaller vertex first
    std::vector<Shear> shear;
    std::vector<Flexion> flexion;
    /// A quarter of each quad and a third of each other triangle at the vertex [m^2].
    std::vector<double> vertex_area;

    std::size_t spring_count() const { return structural.size() + shear.size() + flexion.size(); }
};

/// Two triangles are a quad if the edge between them is opposite the largest angle of both, and the
/// four angles of the quad are right within this [rad]: 5 degrees.
inline constexpr double quad_angle_tolerance = 0.0872664625997165;
/// Neighbours are opposite if they are off the straight line by at most this [rad]: 40 degrees.
/// The most nearly opposite are paired first, each at most once at a vertex.
inline constexpr double opposite_tolerance = 0.6981317007977318;

/// No pair of vertices is joined twice: what is structural is not shear, what is either is not
/// flexion. Every list is in the order of its vertices. At a vertex that is the tip of a cone (its
/// angles miss a full turn by more than `opposite_tolerance`) nothing is opposite.
SpringNetwork build_spring_network(std::span<const std::array<int, 3>> triangles,
                                   std::span<const std::array<Vec2, 3>> pattern);

} // namespace muslin
