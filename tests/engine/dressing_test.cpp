// Phases of dressing: models, conditions and ends, without a stepper.
#include "muslin/engine/dressing.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

/// Two garments, one over the other, of two particles each.
SceneDescription two_garments() {
    SceneDescription scene;
    scene.garments.resize(2);
    scene.garments[0].cloth = "shirt";
    scene.garments[1].cloth = "coat";
    scene.garments[1].layer = 3;
    scene.time.frame_rate = 10;
    scene.dressing.sew = 2;
    scene.dressing.settle = 1;
    scene.dressing.gravity = 0.25;
    scene.dressing.friction = 0.5;
    return scene;
}

Model two_cloths() {
    Model model;
    model.mass = {1, 1, 1, 1};
    model.cloths.resize(2);
    model.cloths[0].name = "shirt";
    model.cloths[0].particles = {0, 1};
    model.cloths[1].name = "coat";
    model.cloths[1].particles = {2, 3};
    model.collision.friction = {0.4, 0.4, 0.8, 0.8};
    model.collision.thickness = {1, 1, 1, 1};
    model.collision.triangles = {{0, 1, 2}, {1, 2, 3}};
    model.bodies.resize(1);
    model.bodies[0].friction = 0.6;
    Seam seam;
    seam.joints = {{0, 1}};
    seam.window.start = -6;
    model.seams = {seam};
    return model;
}

constexpr int start = -60; // two rounds of 20 and 10 frames

TEST(Dressing, ModelForSewingIsAnotherAndOnlyWhileSewn) {
    const Dressing dressing(two_garments());
    const Model model = two_cloths();
    const Model sewn = dressing.model_for(model, start, false);
    EXPECT_EQ(sewn.cloths[0].material.bend_u, 5 * model.cloths[0].material.bend_u);
    EXPECT_EQ(sewn.cloths[1].material.bend_u, model.cloths[1].material.bend_u) << "waits";
    EXPECT_EQ(sewn.collision.friction[0], 0.2);
    EXPECT_EQ(*sewn.bodies[0].friction, 0.3);
    const Model ironed = dressing.model_for(model, start, true);
    EXPECT_EQ(ironed.cloths[0].material.bend_u, 25 * model.cloths[0].material.bend_u);
    EXPECT_EQ(ironed.collision.friction[0], 0);
    EXPECT_EQ(ironed.collision.thickness[0], 0.2) << "an open joint";
    EXPECT_EQ(ironed.collision.thickness[2], 0.2) << "beside one";
    const Model settled = dressing.model_for(model, start + 20, false);
    EXPECT_EQ(settled.cloths[0].material.bend_u, model.cloths[0].material.bend_u);
    EXPECT_EQ(settled.collision.friction, model.collision.friction);
}

TEST(Dressing, WeightAndDragFollowThePhase) {
    const Dressing dressing(two_garments());
    const Model model = two_cloths();
    Conditions scene, now;
    scene.gravity = {0, -8, 0};
    scene.air.linear_drag = 0.5;
    dressing.update_conditions(scene, model, start, now);
    EXPECT_EQ(now.phase, DressingPhase::sew);
    EXPECT_EQ(now.gravity.y, -2);
    EXPECT_TRUE(now.weight.empty());
    EXPECT_EQ(now.air.linear_drag, 2.5);
    dressing.update_conditions(scene, model, start + 25, now); // half settled
    EXPECT_EQ(now.gravity.y, -8);
    EXPECT_EQ(now.air.linear_drag, 1.5);
    dressing.update_conditions(scene, model, start + 30, now);
    EXPECT_EQ(now.gravity.y, -8);
    EXPECT_EQ(now.weight, (std::vector<double>{1, 1, 0.25, 0.25})) << "what is worn hangs";
    dressing.update_conditions(scene, model, 0, now);
    EXPECT_EQ(now.phase, DressingPhase::done);
    EXPECT_TRUE(now.weight.empty());
    EXPECT_EQ(now.air.linear_drag, 0.5);
    EXPECT_EQ(scene.gravity.y, -8);
}

TEST(Dressing, HigherLayersAreHeldWhereTheyAre) {
    const Dressing dressing(two_garments());
    State state;
    state.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    Conditions now;
    dressing.hold_waiting(two_cloths(), state, start, now);
    EXPECT_EQ(now.waiting.particles, (std::vector<int>{2, 3}));
    EXPECT_EQ(now.waiting.start[1].x, 3);
    dressing.hold_waiting(two_cloths(), state, start + 30, now);
    EXPECT_TRUE(now.waiting.particles.empty());
}

TEST(Dressing, TimeJumpsOnceAllOfARoundIsSewn) {
    const Dressing dressing(two_garments());
    Model model = two_cloths();
    SewingHistory sewing;
    Dressing::Next next = dressing.after(model, start + 5, sewing);
    EXPECT_EQ(next.frame, start + 5) << "a joint is open";
    EXPECT_FALSE(next.other_model);
    next = dressing.after(model, start + 10, sewing); // 1 s
    EXPECT_TRUE(next.ironing);
    EXPECT_TRUE(next.other_model);
    sewing.ironing = true;
    EXPECT_FALSE(dressing.after(model, start + 11, sewing).other_model) << "it is ironed already";
    sewing.refused = {0};
    next = dressing.after(model, start + 11, sewing);
    EXPECT_EQ(next.frame, start + 20);
    EXPECT_FALSE(next.ironing);
    model.seams.clear();
    EXPECT_EQ(dressing.after(model, start + 5, {}).frame, start + 20);
    EXPECT_FALSE(dressing.after(model, start + 25, {}).other_model);
    EXPECT_TRUE(dressing.after(model, start + 30, {}).other_model) << "the coat is sewn now";
}

TEST(Dressing, WhatCrossesIsTakenApartNowAndThenWhileItSettles) {
    const Dressing dressing(two_garments());
    EXPECT_FALSE(dressing.untangles_after(start + 10, 5));
    EXPECT_TRUE(dressing.untangles_after(start + 20, 5));
    EXPECT_FALSE(dressing.untangles_after(start + 21, 5));
    EXPECT_FALSE(dressing.untangles_after(start + 22, 0));
    EXPECT_TRUE(dressing.untangles_after(start + 22, 1));
}

TEST(Dressing, SceneWithoutGarmentsHasNone) {
    SceneDescription scene;
    const Dressing dressing(scene);
    EXPECT_FALSE(dressing.any());
    EXPECT_EQ(dressing.phase(0), DressingPhase::done);
    const Conditions start_conditions;
    Conditions now;
    now.gravity = {1, 2, 3};
    dressing.update_conditions(start_conditions, two_cloths(), 0, now);
    EXPECT_EQ(now.gravity.x, 1) << "whoever set it";
    EXPECT_FALSE(dressing.after(two_cloths(), 1, {}).other_model);
}

} // namespace
} // namespace muslin
