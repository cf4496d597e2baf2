// The parts of the window that need no window: camera, timeline, recording, pace.
#include "viewer/orbit_camera.h"
#include "viewer/pace.h"
#include "viewer/pick.h"
#include "viewer/recording.h"
#include "viewer/timeline.h"

#include <gtest/gtest.h>

#include <thread>

namespace {

using namespace muslin;
using namespace muslin::viewer;

const SceneBounds box = {{-1, 0, -0.5}, {1, 2, 0.5}};

TEST(OrbitCamera, FramesABoxFromAnySide) {
    for (double aspect : {0.4, 1.0, 2.5})
        for (int turn = 0; turn < 12; ++turn) {
            OrbitCamera orbit;
            orbit.orbit(turn / 6.0, 0.1 * turn - 0.6);
            orbit.frame(box, aspect);
            const Rectangle view = {0, 0, 600 * aspect, 600};
            double least = 1e9, most = -1e9;
            for (int corner = 0; corner < 8; ++corner) {
                const Vec3 p = {corner & 1 ? 1.0 : -1.0, corner & 2 ? 2.0 : 0.0,
                                corner & 4 ? 0.5 : -0.5};
                const auto pixel = project(orbit.camera(), view, p);
                ASSERT_TRUE(pixel);
                for (double part : {pixel->x / view.width, pixel->y / view.height}) {
                    least = std::min(least, part);
                    most = std::max(most, part);
                }
            }
            EXPECT_GT(least, 0.05);
            EXPECT_LT(most, 0.95);
            EXPECT_GT(most - least, 0.7) << "as large as the picture allows";
        }
}

TEST(OrbitCamera, TurnsAboutItsTargetAndNotOverTheTop) {
    OrbitCamera orbit;
    orbit.frame(box, 1.5);
    const Camera before = orbit.camera();
    orbit.orbit(0.5, 0);
    EXPECT_LT(norm(orbit.camera().target - before.target), 1e-12);
    EXPECT_NEAR(norm(orbit.camera().eye - orbit.camera().target), norm(before.eye - before.target),
                1e-12);
    EXPECT_NEAR(std::remainder(orbit.direction().azimuth - (32 - 90), 360.0), 0, 1e-9);
    orbit.orbit(0, 5);
    EXPECT_EQ(orbit.direction().elevation, 89);
    orbit.orbit(0, -50);
    EXPECT_EQ(orbit.direction().elevation, -89);
}

TEST(OrbitCamera, PanMovesThePointUnderTheMouseWithIt) {
    OrbitCamera orbit;
    orbit.frame(box, 1.5);
    const Rectangle view = {0, 0, 900, 600};
    const Vec3 point = orbit.camera().target;
    const auto before = project(orbit.camera(), view, point);
    orbit.pan(90.0 / 600, -60.0 / 600);
    const auto after = project(orbit.camera(), view, point);
    ASSERT_TRUE(before && after);
    EXPECT_NEAR(after->x - before->x, 90, 1e-6);
    EXPECT_NEAR(after->y - before->y, -60, 1e-6);
}

TEST(OrbitCamera, ZoomKeepsWithinTheScene) {
    OrbitCamera orbit;
    orbit.frame(box, 1.5);
    const double distance = orbit.distance();
    orbit.zoom(2);
    EXPECT_NEAR(orbit.distance(), 0.81 * distance, 1e-12);
    orbit.zoom(1000);
    EXPECT_GT(orbit.distance(), 0);
    orbit.zoom(-2000);
    EXPECT_LT(orbit.distance(), 100 * box.diagonal());
}

TEST(Timeline, ARunPlaysByTheClockAndStopsAtItsEnd) {
    Timeline timeline(30, false, true);
    const FrameRange range = {0, 20};
    timeline.tick(0.1, range);
    EXPECT_EQ(timeline.frame(), 3);
    for (int k = 0; k < 11; ++k)
        timeline.tick(0.01, range); // a third of a frame at a time adds up
    EXPECT_EQ(timeline.frame(), 6);
    timeline.set_speed(2);
    timeline.tick(0.1, range);
    EXPECT_EQ(timeline.frame(), 12);
    timeline.tick(5, range);
    EXPECT_EQ(timeline.frame(), 20);
    EXPECT_FALSE(timeline.playing());
    timeline.set_loop(true);
    timeline.play(true);
    timeline.tick(0.1, range);
    EXPECT_EQ(timeline.frame(), 0);
    EXPECT_TRUE(timeline.playing());
    EXPECT_FALSE(timeline.simulating());
}

TEST(Timeline, StepsAndSeeksWithinTheRange) {
    Timeline timeline(30, false, true);
    const FrameRange range = {0, 20};
    timeline.seek(7, range);
    EXPECT_FALSE(timeline.playing());
    EXPECT_FALSE(timeline.step(1, range));
    EXPECT_EQ(timeline.frame(), 8);
    timeline.step(-3, range);
    EXPECT_EQ(timeline.frame(), 5);
    timeline.seek(99, range);
    EXPECT_EQ(timeline.frame(), 20);
    EXPECT_FALSE(timeline.step(1, range)) << "nothing can make a frame more";
}

TEST(Timeline, ALiveOneFollowsTheNewestFrameAndReplaysBeforeItGoesOn) {
    Timeline timeline(30, true, true);
    timeline.tick(0.01, {0, 40});
    EXPECT_EQ(timeline.frame(), 40);
    EXPECT_TRUE(timeline.simulating());
    timeline.seek(30, {0, 40});
    EXPECT_FALSE(timeline.simulating());
    timeline.tick(1, {0, 40});
    EXPECT_EQ(timeline.frame(), 30) << "it stands still";
    timeline.play(true);
    EXPECT_FALSE(timeline.simulating());
    timeline.tick(0.1, {0, 40});
    EXPECT_EQ(timeline.frame(), 33);
    timeline.tick(0.5, {0, 40});
    EXPECT_EQ(timeline.frame(), 40);
    EXPECT_TRUE(timeline.simulating());
    EXPECT_TRUE(timeline.step(1, {0, 40})) << "the simulation is to make frame 41";
    EXPECT_FALSE(timeline.playing());
    timeline.tick(0.01, {0, 41});
    EXPECT_EQ(timeline.frame(), 41);
    timeline.seek(2, {0, 41});
    timeline.tick(0.01, {10, 50});
    EXPECT_EQ(timeline.frame(), 10) << "older frames were dropped";
}

std::shared_ptr<const Frame> frame_of(int number) {
    auto frame = std::make_shared<Frame>();
    frame->number = number;
    frame->positions.emplace_back(1000);
    return frame;
}

TEST(Recording, KeepsTheLastFramesWithinItsBound) {
    const std::size_t one = frame_of(0)->bytes();
    EXPECT_GT(one, 12000u);
    Recording recording(10 * one);
    for (int k = 0; k < 100; ++k) {
        recording.add(frame_of(k));
        EXPECT_LE(recording.bytes(), 10 * one);
    }
    EXPECT_EQ(recording.range().first, 90);
    EXPECT_EQ(recording.range().last, 99);
    EXPECT_EQ(recording.at(95)->number, 95);
    EXPECT_EQ(recording.at(3)->number, 90) << "the nearest there is";
    EXPECT_EQ(recording.at(300)->number, 99);
    recording.clear();
    recording.add(frame_of(0));
    EXPECT_EQ(recording.range().last, 0);
    recording.add(frame_of(1));
    recording.add(frame_of(4)); // two were not kept
    EXPECT_EQ(recording.at(1)->number, 1);
    EXPECT_EQ(recording.at(3)->number, 1);
    EXPECT_EQ(recording.at(4)->number, 4);
    Recording tiny(1);
    tiny.add(frame_of(0));
    tiny.add(frame_of(1));
    EXPECT_EQ(tiny.at(0)->number, 1) << "one is always there";
}

TEST(Pace, NobodyRunsAheadOfTheClockOrOfTheOther) {
    Pace pace;
    const int a = pace.join(0), b = pace.join(0);
    const auto now = Pace::Clock::now();
    EXPECT_GT(pace.wait(a, now), 0) << "at a standstill";
    pace.step();
    EXPECT_EQ(pace.wait(a, now), 0);
    pace.arrived(a, 1, true);
    EXPECT_GT(pace.wait(a, now), 0) << "one frame and no more";
    EXPECT_EQ(pace.wait(b, now), 0);
    pace.arrived(b, 1, true);

    pace.set(true, 0.01); // 100 s a frame: a busy machine makes no difference
    const auto start = Pace::Clock::now();
    const auto after = [&](int seconds) { return start + std::chrono::seconds(seconds); };
    EXPECT_GT(pace.wait(a, start), 0) << "not before its time";
    EXPECT_EQ(pace.wait(a, after(110)), 0);
    pace.arrived(a, 2, true);
    EXPECT_GT(pace.wait(a, after(500)), 0) << "the other is behind";
    EXPECT_EQ(pace.wait(b, after(500)), 0);
    pace.arrived(b, 2, true);
    EXPECT_GT(pace.wait(a, after(510)), 0) << "what was missed is not caught up";
    EXPECT_EQ(pace.wait(a, after(650)), 0);
    pace.arrived(a, 3, true);
    pace.arrived(b, 2, false);
    EXPECT_GT(pace.wait(b, after(2000)), 0) << "it cannot go on";
    EXPECT_EQ(pace.wait(a, after(2000)), 0) << "and nobody waits for it";
    pace.set(false, 0.01);
    pace.set(true, 0.01);
    EXPECT_EQ(pace.wait(b, after(4000)), 0) << "it is tried again when all begin to run";
}

} // namespace
