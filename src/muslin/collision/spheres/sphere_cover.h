#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Into how many parts an edge is cut so that spheres at its ends and between the parts cover half
/// a radius to each side of it, as in the best cover of the plane.
int edge_parts(double length, double radius);

/// Covers a triangle of the plane by circles of one radius [m] with middles in it. Given are some
/// circles (those at corners and along edges); fill() adds what they leave open: first the points
/// of a hexagonal lattice, the best cover of the plane, then one circle for each small piece that
/// is not in those before.
class TriangleCover {
public:
    explicit TriangleCover(double radius);

    void start(const std::array<Vec2, 3>& triangle);
    void add(const Vec2& middle) { circles_.push_back(middle); }
    /// The weights of the triangle's corners for the middle of each new circle.
    std::span<const Vec3> fill();

    /// A part of the triangle, with the weights of the triangle's corners at its own.
    struct Piece {
        std::array<Vec2, 3> at;
        std::array<Vec3, 3> weights;
    };

private:
    void lay_lattice();
    void fill(const Piece& piece, const std::vector<int>& around, std::size_t seen);
    bool is_covered(const Piece& piece, std::span<const int> near, int depth) const;
    bool is_in_one(const Piece& piece, std::span<const int> near) const;
    void place(const Vec2& middle, const Vec3& weights);

    double radius_;
    Piece whole_;
    std::vector<Vec2> circles_;
    std::vector<Vec3> added_; ///< weights
};

} // namespace muslin
