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

TEST(Image, ReadsWhatItWroteAndSaysWhatIsNoPicture) {
    const ScratchDirectory directory("read");
    const Image image = pattern(33, 20);
    write_png(directory / "picture.png", image);
    const Image again = read_image(directory / "picture.png");
    EXPECT_EQ(again.width, 33);
    EXPECT_EQ(again.height, 20);
    EXPECT_EQ(again.rgb, image.rgb);
    const std::string bytes = slurp(directory / "picture.png");
    std::ofstream(directory / "cut.png", std::ios::binary) << bytes.substr(0, bytes.size() / 2);
    std::ofstream(directory / "text.png") << "not a picture";
    std::ofstream(directory / "empty.png") << "";
    for (const char* name : {"cut.png", "text.png", "empty.png"})
        try {
            read_image(directory / name);
            ADD_FAILURE() << name;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("a PNG or JPEG picture"), std::string::npos);
        }
    EXPECT_THROW(read_image(directory / "missing.png"), FileError);
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

TEST(Image, BoxesAreFilledToTheirEdgesAndNoFurther) {
    Image target(20, 12);
    fill(target, {4, 3, 10.5, 9, 0}, {1, 0, 0.5});
    EXPECT_EQ(target.pixel(4, 3), (std::array<std::uint8_t, 3>{255, 0, 128}));
    EXPECT_EQ(target.pixel(9, 8)[0], 255);
    EXPECT_NEAR(target.pixel(10, 5)[0], 128, 1); // half covered
    for (const auto& [x, y] : {std::pair{3, 5}, std::pair{11, 5}, std::pair{6, 2}, std::pair{6, 9}})
        EXPECT_EQ(target.pixel(x, y)[0], 0) << x << ' ' << y;
    Image round(20, 20);
    fill(round, {0, 0, 20, 20, 10}, {1, 1, 1});
    EXPECT_EQ(round.pixel(0, 0)[0], 0); // outside the circle
    EXPECT_EQ(round.pixel(10, 1)[0], 255);
    fill(round, {-50, -50, 90, 90, 4}, {0, 0, 0}, 0.5); // hangs over
    EXPECT_NEAR(round.pixel(10, 1)[0], 128, 1);
}

} // namespace
} // namespace muslin
