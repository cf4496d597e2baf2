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
/// one while inner points move, come and go. Sides can be fixed: then it is the constrained one.
/// Triangles are counter-clockwise.
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

    /// Flips edges until the circumcircle of every triangle is empty (Lawson), as far as fixed
    /// sides let points see each other.
    void restore();

    // Below: what changes the set of points and which sides may flip (delaunay_edit.cpp). A removed
    // triangle has -1 for its corners; a removed vertex is in none.

    /// Makes the segment between two vertices a side for good. False, and nothing fixed, where it
    /// runs through a vertex or crosses a fixed side.
    bool fix(int a, int b);
    bool is_fixed(int triangle, int corner) const { return (fixed_[triangle] >> corner & 1) != 0; }

    /// For each triangle, whether an odd number of fixed sides part it from the outline; kept up to
    /// date from then on.
    void mark_inside();
    bool is_inside(int triangle) const { return inside_[triangle] != 0; }

    /// The triangle with the side from a to b, counter-clockwise, and its corner opposite; -1 where
    /// there is none.
    std::array<int, 2> find_side(int a, int b) const;

    /// The triangle that holds a point of the hull.
    int locate(LatticePoint p);

    /// Adds a vertex in a triangle's inside, or a few units from where it was asked for if that is
    /// on a side, and restores; -1 where there is no room.
    int insert(LatticePoint p);

    /// Takes away an inner vertex at which no side is fixed, and restores.
    void remove(int vertex);
    bool exists(int vertex) const { return triangle_of_[vertex] >= 0; }
    int triangle_of(int vertex) const { return triangle_of_[vertex]; }
    const std::array<int, 3>& neighbours(int triangle) const { return neighbours_[triangle]; }

    /// Flips as restore() does, from the triangles around a vertex outward.
    void restore_around(int vertex);

    /// A triangle as it was when record() was called.
    struct Before {
        int triangle;
        std::array<int, 3> corners, neighbours;
        std::uint8_t fixed, inside;
    };
    /// Notes from now on what changes.
    void record();
    /// The triangles that changed since, as they were; those from first_new() on are new.
    std::span<const Before> changed() const { return record_.changed; }
    int first_new() const { return record_.first_new; }
    /// Where a vertex was at record().
    LatticePoint point_before(int vertex) const;
    /// Ends the noting: everything stays as it is now, or is again as it was at record().
    void accept();
    void undo();

private:
    void triangulate();
    void join();
    int corner_towards(int triangle, int neighbour) const;
    bool flip_if_needed(int triangle, int corner);
    void flip(int t, int i, int u, int j);
    void restore_pending();
    void note(int triangle);
    void note_ring(int vertex);
    int corner_of(int triangle, int vertex) const {
        const auto& v = triangles_[triangle];
        return v[0] == vertex ? 0 : (v[1] == vertex ? 1 : 2);
    }
    int first_at(int vertex) const;
    bool find_crossed(int a, int b, std::vector<std::array<int, 2>>& crossed) const;
    int step_towards(int triangle, LatticePoint p, std::size_t turn) const;
    int new_triangle();
    int split(int triangle, LatticePoint p);
    bool cut_ear(int vertex, bool last);

    struct Place {
        int vertex;
        LatticePoint point;
    };
    struct Record {
        bool on = false;
        std::vector<Before> changed;
        std::vector<std::uint8_t> noted; ///< for each triangle, whether it is in `changed`
        std::vector<Place> moved;
        int first_new = 0;
        std::size_t spare_before = 0, points_before = 0;
    };

    std::vector<LatticePoint> points_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<std::array<int, 3>> neighbours_; ///< across the side opposite each corner, or -1
    std::vector<std::uint8_t> fixed_;            ///< a bit for the side opposite each corner
    std::vector<std::uint8_t> inside_;
    std::vector<int> triangle_of_; ///< one of the triangles at each vertex
    std::vector<int> ring_, pending_;
    std::vector<int> spare_; ///< removed triangles
    int walk_from_ = 0;
    Record record_; ///< since record() was called
};

/// Moves every vertex from `first_inner` on part of the way to the mean of its neighbours.
void smooth(Delaunay& mesh, int first_inner);

/// Twice the signed area of a, b, c; exact.
inline std::int64_t doubled_area(LatticePoint a, LatticePoint b, LatticePoint c) {
    return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
           (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

} // namespace muslin
