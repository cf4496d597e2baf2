#include "muslin/engine/step_control.h"

#include <gtest/gtest.h>

namespace {

using muslin::StepControl;
using muslin::StepControlSettings;

TEST(StepControl, StepsDivideTheFrame) {
    StepControl control({0.02, 0});
    double left = 1.0 / 30;
    int steps = 0;
    while (left > 1e-12) {
        const double h = control.next(left);
        EXPECT_LE(h, 0.02 + 1e-12);
        EXPECT_NEAR(h, 1.0 / 60, 1e-12) << "two equal steps rather than 0.02 and a rest";
        left -= h;
        ++steps;
    }
    EXPECT_EQ(steps, 2);
}

TEST(StepControl, TwoSuccessesThenTheLargerStep) {
    StepControl control({0.04, 0});
    ASSERT_TRUE(control.reject(0.04));
    EXPECT_DOUBLE_EQ(control.size(), 0.02);
    control.accept();
    EXPECT_DOUBLE_EQ(control.size(), 0.02);
    control.accept();
    EXPECT_DOUBLE_EQ(control.size(), 0.04);
}

// "At its limit, the simulator will try increasing the step size every 40 steps" [BW98 7].
TEST(StepControl, TheWaitGrowsToFortySteps) {
    StepControl control({0.04, 0});
    ASSERT_TRUE(control.reject(0.04));
    int wasted = 0, steps = 0, last_wait = 0;
    for (int k = 0; k < 1000; ++k) {
        if (control.size() > 0.03) { // the larger step always fails here
            ASSERT_TRUE(control.reject(control.size()));
            ++wasted;
            last_wait = control.wait();
        } else {
            control.accept();
            ++steps;
        }
    }
    EXPECT_EQ(last_wait, 40);
    EXPECT_LE(wasted, steps / 40 + 6);
    EXPECT_GE(wasted, steps / 40);
}

TEST(StepControl, ASuccessfulLargerStepShortensTheWaitAgain) {
    StepControl control({0.08, 0});
    ASSERT_TRUE(control.reject(0.08));
    ASSERT_TRUE(control.reject(0.04));
    for (int k = 0; k < 2; ++k)
        control.accept(); // now trying 0.04
    ASSERT_TRUE(control.reject(0.04));
    EXPECT_EQ(control.wait(), 4);
    for (int k = 0; k < 4; ++k)
        control.accept();
    control.accept(); // 0.04 succeeds
    EXPECT_EQ(control.wait(), 2);
}

TEST(StepControl, StopsAtTheSmallestStep) {
    StepControl control({0.04, 0.01});
    EXPECT_TRUE(control.reject(0.04));
    EXPECT_TRUE(control.reject(0.02));
    EXPECT_FALSE(control.reject(0.01));
}

TEST(StepControl, CalmStepsBecomeLonger) {
    StepControl control({0.01, 0, 0.04});
    EXPECT_FALSE(control.needs_calm(control.size()));
    for (int k = 0; k < 10; ++k)
        control.accept(false);
    EXPECT_DOUBLE_EQ(control.size(), 0.01) << "what moves keeps its steps";
    control.accept(true);
    control.accept(false); // the calm has to last
    control.accept(true);
    EXPECT_DOUBLE_EQ(control.size(), 0.01);
    control.accept(true);
    EXPECT_DOUBLE_EQ(control.size(), 0.02);
    EXPECT_TRUE(control.needs_calm(control.size()));
    for (int k = 0; k < 10; ++k)
        control.accept(true);
    EXPECT_DOUBLE_EQ(control.size(), 0.04) << "no longer than this";
    ASSERT_TRUE(control.reject(0.04));
    ASSERT_TRUE(control.reject(0.02));
    EXPECT_DOUBLE_EQ(control.size(), 0.01);
    for (int k = 0; k < 10; ++k)
        control.accept(false);
    EXPECT_DOUBLE_EQ(control.size(), 0.01);
}

TEST(StepControl, ALongStepLastsWhileItIsAccepted) {
    StepControl control({0.01, 0, 0.02});
    control.accept(true);
    control.accept(true);
    ASSERT_DOUBLE_EQ(control.size(), 0.02);
    for (int k = 0; k < 5; ++k)
        control.accept(false); // calm enough for this step, not for one twice as long
    EXPECT_DOUBLE_EQ(control.size(), 0.02);
}

} // namespace
