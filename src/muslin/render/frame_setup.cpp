#include "muslin/render/frame_setup.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {

namespace {

constexpr double degree = std::numbers::pi / 180.0;

SceneBounds scene_box(std::span<const RenderMesh> meshes, const RenderSettings& settings) {
    if (settings.bounds && !settings.bounds->empty())
        return *settings.bounds;
    SceneBounds box;
    for (const RenderMesh& mesh : meshes)
        box.add(mesh.positions);
    if (box.empty())
        box = {{-0.5, 0, -0.5}, {0.5, 1, 0.5}};
    return box;
}

/// Light from the left of the camera and above: its shadows fall across the folds that the
/// camera sees, where light from the camera's own side would flatten them.
Vec3 default_light(const CameraBasis& basis) {
    const double azimuth = std::atan2(basis.back.x, basis.back.z) / degree - 58;
    return toward_eye({azimuth, 48});
}

/// An orthographic projection along the light that holds the sphere of the scene.
void set_up_light(FrameSetup& frame) {
    Camera light;
    light.target = frame.scene_center;
    light.eye = frame.scene_center + 2.0 * frame.scene_radius * frame.toward_light;
    const double r = 1.02 * frame.scene_radius;
    frame.shadow_extent = 2 * r;
    frame.shadow_range = 2 * r;
    Mat4f ortho{};
    ortho[0] = ortho[5] = static_cast<float>(1 / r);
    ortho[10] = static_cast<float>(-1 / r);
    ortho[14] = static_cast<float>(-2 * frame.scene_radius / r);
    ortho[15] = 1;
    frame.to_light = ortho * view_matrix(light);
    const Mat4f to_texture = {0.5F, 0, 0, 0, 0, 0.5F, 0, 0, 0, 0, 0.5F, 0, 0.5F, 0.5F, 0.5F, 1};
    frame.to_shadow = to_texture * frame.to_light;
}

} // namespace

double ground_height(const SceneBounds& box, const RenderSettings& settings) {
    if (settings.ground_height)
        return *settings.ground_height;
    const double radius = 0.5 * box.diagonal();
    const bool stands_on_zero = box.lower.y > -0.02 * radius && box.lower.y < 0.25 * radius;
    return stands_on_zero ? std::min(0.0, box.lower.y) : box.lower.y;
}

FrameSetup set_up_frame(std::span<const RenderMesh> meshes, const Camera& camera,
                        const RenderSettings& settings) {
    FrameSetup frame;
    const SceneBounds box = scene_box(meshes, settings);
    frame.scene_center = box.center();
    frame.scene_radius = std::max(0.5 * box.diagonal(), 1e-4);
    frame.eye = camera.eye;
    frame.basis = camera_basis(camera);
    const double aspect = static_cast<double>(settings.width) / settings.height;
    frame.tan_y = std::tan(0.5 * degree * camera.vertical_fov);
    frame.tan_x = aspect * frame.tan_y;

    const double y = ground_height(box, settings);
    // A hair lower than asked, so that cloth that lies on the floor is not torn by it.
    frame.ground_center = {frame.scene_center.x, y - 0.002 * frame.scene_radius,
                           frame.scene_center.z};
    frame.ground_radius = 4.5 * frame.scene_radius;
    frame.draw_ground = settings.ground && camera.eye.y > frame.ground_center.y;

    const double reach = settings.ground ? 1.5 * frame.ground_radius : frame.scene_radius;
    const double distance = dot(camera.eye - frame.scene_center, frame.basis.back);
    const double far_plane = std::max(distance + reach, 0.1 * frame.scene_radius);
    frame.near_plane = std::max(distance - 1.1 * frame.scene_radius, 0.004 * far_plane);
    frame.far_plane = std::max(far_plane, 2 * frame.near_plane);
    frame.to_clip =
        perspective_matrix(camera.vertical_fov, aspect, frame.near_plane, frame.far_plane) *
        view_matrix(camera);

    frame.toward_light =
        settings.toward_light ? normalized(*settings.toward_light) : default_light(frame.basis);
    frame.occlusion_radius = 0.16 * frame.scene_radius;
    set_up_light(frame);
    return frame;
}

} // namespace muslin
