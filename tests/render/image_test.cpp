#include "muslin/render/image.h"

#include "muslin/base/error.h"
#include "scenes.h"

#include <gtest/gtest.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

namespace muslin {
namespace {

using namespace testing;

Image pattern(int width, int height) {
    Image image(width, height);
    for (std::size_t i = 0; i < image.rgb.size(); ++i)
        image.rgb[i] = static_cast<std::uint8_t>((i * i / 7 + 31 * i) & 255);
    return image;
}

TEST(Image, PngDecodesToTheSamePixels) {
    const ScratchDirectory directory("png");
    for (const auto& [width, height] : {std::pair{1, 1}, std::pair{67, 41}, std::pair{640, 360}}) {
        const Image image = pattern(width, height);
        const auto file = directory / "picture.png";
        write_png(file, image);
        int w = 0, h = 0, channels = 0;
        stbi_uc* data = stbi_load(file.c_str(), &w, &h, &channels, 0);
        ASSERT_NE(data, nullptr);
        EXPECT_EQ(w, width);
        EXPECT_EQ(h, height);
        EXPECT_EQ(channels, 3);
        EXPECT_TRUE(std::equal(image.rgb.begin(), image.rgb.end(), data));
        stbi_image_free(data);
    }
    EXPECT_EQ(directory.entries(), 1U); // nothing but the picture is left
}

TEST(Image, WritingWhereNothingCanBeWrittenNamesTheFile) {
    try {
        write_png("/nonexistent/directory/picture.png", pattern(4, 4));
        FAIL() << "no error";
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("/nonexistent/directory/picture.png"),
                  std::string::npos);
    }
}

TEST(Image, PasteCutsOffWhatHangsOver) {
    Image target(10, 10);
    Image white(4, 4);
    std::fill(white.rgb.begin(), white.rgb.end(), std::uint8_t{255});
    paste(target, white, 8, -2);
    EXPECT_EQ(target.pixel(8, 0)[0], 255);
    EXPECT_EQ(target.pixel(9, 1)[2], 255);
    EXPECT_EQ(target.pixel(7, 0)[0], 0);
    EXPECT_EQ(target.pixel(9, 2)[0], 0);
    paste(target, white, 40, 40);
}

TEST(Image, NumbersAreStampedDigitByDigit) {
    Image target(20, 8);
    std::fill(target.rgb.begin(), target.rgb.end(), std::uint8_t{255});
    stamp_number(target, 71, 1, 1, 1);
    const auto dark = [&](int x, int y) { return target.pixel(x, y)[0] < 128; };
    EXPECT_TRUE(dark(1, 1) && dark(2, 1) && dark(3, 1)); // the bar of the 7
    EXPECT_FALSE(dark(1, 2));
    EXPECT_TRUE(dark(6, 1) && dark(6, 4)); // the stem of the 1
    EXPECT_FALSE(dark(4, 1) || dark(9, 1));
    stamp_number(target, 123456, 15, 5, 3); // hangs over
}

} // namespace
} // namespace muslin
