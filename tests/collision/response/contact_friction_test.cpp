// Coulomb's friction of single contacts, from solve to solve.
#include "muslin/collision/response/contact_friction.h"

#include <gtest/gtest.h>

using namespace muslin;

namespace {

constexpr double mu = 0.5, load = 2; // [1], [N]
const ContactFriction law;
const ContactFriction::Solve next_solve = {0.01, false, 1}, last_solve = {0.01, true, 1};

// One that bore a load in the last solve, on the plane y = 0.
ContactElement loaded_element(bool begins = false) {
    ContactElement element = {};
    element.contact.points = {0, 1, 1, 1}; // particle 0 on a body that stands still
    element.contact.weights = {1, -1, 0, 0};
    element.contact.friction = mu;
    element.plane = {{0, 1, 0}, 0};
    element.start.mass = 1e-3;
    element.pressure.stiffness = 1e4;
    element.pressure.force = load;
    element.pressure.acts = true;
    element.pressure.begins = begins;
    return element;
}

// Chooses its friction for a speed of the particle [m/s].
void slide(ContactElement& element, const Vec3& velocity, const ContactFriction::Solve& solve) {
    law.choose(element, {&velocity, 1}, solve);
}

TEST(ContactFriction, WhatRestsIsHeldByADragThatCreepsAtTheSlipSpeed) {
    ContactElement element = loaded_element();
    element.pressure.stiffness = 1e9; // the drag is not cut by that of the push
    slide(element, {0, 0, 0}, next_solve);
    EXPECT_FALSE(element.friction.slides());
    EXPECT_DOUBLE_EQ(element.friction.drag * law.slip_speed, mu * load);
    EXPECT_EQ(norm(unbalanced_friction(element, {0.5 * law.slip_speed, 0, 0})), 0);
    const Vec3 beyond = unbalanced_friction(element, {3 * law.slip_speed, 0, 0});
    EXPECT_NEAR(beyond.x, 2 * mu * load, 1e-12) << "held by three times what friction can";
}

TEST(ContactFriction, AnImpactIsNotHeldMoreFirmlyThanItIsPushed) {
    ContactElement element = loaded_element();
    element.pressure.force = 1e6;
    slide(element, {0, 0, 0}, next_solve);
    EXPECT_DOUBLE_EQ(element.friction.drag, law.stick * 0.01 * element.pressure.stiffness);
}

TEST(ContactFriction, WhatASolveSpeedsUpSlidesUntilOneTurnsItRound) {
    ContactElement element = loaded_element();
    slide(element, {0.1, 0, 0}, next_solve);
    EXPECT_TRUE(element.friction.slides()) << "sped up from rest";
    EXPECT_DOUBLE_EQ(element.friction.limit, mu * load);
    EXPECT_EQ(element.friction.way.x, 1);
    EXPECT_EQ(norm(unbalanced_friction(element, {0.1, 0, 0})), 0);
    EXPECT_DOUBLE_EQ(unbalanced_friction(element, {-0.1, 0, 0}).x, mu * load)
        << "it would drive what it should oppose";
    slide(element, {-0.1, 0, 0}, next_solve);
    EXPECT_FALSE(element.friction.slides());
    slide(element, {-0.2, 0, 0}, next_solve);
    EXPECT_FALSE(element.friction.slides()) << "the next time it takes two solves in a row";
    slide(element, {-0.3, 0, 0}, next_solve);
    EXPECT_TRUE(element.friction.slides());
}

TEST(ContactFriction, NothingIsSetSlidingInTheLastSolve) {
    ContactElement element = loaded_element();
    slide(element, {0.1, 0, 0}, last_solve);
    EXPECT_FALSE(element.friction.slides());
}

TEST(ContactFriction, WhatBeginsToTouchSlidesWhereFrictionCannotStopIt) {
    const double most = 0.01 * mu * load / 1e-3; // the speed that friction takes in a step
    for (const double speed : {0.9 * most, 1.1 * most}) {
        ContactElement element = loaded_element(true);
        slide(element, {speed, 0, 0}, next_solve);
        EXPECT_EQ(element.friction.slides(), speed > most);
    }
}

TEST(ContactFriction, WhatEachSolveSlowsDownGetsTheDragOfTheNextSpeed) {
    ContactElement element = loaded_element();
    element.friction.slip = 0.2;
    slide(element, {0.1, 0, 0}, next_solve);
    EXPECT_FALSE(element.friction.slides());
    EXPECT_DOUBLE_EQ(element.friction.drag * 0.05, mu * load);
}

} // namespace
