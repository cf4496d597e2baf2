#include "animation_samples.h"

#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/mesh/generators.h"

#include <csignal>
#include <limits>
#include <malloc.h>
#include <sys/resource.h>

namespace muslin::test {
namespace {

using AnimationWriter = TemporaryDirectory;

constexpr AnimationFormat all_formats[] = {
    AnimationFormat::pc2,  AnimationFormat::mdd, AnimationFormat::obj, AnimationFormat::ply,
    AnimationFormat::usda, AnimationFormat::glb, AnimationFormat::vtu};

/// Where a test lets a format write.
std::string output_name(AnimationFormat format) {
    switch (format) {
    case AnimationFormat::obj:
    case AnimationFormat::ply:
        return "sheet.####." + std::string(name_of(format));
    case AnimationFormat::vtu:
        return "a.pvd";
    default:
        return "a." + std::string(name_of(format));
    }
}

std::size_t heap_in_use() {
    const auto info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

TEST_F(AnimationWriter, Pc2IsTheOneThatARunWrites) {
    SampleAnimation source(4);
    write_animation(AnimationFormat::pc2, path("a.pc2"), source);
    {
        Pc2Writer writer(path("b.pc2"), 11);
        std::vector<Vec3> positions;
        for (int frame = 0; frame < 4; ++frame) {
            source.read(0, frame, positions);
            writer.append(positions);
        }
    }
    EXPECT_EQ(read_file(path("a.pc2")), read_file(path("b.pc2")));
}

TEST_F(AnimationWriter, FoldersTakeAFileForEachObject) {
    SampleAnimation source(2);
    source.object(1).moves = true;
    write_animation(AnimationFormat::mdd, path("caches"), source);
    EXPECT_TRUE(std::filesystem::exists(path("caches/sheet.mdd")));
    EXPECT_TRUE(std::filesystem::exists(path("caches/body-rock.mdd")));
    EXPECT_PROBLEM(
        problem_of([&] { write_animation(AnimationFormat::mdd, path("one.mdd"), source); }),
        "sample", 0, "--cloth", "the one object", "2 that move");
    source.object(1).moves = false;
    write_animation(AnimationFormat::obj, path("meshes"), source);
    for (const char* name : {"sheet.0000.obj", "sheet.0001.obj", "body-rock.obj"})
        EXPECT_TRUE(std::filesystem::exists(path("meshes") / name)) << name;
    EXPECT_FALSE(std::filesystem::exists(path("meshes/body-rock.0000.obj")));
    EXPECT_PROBLEM(
        problem_of([&] { write_animation(AnimationFormat::obj, path("x.##.obj"), source); }),
        "sample", 0, "--cloth", "the one object", "2");
    EXPECT_EQ(files(), 2u) << "what was refused left nothing";
}

// Frame 12 of a sequence is the user's mesh, quads, order, texture coordinates and all.
TEST_F(AnimationWriter, SequencesKeepTheMeshAndTheFullPrecision) {
    SampleAnimation source(13, false);
    for (const char* ending : {"obj", "ply"}) {
        write_animation(*animation_format_by_name(ending), path(std::string("s.##.") + ending),
                        source);
        const PolygonMesh mesh = read_mesh(path(std::string("s.12.") + ending));
        PolygonMesh expected = seamed_mesh();
        for (Vec3& p : expected.positions)
            p = SampleAnimation::moved(p, 12);
        expect_same_positions(mesh, expected);
        expect_same_polygons(mesh, expected);
        expect_same_texcoords(mesh, expected);
        EXPECT_EQ(mesh.vertex_maps.size(), std::string(ending) == "ply" ? 2u : 0u);
        if (std::string(ending) == "ply") {
            EXPECT_EQ(mesh.vertex_maps.at("height")[3], expected.positions[3].y);
        }
    }
}

TEST_F(AnimationWriter, ProgressReachesItsEnd) {
    for (const AnimationFormat format : all_formats) {
        SampleAnimation source(5, false);
        int last = 0, all = -1;
        AnimationWriteOptions options;
        options.progress = [&](int done, int of) {
            EXPECT_EQ(done, last + 1);
            last = done;
            all = of;
        };
        write_animation(format, path(output_name(format)), source, options);
        EXPECT_EQ(last, all) << name_of(format);
    }
}

// What is allocated is looked at whenever a frame is asked for.
TEST_F(AnimationWriter, MemoryDoesNotGrowWithFrames) {
    const std::size_t before = heap_in_use();
    const std::string probe(1 << 16, 'x');
    if (heap_in_use() < before + probe.size())
        GTEST_SKIP() << "this allocator keeps no account";
    for (const AnimationFormat format : all_formats) {
        const bool one_file =
            output_name(format).starts_with("a.") && format != AnimationFormat::vtu;
        const int frames[2] = {one_file ? 100 : 5, one_file ? 400 : 50};
        std::size_t most[2] = {0, 0};
        for (const int run : {0, 1}) {
            SampleAnimation source(frames[run], false);
            source.object(0).mesh = make_grid({.columns = 20, .rows = 20});
            const std::size_t start = heap_in_use();
            source.on_read = [&](int) {
                const std::size_t now = heap_in_use();
                most[run] = std::max(most[run], now > start ? now - start : 0);
            };
            write_animation(format, path(fmt::format("{}-", run) + output_name(format)), source);
        }
        // To keep the frames as floats would take 1440 kB more, or 216 kB for the sequences.
        EXPECT_LT(most[1], most[0] + 100'000) << name_of(format);
    }
}

TEST_F(AnimationWriter, ASourceThatFailsLeavesNothing) {
    for (const AnimationFormat format : {AnimationFormat::pc2, AnimationFormat::mdd,
                                         AnimationFormat::usda, AnimationFormat::glb}) {
        SampleAnimation source(5, false);
        source.on_read = [](int frame) {
            if (frame == 3)
                throw FileError("cache", "gone");
        };
        EXPECT_THROW(write_animation(format, path(output_name(format)), source), FileError);
    }
    EXPECT_EQ(files(), 0u);
    SampleAnimation source(5, false);
    source.on_read = [](int frame) {
        if (frame == 3)
            throw FileError("cache", "gone");
    };
    EXPECT_THROW(write_animation(AnimationFormat::vtu, path("a.pvd"), source), FileError);
    EXPECT_FALSE(std::filesystem::exists(path("a.pvd"))) << "a collection names whole files only";
    EXPECT_FALSE(std::filesystem::exists(path("a/sheet.0003.vtu")));
}

// The limit on the size of a file stands in for a full disk.
TEST_F(AnimationWriter, AFullDiskLeavesNothing) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 100;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    for (const AnimationFormat format : all_formats) {
        SampleAnimation source(20, false);
        EXPECT_THROW(write_animation(format, path(output_name(format)), source), FileError)
            << name_of(format);
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, old_action);
    std::filesystem::remove(path("a")); // the folder of the .vtu files, if it is empty
    EXPECT_EQ(files(), 0u);
}

TEST_F(AnimationWriter, OutputsThatCannotBeWritten) {
    write_file_atomically(path("file"), "");
    for (const AnimationFormat format : all_formats) {
        SampleAnimation source(2, false);
        EXPECT_THROW(write_animation(format, path("file") / output_name(format), source), FileError)
            << name_of(format);
    }
    SampleAnimation source(2);
    EXPECT_THROW(write_animation(AnimationFormat::mdd, path("file"), source), FileError);
    EXPECT_EQ(files(), 1u);
}

TEST_F(AnimationWriter, NumbersThatNoFloatHoldsAreNamed) {
    for (const AnimationFormat format :
         {AnimationFormat::pc2, AnimationFormat::mdd, AnimationFormat::usda, AnimationFormat::glb,
          AnimationFormat::vtu}) {
        SampleAnimation source(2, false);
        source.object(0).mesh.positions[4].x = 1e39;
        EXPECT_PROBLEM(
            problem_of([&] { write_animation(format, path(output_name(format)), source); }),
            "sample", 0, "'sheet', frame 0, vertex 4", "single precision", "1e+39");
    }
    for (const AnimationFormat format : {AnimationFormat::usda, AnimationFormat::glb}) {
        SampleAnimation source(2, false);
        source.object(0).mesh.texcoords[1].y = -1e300;
        EXPECT_PROBLEM(
            problem_of([&] { write_animation(format, path(output_name(format)), source); }),
            "sample", 0, "sheet", "texture coordinates", "-1e+300");
    }
}

TEST_F(AnimationWriter, FormatsThatNeedFacesSaySo) {
    for (const AnimationFormat format :
         {AnimationFormat::obj, AnimationFormat::ply, AnimationFormat::usda, AnimationFormat::glb,
          AnimationFormat::vtu}) {
        SampleAnimation source(2, false);
        source.object(0).mesh = {};
        EXPECT_PROBLEM(
            problem_of([&] { write_animation(format, path(output_name(format)), source); }),
            "sample", 0, "--mesh", std::string(name_of(format)), "no sheet.obj");
    }
    EXPECT_EQ(files(), 0u);
}

TEST(AnimationFormats, AreFoundByNameAndEnding) {
    for (const AnimationFormat format : all_formats)
        EXPECT_EQ(animation_format_by_name(name_of(format)), format);
    EXPECT_FALSE(animation_format_by_name("abc"));
    EXPECT_EQ(animation_format_of("a/b.mdd"), AnimationFormat::mdd);
    EXPECT_EQ(animation_format_of("B.GLB"), AnimationFormat::glb);
    EXPECT_EQ(animation_format_of("b.pvd"), AnimationFormat::vtu);
    EXPECT_EQ(animation_format_of("b.####.ply"), AnimationFormat::ply);
    EXPECT_FALSE(animation_format_of("b.ply")) << "one mesh";
    EXPECT_FALSE(animation_format_of("b.off"));
}

} // namespace
} // namespace muslin::test
