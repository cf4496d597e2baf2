#pragma once

#include "muslin/math/vec.h"

namespace muslin::viewer {

/// Linen and slate, like the cloth and the page; letters of the program's own font. `scale`: of the
/// screen; `pixels`: to a screen unit.
void apply_style(double scale, double pixels);

/// A colour as ImGui packs it; sRGB 0 .. 1.
unsigned int packed(const Vec3& color, double opacity = 1);

namespace ink {
inline constexpr Vec3 slate = {0.17, 0.20, 0.24};
inline constexpr Vec3 accent = {0.27, 0.40, 0.50};
inline constexpr Vec3 linen = {0.957, 0.945, 0.922};
inline constexpr Vec3 thread = {0.78, 0.31, 0.18}; ///< what is held or picked
inline constexpr Vec3 alarm = {0.72, 0.16, 0.12};
} // namespace ink

} // namespace muslin::viewer
