#pragma once

#include "muslin/math/vec.h"
#include "muslin/render/image.h"

#include <string_view>

namespace muslin {

enum class Align { left, center, right };

struct TextStyle {
    double size = 16;                ///< height from the deepest to the highest letter [pixels]
    Vec3 color = {0.17, 0.18, 0.20}; ///< sRGB, 0 .. 1
    double opacity = 1;              ///< 0 .. 1
    Align align = Align::left;       ///< which end of the line is at x
};

/// How far a line of UTF-8 reaches [pixels]. Bytes that are not UTF-8 count as U+FFFD.
double text_width(std::string_view text, double size);

/// Height of capitals above the baseline [pixels].
double cap_height(double size);

/// Writes a line on its baseline; what hangs over the picture is cut off.
void draw_text(Image& target, std::string_view text, double x, double baseline,
               const TextStyle& style);

} // namespace muslin
