#include "viewer/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin::viewer {

Camera OrbitCamera::camera() const {
    Camera out;
    out.target = target_;
    out.eye = target_ + distance_ * toward_eye(direction_);
    out.vertical_fov = vertical_fov_;
    return out;
}

void OrbitCamera::frame(const SceneBounds& box, double aspect) {
    if (box.empty())
        return;
    FramingSettings settings;
    settings.view = direction_;
    settings.aspect = aspect;
    settings.margin = 0.1;
    settings.vertical_fov = vertical_fov_;
    const Camera framed = frame_camera(box, settings);
    // The framed eye may look past the middle; what it turns about is the scene's own depth.
    const Vec3 toward = toward_eye(direction_);
    distance_ = std::max(dot(framed.eye - box.center(), toward), 0.1 * box.diagonal());
    target_ = framed.eye - distance_ * toward;
    nearest_ = 0.02 * std::max(box.diagonal(), 1e-3);
    farthest_ = 30 * std::max(box.diagonal(), 1e-3);
    distance_ = std::clamp(distance_, nearest_, farthest_);
}

void OrbitCamera::orbit(double dx, double dy) {
    direction_.azimuth = std::remainder(direction_.azimuth - 180 * dx, 360.0);
    direction_.elevation = std::clamp(direction_.elevation + 180 * dy, -89.0, 89.0);
}

void OrbitCamera::pan(double dx, double dy) {
    const CameraBasis basis = camera_basis(camera());
    const double height = 2 * distance_ * std::tan(vertical_fov_ * std::numbers::pi / 360);
    target_ += height * (dy * basis.up - dx * basis.right);
}

void OrbitCamera::zoom(double steps) {
    distance_ = std::clamp(distance_ * std::pow(0.9, steps), nearest_, farthest_);
}

} // namespace muslin::viewer
