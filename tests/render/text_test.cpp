#include "muslin/render/text.h"

#include "muslin/render/font.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muslin {
namespace {

Image white(int width, int height) {
    Image image(width, height);
    std::fill(image.rgb.begin(), image.rgb.end(), std::uint8_t{255});
    return image;
}

/// The box of the pixels that are darker than half: left, top, right, bottom (inclusive).
std::array<int, 4> ink_box(const Image& image) {
    std::array<int, 4> box = {image.width, image.height, -1, -1};
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (image.pixel(x, y)[0] < 128)
                box = {std::min(box[0], x), std::min(box[1], y), std::max(box[2], x),
                       std::max(box[3], y)};
    return box;
}

TEST(Text, FontIsInTheProgram) {
    EXPECT_GT(font_bytes().size(), 100000U);
    EXPECT_EQ(font_bytes()[0], 0); // the head of a TrueType file: 00 01 00 00
    EXPECT_EQ(font_bytes()[1], 1);
}

TEST(Text, LettersStandOnTheirBaseline) {
    Image image = white(200, 100);
    draw_text(image, "H", 20, 70, {.size = 60, .color = {0, 0, 0}});
    const auto [left, top, right, bottom] = ink_box(image);
    EXPECT_EQ(bottom, 69);
    EXPECT_NEAR(bottom - top + 1, cap_height(60), 1);
    EXPECT_GE(left, 20);
    EXPECT_LE(right, 20 + text_width("H", 60));
}

TEST(Text, AlignsByItsWidth) {
    Image left = white(300, 60), right = white(300, 60), middle = white(300, 60);
    const double width = text_width("0.05 mm", 32);
    draw_text(left, "0.05 mm", 100, 40, {.size = 32});
    draw_text(right, "0.05 mm", 100 + width, 40, {.size = 32, .align = Align::right});
    draw_text(middle, "0.05 mm", 100 + width / 2, 40, {.size = 32, .align = Align::center});
    EXPECT_EQ(left.rgb, right.rgb);
    EXPECT_EQ(left.rgb, middle.rgb);
    EXPECT_NEAR(text_width("0.05 mm", 64), 2 * width, 1e-3);
}

TEST(Text, ReadsUtf8AndOutlivesWhatIsNot) {
    EXPECT_NE(text_width("N/m\u00b2", 30), text_width("N/m2", 30));
    const std::string broken = "a\xC3", overlong = "a\xC0\xAF"
                                                   "b";
    EXPECT_GT(text_width(broken, 30), text_width("a", 30));
    EXPECT_GT(text_width(overlong, 30), text_width("ab", 30));
    Image image = white(40, 20);
    draw_text(image, "hangs over every side", -30, 4, {.size = 40});
    draw_text(image, "", 5, 5, {});
}

TEST(Text, DifferentDigitsLookDifferent) {
    std::vector<Image> digits;
    for (char c = '0'; c <= '9'; ++c) {
        digits.push_back(white(30, 40));
        draw_text(digits.back(), std::string(1, c), 4, 30, {.size = 32});
        for (std::size_t i = 0; i + 1 < digits.size(); ++i)
            EXPECT_NE(digits[i].rgb, digits.back().rgb);
    }
}

} // namespace
} // namespace muslin
