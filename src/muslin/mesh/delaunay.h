#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// A point on an integer lattice, |x|, |y| <= 2^28. Integers make every decision of a mesher exact,
/// and so the same on every machine.
struct LatticePoint {
    std::int32_t x = 0, y = 0;
};

/// The Delaunay triangulation of a set of points whose convex hull is its outline, and which stays
/// one while inner points move. Triangles are counter-clockwise.
class Delaunay {
public:
    explicit Delaunay(std::vector<LatticePoint> points);

    const std::vector<LatticePoint>& points() const { return points_; }
    const std::vector<std::array<int, 3>>& triangles() const { return triangles_; }

    /// The vertices around an inner vertex, counter-clockwise. The result holds until the next
    /// call.
    std::span<const int> ring(int vertex);

    /// Moves an inner vertex if that turns no triangle over; says whether it did. The triangulation
    /// is Delaunay again after restore().
    bool move(int vertex, LatticePoint to);

    /// Flips edges until the circumcircle of every triangle is empty (Lawson).
    void restore();

private:
    void triangulate();
    void join();
    int corner_towards(int triangle, int neighbour) const;
    bool flip_if_needed(int triangle, int corner);
    void flip(int t, int i, int u, int j);

    std::vector<LatticePoint> points_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<std::array<int, 3>> neighbours_; ///< across the side opposite each corner, or -1
    std::vector<int> triangle_of_;               ///< one of the triangles at each vertex
    std::vector<int> ring_, pending_;
};

/// Moves every vertex from `first_inner` on part of the way to the mean of its neighbours.
void smooth(Delaunay& mesh, int first_inner);

/// Twice the signed area of a, b, c; exact.
inline std::int64_t doubled_area(LatticePoint a, LatticePoint b, LatticePoint c) {
    return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
           (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

} // namespace muslin
