#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <limits>
#include <span>

namespace muslin {

/// An axis-aligned box [m]; empty until something is added.
struct SceneBounds {
    Vec3 lower = {inf, inf, inf};
    Vec3 upper = {-inf, -inf, -inf};

    static constexpr double inf = std::numeric_limits<double>::infinity();
    bool empty() const { return !(lower.x <= upper.x); }
    Vec3 center() const { return 0.5 * (lower + upper); }
    double diagonal() const { return empty() ? 0.0 : norm(upper - lower); }
    /// Points that are not finite are left out: one bad vertex must not blind the camera.
    void add(std::span<const Vec3> points);
};

/// From where a scene is seen: both angles in degrees. Azimuth 0 looks along -z, 90 along -x;
/// elevation 90 looks straight down. The default is a three-quarter view, which shows the drape
/// of a cloth, the depth of its folds and its shadow at once.
struct ViewDirection {
    double azimuth = 32;
    double elevation = 22;
};

/// The unit vector from the target of such a view towards its eye.
Vec3 toward_eye(const ViewDirection& view);

/// A perspective camera. The near and far planes are found by the renderer.
struct Camera {
    Vec3 eye = {0, 0, 5};
    Vec3 target = {0, 0, 0};
    Vec3 up = {0, 1, 0};
    double vertical_fov = 28; ///< [degrees]
};

/// Right, up and backward (towards the eye) unit vectors of a camera. A view straight up or down
/// gets a right vector along x.
struct CameraBasis {
    Vec3 right, up, back;
};
CameraBasis camera_basis(const Camera& camera);

struct FramingSettings {
    ViewDirection view;
    double aspect = 16.0 / 9.0;
    double margin = 0.06; ///< empty border on each side, as a fraction of the picture
    double vertical_fov = 28;
};

/// Finds the camera that sees every point added, as large as the picture allows, centred, with
/// the margin around them. Add the points of all frames and the camera stands still.
class CameraFramer {
public:
    explicit CameraFramer(const FramingSettings& settings = {});
    void add(std::span<const Vec3> points);
    Camera camera() const;

private:
    FramingSettings settings_;
    CameraBasis basis_;
    double tan_x_, tan_y_;
    // Extremes of x -+ z tan and y -+ z tan over the points (x right, y up, z towards the eye):
    // each is where a side of the picture, a plane through the eye, touches the points.
    double left_ = SceneBounds::inf, right_ = -SceneBounds::inf, bottom_ = SceneBounds::inf,
           top_ = -SceneBounds::inf;
    double back_ = SceneBounds::inf, front_ = -SceneBounds::inf; // extremes of z
};

/// The same for a box.
Camera frame_camera(const SceneBounds& box, const FramingSettings& settings = {});

/// A 4x4 matrix column by column in single precision, as OpenGL takes it.
using Mat4f = std::array<float, 16>;

Mat4f operator*(const Mat4f& a, const Mat4f& b);
Mat4f view_matrix(const Camera& camera);
Mat4f perspective_matrix(double vertical_fov, double aspect, double near_plane, double far_plane);

} // namespace muslin
