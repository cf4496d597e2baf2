#include "animation_samples.h"

#include "muslin/io/point_cache.h"

#include <limits>

namespace muslin::test {
namespace {

using Mdd = TemporaryDirectory;

/// A cache of the given head; times at `rate`, coordinates counted up from 0.
std::string raw_mdd(std::int32_t frames, std::int32_t points, int times, int floats) {
    std::string out;
    append_bytes(out, frames, std::endian::big);
    append_bytes(out, points, std::endian::big);
    for (int i = 0; i < times; ++i)
        append_bytes(out, static_cast<float>(i) / 24, std::endian::big);
    for (int i = 0; i < floats; ++i)
        append_bytes(out, static_cast<float>(i), std::endian::big);
    return out;
}

TEST_F(Mdd, BytesAreThoseOfTheFormat) {
    SampleAnimation source(3);
    write_animation(AnimationFormat::mdd, path("sheet.mdd"), source);
    std::string expected;
    append_bytes(expected, std::int32_t{3}, std::endian::big);
    append_bytes(expected, std::int32_t{11}, std::endian::big);
    for (int frame = 0; frame < 3; ++frame)
        append_bytes(expected, static_cast<float>(frame / 25.0), std::endian::big);
    for (int frame = 0; frame < 3; ++frame)
        for (const Vec3& p : seamed_mesh().positions)
            for (int axis = 0; axis < 3; ++axis)
                append_bytes(expected, static_cast<float>(SampleAnimation::moved(p, frame)[axis]),
                             std::endian::big);
    EXPECT_EQ(read_file(path("sheet.mdd")), expected);
    EXPECT_EQ(files(), 1u) << "the body stands still: no cache of it";
}

TEST_F(Mdd, ReadsInAnyOrder) {
    write_file_atomically(path("a.mdd"), raw_mdd(4, 2, 4, 24));
    MddReader reader(path("a.mdd"));
    EXPECT_EQ(reader.points(), 2);
    EXPECT_EQ(reader.samples(), 4);
    ASSERT_TRUE(reader.frame_rate());
    EXPECT_NEAR(*reader.frame_rate(), 24, 1e-5);
    std::vector<Vec3> positions;
    for (const int sample : {3, 0, 2}) {
        reader.read(sample, positions);
        ASSERT_EQ(positions.size(), 2u);
        EXPECT_EQ(positions[1].z, 6 * sample + 5);
    }
    EXPECT_THROW(reader.read(4, positions), std::out_of_range);
    EXPECT_THROW(reader.read(-1, positions), std::out_of_range);
}

TEST_F(Mdd, HeadsThatAreWrong) {
    const std::string file = path("a.mdd").string();
    const auto problem = [&](const std::string& bytes) {
        write_file_atomically(file, bytes);
        return problem_of([&] { MddReader reader(file); });
    };
    const std::string good = raw_mdd(2, 2, 2, 12);
    EXPECT_PROBLEM(problem(""), file, 0, "head", "8 bytes", "0 bytes");
    EXPECT_PROBLEM(problem(good.substr(0, 7)), file, 0, "head", "8 bytes", "7 bytes");
    EXPECT_PROBLEM(problem(good.substr(0, good.size() - 1)), file, 0, "size",
                   "2 frames of 2 points", "63 bytes");
    EXPECT_PROBLEM(problem(good + "x"), file, 0, "size", "2 frames of 2 points", "65 bytes");
    EXPECT_PROBLEM(problem(raw_mdd(0, 2, 0, 0)), file, 0, "frames", "positive", "0");
    EXPECT_PROBLEM(problem(raw_mdd(-5, 2, 2, 12)), file, 0, "frames", "positive", "-5");
    EXPECT_PROBLEM(problem(raw_mdd(2, -1, 2, 12)), file, 0, "points", "positive", "-1");
    EXPECT_PROBLEM(problem(raw_mdd(0x7fffffff, 0x7fffffff, 2, 12)), file, 0, "size",
                   "2147483647 frames", "64 bytes");
    EXPECT_PROBLEM(problem(raw_mdd(0x01000000, 0x02000000, 2, 12)), file, 0, "size", "frames",
                   "64 bytes"); // a cache of the other byte order
    EXPECT_PROBLEM(problem("POINTCACHE2 and more of a file of another kind"), file, 0, "size",
                   "as the head declares", "46 bytes");
}

TEST_F(Mdd, NumbersThatAreNotFiniteAreNamed) {
    const float infinity = std::numeric_limits<float>::infinity();
    const auto put = [](std::string bytes, std::size_t at, float value) {
        const auto raw = to_bytes(value, std::endian::big);
        return bytes.replace(at, raw.size(), raw.data(), raw.size());
    };
    const std::string file = path("a.mdd").string();
    write_file_atomically(file, put(raw_mdd(2, 2, 2, 12), 12, infinity));
    EXPECT_PROBLEM(problem_of([&] { MddReader reader(file); }), file, 0, "time of frame 1",
                   "finite", "inf");
    write_file_atomically(file, put(raw_mdd(2, 2, 2, 12), 60, infinity));
    MddReader reader(file);
    std::vector<Vec3> positions;
    EXPECT_PROBLEM(problem_of([&] { reader.read(1, positions); }), file, 0, "sample 1, point 1",
                   "finite", "not finite");
    EXPECT_THROW(MddReader(path("missing.mdd")), FileError);
    EXPECT_PROBLEM(problem_of([&] { open_point_cache("a.abc"); }), "a.abc", 0, "", ".pc2 or .mdd",
                   ".abc");
}

} // namespace
} // namespace muslin::test
