#include "muslin/render/legend.h"

#include "muslin/render/color_map.h"

#include <gtest/gtest.h>

#include <cmath>

namespace muslin {
namespace {

TEST(Legend, TicksAreRoundAndWithinTheScale) {
    EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(round_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
    for (const auto& [low, high] :
         {std::pair{0.0, 3.0}, std::pair{0.037, 0.0371}, std::pair{-7e4, 1e6},
          std::pair{1e-9, 2e-9}, std::pair{99.0, 101.0}}) {
        const std::vector<double> ticks = round_ticks(low, high, 5);
        EXPECT_GE(ticks.size(), 3U) << low << ' ' << high;
        EXPECT_LE(ticks.size(), 8U) << low << ' ' << high;
        for (const double t : ticks) {
            EXPECT_GE(t, low - 1e-6 * (high - low));
            EXPECT_LE(t, high + 1e-6 * (high - low));
        }
    }
    EXPECT_TRUE(round_ticks(1, 1, 5).empty());
    // Where a step more is the same number, or nothing, they come to an end all the same.
    EXPECT_LE(round_ticks(1e18, 1e18 + 128, 5).size(), 11U);
    EXPECT_LE(round_ticks(0, std::numeric_limits<double>::denorm_min(), 5).size(), 11U);
    EXPECT_TRUE(round_ticks(0, std::numeric_limits<double>::infinity(), 5).empty());
}

TEST(Legend, NumbersHaveTheDecimalsTheyNeed) {
    EXPECT_EQ(tick_text(2, 2), "2");
    EXPECT_EQ(tick_text(2, 0.5), "2.0");
    EXPECT_EQ(tick_text(0.25, 0.25), "0.25");
    EXPECT_EQ(tick_text(-0.0, 0.5), "0.0");
    EXPECT_EQ(tick_text(7.5, 2.5), "7.5");
    EXPECT_EQ(tick_text(200000, 50000), "2e+05");
}

/// What a reader does: take the bar's colour beside a tick for the colour of its number.
TEST(Legend, ColorBesideATickIsThatOfItsValue) {
    for (const Field field : all_fields)
        for (const auto& [width, height] :
             {std::pair{1280, 720}, std::pair{480, 270}, std::pair{2560, 1440}}) {
            const FieldInfo& what = info(field);
            const Legend legend(width, height, what, what.low, what.high);
            Image image(width, height);
            legend.draw(image);
            ASSERT_GE(legend.ticks().size(), 3U);
            const double rows = legend.bar().bottom - legend.bar().top;
            const double row = (what.high - what.low) / rows; // one row is a value's resolution
            for (const Legend::Tick& tick : legend.ticks()) {
                const int x = static_cast<int>(0.5 * (legend.bar().left + legend.bar().right));
                const int y = std::clamp(static_cast<int>(std::floor(tick.y)),
                                         static_cast<int>(legend.bar().top),
                                         static_cast<int>(legend.bar().bottom) - 1);
                const auto pixel = image.pixel(x, y);
                for (int c = 0; c < 3; ++c) {
                    double low = 1, high = 0; // of the colours within one row of the tick
                    for (const double at : {tick.value - row, tick.value, tick.value + row}) {
                        low = std::min(low, color_of(what, at)[c]);
                        high = std::max(high, color_of(what, at)[c]);
                    }
                    EXPECT_GE(pixel[static_cast<std::size_t>(c)] + 1, 255 * low) << what.name;
                    EXPECT_LE(pixel[static_cast<std::size_t>(c)] - 1, 255 * high) << what.name;
                }
            }
            EXPECT_LT(legend.card().bottom, height);
            EXPECT_GT(legend.card().left, 0);
            EXPECT_LT(legend.card().right, width);
        }
}

TEST(Legend, HasABarInThePictureOfALetter) {
    const FieldInfo& what = info(Field::stretch);
    for (const int size : {16, 64, 100}) {
        const Legend legend(size, size, what, 0, 10);
        EXPECT_GE(legend.bar().bottom - legend.bar().top, 1) << size;
        Image image(size, size);
        legend.draw(image);
    }
}

TEST(Legend, GrowsWithThePicture) {
    const FieldInfo& what = info(Field::stretch);
    const Legend small(640, 360, what, 0, 10), large(2560, 1440, what, 0, 10);
    EXPECT_GT(large.bar().bottom - large.bar().top, 3 * (small.bar().bottom - small.bar().top));
    EXPECT_GT(large.card().right - large.card().left, 3 * (small.card().right - small.card().left));
}

TEST(Legend, CaptionIsInTheLowerLeftCorner) {
    Image image(640, 360);
    draw_caption(image, "");
    EXPECT_EQ(image.rgb, Image(640, 360).rgb);
    draw_caption(image, "frame 12");
    EXPECT_GT(image.pixel(17, 337)[0], 200);
    EXPECT_EQ(image.pixel(600, 340)[0], 0);
    EXPECT_EQ(image.pixel(30, 20)[0], 0);
}

} // namespace
} // namespace muslin
