#pragma once

#include "muslin/io/level_set_cache.h"
#include "muslin/levelset/level_set.h"
#include "muslin/levelset/velocity_extension.h"
#include "muslin/model/body.h"

#include <functional>
#include <optional>
#include <vector>

namespace muslin {

/// What a body is to a place in its own space, before its motion.
struct BodySample {
    double distance = 0;       ///< [m]; +-band where it is not known
    Vec3 normal = {0, 0, 0};   ///< zero where it is not known
    Vec3 velocity = {0, 0, 0}; ///< of the surface, by deformation alone [m/s]
};

/// The distance to a body that deforms from frame to frame [Bridson03 5.1].
///
/// Level sets are made at *knots*: at the frames and, where vertices move far between two of them,
/// of the mesh as it is in between. From knot to knot no vertex moves by more than a third of the
/// band, so that the place of every point near the surface is known to both. Two are in memory.
///
/// At a time between, a place is followed back to where the surface carried it from at the earlier
/// knot, and on to where it takes it at the later one, by the displacement of the surface carried
/// off it along normals; the distances there are mixed. Distances mixed at the place itself would
/// erase whatever is thinner than it moves. Followed, a body that moves as a whole keeps its shape
/// to rounding, and one that deforms to the second order of the step between knots.
class DeformingField {
public:
    /// A body with two frames or more, which the field refers to, as it does to the cache.
    DeformingField(const Body& body, const LevelSetSettings& grid, LevelSetCache& cache);

    /// Takes what is to be known at `time` [s]; at a knot the sign of `interval` decides whether
    /// velocities are those after it or before it.
    void set_time(double time, double interval);
    BodySample sample(const Vec3& place) const;

    double band() const { return known_part * grid_.band; } ///< [m]
    Bounds bounds() const { return bounds_; }               ///< of what is known at the time
    std::size_t memory() const;                             ///< for tests [bytes]

    /// Makes the level sets that the cache does not hold, until a time [s]. `progress` is called
    /// with the number of those it has gone through and of all, when one was made.
    void prepare(double until, const std::function<void(int, int)>& progress) const;
    /// How many level sets there are until a time [s].
    int count(double until) const;

private:
    // The part of the band that a surface within a third of it away still has.
    static constexpr double known_part = 2.0 / 3;

    struct Knot {
        int number = -1;
        std::vector<Vec3> points;
        LevelSet level_set;
    };
    struct Followed {
        Vec3 place, displacement;
    };
    void load(Knot& knot, int number) const;
    void points_at(double frame, std::vector<Vec3>& out) const;
    TriangleView surface(const Knot& knot) const { return {knot.points, body_.triangles}; }
    static Followed follow(const VelocityExtension& extension, const Vec3& place, double part);

    const Body& body_;
    LevelSetSettings grid_;
    LevelSetCache& cache_;
    std::vector<double> knots_; ///< in frames of the body, increasing
    Knot first_, second_;       ///< around the time
    double weight_ = 0;         ///< of the second
    double duration_ = 1;       ///< from the first to the second [s]
    std::vector<Vec3> displacement_;
    std::optional<VelocityExtension> off_first_, off_second_; ///< of the displacement [m]
    Bounds bounds_;
};

} // namespace muslin
