#pragma once

#include "muslin/render/camera.h"

namespace muslin::viewer {

/// A camera that turns about a point. Turning keeps the horizon level; the eye does not go over
/// the top, where left and right would change places.
class OrbitCamera {
public:
    Camera camera() const;

    /// Sees the box from the present direction, as large as the picture allows.
    void frame(const SceneBounds& box, double aspect);
    /// By a movement of the mouse, as parts of the picture's height: a full height turns by 180
    /// degrees.
    void orbit(double dx, double dy);
    /// Moves what is looked at along with the mouse.
    void pan(double dx, double dy);
    /// Steps of the wheel; each comes nearer by a tenth.
    void zoom(double steps);

    const ViewDirection& direction() const { return direction_; }
    double distance() const { return distance_; } ///< of the eye from its target [m]

private:
    ViewDirection direction_;
    Vec3 target_ = {0, 0, 0};
    double distance_ = 3;
    double nearest_ = 1e-3, farthest_ = 1e3; ///< of the distance, from the size of the scene
    double vertical_fov_ = 28;               ///< [degrees]
};

} // namespace muslin::viewer
