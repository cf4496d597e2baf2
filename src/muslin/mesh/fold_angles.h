#pragma once

#include "muslin/mesh/measure.h"
#include "muslin/mesh/topology.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// How sharply a mesh is still folded where it was folded at first: its creases part it in pieces,
/// and a fold is as sharp as the mean normals of the two pieces beside it differ. What lies
/// crumpled or rolled up everywhere has no pieces, and no folds.
class FoldAngles {
public:
    /// An edge bent by more than this is one of a crease [rad]: 20 degrees.
    static constexpr double least_angle = 0.3490658503988659;
    /// A piece has so many triangles.
    static constexpr int least_triangles = 8;

    /// Folded as at `start`. `hinges` are those of the triangles; both must outlive it.
    FoldAngles(std::span<const Vec3> start, std::span<const std::array<int, 3>> triangles,
               std::span<const Hinge> hinges);

    /// Folds: pairs of pieces that have a crease in common.
    int count() const { return static_cast<int>(folds_.size()); }
    /// By how much the mesh turns at its folds now, their mean by length of crease [rad]; 0 where
    /// it has none.
    double mean(std::span<const Vec3> positions) const;

private:
    struct Fold {
        std::array<int, 2> pieces;
        double length; ///< [m]
    };
    std::span<const std::array<int, 3>> triangles_;
    std::vector<int> piece_; ///< of each triangle
    int pieces_ = 0;
    std::vector<Fold> folds_;
};

} // namespace muslin
