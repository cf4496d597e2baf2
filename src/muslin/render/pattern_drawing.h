#pragma once

#include "muslin/pattern/pattern.h"
#include "muslin/render/drawing.h"

namespace muslin {

struct PatternDrawingSettings {
    double width = 1600;  ///< [pixels]
    double height = 1100; ///< at most [pixels]
};

/// The panels of a pattern side by side, to one scale, each as it is drawn: its name and size, the
/// numbers of its edges, and its seams, whose numbers and colours are the same on both sides. The
/// long arrow is the grain, y of the panel. A panel whose outer side is down shows its inner side,
/// which is blue.
Drawing draw_pattern(const Pattern& pattern, const PatternDrawingSettings& settings = {});

/// The colour of a seam, sRGB 0 .. 1.
Vec3 seam_color(std::size_t seam);

} // namespace muslin
