#include "muslin/levelset/raise_field.h"

#include "mesh/mesh_testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace muslin {
namespace {

double brute_force(const std::vector<RaiseField::Hill>& hills, const Vec3& place) {
    double out = 0;
    for (const auto& hill : hills) {
        const double d = norm(place - hill.center);
        const double s = std::clamp((hill.radius - d) / (hill.radius - hill.core), 0.0, 1.0);
        out = std::max(out, hill.height * s * s * (3 - 2 * s));
    }
    return out;
}

TEST(RaiseField, IsTheGreatestOfAllHills) {
    testing::Random random(3);
    RaiseField field;
    EXPECT_TRUE(field.empty());
    std::vector<RaiseField::Hill> hills;
    for (int i = 0; i < 300; ++i) {
        const double core = random.uniform(0.01, 0.05);
        hills.push_back({random.vector(), core, 3 * core, random.uniform(0.001, 0.01)});
        field.add(hills.back());
    }
    field.build();
    int raised = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 place = random.vector(-1.2, 1.2);
        const double expected = brute_force(hills, place);
        EXPECT_NEAR(field.at(place), expected, 1e-15);
        raised += expected > 0 ? 1 : 0;
    }
    EXPECT_GT(raised, 100);
    for (const auto& hill : hills)
        EXPECT_GE(field.at(hill.center), hill.height);
    field.clear();
    field.build();
    EXPECT_EQ(field.at({0, 0, 0}), 0);
}

} // namespace
} // namespace muslin
