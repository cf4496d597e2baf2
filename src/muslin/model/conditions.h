#pragma once

#include "muslin/model/animated.h"
#include "muslin/model/given_path.h"
#include "muslin/model/shape.h"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// Particles held to a shape within a time window [BW98 2.4, 5].
struct Pin {
    std::string name; ///< of its region, for reports
    std::vector<int> particles;
    std::vector<Vec3> start; ///< where each was at the start [m]
    Shape shape;
    Motion motion;
    TimeWindow window;
    /// Frame k holds every particle at k / frame_rate [m], before the motion. Empty: `start`.
    std::vector<std::vector<Vec3>> frames = {};
    double frame_rate = 30; ///< of `frames` [1/s]
    /// Where a program takes the particles: when they go from the first of two `frames` to the
    /// second.
    std::optional<PathTime> path = {};
};

/// The frames of a pin around a time [s].
FrameInterval find_interval(const Pin& pin, double time);

/// Springs from particles to a moving point [BW98 4.4].
struct Pull {
    std::vector<int> particles;
    Animated<Vec3> target;
    double stiffness = 0; ///< [N/m] per particle
    double damping = 0;   ///< [N s/m] per particle
    TimeWindow window;
    /// The most that the spring pulls each particle with [N]: from there on it pulls no harder
    /// however far the point is. A hand has such a limit, and cloth that it pulls does not tear.
    double max_force = std::numeric_limits<double>::infinity();
};

/// Wind that a program gives place by place.
class WindField {
public:
    virtual ~WindField() = default;
    /// Sets the velocity of the air [m/s] at each of the places [m], at a time [s]. Called on the
    /// thread that steps.
    virtual void find(double time, std::span<const Vec3> places, std::span<Vec3> wind) const = 0;
};

struct Air {
    Animated<Vec3> wind{Vec3{0, 0, 0}};          ///< [m/s]; may differ from place to place
    std::shared_ptr<const WindField> field = {}; ///< in place of `wind`, where there is one
    double linear_drag = 0;                      ///< [N s/m^3]
    double quadratic_drag = 0;                   ///< [kg/m^3]
    double viscous_drag = 0;                     ///< [N s/m^3]; air_vertices alone
};

/// The way of garments onto their bodies: they are sewn and settle, layer by layer, and then follow
/// their bodies into the pose of the first frame. `done`: the scene itself runs.
enum class DressingPhase { sew, settle, preroll, done };

/// What may change while a scene runs although no step computes it: who runs the scene decides.
/// Passed to every step; all else about a scene is in the const Model.
struct Conditions {
    Vec3 gravity = {0, -9.81, 0}; ///< [m/s^2]
    std::vector<double> weight;   ///< share of gravity that acts, per particle; empty: all of it
    Air air;
    std::vector<Pin> pins;
    Pin waiting = {}; ///< garments whose turn to be sewn has not come are held where they are
    std::vector<Pull> pulls;
    DressingPhase phase = DressingPhase::done;
};

} // namespace muslin
