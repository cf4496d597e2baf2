#pragma once

#include "muslin/render/gl_objects.h"
#include "muslin/render/shaders_geometry.h"
#include "muslin/render/shaders_light.h"

#include <array>
#include <memory>

namespace muslin {

// What a Painter paints with and into.

struct PainterPrograms {
    gl::Program depth{"depth", shaders::depth_vertex(), shaders::depth_fragment()};
    gl::Program coverage{"coverage", shaders::screen_vertex(), shaders::coverage_fragment()};
    gl::Program ground{"ground", shaders::ground_vertex(), shaders::ground_fragment()};
    gl::Program ink{"ink", shaders::ink_vertex(), shaders::ink_fragment()};
    gl::Program halve{"halve", shaders::screen_vertex(), shaders::halve_fragment()};
    gl::Program occlusion{"occlusion", shaders::screen_vertex(), shaders::occlusion_fragment()};
    gl::Program blur{"blur", shaders::screen_vertex(), shaders::blur_fragment()};
    gl::Program classify{"classify", shaders::screen_vertex(), shaders::classify_fragment()};
    gl::Program light_surface{"light on surfaces", shaders::screen_vertex(),
                              shaders::light_surface_fragment()};
    gl::Program light_ground{"light on ground", shaders::screen_vertex(),
                             shaders::light_ground_fragment()};
    gl::Program light_edge{"light on edges", shaders::screen_vertex(),
                           shaders::light_edge_fragment()};
    std::array<std::unique_ptr<gl::Program>, 32> surface; ///< by variant

    /// Made when first needed.
    const gl::Program& for_surface(const shaders::SurfaceVariant& variant);
};

struct ShadowTargets {
    gl::Texture map, coverage; ///< depth from the light; how much of the floor is covered
    gl::Framebuffer target, coverage_target;
};

/// What is seen, several samples a pixel.
struct GeometryTargets {
    gl::Texture color, normal, depth;
    gl::Framebuffer target;
    int samples = 1; ///< what the driver gave
};

/// Ambient occlusion, half the picture's size.
struct HalfSizeTargets {
    gl::Texture normal_depth, visibility, scratch;
    gl::Framebuffer normal_depth_target, visibility_target, scratch_target;
};

struct PictureTargets {
    gl::Renderbuffer color, class_depth;
    gl::Framebuffer target;
};

} // namespace muslin
