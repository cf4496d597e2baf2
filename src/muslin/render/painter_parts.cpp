#include "muslin/render/painter_parts.h"

namespace muslin {

const gl::Program& PainterPrograms::for_surface(const shaders::SurfaceVariant& variant) {
    auto& program =
        surface[(variant.flat ? 1 : 0) + (variant.checker ? 2 : 0) + (variant.tint ? 4 : 0) +
                (variant.texture ? 8 : 0) + (variant.scale ? 16 : 0)];
    if (!program)
        program = std::make_unique<gl::Program>("surface", shaders::surface_vertex(variant),
                                                shaders::surface_fragment(variant));
    return *program;
}

} // namespace muslin
