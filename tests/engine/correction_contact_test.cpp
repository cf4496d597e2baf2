// The part correction_contact in whole scenes [Volino95 3.5, 4.3]: momentum through hundreds of
// collisions, what has crossed comes back, and a state gone on from gives the same bits.

#include "engine/interferences.h"

#include "muslin/base/parallel.h"
#include "muslin/collision/response/correction_contact.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>

namespace {

using namespace muslin;
using test::interferences;

const char* const soft =
    "base = \"cotton\", stretch_u = 20, stretch_v = 20, stretch_damping = 2e-3, "
    "thickness = 0.002";

SceneDescription scene(const std::string& text) {
    return parse_scene("recipe = \"bridson03\"\n"
                       "parts.contact = \"correction_contact\"\n"
                       "parts.strain_limit = \"none\"\n" +
                           text,
                       "correction", ".", "correction");
}

struct Momenta {
    Vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
};

Momenta momenta(const Model& model, const State& state) {
    Momenta sum;
    for (std::size_t i = 0; i < model.mass.size(); ++i) {
        sum.linear += model.mass[i] * state.velocities[i];
        sum.angular += model.mass[i] * cross(state.positions[i], state.velocities[i]);
    }
    return sum;
}

// Takes free steps (points go on as they go) and lets collisions correct them; the momenta are
// those of the stage that resolves.
struct Crumpling {
    double linear = 0, angular = 0; ///< largest change in a step, of the sums of sizes
    long collisions = 0;
};

Crumpling crumple(const SceneDescription& description, bool inward, int steps) {
    const BuiltScene built = build_scene(description);
    CorrectionContact contact(built.model, {});
    State state = built.start, next;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    // A crumpled start: everything at its own speed, on the whole towards the middle.
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
        state.positions[i].y += 0.002 * normal(random);
        state.velocities[i] += 0.5 * Vec3{normal(random), normal(random), normal(random)};
        if (inward)
            state.velocities[i] -= 10.0 * state.positions[i];
    }
    const Conditions conditions;
    ConstraintSet constraints;
    constraints.merge_by_particle();
    Profile profile;
    Crumpling out;
    const double h = 5e-4;
    for (int k = 0; k < steps; ++k) {
        contact.sense({conditions, state, h, constraints}, profile);
        next = state;
        next.time += h;
        for (std::size_t i = 0; i < next.positions.size(); ++i)
            next.positions[i] += h * next.velocities[i];
        const Momenta before = momenta(built.model, next);
        double linear = 0, angular = 0;
        for (std::size_t i = 0; i < built.model.mass.size(); ++i) {
            linear += built.model.mass[i] * norm(next.velocities[i]);
            angular += built.model.mass[i] * norm(cross(next.positions[i], next.velocities[i]));
        }
        const ContactReport report =
            contact.resolve({conditions, state, h, constraints, {}, false}, next, profile);
        const Momenta after = momenta(built.model, next);
        out.linear = std::max(out.linear, norm(after.linear - before.linear) / linear);
        out.angular = std::max(out.angular, norm(after.angular - before.angular) / angular);
        out.collisions += report.contacts;
        std::swap(state, next);
    }
    return out;
}

TEST(CorrectionContact, KeepsMomentumThroughCollisions) {
    for (const double friction : {0.0, 0.3}) {
        const auto two = scene(fmt::format(R"(
            [[cloth]]
            name = "lower"
            mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 20 }}
            velocity = [0, 1, 0]
            material = {{ {0}, friction = {1} }}
            [[cloth]]
            name = "upper"
            mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 20 }}
            position = [0.03, 0.02, 0.02]
            rotation = [5, 30, -7]
            velocity = [-0.4, -1, 0.3]
            material = {{ {0}, friction = {1} }}
        )",
                                           soft, friction));
        const auto one = scene(fmt::format(R"(
            [[cloth]]
            name = "sheet"
            mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 20 }}
            material = {{ {}, friction = {} }}
        )",
                                           soft, friction));
        for (const auto& [description, inward] : {std::pair{two, false}, std::pair{one, true}}) {
            const Crumpling c = crumple(description, inward, 30);
            std::cout << fmt::format(
                "friction {}: {} collisions, momentum changes by {:.1e} linear, "
                "{:.1e} angular\n",
                friction, c.collisions, c.linear, c.angular);
            EXPECT_GT(c.collisions, 500);
            EXPECT_LT(c.linear, 1e-12) << friction;
            EXPECT_LT(c.angular, 1e-12) << friction;
        }
    }
}

// A sheet on a sheet on a floor; the lower one's middle is pushed up through the upper one.
SceneDescription two_layers(bool consistency) {
    return scene(fmt::format(R"(
        contact = {{ consistency = {1} }}
        [time]
        frame_rate = 100
        [world]
        gravity = [0, -2, 0]
        [[cloth]]
        name = "lower"
        mesh = {{ type = "irregular", width = 0.14, depth = 0.14, vertices = 120 }}
        material = {{ {0}, friction = 0.3 }}
        [[cloth]]
        name = "upper"
        mesh = {{ type = "irregular", width = 0.12, depth = 0.12, vertices = 90, seed = 2 }}
        position = [0.01, 0.003, 0]
        rotation = [0, 17, 0]
        material = {{ {0}, friction = 0.3 }}
        [[body]]
        name = "floor"
        mesh = {{ type = "box", size = [2, 0.2, 2] }}
        position = [0, -0.102, 0]
    )",
                             soft, consistency));
}

// Moves up what of the lower sheet is around the middle.
State pushed_through(const Simulation& simulation, double thicknesses) {
    State state = simulation.state();
    for (const int i : simulation.model().cloths[0].surface.vertex_particle) {
        Vec3& x = state.positions[i];
        const double r = std::hypot(x.x, x.z);
        x.y += std::clamp(2 - r / 0.02, 0.0, 1.0) * (1 + thicknesses) * 0.002;
    }
    return state;
}

TEST(CorrectionContact, WhatWentThroughComesBack) {
    for (const bool consistency : {true, false})
        for (const double thicknesses : {1.0, 5.0}) {
            Simulation simulation(two_layers(consistency));
            for (int k = 0; k < 8; ++k)
                simulation.advance_frame();
            ASSERT_EQ(interferences(simulation.model(), simulation.state()), 0);
            EXPECT_EQ(simulation.state().sides.empty(), !consistency);
            simulation.set_state(pushed_through(simulation, thicknesses));
            const int crossed = interferences(simulation.model(), simulation.state());
            ASSERT_GT(crossed, 5);
            FrameReport frame;
            for (int k = 0; k < 8; ++k)
                frame = simulation.advance_frame();
            const int left = interferences(simulation.model(), simulation.state());
            EXPECT_EQ(frame.crossings, left) << "the report says so";
            if (consistency)
                EXPECT_EQ(left, 0) << thicknesses << " thicknesses, from " << crossed;
            else
                EXPECT_GT(left, 0) << thicknesses << " thicknesses: nothing tells it to";
        }
}

// Crossings that grow while cloth is drawn back are a tangle that feeds on itself.
TEST(CorrectionContact, DrawingBackRestsWhereCrossingsGrow) {
    for (const int fewest : {0, 1}) {
        Simulation simulation(two_layers(true));
        for (int k = 0; k < 8; ++k)
            simulation.advance_frame();
        State state = pushed_through(simulation, 5);
        ASSERT_GT(interferences(simulation.model(), state), 30);
        state.tangle_watch.fewest = fewest;
        simulation.set_state(state);
        simulation.advance_frame();
        const bool rests = simulation.state().tangle_watch.rest_until > simulation.state().time;
        EXPECT_EQ(rests, fewest == 1);
    }
}

TEST(CorrectionContact, ComesOutOfABody) {
    Simulation simulation(scene(fmt::format(R"(
        [time]
        frame_rate = 100
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "irregular", width = 0.14, depth = 0.14, vertices = 120 }}
        position = [0, 0.0511, 0]
        material = {{ {}, friction = 0.3 }}
        [[body]]
        name = "cube"
        mesh = {{ type = "box", size = [0.1, 0.1, 0.1] }}
    )",
                                            soft)));
    simulation.advance_frame();
    State state = simulation.state();
    for (Vec3& x : state.positions)
        if (std::hypot(x.x, x.z) < 0.03)
            x.y -= 0.006;
    simulation.set_state(state);
    EXPECT_GT(interferences(simulation.model(), state), 5);
    for (int k = 0; k < 8; ++k)
        simulation.advance_frame();
    EXPECT_EQ(interferences(simulation.model(), simulation.state()), 0);
    for (const Vec3& x : simulation.state().positions)
        if (std::hypot(x.x, x.z) < 0.03) {
            EXPECT_GT(x.y, 0.0505);
        }
}

// All history is in the state: a simulation that goes on from it needs no other.
TEST(CorrectionContact, GoesOnFromAStateBitByBit) {
    Simulation whole(two_layers(true));
    for (int k = 0; k < 6; ++k)
        whole.advance_frame();
    const State middle = whole.state();
    EXPECT_FALSE(middle.sides.empty());
    Simulation second(two_layers(true));
    second.continue_from(middle, 6);
    set_thread_count(3);
    for (int k = 0; k < 3; ++k)
        EXPECT_EQ(whole.advance_frame().hash, second.advance_frame().hash) << k;
    set_thread_count(0);
}

} // namespace
