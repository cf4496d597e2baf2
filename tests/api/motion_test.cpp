// Bodies and pins that a program takes from place to place, and winds that it blows.
#include "samples.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <thread>

using muslin::Vec3;
using samples::Folder;

namespace {

/// A ball that rises, and widens by the way, frame by frame.
std::vector<Vec3> ball_at(const muslin::Mesh& ball, int frame) {
    std::vector<Vec3> out = ball.positions;
    for (Vec3& p : out)
        p = {(1 + 0.02 * frame) * p.x, p.y + 0.03 * frame, p.z};
    return out;
}

muslin::Mesh small_ball() {
    muslin::Mesh out =
        muslin::make_mesh("{ type = 'sphere', radius = 0.2, segments = 24, rings = 12 }");
    for (Vec3& p : out.positions)
        p.y -= 0.25;
    return out;
}

/// A square that is held along one side, which swings and turns.
muslin::Scene flag() {
    muslin::Scene out("flag");
    out.settings({.frame_rate = 24})
        .add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(9)})
        .add(muslin::Pin{.name = "mast", .vertices = {0, 9, 18, 27, 36, 45, 54, 63, 72}});
    return out;
}

Vec3 mast_at(const Vec3& p, double frame) {
    return {p.x + 0.01 * frame * frame, p.y + 0.02 * frame * p.z, p.z};
}

muslin::Problem problem_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const muslin::InputError& error) {
        return error.problem();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
}

} // namespace

TEST(Motion, ABodyMovedByTheProgramHasTheBitsOfOneMovedByAFile) {
    const Folder folder;
    const muslin::Mesh ball = small_ball();
    muslin::Mesh frame_mesh = ball;
    constexpr int frames = 12;
    for (int frame = 0; frame <= frames; ++frame) {
        frame_mesh.positions = ball_at(ball, frame);
        char name[32];
        std::snprintf(name, sizeof name, "ball.%04d.obj", frame);
        muslin::write_mesh(folder.path() / name, frame_mesh);
    }
    muslin::write_mesh(folder.path() / "sheet.obj", samples::sheet(15));
    folder.write("lift.toml", R"(
[time]
frame_rate = 24
[[cloth]]
name = "sheet"
mesh = { path = "sheet.obj", rest = "texcoords" }
material = "silk-charmeuse"
[[body]]
name = "ball"
mesh = "ball.0000.obj"
animation = "ball.####.obj"
)");
    muslin::Simulation from_file(muslin::Scene::load((folder.path() / "lift.toml").string()));

    muslin::Scene scene("lift");
    scene.settings({.frame_rate = 24})
        .add(muslin::Cloth{
            .name = "sheet", .mesh = samples::sheet(15), .material = {.base = "silk-charmeuse"}})
        .add(muslin::Body{.name = "ball", .mesh = ball});
    muslin::Simulation moved(scene);
    for (int frame = 1; frame <= frames; ++frame) {
        moved.move_body("ball", ball_at(ball, frame));
        ASSERT_EQ(moved.step_frame().hash, from_file.step_frame().hash) << frame;
        EXPECT_EQ(moved.body_positions("ball")[3].y, from_file.body_positions("ball")[3].y);
    }
    EXPECT_GT(moved.report().contacts, 10);
    EXPECT_EQ(moved.judge().body_intersections, 0);
    // It stays where it was taken.
    moved.step_frame();
    EXPECT_EQ(moved.body_positions("ball")[3].y, ball_at(ball, frames)[3].y);
}

TEST(Motion, APinMovedByTheProgramHasTheBitsOfOneMovedByAFile) {
    const Folder folder;
    const muslin::Mesh sheet = samples::sheet(9);
    muslin::Mesh frame_mesh = sheet;
    constexpr int frames = 10;
    for (int frame = 0; frame <= frames; ++frame) {
        for (std::size_t v = 0; v < sheet.positions.size(); ++v)
            frame_mesh.positions[v] = mast_at(sheet.positions[v], frame);
        char name[32];
        std::snprintf(name, sizeof name, "sheet.%04d.obj", frame);
        muslin::write_mesh(folder.path() / name, frame_mesh);
    }
    folder.write("flag.toml", R"(
[time]
frame_rate = 24
[[cloth]]
name = "sheet"
mesh = { path = "sheet.0000.obj", rest = "texcoords" }
[[pin]]
name = "mast"
vertices = [0, 9, 18, 27, 36, 45, 54, 63, 72]
animation = "sheet.####.obj"
)");
    muslin::Simulation from_file(muslin::Scene::load((folder.path() / "flag.toml").string()));
    muslin::Simulation moved(flag());
    const std::vector<int> held = moved.pin_vertices("mast");
    for (int frame = 1; frame <= frames; ++frame) {
        std::vector<Vec3> places;
        for (const int v : held)
            places.push_back(mast_at(sheet.positions[v], frame));
        moved.move_pin("mast", places);
        ASSERT_EQ(moved.step_frame().hash, from_file.step_frame().hash) << frame;
    }
    const Vec3 last = moved.positions("sheet")[27];
    moved.step_frame();
    EXPECT_NEAR(norm(moved.positions("sheet")[27] - last), 0, 1e-12);
    EXPECT_NEAR(norm(last - mast_at(sheet.positions[27], frames)), 0, 1e-12);
}

TEST(Motion, BodiesAndPinsGoAtAConstantSpeedOverTheCall) {
    muslin::Simulation simulation(samples::drape(6));
    std::vector<Vec3> places = simulation.body_positions("ball");
    const Vec3 from = places[0];
    for (Vec3& p : places)
        p.y -= 0.3;
    simulation.move_body("ball", places);
    simulation.step(0.1); // three frames
    EXPECT_NEAR(simulation.body_positions("ball")[0].y, from.y - 0.3, 1e-12);
    for (Vec3& p : places)
        p.x += 0.04;
    simulation.move_body("ball", places);
    simulation.step(0.01);
    EXPECT_NEAR(simulation.body_positions("ball")[0].x, from.x + 0.04, 1e-12);
    EXPECT_NEAR(simulation.body_positions("ball")[0].y, from.y - 0.3, 1e-12);
}

TEST(Motion, PinForcesAreThoseOfTheVertices) {
    muslin::Scene scene = flag();
    scene.part("air", "none").set("cloth.sheet.material.stretch_damping", 50.0);
    muslin::Simulation simulation(scene);
    EXPECT_EQ(norm(simulation.pin_forces("mast")[0]), 0); // no step yet
    for (int frame = 0; frame < 10; ++frame)
        simulation.step_frame();
    Vec3 sum = {0, 0, 0};
    for (const Vec3& force : simulation.pin_forces("mast"))
        sum = sum + force;
    ASSERT_EQ(simulation.pin_forces("mast").size(), 9u);
    const Vec3 all = simulation.report().pin_forces.at(0).force;
    EXPECT_NEAR(norm(sum - all), 0, 1e-12);
    EXPECT_GT(sum.y, 0.2);
    simulation.switch_pin("mast", false);
    simulation.step_frame();
    EXPECT_EQ(norm(simulation.pin_forces("mast")[4]), 0);
}

TEST(Step, OfAFrameIsAFrame) {
    muslin::Simulation by_frames(flag()), by_time(flag());
    for (int frame = 1; frame <= 8; ++frame) {
        const std::string hash = by_frames.step_frame().hash;
        EXPECT_EQ(by_time.step(1.0 / 24).hash, hash);
        EXPECT_EQ(by_time.frame(), frame);
    }
}

TEST(Step, MayEndWithinAFrameOrTakeSeveral) {
    muslin::Simulation simulation(flag());
    muslin::FrameReport report = simulation.step(0.01);
    EXPECT_EQ(simulation.time(), 0.01);
    EXPECT_EQ(simulation.frame(), 0);
    EXPECT_EQ(report.time, 0.01);
    report = simulation.step(0.24);
    EXPECT_NEAR(simulation.time(), 0.25, 1e-12);
    EXPECT_EQ(simulation.frame(), 6);
    EXPECT_GE(report.steps, 6);
    simulation.step_frame();
    EXPECT_EQ(simulation.time(), 7.0 / 24);
    simulation.step(0.5 / 24);
    simulation.step_frame(); // the rest of the frame
    EXPECT_EQ(simulation.frame(), 8);
    EXPECT_EQ(simulation.time(), 8.0 / 24);
}

TEST(Wind, SetByTheProgramHasTheBitsOfTheScenes) {
    muslin::Scene windy = flag();
    windy.settings({.wind = Vec3{1, 0, 4}});
    muslin::Simulation of_scene(windy), of_program(flag());
    of_program.set_wind({1, 0, 4});
    for (int frame = 0; frame < 5; ++frame)
        EXPECT_EQ(of_program.step_frame().hash, of_scene.step_frame().hash);
}

TEST(Wind, OnAGridOrByAFunctionIsTheSameWhereItIsUniform) {
    const auto flown = [](const std::function<void(muslin::Simulation&)>& blow) {
        muslin::Simulation simulation(flag());
        blow(simulation);
        for (int frame = 0; frame < 6; ++frame)
            simulation.step_frame();
        return simulation.positions("sheet");
    };
    const auto uniform = flown([](auto& s) { s.set_wind({0, 6, 0}); });
    const auto on_grid = flown([](auto& s) {
        s.set_wind_grid({.origin = {-1, -1, -1},
                         .spacing = {2, 2, 2},
                         .counts = {2, 2, 2},
                         .velocities = std::vector<Vec3>(8, {0, 6, 0})});
    });
    const auto by_function = flown([](auto& s) {
        s.set_wind_function([](double, std::span<const Vec3>, std::span<Vec3> wind) {
            for (Vec3& v : wind)
                v = {0, 6, 0};
        });
    });
    const auto calm = flown([](auto&) {});
    for (std::size_t v = 0; v < uniform.size(); ++v) {
        EXPECT_NEAR(norm(on_grid[v] - uniform[v]), 0, 1e-9);
        EXPECT_NEAR(norm(by_function[v] - uniform[v]), 0, 1e-9);
    }
    EXPECT_GT(uniform[44].y, calm[44].y + 0.02);
}

TEST(Wind, IsLinearBetweenThePointsOfAGrid) {
    // 8 m/s upward where x = 0.5 and none where x = -0.5, as a grid and as a formula of the scene.
    const muslin::WindGrid grid = {.origin = {-0.5, 0, 0},
                                   .spacing = {1, 1, 1},
                                   .counts = {2, 1, 1},
                                   .velocities = {{0, 0, 0}, {0, 8, 0}}};
    muslin::Scene by_formula = flag();
    by_formula.add_tables("[world]\nwind = [\"0\", \"8 * min(max(x + 0.5, 0), 1)\", \"0\"]");
    muslin::Simulation a(flag()), b(by_formula);
    a.set_wind_grid(grid);
    for (int frame = 0; frame < 6; ++frame) {
        a.step_frame();
        b.step_frame();
    }
    const auto of_grid = a.positions("sheet"), of_formula = b.positions("sheet");
    for (std::size_t v = 0; v < of_grid.size(); ++v)
        EXPECT_NEAR(norm(of_grid[v] - of_formula[v]), 0, 1e-6);
}

TEST(Wind, OfAFunctionReachesEveryRecipeWithAir) {
    for (const char* recipe : {"bayraktar07", "bridson03"}) {
        muslin::Scene scene = flag();
        scene.settings({.recipe = recipe, .max_step = 0.001});
        muslin::Simulation windy(scene), calm(scene);
        double latest = 0;
        windy.set_wind_function(
            [&](double time, std::span<const Vec3> places, std::span<Vec3> wind) {
                latest = time;
                for (std::size_t i = 0; i < places.size(); ++i)
                    wind[i] = {0, 20 * (places[i].x + 0.5), 0};
            });
        for (int frame = 0; frame < 2; ++frame) {
            windy.step_frame();
            calm.step_frame();
        }
        EXPECT_GT(windy.positions("sheet")[44].y, calm.positions("sheet")[44].y) << recipe;
        EXPECT_GT(latest, 1.0 / 24) << recipe;
    }
}

TEST(Motion, TwoAtOnceHaveTheBitsOfEachAlone) {
    // A ball that is moved under one sheet; a function that blows at another whose pins are moved.
    const auto work = [](int which, int threads) {
        muslin::Simulation simulation(which == 0 ? samples::drape(15) : flag(), threads);
        const auto start = which == 0 ? simulation.body_positions("ball") : [&] {
            std::vector<Vec3> out;
            for (const int v : simulation.pin_vertices("mast"))
                out.push_back(simulation.positions("sheet")[v]);
            return out;
        }();
        if (which == 1)
            simulation.set_wind_function(
                [](double time, std::span<const Vec3> places, std::span<Vec3> wind) {
                    for (std::size_t i = 0; i < places.size(); ++i)
                        wind[i] = {0, 3 * std::sin(20 * time + 4 * places[i].x), 2};
                });
        std::string hash;
        for (int frame = 1; frame <= 10; ++frame) {
            std::vector<Vec3> places = start;
            for (Vec3& p : places)
                p = {p.x + 0.004 * frame, p.y + 0.01 * frame, p.z};
            which == 0 ? simulation.move_body("ball", places) : simulation.move_pin("mast", places);
            hash = simulation.step_frame().hash;
        }
        return hash;
    };
    const std::array<std::string, 2> alone = {work(0, 1), work(1, 1)};
    for (const int threads : {1, 2}) {
        std::array<std::string, 2> together;
        std::thread other([&] { together[1] = work(1, 3); });
        together[0] = work(0, threads);
        other.join();
        EXPECT_EQ(together, alone);
    }
}

TEST(Motion, WhatDoesNotFitIsRefused) {
    muslin::Simulation simulation(samples::drape(6)), held(flag());
    std::vector<Vec3> places = simulation.body_positions("ball");
    const auto body = [&](const std::vector<Vec3>& all) {
        return problem_of([&] { simulation.move_body("ball", all); });
    };
    muslin::Problem problem = body({places.begin(), places.end() - 1});
    EXPECT_EQ(problem.key, "body 'ball'");
    EXPECT_EQ(problem.found, std::to_string(places.size() - 1));
    std::vector<Vec3> endless = places;
    endless[5].z = std::numeric_limits<double>::infinity();
    EXPECT_EQ(body(endless).found, "another at 5");
    EXPECT_EQ(problem_of([&] { simulation.move_body("bal", places); }).hint, "known: 'ball'");
    EXPECT_EQ(problem_of([&] { held.move_pin("mast", places); }).expected,
              "9 places, one for each of its vertices");
    held.switch_pin("mast", false);
    EXPECT_EQ(problem_of([&] {
                  held.move_pin("mast", {places.data(), 9});
              }).found,
              "one that has let go");
    EXPECT_EQ(problem_of([&] { held.drag({0, 0, 0}); }).hint, "call grab() first");
    EXPECT_EQ(problem_of([&] { held.step(0); }).key, "seconds");
    EXPECT_EQ(problem_of([&] { held.step(std::nan("")); }).key, "seconds");
    EXPECT_EQ(problem_of([&] { held.set_wind({0, std::nan(""), 0}); }).key, "wind");
    EXPECT_EQ(problem_of([&] { held.set_wind_function({}); }).expected, "a function");
    EXPECT_EQ(problem_of([&] {
                  held.set_wind_grid({.counts = {2, 1, 1}, .velocities = {{0, 0, 0}}});
              }).key,
              "wind.velocities");
    EXPECT_EQ(problem_of([&] { held.set_wind_grid({.counts = {0, 1, 1}}); }).key, "wind.counts");
    EXPECT_EQ(problem_of([&] {
                  held.set_wind_grid(
                      {.spacing = {1, 0, 1}, .counts = {1, 1, 1}, .velocities = {{0, 0, 0}}});
              }).key,
              "wind.spacing");
    held.set_wind_function(
        [](double, std::span<const Vec3>, std::span<Vec3> wind) { wind[0].x = std::nan(""); });
    EXPECT_EQ(problem_of([&] { held.step_frame(); }).key, "wind");
    held.set_wind({0, 0, 0});
    EXPECT_NO_THROW(held.step_frame());

    muslin::Scene by_fields = samples::drape(6);
    by_fields.settings({.recipe = "bridson03"}).set("level_sets.cache", "none");
    muslin::Simulation fields(by_fields);
    EXPECT_EQ(problem_of([&] { fields.move_body("ball", places); }).key, "body 'ball'");
    EXPECT_NO_THROW(fields.step_frame());
}

TEST(Motion, WaitsForGarmentsToBeDressed) {
    muslin::Simulation simulation(samples::skirt());
    ASSERT_LT(simulation.frame(), 0);
    EXPECT_EQ(
        problem_of([&] { simulation.move_body("cone", simulation.body_positions("cone")); }).hint,
        "call dress() first");
    EXPECT_EQ(problem_of([&] { simulation.step(0.1); }).hint, "call dress() first");
}
