#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// A neighbour as it is seen from the middle of a fan.
struct Spoke {
    int vertex;
    double angle;                 ///< from the first spoke, along the cloth [rad]
    double length;                ///< in the pattern, the mean of its triangles [m]
    std::array<int, 2> triangles; ///< before and after it; the same twice at the end of a fan
};

/// The triangles around a vertex laid out one after the other by their angles in the pattern. Each
/// triangle counts with its own pattern, so a seam, or a closed surface, is no interruption: what
/// is straight is what is straight along the cloth.
struct VertexFan {
    int vertex;
    bool closed; ///< all around; else from one end of the cloth to another
    double turn; ///< the sum of the angles [rad]; 2 pi inside of a flat pattern
    /// Triangle spokes[i].triangles[1] lies between spokes i and i + 1, of a closed fan also
    /// between the last and the first.
    std::vector<Spoke> spokes;

    int sectors() const { return static_cast<int>(spokes.size()) - (closed ? 0 : 1); }
    double sector_angle(int i) const {
        const std::size_t next = static_cast<std::size_t>(i) + 1;
        return (next < spokes.size() ? spokes[next].angle : turn) - spokes[i].angle;
    }
};

/// The fans of all vertices, in the order of vertices; one for each piece of a vertex at which
/// several touch. Triangles may run either way around.
std::vector<VertexFan> build_vertex_fans(std::span<const std::array<int, 3>> triangles,
                                         std::span<const std::array<Vec2, 3>> pattern);

/// The angle at a corner [rad].
double corner_angle(const std::array<Vec2, 3>& triangle, int corner);

} // namespace muslin
