// The part sphere_contact in whole scenes [Ohta95, Collision detection].

#include "engine/interferences.h"

#include "muslin/base/parallel.h"
#include "muslin/collision/response/sphere_contact.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <numbers>
#include <random>

namespace {

using namespace muslin;
using test::interferences;

const char* const soft =
    "base = \"cotton\", stretch_u = 20, stretch_v = 20, stretch_damping = 2e-3, "
    "thickness = 0.002";

SceneDescription scene(const std::string& text) {
    return parse_scene("recipe = \"bridson03\"\n"
                       "parts.integrator = \"leapfrog_trapezoidal\"\n"
                       "parts.contact = \"sphere_contact\"\n"
                       "parts.strain_limit = \"none\"\n"
                       "post.enabled = false\n" +
                           text,
                       "spheres", ".", "spheres");
}

TEST(SphereContact, KeepsMomentumThroughCollisions) {
    for (const double friction : {0.0, 0.3}) {
        const BuiltScene built = build_scene(scene(fmt::format(R"(
            [[cloth]]
            name = "lower"
            mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 20 }}
            velocity = [0, 1, 0]
            material = {{ {0}, friction = {1} }}
            [[cloth]]
            name = "upper"
            mesh = {{ type = "irregular", width = 0.2, depth = 0.2, vertices = 200 }}
            position = [0.03, 0.02, 0.02]
            rotation = [5, 30, -7]
            velocity = [-0.4, -1, 0.3]
            material = {{ {0}, friction = {1} }}
        )",
                                                               soft, friction)));
        const std::vector<double>& mass = built.model.mass;
        SphereContactSettings settings;
        settings.spheres.layer.radius = 0.004; // spheres inside of triangles too
        SphereContact contact(built.model, settings);
        State state = built.start, next;
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        for (std::size_t i = 0; i < mass.size(); ++i)
            state.velocities[i] += 0.5 * Vec3{normal(random), normal(random), normal(random)};
        const Conditions conditions;
        ConstraintSet constraints;
        constraints.merge_by_particle();
        Profile profile;
        const double h = 5e-4;
        double linear = 0, angular = 0;
        long collisions = 0;
        for (int k = 0; k < 40; ++k) {
            contact.sense({conditions, state, h, constraints}, profile);
            next = state;
            next.time += h;
            for (std::size_t i = 0; i < mass.size(); ++i)
                next.positions[i] += h * next.velocities[i];
            const State before = next;
            collisions +=
                contact.resolve({conditions, state, h, constraints, {}, false}, next, profile)
                    .contacts;
            Vec3 change = {0, 0, 0}, turn = {0, 0, 0};
            double size = 0, turning = 0;
            for (std::size_t i = 0; i < mass.size(); ++i) {
                change += mass[i] * (next.velocities[i] - before.velocities[i]);
                turn += mass[i] * (cross(next.positions[i], next.velocities[i]) -
                                   cross(before.positions[i], before.velocities[i]));
                size += mass[i] * norm(before.velocities[i]);
                turning += mass[i] * norm(cross(before.positions[i], before.velocities[i]));
            }
            linear = std::max(linear, norm(change) / size);
            angular = std::max(angular, norm(turn) / turning);
            std::swap(state, next);
        }
        std::cout << fmt::format("friction {}: {} collisions, momentum changes by {:.1e} linear, "
                                 "{:.1e} angular\n",
                                 friction, collisions, linear, angular);
        EXPECT_GT(collisions, 500);
        EXPECT_LT(linear, 1e-12);
        EXPECT_LT(angular, 1e-12);
    }
}

// A sheet on a floor and a sheet dropped on it.
SceneDescription two_sheets(const std::string& contact) {
    return scene(fmt::format(R"(
        contact = {{ {1} }}
        [time]
        frame_rate = 50
        [[cloth]]
        name = "lower"
        mesh = {{ type = "irregular", width = 0.16, depth = 0.16, vertices = 150 }}
        material = {{ {0}, friction = 0.3 }}
        [[cloth]]
        name = "upper"
        mesh = {{ type = "irregular", width = 0.12, depth = 0.12, vertices = 100, seed = 2 }}
        position = [0.01, 0.03, 0]
        rotation = [3, 17, 2]
        material = {{ {0}, friction = 0.3 }}
        [[body]]
        name = "floor"
        mesh = {{ type = "box", size = [2, 0.2, 2] }}
        position = [0, -0.102, 0]
    )",
                             soft, contact));
}

TEST(SphereContact, SheetsStayTwoRadiiApart) {
    Simulation simulation(two_sheets("sphere_radius = 0.005"));
    for (int k = 0; k < 25; ++k) {
        simulation.advance_frame();
        ASSERT_EQ(interferences(simulation.model(), simulation.state()), 0) << "frame " << k + 1;
    }
    const State& state = simulation.state();
    const auto heights = [&](int cloth) {
        double least = HUGE_VAL, most = -HUGE_VAL, sum = 0;
        const auto& particles = simulation.model().cloths[cloth].surface.vertex_particle;
        for (const int i : particles) {
            const double y = state.positions[i].y;
            least = std::min(least, y);
            most = std::max(most, y);
            sum += y;
        }
        return std::array{least, most, sum / static_cast<double>(particles.size())};
    };
    const auto lower = heights(0), upper = heights(1);
    const double gap = upper[2] - lower[2];
    std::cout << fmt::format("gap {:.3f} mm, {:.2f} radii\n", 1e3 * gap, gap / 0.005);
    EXPECT_GT(gap, 1.2 * 0.005);
    EXPECT_LT(gap, 2.05 * 0.005);
    EXPECT_GT(lower[0], -0.002 + 0.0009) << "half its thickness above the floor";
    double fastest = 0;
    for (const Vec3& v : state.velocities)
        fastest = std::max(fastest, norm(v));
    EXPECT_LT(fastest, 0.02) << "at rest";
}

TEST(SphereContact, SameBitsOnAnyNumberOfThreadsAndFromAnyState) {
    const SceneDescription description = two_sheets("sphere_radius = 0.005");
    Simulation whole(description);
    for (int k = 0; k < 5; ++k)
        whole.advance_frame();
    Simulation second(description);
    second.continue_from(whole.state(), 5);
    std::vector<std::string> hashes;
    set_thread_count(1);
    for (int k = 0; k < 4; ++k)
        hashes.push_back(whole.advance_frame().hash);
    set_thread_count(3);
    for (int k = 0; k < 4; ++k)
        EXPECT_EQ(second.advance_frame().hash, hashes[k]) << k;
    set_thread_count(0);
}

TEST(SphereContact, BodiesBySpheresHoldTheSheetAtTheirRadii) {
    Simulation simulation(two_sheets("sphere_radius = 0.01, bodies = \"spheres\""));
    for (int k = 0; k < 12; ++k)
        simulation.advance_frame();
    EXPECT_EQ(interferences(simulation.model(), simulation.state()), 0);
    double least = HUGE_VAL;
    for (const Vec3& x : simulation.state().positions)
        least = std::min(least, x.y + 0.002);
    EXPECT_GT(least, 0.01);
}

// A sheet on a slope with Coulomb friction: below the angle it stays, above it slides as it should.
TEST(SphereContact, FrictionOnAnIncline) {
    constexpr double mu = 0.3, g = 9.81;
    for (const double degrees : {12.0, 25.0}) {
        const double angle = degrees * std::numbers::pi / 180;
        const Vec3 normal = {std::sin(angle), std::cos(angle), 0},
                   down = {std::cos(angle), -std::sin(angle), 0};
        const Vec3 box = -0.1 * normal, sheet = 0.001 * normal;
        Simulation simulation(
            scene(fmt::format(R"(
            [time]
            frame_rate = 50
            [world]
            drag_coefficient = 0
            [[cloth]]
            name = "sheet"
            mesh = {{ type = "grid", width = 0.1, depth = 0.1, resolution = 7 }}
            position = [{}, {}, 0]
            rotation = [0, 0, {}]
            material = {{ {}, friction = {} }}
            [[body]]
            name = "plane"
            mesh = {{ type = "box", size = [4, 0.2, 4] }}
            position = [{}, {}, 0]
            rotation = [0, 0, {}]
        )",
                              sheet.x, sheet.y, -degrees, soft, mu, box.x, box.y, -degrees)));
        const auto along = [&] {
            double sum = 0;
            for (const Vec3& x : simulation.state().positions)
                sum += dot(x, down) / static_cast<double>(simulation.state().positions.size());
            return sum;
        };
        const double start = along();
        for (int k = 0; k < 20; ++k)
            simulation.advance_frame();
        const double way = along() - start, t = 0.4;
        const double expected =
            std::max(0.0, 0.5 * g * (std::sin(angle) - mu * std::cos(angle)) * t * t);
        std::cout << fmt::format("{} degrees: {:.4f} mm, expected {:.4f} mm\n", degrees, 1e3 * way,
                                 1e3 * expected);
        EXPECT_NEAR(way, expected, 0.01 * expected + 2e-5);
    }
}

// Frames in which cloth and body cross.
int crossed_frames(const SceneDescription& description, int frames) {
    Simulation simulation(description);
    int crossed = 0;
    for (int k = 0; k < frames; ++k) {
        simulation.advance_frame();
        crossed += interferences(simulation.model(), simulation.state()) > 0;
    }
    return crossed;
}

TEST(SphereContact, AFastBallIsStopped) {
    EXPECT_EQ(crossed_frames(scene(fmt::format(R"(
        contact = {{ sphere_radius = 0.01 }}
        [time]
        frame_rate = 100
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "irregular", width = 0.3, depth = 0.3, vertices = 200 }}
        rotation = [90, 0, 0]
        material = {{ {} }}
        [[body]]
        name = "ball"
        mesh = {{ type = "sphere", radius = 0.05, rings = 8, segments = 12 }}
        position = [0, 0, 0.2]
        motion = {{ translation = [{{ t = 0, value = [0, 0, 0] }}, {{ t = 0.1, value = [0, 0, -1] }}] }}
    )",
                                               soft)),
                             10),
              0);
}

// A spike between the points of the cloth: points alone, the paper's (4), let it through.
TEST(SphereContact, ACornerDoesNotPokeThrough) {
    const auto spike = [](const char* bodies) {
        return scene(fmt::format(R"(
            contact = {{ sphere_radius = 0.01, bodies = "{}" }}
            [time]
            frame_rate = 50
            [[cloth]]
            name = "sheet"
            mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 8 }}
            position = [0, 0.005, 0]
            material = {{ {} }}
            [[body]]
            name = "spike"
            mesh = {{ type = "revolution", segments = 6, profile = [[0, -0.2], [0.05, -0.2], [0, 0]] }}
            position = [0.004, 0, 0.005]
        )",
                                 bodies, soft));
    };
    EXPECT_EQ(crossed_frames(spike("sweep"), 8), 0);
    EXPECT_GT(crossed_frames(spike("points"), 8), 0);
}

} // namespace
