#include "muslin/render/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {

namespace {

constexpr double degree = std::numbers::pi / 180.0;

std::array<Vec3, 8> corners(const SceneBounds& box) {
    std::array<Vec3, 8> out{};
    for (int i = 0; i < 8; ++i)
        out[static_cast<std::size_t>(i)] = {(i & 1) ? box.upper.x : box.lower.x,
                                            (i & 2) ? box.upper.y : box.lower.y,
                                            (i & 4) ? box.upper.z : box.lower.z};
    return out;
}

} // namespace

void SceneBounds::add(std::span<const Vec3> points) {
    for (const Vec3& p : points) {
        if (!is_finite(p))
            continue;
        lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
        upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
    }
}

Vec3 toward_eye(const ViewDirection& view) {
    const double a = degree * view.azimuth, e = degree * view.elevation;
    return {std::sin(a) * std::cos(e), std::sin(e), std::cos(a) * std::cos(e)};
}

CameraBasis camera_basis(const Camera& camera) {
    const Vec3 back = normalized(camera.eye - camera.target);
    Vec3 right = cross(camera.up, back);
    right = norm(right) > 1e-6 * norm(camera.up) ? normalized(right) : Vec3{1, 0, 0};
    return {right, cross(back, right), back};
}

CameraFramer::CameraFramer(const FramingSettings& settings)
    : settings_(settings), basis_(camera_basis({.eye = toward_eye(settings.view)})), tan_x_(0),
      tan_y_((1.0 - 2.0 * settings.margin) * std::tan(0.5 * degree * settings.vertical_fov)) {
    tan_x_ = tan_y_ * settings.aspect;
}

void CameraFramer::add(std::span<const Vec3> points) {
    for (const Vec3& p : points) {
        if (!is_finite(p))
            continue;
        const double x = dot(p, basis_.right), y = dot(p, basis_.up), z = dot(p, basis_.back);
        left_ = std::min(left_, x - z * tan_x_);
        right_ = std::max(right_, x + z * tan_x_);
        bottom_ = std::min(bottom_, y - z * tan_y_);
        top_ = std::max(top_, y + z * tan_y_);
        back_ = std::min(back_, z);
        front_ = std::max(front_, z);
    }
}

Camera CameraFramer::camera() const {
    Camera camera;
    camera.vertical_fov = settings_.vertical_fov;
    if (back_ > front_) { // no points
        camera.eye = 5.0 * basis_.back;
        return camera;
    }
    // The tighter pair of sides (left/right or bottom/top) sets the distance; the other is centred.
    const double depth = std::max((right_ - left_) / (2 * tan_x_), (top_ - bottom_) / (2 * tan_y_));
    const double target = 0.5 * (back_ + front_);
    const double smallest = 1e-3; // a single point is seen from a finite distance [m]
    const Vec3 axis =
        (0.5 * (left_ + right_)) * basis_.right + (0.5 * (bottom_ + top_)) * basis_.up;
    camera.target = axis + target * basis_.back;
    camera.eye = axis + std::max(depth, target + smallest) * basis_.back;
    return camera;
}

Camera frame_camera(const SceneBounds& box, const FramingSettings& settings) {
    CameraFramer framer(settings);
    if (!box.empty())
        framer.add(corners(box));
    return framer.camera();
}

Mat4f operator*(const Mat4f& a, const Mat4f& b) {
    Mat4f out{};
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t k = 0; k < 4; ++k)
                out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    return out;
}

Mat4f view_matrix(const Camera& camera) {
    const CameraBasis basis = camera_basis(camera);
    const std::array<Vec3, 3> rows = {basis.right, basis.up, basis.back};
    Mat4f out{};
    for (std::size_t r = 0; r < 3; ++r) {
        out[r] = static_cast<float>(rows[r].x);
        out[4 + r] = static_cast<float>(rows[r].y);
        out[8 + r] = static_cast<float>(rows[r].z);
        out[12 + r] = static_cast<float>(-dot(rows[r], camera.eye));
    }
    out[15] = 1;
    return out;
}

Mat4f perspective_matrix(double vertical_fov, double aspect, double near_plane, double far_plane) {
    const double f = 1.0 / std::tan(0.5 * degree * vertical_fov);
    Mat4f out{};
    out[0] = static_cast<float>(f / aspect);
    out[5] = static_cast<float>(f);
    out[10] = static_cast<float>((far_plane + near_plane) / (near_plane - far_plane));
    out[11] = -1;
    out[14] = static_cast<float>(2 * far_plane * near_plane / (near_plane - far_plane));
    return out;
}

} // namespace muslin
