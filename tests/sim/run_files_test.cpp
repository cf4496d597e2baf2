#include "muslin/io/run_reader.h"
#include "muslin/scene/load.h"
#include "muslin/sim/run.h"

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

} // namespace
} // namespace muslin
