#pragma once

#include "muslin/render/renderer.h"

namespace muslin {

/// What every pass of one picture needs to know of it, derived from what the caller asked for.
struct FrameSetup {
    Mat4f to_clip{};   ///< world to the picture
    Mat4f to_light{};  ///< world to the shadow map's clip space
    Mat4f to_shadow{}; ///< world to the shadow map's texture coordinates and depth
    Vec3 eye{};        ///< [m]
    CameraBasis basis{};
    double tan_x = 1, tan_y = 1;          ///< tangents of half the field of view
    double near_plane = 1, far_plane = 2; ///< [m]
    Vec3 scene_center{};                  ///< [m]
    double scene_radius = 1;              ///< [m]
    Vec3 toward_light{};
    double shadow_extent = 1; ///< width of the shadow map [m]
    double shadow_range = 1;  ///< its depth [m]
    bool draw_ground = false;
    Vec3 ground_center{};
    double ground_radius = 1;    ///< where the floor has faded out [m]
    double occlusion_radius = 1; ///< [m]
};

/// Height of the floor under a scene [m]; see RenderSettings::ground_height.
double ground_height(const SceneBounds& box, const RenderSettings& settings);

FrameSetup set_up_frame(std::span<const RenderMesh> meshes, const Camera& camera,
                        const RenderSettings& settings);

} // namespace muslin
