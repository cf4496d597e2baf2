#include "mesh_samples.h"

#include "muslin/io/pc2.h"

#include <csignal>
#include <limits>
#include <stdexcept>
#include <sys/resource.h>

namespace muslin::test {
namespace {

using Pc2 = TemporaryDirectory;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A cache of the given head, with `floats` zeros after it.
struct RawCache {
    std::string magic = std::string("POINTCACHE2\0", 12);
    std::int32_t version = 1, points = 2;
    float start = 0, rate = 1;
    std::int32_t samples = 1;
    int floats = 6;

    std::string bytes() const {
        std::string out = magic;
        for (std::int32_t value : {version, points})
            append_bytes(out, value, std::endian::little);
        for (float value : {start, rate})
            append_bytes(out, value, std::endian::little);
        append_bytes(out, samples, std::endian::little);
        out.append(static_cast<std::size_t>(floats) * sizeof(float), '\0');
        return out;
    }
};

std::vector<Vec3> sample(int number) {
    return {{0.1 * number, 1, 2}, {number / 3.0, -5, 1e-30}};
}

TEST_F(Pc2, RoundTripInFloats) {
    {
        Pc2Writer writer(path("a.pc2"), 2, 10);
        for (int s = 0; s < 5; ++s)
            writer.append(sample(s));
        EXPECT_EQ(writer.samples(), 5);
    }
    Pc2Reader reader(path("a.pc2"));
    EXPECT_EQ(reader.header().points, 2);
    EXPECT_EQ(reader.header().start_frame, 10);
    EXPECT_EQ(reader.header().sample_rate, 1);
    EXPECT_EQ(reader.header().samples, 5);
    std::vector<Vec3> positions;
    for (int s : {4, 0, 2, 2}) {
        reader.read(s, positions);
        ASSERT_EQ(positions.size(), 2u);
        for (std::size_t i = 0; i < 2; ++i)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_EQ(positions[i][axis],
                          static_cast<double>(static_cast<float>(sample(s)[i][axis])));
    }
    EXPECT_THROW(reader.read(5, positions), std::out_of_range);
    EXPECT_THROW(reader.read(-1, positions), std::out_of_range);
}

TEST_F(Pc2, BytesAreThoseOfTheFormat) {
    RawCache raw;
    raw.start = 1;
    raw.samples = 2;
    raw.floats = 0;
    std::string expected = raw.bytes();
    for (int s = 0; s < 2; ++s)
        for (const Vec3& p : sample(s))
            for (int axis = 0; axis < 3; ++axis)
                append_bytes(expected, static_cast<float>(p[axis]), std::endian::little);
    Pc2Writer writer(path("a.pc2"), 2, 1);
    writer.append(sample(0));
    writer.append(sample(1));
    EXPECT_EQ(read_file(path("a.pc2")), expected) << "complete before the writer is destroyed";
}

TEST_F(Pc2, TheFileOpensAfterEverySample) {
    Pc2Writer writer(path("a.pc2"), 2);
    EXPECT_EQ(Pc2Reader(path("a.pc2")).header().samples, 0);
    std::vector<Vec3> positions;
    for (int s = 0; s < 3; ++s) {
        writer.append(sample(s));
        Pc2Reader reader(path("a.pc2"));
        EXPECT_EQ(reader.header().samples, s + 1);
        reader.read(s, positions);
    }
}

TEST_F(Pc2, BytesOfAnUnfinishedSampleArePassedOver) {
    RawCache raw;
    raw.floats = 6 + 4;
    write_file_atomically(path("a.pc2"), raw.bytes());
    Pc2Reader reader(path("a.pc2"));
    EXPECT_EQ(reader.header().samples, 1);
}

TEST_F(Pc2, ProgrammersErrorsNeverReachTheFile) {
    Pc2Writer writer(path("a.pc2"), 2);
    writer.append(sample(0));
    const std::string before = read_file(path("a.pc2"));
    std::vector<Vec3> bad = sample(1);
    for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity(), 1e39}) {
        bad[1].z = value;
        EXPECT_THROW(writer.append(bad), std::logic_error);
    }
    EXPECT_THROW(writer.append(std::vector<Vec3>(1)), std::logic_error);
    EXPECT_THROW(writer.append(std::vector<Vec3>(3)), std::logic_error);
    EXPECT_EQ(read_file(path("a.pc2")), before);
    writer.append(sample(1));
    EXPECT_EQ(Pc2Reader(path("a.pc2")).header().samples, 2);
    EXPECT_THROW(Pc2Writer(path("b.pc2"), 0), std::logic_error);
    EXPECT_THROW(Pc2Writer(path("b.pc2"), 2, nan), std::logic_error);
    EXPECT_EQ(files(), 1u);
}

TEST_F(Pc2, FilesThatCannotBeOpened) {
    EXPECT_THROW(Pc2Writer(path("no/such/a.pc2"), 2), FileError);
    EXPECT_THROW(Pc2Writer("/dev/full", 2), FileError);
    EXPECT_THROW(Pc2Reader(path("missing.pc2")), FileError);
    std::filesystem::create_directory(path("directory.pc2"));
    EXPECT_THROW(Pc2Reader(path("directory.pc2")), FileError);
    EXPECT_THROW(Pc2Writer(path("directory.pc2"), 2), FileError);
}

// The limit on the size of a file stands in for a full disk.
TEST_F(Pc2, AFullDiskLeavesTheSamplesBeforeIt) {
    constexpr int points = 5000;
    const std::vector<Vec3> positions(points, Vec3{1, 2, 3});
    Pc2Writer writer(path("a.pc2"), points);
    writer.append(positions);
    writer.append(positions);
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 150000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(writer.append(positions), FileError);
    EXPECT_THROW(writer.append(positions), FileError) << "a failed writer stays failed";
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, old_action);
    EXPECT_EQ(writer.samples(), 2);
    EXPECT_EQ(std::filesystem::file_size(path("a.pc2")), 150000u);
    Pc2Reader reader(path("a.pc2"));
    EXPECT_EQ(reader.header().samples, 2);
    std::vector<Vec3> back;
    reader.read(1, back);
    EXPECT_EQ(back[points - 1].z, 3);
}

TEST_F(Pc2, HeadsThatAreWrong) {
    const std::string file = path("a.pc2").string();
    const auto problem = [&](const auto& change, std::size_t cut = std::string::npos) {
        RawCache raw;
        change(raw);
        write_file_atomically(file, raw.bytes().substr(0, cut));
        return problem_of([&] { Pc2Reader reader(file); });
    };
    const auto nothing = [](RawCache&) {};
    EXPECT_PROBLEM(problem(nothing, 0), file, 0, "head", "32 bytes", "0 bytes");
    EXPECT_PROBLEM(problem(nothing, 31), file, 0, "head", "32 bytes", "31 bytes");
    EXPECT_PROBLEM(problem(nothing, 55), file, 0, "samples", "1 samples of 2 points",
                   "ends in sample 0");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.magic[4] = 'X'; }), file, 0, "head", "POINTCACHE2",
                   "POINXCACHE2");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.version = 2; }), file, 0, "version", "1", "2");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.points = 0; }), file, 0, "points", "positive", "0");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.points = -7; }), file, 0, "points", "positive",
                   "-7");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.start = nan; }), file, 0, "start", "finite", "nan");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.rate = 0; }), file, 0, "rate", "positive", "0");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.samples = -1; }), file, 0, "samples", "number",
                   "-1");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.samples = 2; }), file, 0, "samples",
                   "2 samples of 2 points", "ends in sample 1");
    EXPECT_PROBLEM(problem([](RawCache& c) { c.points = c.samples = 0x7fffffff; }), file, 0,
                   "samples", "2147483647 samples", "56 bytes");
}

TEST_F(Pc2, ASampleThatIsNotFiniteIsNamed) {
    std::string bytes = RawCache().bytes();
    bytes.resize(bytes.size() - sizeof(float));
    append_bytes(bytes, nan, std::endian::little);
    const std::string file = path("a.pc2").string();
    write_file_atomically(file, bytes);
    Pc2Reader reader(file);
    std::vector<Vec3> positions;
    EXPECT_PROBLEM(problem_of([&] { reader.read(0, positions); }), file, 0, "sample 0, point 1",
                   "finite", "not finite");
}

} // namespace
} // namespace muslin::test
