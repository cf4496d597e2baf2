#pragma once

#include "muslin/collision/detect/surfaces.h"

#include <span>
#include <vector>

namespace muslin {

/// How far points have moved against each other since a start: what was further apart than that
/// cannot have met. Lists of what is near are good until then.
class MotionBound {
public:
    explicit MotionBound(const Surfaces& surfaces) : surfaces_(surfaces) {}

    void set_start(std::span<const Vec3> positions) {
        start_.assign(positions.begin(), positions.end());
    }
    std::span<const Vec3> start() const { return start_; } ///< empty: none was set

    /// A bound on how far two points have moved against each other, one of them of cloth [m]. Cloth
    /// that moves as a whole does not come nearer to itself.
    double since_start(std::span<const Vec3> positions);
    /// How far the point that moved most is from its start [m].
    double furthest(std::span<const Vec3> positions);

private:
    /// The least and the largest displacement, by coordinate [m].
    struct Drift {
        Vec3 least = {0, 0, 0}, most = {0, 0, 0};
    };
    Drift drift(std::span<const Vec3> positions, std::size_t from, std::size_t to);

    const Surfaces& surfaces_;
    std::vector<Vec3> start_;
    std::vector<Drift> partials_;
    std::vector<double> furthest_;
};

} // namespace muslin
