// Drawings: what is painted covers what it should; what is written is well-formed.

#include "muslin/render/drawing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muslin {
namespace {

/// How much of a black mark on white there is [pixels].
double ink(const DrawnMark& mark) {
    Drawing drawing;
    drawing.width = drawing.height = 100;
    drawing.marks.push_back(mark);
    const Image image = paint(drawing);
    double sum = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            sum += 1 - image.pixel(x, y)[0] / 255.0;
    return sum;
}

TEST(Drawing, MarksCoverTheirArea) {
    const std::vector<Vec2> triangle = {{10, 10}, {90.5, 20}, {30, 85}};
    const std::vector<Vec2> hole = {{30, 25}, {50, 25}, {40, 45}};
    const double area = 0.5 * std::abs(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]));
    EXPECT_NEAR(ink(DrawnArea{{triangle}}), area, 0.005 * area);
    EXPECT_NEAR(ink(DrawnArea{{triangle, hole}}), area - 200, 0.005 * area);
    EXPECT_NEAR(ink(DrawnDisc{{50, 50}, 20}), std::numbers::pi * 400, 5);
    // A bent line with round ends: nothing is painted twice where it bends.
    EXPECT_NEAR(ink(DrawnLine{{{20, 30}, {50, 30}, {80, 30}}, {0, 0, 0}, 4}),
                60 * 4 + std::numbers::pi * 4, 4);
    // What hangs over the picture is cut off.
    EXPECT_NEAR(ink(DrawnArea{{{{-50, 40}, {150, 40}, {150, 60}, {-50, 60}}}}), 2000, 1);
}

TEST(Drawing, SvgEscapesText) {
    Drawing drawing;
    drawing.width = drawing.height = 10;
    drawing.marks.push_back(DrawnText{{1, 2}, "a<b & c>d", {}});
    const std::string svg = write_svg(drawing);
    EXPECT_NE(svg.find("a&lt;b &amp; c&gt;d"), std::string::npos);
    EXPECT_EQ(svg.find("a<b"), std::string::npos);
}

} // namespace
} // namespace muslin
