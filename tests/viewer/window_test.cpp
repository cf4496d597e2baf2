// `muslin view` as a script sees it: exit codes, and a window on a display without a screen.
#include "cli/command_line.h"
#include "muslin/base/error.h"
#include "muslin/io/run_reader.h"
#include "viewer/session.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace {

using namespace muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;

Outcome view(const std::string& arguments, const std::string& display = "") {
    // A number that no display has, where none is given.
    setenv("DISPLAY", display.empty() ? ":64999" : display.c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    setenv("LSAN_OPTIONS", "detect_leaks=0", 1); // drivers of displays keep memory to the end
    return muslin::testing::muslin("view " + arguments);
}

TEST(Window, BadInputIsToldBeforeAWindowIsLookedFor) {
    const Scratch scratch("view");
    const std::string scene = scratch.write("bad.toml", "[[cloth]]\nname = \"a\"\nwidht = 3\n");
    const Outcome bad = view(scene);
    EXPECT_EQ(bad.code, 2);
    EXPECT_EQ(bad.text, muslin::testing::muslin("run " + scene).text) << "the same as run's";
    EXPECT_NE(bad.text.find("bad.toml:3"), std::string::npos) << bad.text;

    const Outcome no_run = view(scratch.path().string());
    EXPECT_EQ(no_run.code, 2);
    EXPECT_NE(no_run.text.find("a run"), std::string::npos) << no_run.text;

    EXPECT_EQ(view("two-corner-sheet --recipe nobody96").code, 2);
    EXPECT_EQ(view("two-corner-sheet --recipe bw98 --recipe muslin --recipe bw98").code, 2);
    EXPECT_EQ(view("two-corner-sheet --size 12x").code, 2);
    EXPECT_EQ(view("two-corner-sheet --size 100x100").code, 2);
    EXPECT_EQ(view("two-corner-sheet --color mood").code, 2);
    EXPECT_EQ(view("").code, 2);
}

TEST(Window, WithoutADisplayTheMessageNamesTheWayOut) {
    const Outcome out = view("two-corner-sheet");
    EXPECT_EQ(out.code, 4) << out.text;
    EXPECT_NE(out.text.find("no display"), std::string::npos) << out.text;
    EXPECT_NE(out.text.find("muslin render"), std::string::npos) << out.text;
    EXPECT_EQ(view("--set time.frames=9 --recipe bw98 two-corner-sheet").code, 4)
        << "the scene may come after the options";
}

/// A display of its own, without a screen.
class Xvfb {
public:
    explicit Xvfb(const Scratch& scratch) : file_(scratch / "display") {
        process_ = fork();
        if (process_ == 0) {
            const std::string command =
                "exec Xvfb -displayfd 3 -screen 0 1024x768x24 3>'" + file_ + "' 2>/dev/null";
            execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            _exit(127);
        }
        for (int k = 0; k < 600 && name_.empty(); ++k) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            std::string number;
            std::ifstream(file_) >> number;
            if (!number.empty())
                name_ = ":" + number;
        }
    }
    ~Xvfb() {
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }
    const std::string& name() const { return name_; }

private:
    std::string file_, name_;
    pid_t process_ = -1;
};

TEST(Window, SimulatesTakesAPictureAndEnds) {
    if (std::system("command -v Xvfb >/dev/null") != 0)
        GTEST_SKIP() << "Xvfb is not installed (scripts/install-dependencies)";
    const Scratch scratch("window");
    const Xvfb display(scratch);
    ASSERT_FALSE(display.name().empty()) << "Xvfb did not start";
    const Outcome out = view("two-corner-sheet --size 640x480 --frames 4 --screenshot " +
                                 (scratch / "a.png") + " --log " + (scratch / "log"),
                             display.name());
    ASSERT_EQ(out.code, 0) << out.text;
    std::ifstream picture(scratch / "a.png", std::ios::binary);
    std::string head(24, '\0');
    picture.read(head.data(), 24);
    EXPECT_EQ(head.substr(1, 3), "PNG");
    EXPECT_EQ(head.substr(16, 8), std::string("\0\0\x02\x80\0\0\x01\xe0", 8)) << "640 x 480";
    std::ifstream log(scratch / "log");
    int frames = 0;
    std::string line, last;
    while (std::getline(log, line)) {
        const auto event = nlohmann::json::parse(line);
        last = event["event"];
        if (last == "frame")
            frames = event["frame"];
    }
    EXPECT_GE(frames, 4);
    EXPECT_EQ(last, "end");
}

TEST(Window, ASimulationThatCannotGoOnEndsWithThree) {
    if (std::system("command -v Xvfb >/dev/null") != 0)
        GTEST_SKIP() << "Xvfb is not installed (scripts/install-dependencies)";
    const Scratch scratch("trouble");
    const Xvfb display(scratch);
    const Outcome out = view("two-corner-sheet --size 400x300 --frames 4 --set "
                             "time.stretch_change_limit=0.0001 --set time.min_step=0.02",
                             display.name());
    EXPECT_EQ(out.code, 3) << out.text;
    EXPECT_NE(out.text.find("time.stretch_change_limit"), std::string::npos) << out.text;
}

/// Waits until something is so; gives up only where the machine has come to a halt.
template <class Condition>
bool eventually(const Condition& condition) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > give_up)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

TEST(Session, PlaysARunFrameByFrame) {
    const Scratch scratch("playback");
    ASSERT_EQ(muslin::testing::muslin("run two-corner-sheet --frames 6 --quiet --set "
                                      "cloth.0.mesh.vertices=150 -o " +
                                      (scratch / "run"))
                  .code,
              0);
    viewer::ViewArguments arguments;
    arguments.inputs = {scratch / "run", scratch / "run"};
    arguments.color = "stretch";
    viewer::Session session(arguments);
    session.arrange(1000, 700, 1);
    ASSERT_EQ(session.layout().panes.size(), 2u);
    EXPECT_FALSE(session.any_live());
    EXPECT_EQ(session.range().last, 6);
    RunReader run(scratch / "run");
    std::vector<Vec3> expected;
    for (int k = 0; k <= 6; ++k) {
        session.seek(k);
        session.advance(0.01);
        run.cloths()[0].read(k, expected);
        for (viewer::Pane& pane : session.panes())
            EXPECT_EQ(norm(pane.vertex(0, 77) - expected[77]), 0) << k;
    }
    session.toggle_play(); // from its end it begins anew
    session.advance(0.1);
    EXPECT_EQ(session.timeline().frame(), 3);
    session.advance(1);
    EXPECT_EQ(session.timeline().frame(), 6);
    EXPECT_FALSE(session.timeline().playing());
    viewer::FrameSource& source = session.panes()[0].source();
    EXPECT_TRUE(source.has_field(Field::bending));
    EXPECT_FALSE(source.has_field(Field::seam));
    std::vector<double> values;
    run.read_field(0, Field::speed, 6, values);
    EXPECT_EQ(source.field(Field::speed, 0, 6), values);
}

// In a live session and in the run that it becomes: the second body is neither drawn nor mixed up
// with those after it.
TEST(Session, BodiesThatAreNotVisibleDoNotShow) {
    const Scratch scratch("hidden");
    const std::string scene =
        scratch.write("scene.toml", "[time]\nframes = 3\n[[cloth]]\nname = \"sheet\"\n"
                                    "mesh = { type = \"grid\", resolution = 5 }\n"
                                    "[[body]]\nname = \"ball\"\nposition = [0, -2, 0]\n"
                                    "mesh = { type = \"sphere\", radius = 0.1 }\n"
                                    "[[body]]\nname = \"door\"\nvisible = false\n"
                                    "position = [0, -4, 0]\nmesh = { type = \"box\" }\n"
                                    "motion = { translation = [0, \"t\", 0] }\n"
                                    "[[body]]\nname = \"lift\"\nposition = [3, -2, 0]\n"
                                    "mesh = { type = \"sphere\", radius = 0.1 }\n"
                                    "motion = { translation = [0, \"3 * t\", 0] }\n");
    ASSERT_EQ(muslin::testing::muslin("run " + scene + " --quiet -o " + (scratch / "run")).code, 0);
    viewer::ViewArguments arguments;
    arguments.inputs = {scene, scratch / "run"};
    viewer::Session session(arguments);
    session.arrange(1000, 700, 1);
    ASSERT_TRUE(eventually([&] {
        session.advance(0.005);
        return session.panes()[0].source().frames().last >= 3;
    }));
    for (viewer::Pane& pane : session.panes()) {
        viewer::FrameSource& source = pane.source();
        ASSERT_EQ(source.surfaces().size(), 3u);
        EXPECT_EQ(source.surfaces()[1].name, "ball");
        EXPECT_EQ(source.surfaces()[2].name, "lift");
        const auto frame = source.frame(3);
        ASSERT_EQ(frame->positions.size(), 3u);
        EXPECT_TRUE(frame->positions[1].empty()) << "it stands still";
        ASSERT_FALSE(frame->positions[2].empty());
        const double rise = frame->positions[2][0][1] - source.surfaces()[2].start[0].y;
        EXPECT_NEAR(rise, 0.3, 1e-5);
    }
}

// Side by side: one clock for both, and the pane under the mouse is the one that is pulled.
TEST(Session, TwoRecipesKeepStepAndEachIsPulledByItself) {
    viewer::ViewArguments arguments;
    arguments.inputs = {"two-corner-sheet"};
    arguments.recipes = {"muslin", "bw98"};
    arguments.overrides = {"cloth.0.mesh.vertices=150"};
    viewer::Session session(arguments);
    session.arrange(1000, 700, 1);
    EXPECT_TRUE(eventually([&] {
        session.advance(0.005);
        EXPECT_EQ(session.panes()[0].frame().number, session.panes()[1].frame().number);
        return session.timeline().frame() >= 12;
    }));
    EXPECT_EQ(session.panes()[0].source().recipe(), "muslin");
    EXPECT_EQ(session.panes()[1].source().recipe(), "bw98");

    session.toggle_play();
    for (int k = 0; k < 40; ++k) { // frames that had begun come to their end
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        session.advance(0.005);
    }
    EXPECT_LE(std::abs(session.panes()[0].source().frames().last -
                       session.panes()[1].source().frames().last),
              1)
        << "neither runs ahead";
    viewer::InputEvent event;
    event.x = event.y = 2; // the mouse rests in a corner
    session.handle(event, false, false);
    session.advance(0.005);
    EXPECT_FALSE(session.over_cloth());
    viewer::Pane& right = session.panes()[1];
    const auto& triangle = right.source().surfaces()[0].triangles[100];
    const Vec3 place = (1.0 / 3) * (right.vertex(0, triangle[0]) + right.vertex(0, triangle[1]) +
                                    right.vertex(0, triangle[2]));
    const auto pixel = project(session.camera(), session.layout().panes[1], place);
    ASSERT_TRUE(pixel);
    event.x = pixel->x;
    event.y = pixel->y;
    session.handle(event, false, false);
    session.advance(0.005);
    EXPECT_TRUE(session.over_cloth());
    event.kind = viewer::InputEvent::Kind::press;
    session.handle(event, false, false);
    ASSERT_TRUE(session.picked());
    EXPECT_EQ(session.picked()->pane, 1);
    EXPECT_EQ(session.active(), 1);
    const auto grabbed = [&](int pane) {
        return session.panes()[pane].source().live()->view()->grabbed.has_value();
    };
    EXPECT_TRUE(eventually([&] { return grabbed(1); }));
    EXPECT_FALSE(grabbed(0));
}

// What a user does in a session, without its window: one frame after the other, then back.
TEST(Session, StepsRecordsPinsAndRestarts) {
    viewer::ViewArguments arguments;
    arguments.inputs = {"two-corner-sheet"};
    arguments.overrides = {"cloth.0.mesh.vertices=200"};
    arguments.paused = true;
    viewer::Session session(arguments);
    session.arrange(1000, 700, 1);
    viewer::LiveSource* live = session.panes()[0].source().live();
    ASSERT_TRUE(live);
    const auto reach = [&](int frame) {
        return eventually([&] {
            session.advance(0.005);
            return session.timeline().frame() == frame;
        });
    };
    for (int k = 1; k <= 5; ++k) {
        session.step(1);
        ASSERT_TRUE(reach(k)) << k;
    }
    const Vec3 free = session.panes()[0].vertex(0, 150);
    session.step(-1);
    session.advance(0.005);
    EXPECT_EQ(session.timeline().frame(), 4);
    EXPECT_GT(norm(session.panes()[0].vertex(0, 150) - free), 0) << "the recorded frame";
    session.seek(5);
    session.advance(0.005);
    EXPECT_EQ(norm(session.panes()[0].vertex(0, 150) - free), 0);

    // Click the cloth where vertex 150 is drawn, then pin what was picked.
    const auto pixel = project(session.camera(), session.layout().panes[0], free);
    ASSERT_TRUE(pixel);
    viewer::InputEvent event;
    event.kind = viewer::InputEvent::Kind::press;
    event.x = pixel->x;
    event.y = pixel->y;
    session.handle(event, false, false);
    ASSERT_TRUE(session.picked());
    EXPECT_TRUE(session.dragging());
    event.kind = viewer::InputEvent::Kind::release;
    session.handle(event, false, false);
    EXPECT_FALSE(session.dragging());
    session.toggle_pin();
    EXPECT_TRUE(eventually([&] { return live->view()->pinned.size() == 3; }));

    session.restart();
    EXPECT_TRUE(reach(0));
    EXPECT_TRUE(eventually([&] { return live->view()->pinned.size() == 2; }));
}

// Nothing that goes wrong on the simulation's thread ends the program.
TEST(Session, ACommandThatThrowsIsToldAndTheRestGoesOn) {
    viewer::ViewArguments arguments;
    arguments.inputs = {"two-corner-sheet"};
    arguments.overrides = {"cloth.0.mesh.vertices=150"};
    arguments.paused = true;
    viewer::Session session(arguments);
    viewer::LiveSource* live = session.panes()[0].source().live();
    live->send("", [](LiveSimulation&) { throw std::logic_error("no such vertex"); });
    EXPECT_TRUE(eventually([&] { return live->view()->message == "no such vertex"; }));
    session.advance(0.005);
    EXPECT_EQ(session.notice(), "no such vertex");
    session.step(1);
    EXPECT_TRUE(eventually([&] { return live->view()->frame == 1; }));
}

TEST(Session, PlayTriesAgainWhatCouldNotGoOn) {
    viewer::ViewArguments arguments;
    arguments.inputs = {"two-corner-sheet"};
    arguments.overrides = {"cloth.0.mesh.vertices=150", "time.stretch_change_limit=0.0001",
                           "time.min_step=0.02"};
    viewer::Session session(arguments);
    viewer::LiveSource* live = session.panes()[0].source().live();
    for (int failures = 1; failures <= 3; ++failures) {
        EXPECT_TRUE(eventually([&] {
            session.advance(0.005);
            return live->view()->failures == failures;
        })) << failures;
        session.advance(0.005);
        EXPECT_FALSE(session.timeline().playing()) << "the clock stands still";
        EXPECT_NE(session.notice().find("time.stretch_change_limit"), std::string::npos);
        session.toggle_play();
    }
}

} // namespace
