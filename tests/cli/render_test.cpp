#include "command_line.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using muslin::testing::Outcome;
using muslin::testing::Scratch;

/// Three frames of a small sheet, simulated once for all tests of this file.
class Render : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        scratch = new Scratch("render");
        const Outcome run = muslin::testing::muslin(
            "run drape-sphere --set cloth.sheet.mesh.resolution=15 --frames 3 --quiet -o " +
            *scratch / "run");
        ASSERT_EQ(run.code, 0) << run.text;
    }
    static void TearDownTestSuite() { delete scratch; }

    /// Renders it, small.
    static Outcome render(const std::string& options) {
        return muslin::testing::muslin("render " + *scratch / "run" +
                                       " --width 160 --height 90 --quiet " + options);
    }
    static void expect_error(int code, const std::string& words, const Outcome& outcome) {
        EXPECT_EQ(outcome.code, code) << outcome.text;
        EXPECT_NE(outcome.text.find(words), std::string::npos) << outcome.text;
        EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    }

    static Scratch* scratch;
};
Scratch* Render::scratch = nullptr;

TEST_F(Render, MakesEveryKindOfOutput) {
    for (const char* name : {"a.png", "a.mp4", "a.gif", "a.webp", "a.html"}) {
        const Outcome outcome = render("-o " + *scratch / name);
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        EXPECT_EQ(outcome.text, "") << "--quiet";
        EXPECT_GT(std::filesystem::file_size(*scratch / name), 500U) << name;
    }
    EXPECT_EQ(render("--frames :2:2 -o " + *scratch / "f/a-##.png").code, 0);
    EXPECT_TRUE(std::filesystem::exists(*scratch / "f/a-00.png"));
    EXPECT_TRUE(std::filesystem::exists(*scratch / "f/a-02.png"));
    EXPECT_FALSE(std::filesystem::exists(*scratch / "f/a-01.png"));
    EXPECT_EQ(render("").code, 0);
    EXPECT_TRUE(std::filesystem::exists(*scratch / "run/frame.png"));
}

// ffmpeg ends with status 0 where the end of the file cannot be written.
TEST_F(Render, AMovieThatTheDiskHasNoRoomForIsNotDone) {
    for (const char* name : {"full.mp4", "full.gif", "full.webp"}) {
        const std::string file = *scratch / name;
        const Outcome outcome = muslin::testing::run_command(
            "ulimit -f 1; " + std::string(muslin::test::program()) + " render " + *scratch / "run" +
            " --width 160 --height 90 --quiet -o " + file);
        expect_error(4, file + ": ffmpeg", outcome);
        EXPECT_NE(outcome.text.find("File too large"), std::string::npos) << outcome.text;
        EXPECT_FALSE(std::filesystem::exists(file));
    }
}

TEST_F(Render, EveryOptionIsTaken) {
    const std::string out = " -o " + *scratch / "options.png";
    for (const char* options :
         {"--color stretch", "--color contact --range 0:80", "--color speed --range auto",
          "--checker --subdivide 2", "--wireframe --flat", "--mark", "--no-mark",
          "--no-ground --no-shadows --background '#101418'", "--background 0.2,0.3,0.4",
          "--azimuth 200 --elevation -10 --zoom 2 --fov 60 --look-at 0,0.1,0 --fit cloth",
          "--caption 'frame {frame}'", "--sheet 0,1,2,3", "--frame 0"}) {
        std::filesystem::remove(*scratch / "options.png");
        const Outcome outcome = render(options + out);
        EXPECT_EQ(outcome.code, 0) << options << ": " << outcome.text;
        EXPECT_TRUE(std::filesystem::exists(*scratch / "options.png")) << options;
    }
}

TEST_F(Render, WrongOptionsSayWhatWasExpected) {
    expect_error(2, "one of stretch, shear, bending", render("--color strech"));
    expect_error(2, "LOW:HIGH", render("--color stretch --range 5"));
    expect_error(2, "LOW:HIGH", render("--color stretch --range 5:1"));
    expect_error(2, "together with a field", render("--range 0:1"));
    expect_error(2, "FIRST:LAST", render("--frames 3 -o " + *scratch / "x.mp4"));
    expect_error(2, "a frame of this run, 0 .. 3", render("--frame 9"));
    expect_error(2, "#rrggbb", render("--background blue"));
    expect_error(2, "0 .. 4", render("--subdivide 7"));
    expect_error(2, ".png, .mp4", render("-o " + *scratch / "x.bmp"));
    expect_error(2, "turntable", render("--turntable -o " + *scratch / "x.png"));
    expect_error(2, "turntable", render("--frame 1 -o " + *scratch / "x.mp4"));
    expect_error(2, "####.png", render("--frames 0:2 -o " + *scratch / "x.png"));
    expect_error(2, "sheet", render("--sheet 0,1 -o " + *scratch / "x.mp4"));
    expect_error(2, "a movie as output", render("--fps 24 -o " + *scratch / "x.png"));
    for (const char* option :
         {"--zoom nan", "--azimuth inf", "--elevation nan", "--elevation 91", "--look-at nan,0,0",
          "--look-at 1,2", "--width 1e3", "--frame -1", "--frame x", "--texture-size 0.1",
          "--color ''", "--sheet ''", "--sheet a", "--width 9000", "--nonsense"}) {
        const Outcome outcome = render(option);
        expect_error(2, std::string(option).substr(0, 6), outcome);
        EXPECT_LT(outcome.text.size(), 250u) << outcome.text;
    }
    for (const char* fps : {"--fps 0", "--fps nan", "--fps -5"})
        expect_error(2, "--fps: expected 0.01 .. 1000",
                     render(fps + (" -o " + *scratch / "x.mp4")));
    expect_error(2, "--frames: expected a frame of this run, 0 .. 3",
                 render("--frames 0:9 -o " + *scratch / "x.mp4"));
    EXPECT_EQ(render("--frames 3::2147483647 -o " + *scratch / "one").code, 0);
    EXPECT_FALSE(std::filesystem::exists(*scratch / "x.mp4"));
}

TEST_F(Render, AViewOfARunHasNoSceneToChange) {
    for (const char* option : {" --set a.b=1", " --recipe bw98"})
        expect_error(2, "a scene to simulate",
                     muslin::testing::muslin("view " + *scratch / "run" + option));
}

// What is passed over in silence is taken for done.
TEST_F(Render, AnOptionThatThePageHasNoUseForIsRefused) {
    for (const char* option : {"--wireframe", "--checker", "--flat", "--mark", "--no-mark",
                               "--no-ground", "--no-shadows", "--background 0,0,0", "--caption x",
                               "--subdivide 1", "--texture x.png", "--fps 24"}) {
        const std::string name = std::string(option).substr(0, std::string(option).find(' '));
        expect_error(2, name + ": expected", render(option + (" -o " + *scratch / "no.html")));
    }
    EXPECT_FALSE(std::filesystem::exists(*scratch / "no.html"));
}

TEST_F(Render, EndingsMayBeInCapitalsAndNamesMayHaveColons) {
    for (const char* name : {"A.PNG", "A.MP4", "A.HTML", "take:1.mp4"}) {
        const Outcome outcome = render("-o " + *scratch / name);
        EXPECT_EQ(outcome.code, 0) << outcome.text;
        EXPECT_TRUE(std::filesystem::exists(*scratch / name));
    }
}

TEST_F(Render, AFolderThatIsNotThereIsSaidBeforeAnythingIsDrawn) {
    scratch->write("file", "x");
    for (const char* name : {"x.png", "x.mp4", "x.html"}) {
        const auto refused = [&](const std::string& folder, const std::string& words) {
            const Outcome outcome = muslin::testing::muslin("render " + *scratch / "run" + " -o " +
                                                            *scratch / (folder + "/" + name));
            expect_error(4, folder + " " + words, outcome);
        };
        refused("none", "does not exist");
        refused("file", "is not a directory");
    }
}

TEST_F(Render, AnInterruptLeavesNothingHalfWritten) {
    std::filesystem::create_directories(*scratch / "cut");
    for (const char* signal : {"INT", "TERM"}) {
        const std::string command = std::string("timeout -s ") + signal + " 1.5 " +
                                    muslin::test::program() + " render " + *scratch / "run" +
                                    " --turntable --frame 3 -o " + *scratch / "cut/a.mp4" +
                                    " --quiet --width 1920 --height 1080";
        EXPECT_NE(std::system(command.c_str()), 0) << "it had ended before";
    }
    EXPECT_TRUE(std::filesystem::is_empty(*scratch / "cut"));
}

TEST_F(Render, FilesThatCannotBeUsed) {
    expect_error(4, "no such directory", muslin::testing::muslin("render " + *scratch / "nowhere"));
    std::filesystem::create_directories(*scratch / "empty");
    expect_error(2, "NAME.pc2", muslin::testing::muslin("render " + *scratch / "empty"));
    expect_error(4, "none.png", render("--texture " + *scratch / "none.png"));
    expect_error(2, "a PNG or JPEG", render("--texture " + *scratch / "run/sheet.obj"));
    for (const char* name : {"x.png", "x.mp4", "x.html"})
        expect_error(4, "/proc/nowhere", render(std::string("-o /proc/nowhere/") + name));
    expect_error(4, "/proc/nowhere", render("-o /proc/nowhere/####.png"));
}

TEST_F(Render, DamagedCachesAreRefused) {
    const std::filesystem::path copy = *scratch / "damaged";
    const auto renew = [&] {
        std::filesystem::remove_all(copy);
        std::filesystem::copy(*scratch / "run", copy);
    };
    renew();
    std::filesystem::resize_file(copy / "sheet.pc2",
                                 std::filesystem::file_size(copy / "sheet.pc2") - 40);
    expect_error(2, "sheet.pc2", muslin::testing::muslin("render " + copy.string()));
    renew();
    std::ofstream(copy / "sheet.pc2", std::ios::binary) << "something else altogether, of a kind";
    expect_error(2, "sheet.pc2", muslin::testing::muslin("render " + copy.string()));
    renew();
    std::ofstream(copy / "sheet.fields", std::ios::binary)
        << "something else altogether, of a kind";
    expect_error(2, "sheet.fields", muslin::testing::muslin("render " + copy.string()));
}

TEST_F(Render, WithoutFfmpegItSaysWhatToDo) {
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    const Outcome outcome = render("-o " + *scratch / "none.mp4");
    setenv("PATH", path.c_str(), 1);
    expect_error(4, "install ffmpeg, or write single pictures", outcome);
    EXPECT_FALSE(std::filesystem::exists(*scratch / "none.mp4"));
}

} // namespace
