#pragma once

#include "muslin/base/enum_names.h"

// What a scene may choose of a method beside its numbers. The parts read these values; a scene has
// their names.

namespace muslin {

/// Where the forces of an implicit step are linearised first.
enum class LineariseAt {
    start,     ///< x0, as in the paper: a turning cloth is slowed by the stretch that a straight
               ///< step along a curve leaves behind, in proportion to h^2 k
    predicted, ///< x0 + h v0 + y: that stretch is seen and taken out within the step
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<LineariseAt> = {"start", "predicted"};

/// How cloth that is covered with spheres meets bodies.
enum class BodyMeeting {
    sweep,   ///< all that would meet on the way, moving triangles and edges too
    points,  ///< points of cloth against standing triangles alone [Ohta95 (4)]
    spheres, ///< bodies are covered with spheres too
};
template <>
inline constexpr std::array<std::string_view, 3> enum_names<BodyMeeting> = {"sweep", "points",
                                                                            "spheres"};

/// The volumes of the trees [Bayraktar07 4]: both find the same pairs.
enum class PairVolume { boxes, spheres };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<PairVolume> = {"boxes", "spheres"};

/// What makes two triangles a pair [Bayraktar07 3].
enum class PairTest {
    triangles, ///< they intersect at one moment: exact, touching counts
    vertices,  ///< a vertex of one passed through the other: faster, but edges pass unseen
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<PairTest> = {"triangles", "vertices"};

/// When triangle_contact resolves collisions.
enum class ResolveAt {
    step,       ///< at the end of steps
    evaluation, ///< also wherever an integrator evaluates forces
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<ResolveAt> = {"step", "evaluation"};

/// Friction of triangle_contact on bodies.
enum class FrictionLaw {
    coulomb, ///< slows sliding by the coefficient times the normal impulse, at most until it stops
    paper,   ///< the coefficient times the tangential net force, against it [Bayraktar07 3]
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<FrictionLaw> = {"coulomb", "paper"};

/// What cloth triangles of triangle_contact do that intersect.
enum class SelfResponse {
    conserving, ///< equal and opposite impulses: "we should enforce the conservation of momentum"
    plain,      ///< each loses what it has across the plane of collision [Bayraktar07 3]
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<SelfResponse> = {"conserving", "plain"};

} // namespace muslin
