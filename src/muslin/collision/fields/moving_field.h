#pragma once

#include "muslin/kernels/forecast.h"
#include "muslin/levelset/distance_field.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace muslin {

/// What it took to make level sets.
struct LevelSetWork {
    int made = 0; ///< from meshes
    int read = 0; ///< from files of earlier runs
    double seconds = 0;
    std::vector<std::string> warnings; ///< of files that could not be used and were made anew
};

/// The distance field of solids that move.
class MovingField : public DistanceField {
public:
    /// Solids stand where they are at `time` [s]. Velocities are those that take them on from there
    /// in `interval` [s], or brought them there where it is negative; 0: those of the moment.
    virtual void set_time(double time, double interval) = 0;

    /// How a place that sample() calls pinched is caught; friction is left at zero.
    virtual Pinch pinch(const Vec3& place) const = 0;

    /// How far from every surface the field is known [m]: a point that moves less than this against
    /// a solid cannot pass through unseen.
    virtual double band() const { return std::numeric_limits<double>::infinity(); }
    /// Whether the straight way from `a` to `b` may come near a solid.
    virtual bool may_meet(const Vec3& /*a*/, const Vec3& /*b*/) const { return true; }

    /// Does now what would else be done when a time is first asked for, until a time [s];
    /// `progress` is told how many of how many level sets are there.
    virtual void prepare(double /*until*/, const std::function<void(int, int)>& /*progress*/) {}
    virtual LevelSetWork work() const { return {}; }
};

} // namespace muslin
