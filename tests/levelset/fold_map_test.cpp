#include "muslin/levelset/fold_map.h"

#include "mesh/mesh_testing.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace muslin {
namespace {

FoldBand random_band(testing::Random& random) {
    FoldBand band;
    band.epsilon = random.uniform(1e-5, 3e-3);
    band.tau = band.epsilon + random.uniform(1e-4, 40e-3);
    band.depth = random.uniform(0, 30e-3);
    return band;
}

TEST(FoldMap, IncreasesWithinItsBoundsFromFarInsideToFarOutside) {
    testing::Random random(1);
    for (int trial = 0; trial < 200; ++trial) {
        const FoldBand band = random_band(random);
        const FoldMap map(band);
        const double room = band.tau - band.epsilon, length = band.tau + band.depth;
        EXPECT_GE(map.slope(), 0.82 * room / length);
        EXPECT_LT(map.slope(), 1);
        constexpr int steps = 2000;
        double before = map(-band.depth);
        for (int i = 1; i <= steps; ++i) {
            const double low = -band.depth + length * (i - 1) / steps;
            const double high = -band.depth + length * i / steps;
            const double slope = (map(high) - before) / (high - low);
            ASSERT_GE(slope, map.slope() - 1e-9) << "at " << high;
            ASSERT_LE(slope, 1 + 1e-9) << "at " << high;
            before = map(high);
        }
        EXPECT_DOUBLE_EQ(map(band.tau), band.tau);
        EXPECT_EQ(map(band.tau + 0.01), band.tau + 0.01);
        // Below the depth it still increases, as far as doubles can tell, down to epsilon.
        before = map(-band.depth);
        for (int i = 1; i <= 20; ++i) {
            const double x = -band.depth - 0.02 * i * length;
            ASSERT_LE(map(x), before);
            ASSERT_GE(map(x), band.epsilon);
            before = map(x);
        }
        EXPECT_NEAR(map(-band.depth - 5), band.epsilon, 1e-12);
    }
}

TEST(FoldMap, HasNoKinkAndFallsOffFast) {
    testing::Random random(2);
    for (int trial = 0; trial < 100; ++trial) {
        const FoldBand band = random_band(random);
        const FoldMap map(band);
        const double room = band.tau - band.epsilon, h = 1e-6 * room;
        for (const double at : {band.tau, band.tau - room / 4, -band.depth}) {
            const double left = (map(at) - map(at - h)) / h, right = (map(at + h) - map(at)) / h;
            EXPECT_NEAR(left, right, 1e-3) << "at " << at;
        }
        // All that is deeper than the depth shares a twentieth of the room.
        EXPECT_NEAR(map(-band.depth), band.epsilon + room / 20, 1e-12);
    }
}

TEST(FoldMap, UsualTauKeepsNearlyThreeQuartersOfEveryHeight) {
    for (const double depth : {0.0, 1e-3, 1e-2})
        EXPECT_NEAR(FoldMap({5e-4, usual_tau(5e-4, depth), depth}).slope(), 0.733, 1e-3);
}

TEST(FoldMap, RefusesABandWithoutRoom) {
    EXPECT_THROW(FoldMap({0, 1, 1}), std::logic_error);
    EXPECT_THROW(FoldMap({1e-3, 1e-3, 0}), std::logic_error);
    EXPECT_THROW(FoldMap({1e-3, 2e-3, -1}), std::logic_error);
}

} // namespace
} // namespace muslin
