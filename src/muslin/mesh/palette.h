#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <cstddef>

namespace muslin {

/// Colours of the two sides of a cloth, sRGB 0 .. 1.
struct ClothColors {
    Vec3 front, back;
};

/// Of the first cloth, the second and so on. Linen first; the others keep its lightness, so that
/// folds read as well on them.
inline ClothColors cloth_colors(std::size_t cloth) {
    constexpr std::array<ClothColors, 5> palette = {{
        {{0.87, 0.80, 0.69}, {0.47, 0.57, 0.66}}, // linen, slate blue
        {{0.55, 0.66, 0.75}, {0.85, 0.79, 0.70}}, // washed indigo, linen
        {{0.80, 0.58, 0.49}, {0.87, 0.80, 0.71}}, // terracotta, linen
        {{0.64, 0.71, 0.58}, {0.84, 0.78, 0.68}}, // sage, linen
        {{0.85, 0.72, 0.45}, {0.60, 0.60, 0.62}}, // ochre, grey
    }};
    return palette[cloth % palette.size()];
}

inline constexpr Vec3 body_color = {0.66, 0.645, 0.635};
/// Edges of a body sharper than this are drawn as edges [degrees].
inline constexpr double body_crease = 38;

} // namespace muslin
