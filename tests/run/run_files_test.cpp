#include "muslin/io/run_reader.h"
#include "muslin/run/run.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace muslin {
namespace {

namespace fs = std::filesystem;

class RunFilesTest : public ::testing::Test {
protected:
    RunFilesTest()
        : directory_(fs::temp_directory_path() / ("muslin-run-" + std::to_string(getpid()))) {
        fs::remove_all(directory_);
        fs::create_directories(directory_);
    }
    ~RunFilesTest() override { fs::remove_all(directory_); }

    SceneDescription scene(const std::string& cloth, const std::string& more = "") const {
        const fs::path file = directory_ / "scene.toml";
        std::ofstream(file) << "[time]\nframes = 2\nframe_rate = 50\n[[cloth]]\nname = \"" << cloth
                            << "\"\nmesh = { type = \"grid\", resolution = 4 }\n"
                            << more;
        return load_scene(file.string());
    }

    fs::path directory_;
};

// A run that is killed leaves what it had at that moment.
TEST_F(RunFilesTest, ARunThatGoesOnCanBeReadAsWhatItIs) {
    RunOptions options;
    options.directory = directory_ / "out";
    int frames = 0;
    options.progress = [&](const FrameRecord&, int) {
        RunReader run(options.directory);
        EXPECT_EQ(run.frames(), ++frames + 1);
        EXPECT_EQ(run.frame_rate(), 50);
        EXPECT_FALSE(run.certificate());
    };
    run_scene(scene("sheet"), options);
    EXPECT_EQ(frames, 2);
    EXPECT_TRUE(RunReader(options.directory).certificate()->passed);
}

TEST_F(RunFilesTest, ANewRunIsNotMixedWithTheOneBefore) {
    RunOptions options;
    options.directory = directory_ / "out";
    run_scene(scene("first", "[[body]]\nname = \"block\"\nposition = [0, -9, 0]\n"
                             "mesh = { type = \"box\", size = [1, 1, 1] }\n"),
              options);
    fs::copy_file(options.directory / "first.obj", options.directory / "mine.obj");
    run_scene(scene("second"), options);
    RunReader run(options.directory);
    ASSERT_EQ(run.cloths().size(), 1u);
    EXPECT_EQ(run.cloths()[0].name(), "second");
    EXPECT_TRUE(run.bodies().empty());
    for (const char* name : {"first.obj", "first.pc2", "first.fields", "body-block.obj"})
        EXPECT_FALSE(fs::exists(options.directory / name)) << name;
    EXPECT_TRUE(fs::exists(options.directory / "mine.obj"));
}

/// A sheet that starts in a block, without contact to get it out.
TEST_F(RunFilesTest, FramesArePushedOutOfBodiesAndTheSimulationGoesOnAsItWas) {
    const auto sunk = [&](const std::string& post) {
        return scene("sheet", "rest_angles = \"flat\"\nposition = [0, -0.0015, 0]\n"
                              "[[body]]\nname = \"block\"\nposition = [0, -0.1, 0]\n"
                              "mesh = { type = \"box\", size = [1.4, 0.2, 1.4], divisions = 4 }\n"
                              "[world]\ngravity = [0, 0, 0]\n[contact]\nallow_tangled = true\n"
                              "[parts]\ncontact = \"none\"\n" +
                                  post);
    };
    RunOptions options;
    options.directory = directory_ / "plain";
    const RunSummary plain = run_scene(sunk(""), options);
    EXPECT_FALSE(plain.post);
    EXPECT_NEAR(plain.worst.body_penetration_max.value(), 1.5e-3, 1e-9);
    options.directory = directory_ / "pushed";
    const RunSummary pushed =
        run_scene(sunk("[post]\nenabled = true\ndepth = 0.002\nsubdivide = 2\n"), options);
    EXPECT_EQ(pushed.hash, plain.hash) << "the state is another";
    ASSERT_TRUE(pushed.post);
    EXPECT_EQ(pushed.worst.body_penetration_max.value(), 0);
    EXPECT_EQ(pushed.worst.body_intersections, 0);
    EXPECT_GT(pushed.post->moved, 0u);
    RunReader run(options.directory);
    ASSERT_EQ(run.frames(), 3);
    std::vector<Vec3> x;
    for (int frame = 0; frame < 3; ++frame) {
        run.cloths()[0].read(frame, x);
        ASSERT_EQ(x.size(), 13u * 13u);
        for (const Vec3& p : x)
            EXPECT_GT(p.y, 0) << frame;
    }
    EXPECT_EQ(run.cloths()[0].mesh().positions.size(), x.size());
    std::ifstream report(options.directory / "report.json");
    const std::string text(std::istreambuf_iterator<char>(report), {});
    EXPECT_NE(text.find("\"post\""), std::string::npos);
    EXPECT_NE(text.find("\"vertices\": 169"), std::string::npos);
}

} // namespace
} // namespace muslin
