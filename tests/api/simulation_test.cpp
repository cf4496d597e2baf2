#include "samples.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <thread>

namespace {

/// A sheet of 11 x 11 vertices held at two corners of one side.
muslin::Scene hung() {
    muslin::Scene out("hung");
    out.add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(11)})
        .add(muslin::Pin{.name = "left", .vertices = {0}})
        .add(muslin::Pin{.name = "right", .vertices = {10}});
    return out;
}

double mean_height(const muslin::Simulation& simulation) {
    double sum = 0;
    for (const muslin::Vec3& p : simulation.positions("sheet"))
        sum += p.y;
    return sum / static_cast<double>(simulation.positions("sheet").size());
}

} // namespace

TEST(Simulation, FreeFallIsThatOfGravity) {
    muslin::Scene scene;
    scene.settings({.frame_rate = 50, .gravity = muslin::Vec3{0, -2, 0}})
        .part("air", "none")
        .add(muslin::Cloth{.name = "sheet", .mesh = samples::sheet(5)});
    muslin::Simulation simulation(scene);
    for (int i = 0; i < 25; ++i)
        simulation.step_frame();
    EXPECT_EQ(simulation.frame(), 25);
    EXPECT_EQ(simulation.time(), 0.5);
    EXPECT_NEAR(simulation.positions("sheet")[7].y, -0.25, 1e-6);
    EXPECT_NEAR(simulation.velocities("sheet")[7].y, -1, 1e-9);
    const muslin::Energies energies = simulation.energies();
    EXPECT_NEAR(energies.kinetic + energies.gravity, 0, 1e-6 * energies.kinetic);
    EXPECT_NEAR(energies.elastic, 0, 1e-9);
    EXPECT_EQ(simulation.report().frame, 25);
    EXPECT_EQ(simulation.report().contacts, 0);
}

TEST(Simulation, PinsBearTheWeight) {
    muslin::Scene scene = hung();
    scene.set("cloth.sheet.material.stretch_damping", 50.0);
    muslin::Simulation simulation(scene);
    for (int i = 0; i < 150; ++i)
        simulation.step_frame();
    const double weight = 9.81 * muslin::material_numbers("cotton").at("density");
    double borne = 0;
    for (const muslin::PinForce& pin : simulation.report().pin_forces)
        borne += pin.force.y;
    EXPECT_NEAR(borne, weight, 0.1 * weight);
    EXPECT_EQ(simulation.pins(), (std::vector<std::string>{"left", "right"}));
    EXPECT_EQ(simulation.pin_vertices("right"), std::vector<int>{10});
}

TEST(Simulation, ASwitchedPinLetsGoAndHoldsAgain) {
    muslin::Simulation simulation(hung());
    simulation.step_frame();
    EXPECT_EQ(simulation.positions("sheet")[0].y, 0);
    simulation.switch_pin("left", false);
    for (int i = 0; i < 3; ++i)
        simulation.step_frame();
    const muslin::Vec3 fallen = simulation.positions("sheet")[0];
    EXPECT_LT(fallen.y, -0.01);
    EXPECT_EQ(simulation.positions("sheet")[10].y, 0);
    simulation.switch_pin("left", true);
    for (int i = 0; i < 3; ++i)
        simulation.step_frame();
    EXPECT_NEAR(norm(simulation.positions("sheet")[0] - fallen), 0, 1e-12);
}

TEST(Simulation, AGrabbedVertexIsDrawnToTheHand) {
    muslin::Simulation simulation(hung());
    simulation.grab("sheet", 115);
    simulation.drag({0.1, 0.1, -0.5});
    for (int i = 0; i < 30; ++i)
        simulation.step_frame();
    EXPECT_LT(norm(simulation.positions("sheet")[115] - muslin::Vec3{0.1, 0.1, -0.5}), 0.02);
    simulation.release();
    for (int i = 0; i < 10; ++i)
        simulation.step_frame();
    EXPECT_GT(norm(simulation.positions("sheet")[115] - muslin::Vec3{0.1, 0.1, -0.5}), 0.1);
}

TEST(Simulation, WindCarriesCloth) {
    muslin::Simulation calm(hung()), windy(hung());
    windy.set_wind({0, 8, 0});
    for (int i = 0; i < 6; ++i) {
        calm.step_frame();
        windy.step_frame();
    }
    EXPECT_GT(mean_height(windy), mean_height(calm) + 0.02);
}

TEST(Simulation, AnotherFabricStretchesOtherwise) {
    muslin::Simulation simulation(hung());
    for (int i = 0; i < 30; ++i)
        simulation.step_frame();
    const double before = simulation.judge().principal_max;
    simulation.set_material("sheet",
                            {.base = "cotton", .stretch_u = 50, .stretch_v = 50, .shear = 5});
    for (int i = 0; i < 10; ++i)
        simulation.step_frame();
    EXPECT_EQ(simulation.frame(), 40);
    EXPECT_GT(simulation.judge().principal_max, before + 0.02);
}

TEST(Simulation, StrainsAreThoseOfTheMap) {
    muslin::Scene scene;
    muslin::Mesh sheet = samples::sheet(3);
    muslin::Cloth cloth{.name = "sheet", .mesh = sheet};
    for (const muslin::Vec3& p : sheet.positions) // u stretched by 10 %, sheared by 0.1
        cloth.start.push_back({1.1 * p.x - 0.1 * p.z, p.y, p.z});
    muslin::Simulation simulation(scene.add(cloth));
    const auto strains = simulation.strains("sheet");
    ASSERT_EQ(strains.size(), 8u);
    ASSERT_EQ(simulation.triangles("sheet").size(), 8u);
    for (const muslin::Strain& strain : strains) {
        EXPECT_NEAR(strain.weft, 0.1, 1e-12);
        EXPECT_NEAR(strain.warp, std::sqrt(1.01) - 1, 1e-12);
        EXPECT_NEAR(strain.shear, 0.1 / std::sqrt(1.01), 1e-12);
        EXPECT_NEAR((1 + strain.most) * (1 + strain.least), 1.1, 1e-12);
    }
}

TEST(Simulation, ContactBearsTheCloth) {
    muslin::Simulation simulation(samples::drape(15));
    for (int i = 0; i < 60; ++i)
        simulation.step_frame();
    double pressed = 0;
    for (const double force : simulation.contact_forces("sheet"))
        pressed += force;
    const double weight = 9.81 * muslin::material_numbers("silk-charmeuse").at("density");
    EXPECT_GT(pressed, 0.5 * weight);
    EXPECT_LT(pressed, 4 * weight);
    EXPECT_EQ(simulation.judge().body_intersections, 0);
    EXPECT_EQ(simulation.judge().self_intersections, 0);
    EXPECT_NEAR(simulation.body_positions("ball")[0].y, -0.45, 1e-12);
}

TEST(Simulation, TwoAtOnceHaveTheBitsOfEachAlone) {
    const std::array<muslin::Scene, 2> scenes = {samples::drape(15), hung()};
    std::array<std::string, 2> alone, together;
    for (int i = 0; i < 2; ++i)
        alone[i] = samples::hash_after(scenes[i], 12);
    const auto work = [&](int i, int threads) {
        muslin::Simulation simulation(scenes[i], threads);
        for (int frame = 0; frame < 12; ++frame)
            together[i] = simulation.step_frame().hash;
    };
    for (const int threads : {1, 3}) {
        std::thread other(work, 1, 3);
        work(0, threads);
        other.join();
        EXPECT_EQ(together, alone);
    }
}
