// What changes while a scene runs, told of merged particles.
#include "muslin/model/conditions.h"

#include "muslin/model/merge.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

TEST(Conditions, AreStillAirAndEarthsGravityUnlessSaid) {
    const Conditions none;
    EXPECT_EQ(none.gravity.y, -9.81);
    EXPECT_TRUE(none.weight.empty()) << "all of gravity acts";
    EXPECT_EQ(norm(none.air.wind.at(3)), 0);
    EXPECT_EQ(none.phase, DressingPhase::done);
}

TEST(Conditions, ReferToMergedParticlesByTheirNewNumbers) {
    Conditions conditions;
    conditions.gravity = {1, 2, 3};
    conditions.weight = {1, 1, 0.5, 1};
    Pin pin;
    pin.particles = {1, 2, 3};
    pin.start = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    conditions.pins = {pin};
    Pull pull;
    pull.particles = {0, 3};
    conditions.pulls = {pull};
    merge_conditions(map_particles(4, {{0, 3}}), conditions);
    EXPECT_EQ(conditions.pins[0].particles, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(conditions.pins[0].start[0].x, 3);
    EXPECT_EQ(conditions.pulls[0].particles, (std::vector<int>{0}));
    EXPECT_EQ(conditions.gravity.z, 3);
    EXPECT_EQ(conditions.weight.size(), 4u) << "whoever shares it out does so anew";
}

} // namespace
} // namespace muslin
