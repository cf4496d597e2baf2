// What a user has on the disk stays as it is when a run is refused, fails or is cut off, and a run
// does not go on with other files than it began with.
#include "cli/command_line.h"

#include "muslin/io/pc2.h"
#include "muslin/io/read_file.h"

#include <gtest/gtest.h>

#include <map>

namespace {

using muslin::Pc2Reader;
using muslin::read_file;
using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::run_command;
using muslin::testing::Scratch;

std::string sheet(int frames) {
    return "drape-sphere --set cloth.sheet.mesh.resolution=9 --threads 1 --quiet --frames " +
           std::to_string(frames);
}

/// Every file below a directory, with its bytes.
std::map<std::string, std::string> contents(const std::string& directory) {
    std::map<std::string, std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
        if (entry.is_regular_file())
            out[entry.path().string()] = read_file(entry.path());
    return out;
}

testing::AssertionResult says(const Outcome& outcome, int code,
                              std::initializer_list<const char*> words) {
    if (outcome.code != code)
        return testing::AssertionFailure() << "exit code " << outcome.code << ": " << outcome.text;
    for (const char* word : words)
        if (outcome.text.find(word) == std::string::npos)
            return testing::AssertionFailure() << word << " is not in: " << outcome.text;
    return testing::AssertionSuccess();
}

const char* const quad = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                         "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n";

const char* const quad_scene = R"(
time.frames = 2
[[cloth]]
name = "quad"
mesh = "quad.obj"
material = "fabric.toml"
[[pin]]
cloth = "quad"
vertices = [0]
)";

const char* const fabric = "name = \"fabric\"\nbase = \"cotton\"\nyield_bend = 50\n";

/// A scene of three files of the user's own.
class OwnFiles : public ::testing::Test {
protected:
    OwnFiles() {
        folder.write("scene.toml", quad_scene);
        folder.write("quad.obj", quad);
        folder.write("fabric.toml", fabric);
    }
    Outcome run(const std::string& words) const {
        return muslin("run " + folder / "scene.toml" + " --quiet --threads 1 " + words);
    }

    Scratch folder{"own"};
};

TEST_F(OwnFiles, ARunDoesNotReplaceWhatItReads) {
    const auto before = contents(folder.path());
    EXPECT_TRUE(says(run("-o " + folder.path().string()), 2, {"-o", "quad.obj", "overwritten"}));
    EXPECT_EQ(contents(folder.path()), before);
    // The mesh is elsewhere now; another text of the scene is still not the user's.
    std::filesystem::create_directory(folder.path() / "meshes");
    std::filesystem::rename(folder.path() / "quad.obj", folder.path() / "meshes" / "quad.obj");
    const std::string mesh = " --allow-outside --set cloth.quad.mesh=" + folder / "meshes/quad.obj";
    EXPECT_TRUE(says(run("-o " + folder.path().string() + mesh), 2, {"scene.toml", "overwritten"}));
    EXPECT_EQ(read_file(folder.path() / "scene.toml"), quad_scene);
}

TEST_F(OwnFiles, TheTextThatARunKeptMayRunIntoItsDirectory) {
    const std::string out = folder / "out";
    ASSERT_EQ(muslin("run " + sheet(2) + " -o " + out).code, 0);
    const std::string kept = read_file(out + "/scene.toml");
    EXPECT_EQ(muslin("run " + out + "/scene.toml --quiet --frames 1 -o " + out).code, 0);
    EXPECT_EQ(read_file(out + "/scene.toml"), kept);
}

TEST_F(OwnFiles, ARunThatGoesOnReadsTheSameFiles) {
    const std::string out = folder / "out";
    ASSERT_TRUE(says(run("-o " + out), 0, {}));
    folder.write("fabric.toml", std::string(fabric) + "poisson = 0.2\n"); // not the recipe's
    EXPECT_TRUE(says(run("--frames 4 --resume -o " + out), 2, {"fabric.toml", "--resume-changed"}));
    folder.write("fabric.toml", fabric);
    folder.write("quad.obj", std::string(quad) + "g held\n");
    EXPECT_TRUE(says(run("--frames 4 --resume -o " + out), 2, {"'quad.obj'"}));
    EXPECT_TRUE(says(run("--frames 4 --resume --resume-changed -o " + out), 0, {}));
    folder.write("quad.obj", quad);
    EXPECT_TRUE(says(run("--frames 6 --resume --set world.gravity=[0,-5,0] -o " + out), 2,
                     {"world.gravity", "1 changes more"}));
}

TEST(NothingLost, ABranchThatIsRefusedLeavesTheRunThatIsThere) {
    const Scratch folder("refused");
    const std::string from = folder / "from", to = folder / "to";
    ASSERT_EQ(muslin("run " + sheet(3) + " -o " + from).code, 0);
    ASSERT_EQ(muslin("run " + sheet(2) + " --set world.gravity=[0,-3,0] -o " + to).code, 0);
    const auto before = contents(to);
    const std::string branch = " --set world.gravity=[0,-5,0] --resume-from " + from;
    EXPECT_TRUE(says(muslin("run " + sheet(3) + branch + " -o " + to), 2, {"world.gravity"}));
    EXPECT_EQ(contents(to), before);
    const std::string none = " --resume-from " + folder / "none";
    EXPECT_TRUE(says(muslin("run " + sheet(3) + none + " -o " + to), 4, {"is no directory"}));
    EXPECT_EQ(contents(to), before);
}

TEST(NothingLost, ARunThatCannotGoOnKeepsItsLaterFrames) {
    const Scratch folder("fields");
    const std::string out = folder / "out";
    ASSERT_EQ(muslin("run " + sheet(6) + " --keep-checkpoints 2 -o " + out).code, 0);
    std::filesystem::rename(out + "/sheet.fields", folder / "sheet.fields");
    const auto before = contents(out);
    const std::string back = "run " + sheet(6) + " --keep-checkpoints 2 --resume-frame 4 -o " + out;
    EXPECT_TRUE(says(muslin(back), 4, {"sheet.fields"}));
    EXPECT_EQ(contents(out), before);
    std::filesystem::rename(folder / "sheet.fields", out + "/sheet.fields");
    const std::string whole = read_file(out + "/sheet.pc2");
    EXPECT_TRUE(says(muslin(back), 0, {}));
    EXPECT_TRUE(read_file(out + "/sheet.pc2") == whole);
}

TEST(NothingLost, WhereNoFrameIsWholeTheStartIs) {
    const Scratch folder("start");
    const std::string out = folder / "out";
    ASSERT_EQ(muslin("run " + sheet(3) + " -o " + out).code, 0);
    const std::string whole = read_file(out + "/sheet.pc2");
    const std::filesystem::path last = out + "/checkpoint/frame-000003.state";
    std::filesystem::resize_file(last, 0);
    EXPECT_TRUE(says(muslin("run " + sheet(3) + " --resume -o " + out), 0, {}));
    EXPECT_TRUE(read_file(out + "/sheet.pc2") == whole);
}

// What a body does from a frame on is what takes are for; readers need a sample for every frame.
TEST(NothingLost, ABodyMayBeginAndCeaseToMoveInATake) {
    const Scratch folder("motion");
    const std::string still = folder / "still", moves = folder / "moves", stops = folder / "stops";
    const std::string take = "run " + sheet(4) + " --resume-frame 2 --resume-changed ";
    ASSERT_EQ(muslin("run " + sheet(3) + " --keep-checkpoints 2 -o " + still).code, 0);
    ASSERT_TRUE(says(muslin(take +
                            "--keep-checkpoints 2 --set "
                            "body.ball.motion.translation=[\"'0.01*t'\",0,0] "
                            "--resume-from " +
                            still + " -o " + moves),
                     0, {}));
    Pc2Reader moving(moves + "/body-ball.pc2");
    ASSERT_EQ(moving.header().samples, 5);
    std::vector<muslin::Vec3> first, second, last;
    moving.read(0, first);
    moving.read(2, second);
    moving.read(4, last);
    EXPECT_EQ(first[0].x, second[0].x);
    EXPECT_NEAR(last[0].x - first[0].x, 0.01 * 4 / 30, 1e-6);
    ASSERT_TRUE(says(muslin(take + "--resume-from " + moves + " -o " + stops), 0, {}));
    EXPECT_EQ(Pc2Reader(stops + "/body-ball.pc2").header().samples, 5);
}

// A file would get the number of the stream, and all that is printed.
TEST(NothingLost, StreamsThatAreClosedAreNoFilesOfARun) {
    const Scratch folder("closed");
    const std::string program = std::string(muslin::test::program()) + " ";
    const std::string loud = "drape-sphere --set cloth.sheet.mesh.resolution=9 --threads 1 ";
    ASSERT_EQ(muslin("run " + sheet(1) + " -o " + folder / "whole").code, 0);
    const auto run = [&](const std::string& streams) {
        return run_command("bash -c '" + program + "run " + loud + "--frames 1 -o " +
                           folder / "out" + " " + streams + "'");
    };
    EXPECT_EQ(run("<&- >&-").code, 4);
    EXPECT_TRUE(read_file(folder / "out/sheet.pc2") == read_file(folder / "whole/sheet.pc2"));
    EXPECT_TRUE(read_file(folder / "out/checkpoint/lock").empty());
    for (const char* words : {"info none.obj 2>&-", "info none.obj 2>/dev/full"})
        EXPECT_EQ(run_command("bash -c '" + program + words + "'").code, 4) << words;
    EXPECT_EQ(run_command("bash -c '" + program + "recipes >&- 2>&-'").code, 4);
}

// With its last frame a run is whole; what would come after it does not.
TEST(NothingLost, ASignalInTheLastFrameIsHeard) {
    const Scratch folder("last");
    const Outcome ended = run_command(
        "bash -c '" + std::string(muslin::test::program()) +
        " run drape-sphere --set cloth.sheet.mesh.resolution=61 --threads 1 --frames 1 --export "
        "usda -o " +
        folder / "out" + " & while ! [ -s " + folder / "out/checkpoint/start.state" +
        " ]; do sleep 0.01; done; kill -TERM $!; wait $!'");
    EXPECT_TRUE(says(ended, 143, {"stopped after 1 of 1 frames"}));
    EXPECT_FALSE(std::filesystem::exists(folder / "out/drape-sphere.usda"));
    EXPECT_TRUE(std::filesystem::exists(folder / "out/checkpoint/frame-000001.state"));
}

} // namespace
