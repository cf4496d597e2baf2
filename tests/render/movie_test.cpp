#include "muslin/render/movie.h"

#include "muslin/base/error.h"
#include "scenes.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace muslin {
namespace {

using namespace testing;

Image plain(int width, int height, std::array<std::uint8_t, 3> color) {
    Image image(width, height);
    for (std::size_t i = 0; i < image.rgb.size(); ++i)
        image.rgb[i] = color[i % 3];
    return image;
}

bool has_ffmpeg() {
    return std::system("ffmpeg -version > /dev/null 2>&1") == 0;
}

std::string decode(const std::filesystem::path& file) {
    const std::string command =
        "ffmpeg -v error -i '" + file.string() + "' -f rawvideo -pix_fmt rgb24 - 2>&1";
    std::string out;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 65536> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
        out.append(buffer.data(), got);
    ::pclose(pipe);
    return out;
}

TEST(Movie, PlaysTheFramesInOrderWithTheirColors) {
    ASSERT_TRUE(has_ffmpeg()) << "install ffmpeg";
    const ScratchDirectory directory("movie");
    const auto file = directory / "one & \"two\" $HOME.mp4";
    MovieSettings settings;
    settings.width = 65; // odd: padded to 66 x 48
    settings.height = 47;
    const std::vector<std::array<std::uint8_t, 3>> colors = {
        {222, 205, 177}, {120, 145, 168}, {200, 60, 50}, {218, 220, 223}};
    MovieWriter writer(file, settings);
    for (const auto& color : colors)
        writer.add(plain(65, 47, color));
    EXPECT_FALSE(std::filesystem::exists(file)) << "appears only when whole";
    writer.finish();
    EXPECT_EQ(directory.entries(), 1U);
    const std::string pixels = decode(file);
    const std::size_t frame = 3 * 66 * 48;
    ASSERT_EQ(pixels.size(), colors.size() * frame);
    for (std::size_t i = 0; i < colors.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(static_cast<unsigned char>(pixels[i * frame + 3 * (66 * 20 + 30) + c]),
                        colors[i][c], 6);
}

TEST(Movie, GifAndWebpHoldEveryFrameInALoop) {
    ASSERT_TRUE(has_ffmpeg()) << "install ffmpeg";
    const ScratchDirectory directory("loop");
    for (const char* name : {"a.gif", "a.webp"}) {
        MovieSettings settings;
        settings.width = 64;
        settings.height = 48;
        settings.frames_per_second = 10;
        MovieWriter writer(directory / name, settings);
        for (const int shade : {20, 120, 220})
            writer.add(plain(64, 48, {static_cast<std::uint8_t>(shade), 60, 200}));
        writer.finish();
    }
    const std::string gif = slurp(directory / "a.gif"), webp = slurp(directory / "a.webp");
    EXPECT_EQ(gif.substr(0, 6), "GIF89a");
    EXPECT_NE(gif.find("NETSCAPE2.0"), std::string::npos); // the loop
    const std::string pixels = decode(directory / "a.gif");
    const std::size_t frame = 3 * 64 * 48;
    ASSERT_EQ(pixels.size(), 3 * frame);
    for (const std::size_t i : {0, 1, 2})
        EXPECT_NEAR(static_cast<unsigned char>(pixels[i * frame + 3 * (64 * 20 + 30)]),
                    20 + 100 * static_cast<int>(i), 6);
    EXPECT_EQ(webp.substr(0, 4) + webp.substr(8, 4), "RIFFWEBP");
    std::size_t images = 0; // chunks of an animation's frames
    for (std::size_t at = webp.find("ANMF"); at != std::string::npos;
         at = webp.find("ANMF", at + 4))
        ++images;
    EXPECT_EQ(images, 3U);
    EXPECT_THROW(MovieWriter(directory / "a.avi", {}), InputError);
    EXPECT_EQ(directory.entries(), 2U);
}

TEST(Movie, LeavesNothingWhenGivenUp) {
    ASSERT_TRUE(has_ffmpeg()) << "install ffmpeg";
    const ScratchDirectory directory("movie");
    MovieSettings settings;
    settings.width = settings.height = 64;
    {
        MovieWriter writer(directory / "movie.mp4", settings);
        for (int i = 0; i < 40; ++i)
            writer.add(plain(64, 64, {1, 2, 3}));
    }
    EXPECT_EQ(directory.entries(), 0U);
}

TEST(Movie, SaysWhatToInstall) {
    const ScratchDirectory directory("movie");
    MovieSettings settings;
    settings.program = "no-such-ffmpeg";
    try {
        MovieWriter writer(directory / "movie.mp4", settings);
        FAIL() << "no error";
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("install ffmpeg, or write single pictures"),
                  std::string::npos);
    }
    EXPECT_EQ(directory.entries(), 0U);
}

TEST(Movie, EncoderThatDiesIsAnErrorNotASignal) {
    const ScratchDirectory directory("movie");
    MovieSettings settings;
    settings.width = settings.height = 256;
    settings.program = "false";
    MovieWriter writer(directory / "movie.mp4", settings);
    const auto feed = [&] {
        for (int i = 0; i < 1000; ++i)
            writer.add(plain(256, 256, {9, 9, 9}));
    };
    EXPECT_THROW(feed(), FileError);
}

// As an ffmpeg may that does not know -xerror; what others say is not ffmpeg's.
TEST(Movie, AnErrorWithStatusZeroIsAnError) {
    const ScratchDirectory directory("movie");
    MovieSettings settings;
    settings.width = settings.height = 8;
    settings.program = (directory / "encoder").string();
    const auto encode = [&](const std::string& words) {
        std::ofstream(settings.program) << "#!/bin/sh\nfor last; do :; done\ncat > "
                                           "\"${last#file:}\"\necho '"
                                        << words << "' >&2\n";
        std::filesystem::permissions(settings.program, std::filesystem::perms::owner_all);
        MovieWriter writer(directory / "movie.mp4", settings);
        writer.add(plain(8, 8, {9, 9, 9}));
        writer.finish();
    };
    EXPECT_THROW(encode("[error] Error writing trailer"), FileError);
    EXPECT_THROW(encode("[mp4 @ 0x55] [fatal] no room"), FileError);
    EXPECT_FALSE(std::filesystem::exists(directory / "movie.mp4"));
    encode("ERROR: ld.so: object cannot be preloaded: ignored.");
    EXPECT_TRUE(std::filesystem::exists(directory / "movie.mp4"));
}

TEST(Movie, FfmpegsOwnReasonIsPassedOn) {
    ASSERT_TRUE(has_ffmpeg()) << "install ffmpeg";
    MovieSettings settings;
    settings.width = settings.height = 64;
    try {
        MovieWriter writer("/nonexistent/directory/movie.mp4", settings);
        for (int i = 0; i < 1000; ++i)
            writer.add(plain(64, 64, {9, 9, 9}));
        writer.finish();
        FAIL() << "no error";
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos)
            << error.what();
    }
}

} // namespace
} // namespace muslin
