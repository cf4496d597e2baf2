#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/surfaces.h"

#include <span>
#include <vector>

namespace muslin {

/// The surfaces of bodies moved outward by the gap that cloth keeps from them. Cloth whose
/// triangles do not intersect the moved ones rests at its gap from the body, and what does
/// intersect them for a moment does not yet intersect the body.
///
/// Every vertex moves so that the planes of all its triangles are the gap further out: edges stay
/// sharp, and a box becomes a larger box. Bodies must be wound counter-clockwise seen from outside.
class BodyOffset {
public:
    /// `cloth` is the half thickness of the thickest cloth [m].
    BodyOffset(const Surfaces& surfaces, double cloth);

    /// Moves the points of bodies in `points`, which are where the bodies are.
    void apply(std::span<Vec3> points);

private:
    void find_moves(std::span<const Vec3> points);
    bool is_closed_by_index(int body) const;

    const Surfaces& surfaces_;
    double cloth_;
    std::vector<int> place_; ///< of each point of bodies: the first point that is at its place
    Rows triangles_;         ///< around each place, by point of bodies
    std::vector<Vec3> normals_, moves_;
    std::vector<double> pushed_; ///< scratch
    bool known_ = false;         ///< the moves of bodies that keep still
};

} // namespace muslin
