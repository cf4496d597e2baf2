#pragma once

#include "muslin/mesh/fields.h"

#include <array>

namespace muslin {

/// Colours of a scale from low to high, sRGB 0 .. 1: from ivory, the colour of cloth at ease, over
/// green and blue to dark violet. Its lightness falls steadily, so that it also reads in grey, and
/// it has no red, which marks intersections.
const std::array<Vec3, 256>& color_table();

/// The colour of a place on the scale, 0 .. 1; what lies outside takes the nearer end.
Vec3 color_at(double place);

/// The colour of a value on the scale from `low` to `high`.
inline Vec3 color_of(double value, double low, double high) {
    return color_at((value - low) / (high - low));
}
inline Vec3 color_of(const FieldInfo& field, double value) {
    return color_of(value, field.low, field.high);
}

/// What intersects or is pinched.
inline constexpr Vec3 alarm_color = {0.86, 0.09, 0.10};

/// RenderSettings::even_light of cloth that is coloured by a field: colours that are read off a
/// legend need a light that changes them little.
inline constexpr double even_light_of_colors = 0.5;

} // namespace muslin
