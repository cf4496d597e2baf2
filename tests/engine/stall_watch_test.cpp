// Frames that take far more steps than those before them are told of while they do.
#include "muslin/engine/stall_watch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace muslin {
namespace {

struct Watched {
    StallWatch watch;
    std::vector<Stall> told;

    Watched() {
        watch.set([this](const Stall& stall) { told.push_back(stall); }, 1e9);
    }
    /// A frame of 1/10 s in equal steps.
    void take_frame(int steps, double stable = 1, const std::string& held_back = "") {
        watch.begin_frame();
        for (int tried = 0; tried < steps; ++tried)
            watch.look(
                {1, tried, 0.1 * (steps - tried) / steps, 0.1 / steps, 0.1, stable, held_back}, 10);
        watch.end_frame(steps);
    }
};

TEST(StallWatch, TellsOnceOfEightTimesTheUsualStepsAndOfEachDoubling) {
    Watched w;
    w.take_frame(200);
    EXPECT_TRUE(w.told.empty());
    w.take_frame(8 * 200 + 1, 1, "a reason");
    ASSERT_EQ(w.told.size(), 1u);
    EXPECT_EQ(w.told[0].steps, 8 * 200);
    EXPECT_EQ(w.told[0].reason, "a reason");
    EXPECT_NEAR(w.told[0].done, 1, 1e-3);
    w.take_frame(4 * 8 * 1601); // beside the one before
    ASSERT_EQ(w.told.size(), 3u);
    EXPECT_EQ(w.told[2].steps, 2 * w.told[1].steps);
}

TEST(StallWatch, KnowsHowManyStepsAFrameNeedsToBeStable) {
    Watched w;
    w.take_frame(900, 1e-4); // 1000 steps were to be expected
    EXPECT_TRUE(w.told.empty());
    Watched other;
    other.take_frame(900, 1e-2);
    ASSERT_EQ(other.told.size(), 2u); // after 8 * 32 and 16 * 32
    EXPECT_EQ(other.told[0].reason.find("each of them takes"), 0u);
}

} // namespace
} // namespace muslin
