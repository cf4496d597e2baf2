#pragma once

#include "muslin/mesh/measure.h"

#include <span>
#include <vector>

namespace muslin {

/// A closed line at one height: (x, z) of its points [m], in order.
using LevelLoop = std::vector<Vec2>;

/// A surface to be cut at heights. Vertices at the same place are one, so that sewn panels and
/// meshes cut along texture seams are whole. What the view refers to must outlive it.
class Slices {
public:
    explicit Slices(const TriangleView& surface);

    /// The closed lines in which it cuts the plane y = height; lines that end at an edge of the
    /// surface are left out.
    std::vector<LevelLoop> at(double height) const;
    /// Lowest and highest y of its triangles [m].
    double low() const { return low_; }
    double high() const { return high_; }

private:
    TriangleView surface_;
    std::vector<int> place_; ///< of each vertex
    double low_, high_;
};

/// Along the line and back to its start [m].
double loop_length(const LevelLoop& loop);

/// The length of a tape around points of a plane: the perimeter of their convex hull [m].
double hull_length(std::vector<Vec2> points);

/// What a tape measure around all of the lines shows [m].
double tape_length(std::span<const LevelLoop> loops);

/// One closed line of cloth with a body in it.
struct Girth {
    double height = 0; ///< [m]
    Vec2 centre;       ///< (x, z) of the cloth's line [m]
    double cloth = 0;  ///< along the cloth, folds included [m]
    double body = 0;   ///< by the tape around all that the line encloses of bodies [m]
    double ease() const { return cloth - body; }
};

/// The girths of a cloth at a height, by x of their centres: one of a skirt, two of trousers. A
/// line of a body belongs to the line of cloth that winds around most of its points.
std::vector<Girth> girths_at(const Slices& cloth, std::span<const Slices> bodies, double height);

} // namespace muslin
