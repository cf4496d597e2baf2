#pragma once

#include "muslin/math/vec.h"
#include "muslin/render/image.h"
#include "muslin/render/text.h"

#include <string>
#include <variant>
#include <vector>

namespace muslin {

// A flat drawing of a few kinds of marks, written as SVG or painted into a picture. Lengths are
// pixels from the top left, y down; colours sRGB, 0 .. 1.

/// The area within loops, the inner ones left out.
struct DrawnArea {
    std::vector<std::vector<Vec2>> loops;
    Vec3 color = {0, 0, 0};
};

struct DrawnLine {
    std::vector<Vec2> points;
    Vec3 color = {0, 0, 0};
    double width = 1;
};

struct DrawnDisc {
    Vec2 middle = {0, 0};
    double radius = 1;
    Vec3 color = {0, 0, 0};
};

struct DrawnText {
    Vec2 at = {0, 0}; ///< on the baseline, at the end that style.align names
    std::string text;
    TextStyle style;
};

using DrawnMark = std::variant<DrawnArea, DrawnLine, DrawnDisc, DrawnText>;

struct Drawing {
    double width = 0, height = 0;
    Vec3 background = {1, 1, 1};
    std::vector<DrawnMark> marks; ///< later ones lie above
};

std::string write_svg(const Drawing& drawing);

/// The picture with smoothed edges.
Image paint(const Drawing& drawing);

} // namespace muslin
