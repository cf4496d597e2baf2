// States written and read back bit for bit, and runs that go on from them.
#include "muslin/run/checkpoint.h"

#include "muslin/base/archive.h"
#include "muslin/base/error.h"
#include "muslin/engine/simulation.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/read_file.h"
#include "muslin/run/serialise_state.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

namespace muslin {
namespace {

class Checkpoints : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  ::testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path file() const { return folder_ / "state"; }

private:
    std::filesystem::path folder_;
};

SceneDescription scene_of(const std::string& text) {
    return parse_scene(text, "test.toml", {}, "test");
}

const std::string plastic = R"(
recipe = "bw98"
parts = { in_plane = "strain_rosette", bending = "bend_volino", integrator = "euler_cromer", contact = "none" }
[[cloth]]
name = "sheet"
mesh = { type = "irregular", width = 0.3, depth = 0.3, vertices = 80 }
material = { base = "cotton", stretch_u = 40, stretch_v = 40, stretch_damping = 0.01, bend_damping = 0, yield_stretch = 0.01, yield_bend = 2, relaxation_time = 0.5 }
[[pin]]
cloth = "sheet"
vertices = [0, 1]
)";

const std::string stuck = R"(
recipe = "muslin"
parts = { contact = "none" }
[[cloth]]
name = "sheet"
mesh = { type = "grid", width = 0.2, depth = 0.2, columns = 7, rows = 7 }
material = { base = "cotton", stretch_u = 100, stretch_v = 100, thickness = 0.001 }
[[body]]
name = "plate"
mesh = { type = "box", size = [0.12, 0.02, 0.12], divisions = 3 }
position = [0, 0.0125, 0]
[body.motion]
translation = [{ t = 0.1, value = [0, 0, 0] }, { t = 0.6, value = [0.1, 0.2, 0.05] }]
[[sticking]]
box = { min = [-0.05, -1, -0.05], max = [0.05, 1, 0.05] }
body = "plate"
tolerance = 0.004
)";

TEST_F(Checkpoints, AHistoryOfAnotherSceneIsRefused) {
    Simulation simulation(scene_of(stuck));
    simulation.advance_frame();
    const State good = simulation.state();
    State other = good;
    other.parts.step_size.size = 1e3;
    EXPECT_THROW(simulation.continue_from(other, 1), HistoryError);
    other = good;
    other.parts.sewing.refused = {1 << 20};
    EXPECT_THROW(simulation.continue_from(other, 1), HistoryError);
    simulation.continue_from(good, 1);
    simulation.advance_frame();
}

TEST_F(Checkpoints, ARunGoesOnAsIfItHadNotStopped) {
    for (const std::string& text : {plastic, stuck}) {
        Simulation whole(scene_of(text));
        std::vector<std::string> expected;
        for (int frame = 1; frame <= 8; ++frame) {
            const FrameReport report = whole.advance_frame();
            if (frame == 4)
                save_state(file(), whole.state(), whole.frame());
            if (frame > 4)
                expected.push_back(report.hash);
        }
        Simulation resumed(scene_of(text));
        const Checkpoint read = load_state(file(), resumed.model());
        EXPECT_EQ(read.frame, 4);
        EXPECT_FALSE(read.state.bonds.empty() && read.state.strain_history.triangles.empty());
        resumed.continue_from(read.state, read.frame);
        for (const std::string& hash : expected)
            EXPECT_EQ(resumed.advance_frame().hash, hash);
    }
}

/// A state with something in every member, and the model that it fits.
State full_state(Model& model) {
    model.mass.assign(3, 1);
    model.dynamics.triangles = {{0, 1, 2}};
    model.dynamics.hinges.resize(2);
    model.stickings.resize(1);
    model.stickings[0].triangles = {{0, 1, 2}};
    State s;
    s.time = 0.1;
    s.positions = {{1, 2, 3}, {0.1, -0.0, 1e-310}, {7, 8, 9}};
    s.velocities = {{-1, 2, 3}, {4, 5, 6}, {1.0 / 3, 8, 9}};
    s.contact_force = {0.5, 0, 2};
    s.bonds = {{0, 2, 0, {0.2, 0.3, 0.5}, 1e-3, 0.25}};
    s.strain_history.triangles = {{1e-3, 2e-3, 3e-3}};
    s.strain_history.hinges = {4, 5};
    s.sides = {{5, 0.05, -1, 200}, {123456789012345ULL, 0.06, 1, 3}};
    s.tangle_watch = {7, 0.3};
    s.parts.step_size = {1.0 / 240, 8, 3, true};
    ContactHistory& contact = s.parts.contact;
    contact.started = true;
    contact.released = {0, 2, 1};
    contact.cloth_tree = {1, {0, -1, -1, -1, -1, -1, -1, -1}, 1.5, 1.25};
    contact.body_tree = {2, {1, 0, -1, -1, -1, -1, -1, -1}, 3, 2};
    contact.bw98.touches.resize(3);
    contact.bw98.touches[1] = {
        Touch::locked, {4, {0.2, 0.3, 0.5}, FaceRegion::edge12}, {1e-3, 0, 2e-3}, 0.75};
    contact.bw98.cloth.crossed = {{99, {1, 2}, true, -1}};
    contact.bw98.cloth.pushing = {17, 23};
    contact.bw98.before = s.positions;
    contact.bw98.time_before = 0.05;
    contact.bw98.positions = s.velocities;
    s.parts.sewing = {true, {2}};
    return s;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

std::string bytes_of(const State& state) {
    Archive archive;
    serialise(archive, state);
    return archive.take();
}

TEST_F(Checkpoints, EveryMemberComesBackBitForBit) {
    Model model;
    const State s = full_state(model);
    save_state(file(), s, 17);
    const Checkpoint back = load_state(file(), model);
    EXPECT_EQ(back.frame, 17);
    // All of it, whatever members there are: what was read is written as what was written.
    EXPECT_EQ(bytes_of(back.state), bytes_of(s));
    EXPECT_TRUE(same_bits(back.state.positions, s.positions));
    EXPECT_EQ(back.state.bonds.at(0).weights.y, 0.3);
    EXPECT_EQ(back.state.sides.at(1).pair, s.sides[1].pair);
    EXPECT_EQ(back.state.parts.step_size.wait, 8);
    EXPECT_EQ(back.state.parts.contact.released, s.parts.contact.released);
    EXPECT_EQ(back.state.parts.contact.body_tree.slots, s.parts.contact.body_tree.slots);
    EXPECT_EQ(back.state.parts.contact.bw98.touches.at(1).place.region, FaceRegion::edge12);
    EXPECT_EQ(back.state.parts.contact.bw98.cloth.crossed.at(0).side, -1);
    EXPECT_EQ(back.state.parts.sewing.refused, s.parts.sewing.refused);
}

TEST_F(Checkpoints, BadFilesAreRefused) {
    Model model;
    const State s = full_state(model);
    save_state(file(), s, 1);
    const std::string good = read_file(file());
    const auto error_of = [&](const std::string& bytes) -> std::string {
        write_file_atomically(file(), bytes);
        try {
            load_state(file(), model);
        } catch (const FileError& error) {
            return error.what();
        }
        return "no FileError";
    };
    EXPECT_NE(error_of("").find("does not begin"), std::string::npos);
    EXPECT_NE(error_of("solid cube").find("does not begin"), std::string::npos);
    for (std::size_t size = 12; size < good.size(); size += 41)
        EXPECT_NE(error_of(good.substr(0, size)).find("no state that can be read"),
                  std::string::npos)
            << size;
    for (std::size_t at = 16; at < good.size(); at += 53) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 4);
        EXPECT_NE(error_of(bad).find("digest"), std::string::npos) << at;
    }
    std::string other_version = good;
    for (const int version : {4, 9}) { // the one before, and one to come
        other_version[12] = static_cast<char>(version);
        EXPECT_NE(
            error_of(other_version).find(fmt::format("version {}, this program reads", version)),
            std::string::npos);
    }
    EXPECT_NE(error_of(good + "x").find("digest"), std::string::npos);

    std::filesystem::remove(file());
    EXPECT_THROW(load_state(file(), model), FileError);
    write_file_atomically(file(), good);
    model.mass.push_back(1);
    EXPECT_THROW(load_state(file(), model), InputError);
    model.mass.pop_back();
    model.stickings.clear();
    EXPECT_THROW(load_state(file(), model), InputError);
}

} // namespace
} // namespace muslin
