#pragma once

#include "muslin/mesh/measure.h"
#include "muslin/model/build_model.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

/// What a frame is worth, measured on its positions alone.
struct Verdict {
    double stretch_max = 1;     ///< longest edge over its rest length
    double stretch_min = 1;     ///< shortest
    double stretch_99 = 1;      ///< the ratio that 99 % of the edges stay below
    double principal_max = 1;   ///< largest principal stretch of any triangle
    double principal_min = 1;   ///< smallest
    int self_intersections = 0; ///< pairs of cloth triangles that cross
    int body_intersections = 0; ///< pairs of a cloth and a body triangle that cross
    /// How deep the deepest vertex is inside a body [m]; none where no body is closed.
    std::optional<double> body_penetration_max;
    // Where a body cuts into itself no cloth can be outside it (Body::parted). What is there is no
    // part of the two figures above and counts here.
    int pinched_intersections = 0;      ///< pairs of a cloth and a body triangle
    int pinched_vertices = 0;           ///< inside
    int pinched_self_intersections = 0; ///< those of self_intersections that are there
};

/// A body where it stands.
struct PlacedBody {
    TriangleView surface;
    bool closed = false; ///< is_closed(surface), which does not change while it moves
    /// Which triangles have stepped back for contact; empty: none.
    std::span<const std::uint8_t> parted;
};

/// Measures cloth by its triangles and their pattern alone, which must outlive it.
class ClothJudge {
public:
    ClothJudge(std::span<const std::array<int, 3>> triangles,
               std::span<const std::array<Vec2, 3>> pattern);
    Verdict judge(std::span<const Vec3> positions, std::span<const PlacedBody> bodies) const;

private:
    int count_pinched(std::span<const Vec3> positions, std::span<const PlacedBody> bodies) const;

    std::span<const std::array<int, 3>> triangles_;
    std::span<const std::array<Vec2, 3>> pattern_;
    PatternEdges edges_;
};

/// Measures states of one model: what is drawn is what is judged, where a cloth's surface is not
/// the layer that pulls or touches. It knows nothing of the solver.
class Judge {
public:
    explicit Judge(const Model& model);
    /// Bodies stand where they are at `time` [s].
    Verdict judge(std::span<const Vec3> positions, double time) const;

private:
    const Model& model_;
    /// Of a model with surfaces of their own: the particles of those, and triangles over them.
    std::vector<int> drawn_;
    SurfaceTriangles surface_;
    ClothJudge cloth_;
    std::vector<char> body_closed_; ///< one per body
};

} // namespace muslin
