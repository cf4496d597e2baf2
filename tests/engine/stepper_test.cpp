// The stages of a step behind the interface that dressing and seams work with.
#include "muslin/engine/stepper.h"

#include "muslin/base/error.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

/// A stepper of a scene, as Simulation makes it.
struct Alone {
    std::shared_ptr<const SceneDescription> scene;
    BuiltScene built;
    std::shared_ptr<const Model> model;
    Stepper stepper;

    explicit Alone(const SceneDescription& description)
        : scene(std::make_shared<const SceneDescription>(description)), built(build_scene(*scene)),
          model(std::make_shared<const Model>(built.model)),
          stepper(scene, choose_recipe(scene->recipe, scene->parts)) {
        stepper.start(model, built.conditions, built.start);
    }
    FrameOrder order(int frame) const {
        FrameOrder out;
        out.frame = frame;
        out.end = frame / scene->time.frame_rate;
        return out;
    }
    std::string hash(FrameReport& report) {
        stepper.measure(report);
        return report.hash;
    }
};

SceneDescription falling() {
    const std::vector<std::string> coarse = {"cloth.sheet.mesh.resolution=15"};
    return load_scene("drape-sphere", coarse);
}

TEST(Stepper, TakesTheFramesOfASceneWithTheBitsOfASimulation) {
    Simulation simulation(falling());
    Alone alone(falling());
    for (int frame = 1; frame <= 8; ++frame) {
        FrameReport report;
        EXPECT_TRUE(alone.stepper.advance(alone.order(frame), alone.built.conditions, report));
        EXPECT_EQ(alone.hash(report), simulation.advance_frame().hash) << frame;
    }
}

TEST(Stepper, PausesBetweenStepsAndResumesWithTheSameBits) {
    Alone whole(falling()), paused(falling());
    int pauses = 0;
    for (int frame = 1; frame <= 8; ++frame) {
        FrameReport expected, report;
        whole.stepper.advance(whole.order(frame), whole.built.conditions, expected);
        FrameOrder order = paused.order(frame);
        order.pause = [](const State&) { return true; };
        while (!paused.stepper.advance(order, paused.built.conditions, report)) {
            order.resumes = true;
            ++pauses;
        }
        EXPECT_EQ(report.steps, expected.steps);
        EXPECT_EQ(paused.hash(report), whole.hash(expected)) << frame;
    }
    EXPECT_GE(pauses, 8);
}

TEST(Stepper, StartsAnewFromTheStateThatItRead) {
    Alone whole(falling()), other(falling());
    FrameReport report;
    for (int frame = 1; frame <= 12; ++frame) {
        report = {};
        whole.stepper.advance(whole.order(frame), whole.built.conditions, report);
    }
    EXPECT_GT(report.contacts, 0);
    State state;
    state.parts.sewing.refused = {3};
    whole.stepper.read(state);
    EXPECT_EQ(state.parts.sewing.refused, (std::vector<int>{3})) << "none of its business";
    EXPECT_TRUE(state.parts.contact.started);
    other.stepper.start(other.model, other.built.conditions, state);
    for (int frame = 13; frame <= 15; ++frame) {
        FrameReport a, b;
        whole.stepper.advance(whole.order(frame), whole.built.conditions, a);
        other.stepper.advance(other.order(frame), other.built.conditions, b);
        EXPECT_EQ(other.hash(b), whole.hash(a)) << frame;
    }
}

TEST(Stepper, TakesItsConditionsFromEveryCall) {
    Alone alone(falling());
    Conditions weightless = alone.built.conditions;
    weightless.gravity = {0, 0, 0};
    FrameReport report;
    alone.stepper.advance(alone.order(1), weightless, report);
    State state;
    alone.stepper.read(state);
    EXPECT_LT(norm(state.velocities[0]), 1e-9);
    alone.stepper.advance(alone.order(2), alone.built.conditions, report);
    alone.stepper.read(state);
    EXPECT_NEAR(state.velocities[0].y, -9.81 / alone.scene->time.frame_rate, 1e-2);
}

} // namespace
} // namespace muslin
