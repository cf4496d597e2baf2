// Where points are in a step.
#include "muslin/collision/response/step_points.h"

#include "collision/response/facing_sheets.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double h = 0.01; // [s]
const Conditions conditions;

TEST(StepPoints, AreExpectedToGoOnButForConstraints) {
    FacingSheets sheets(0.01);
    sheets.move(0, {1, 2, 3});
    const Surfaces surfaces(sheets.model);
    const int held = sheets.model.cloths[0].surface.vertex_particle[0];
    ConstraintSet constraints;
    ParticleConstraint pin;
    pin.particle = held;
    pin.count = 1;
    pin.direction[0] = {0, 1, 0};
    pin.velocity[0] = 0;
    pin.position[0] = 0.5;
    constraints.add(pin);
    constraints.merge_by_particle();
    StepPoints points;
    points.expect(surfaces, {conditions, sheets.start, h, constraints});
    for (const int p : sheets.model.cloths[0].surface.vertex_particle) {
        Vec3 expected = sheets.start.positions[p] + h * Vec3{1, 2, 3};
        if (p == held)
            expected.y = 0.5;
        EXPECT_LT(norm(points.end[p] - expected), 1e-15);
    }
}

TEST(StepPoints, WhatContactMovesChangesVelocitiesByAsMuch) {
    FacingSheets sheets(0.01);
    const Surfaces surfaces(sheets.model);
    ConstraintSet none;
    none.merge_by_particle();
    StepPoints points;
    points.expect(surfaces, {conditions, sheets.start, h, none});
    State end = sheets.start;
    points.propose(end);
    EXPECT_EQ(points.largest_move(surfaces.particle_count()).particle, -1);
    points.end[3] += Vec3{0, 2e-3, 0};
    points.end[7] += Vec3{0, 1e-3, 0};
    const StepPoints::Move largest = points.largest_move(surfaces.particle_count());
    EXPECT_EQ(largest.particle, 3);
    EXPECT_NEAR(largest.length, 2e-3, 1e-15);
    points.hand_over(h, end);
    EXPECT_NEAR(end.velocities[3].y, 0.2, 1e-12);
    EXPECT_NEAR(end.positions[3].y, sheets.start.positions[3].y + 2e-3, 1e-15);
    EXPECT_EQ(norm(end.velocities[4]), 0);
}

} // namespace
