// The judge of a frame against bodies that stand, move and stand open.
#include "muslin/run/judge.h"

#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;

BuiltScene built(const std::string& bodies) {
    return build_scene(parse_scene(R"(
        [[cloth]]
        name = "sheet"
        mesh = { type = "grid", resolution = 21 }
        )" + bodies,
                                   "test", ".", "test"));
}

Verdict verdict_at(const BuiltScene& scene, double time) {
    return Judge(scene.model).judge(scene.start.positions, time);
}

TEST(Judge, MeasuresHowDeepClothIsInABody) {
    // The sheet is the plane y = 0; the box reaches from -0.07 to 0.03.
    const BuiltScene scene = built("[[body]]\nmesh = { type = \"box\", size = [0.5, 0.1, 0.5] }\n"
                                   "position = [0, -0.02, 0]\n");
    const Verdict v = verdict_at(scene, 0);
    EXPECT_GT(v.body_intersections, 0);
    ASSERT_TRUE(v.body_penetration_max);
    EXPECT_NEAR(*v.body_penetration_max, 0.03, 1e-14);
}

TEST(Judge, SeesBodiesWhereTheyAreAtTheTime) {
    const BuiltScene scene = built(R"(
        [[body]]
        mesh = { type = "box", size = [0.5, 0.1, 0.5] }
        position = [0, -0.3, 0]
        [body.motion]
        translation = [{ t = 0, value = [0, 0, 0] }, { t = 1, value = [0, 0.4, 0] }]
        )");
    EXPECT_EQ(verdict_at(scene, 0.0).body_intersections, 0);
    EXPECT_EQ(verdict_at(scene, 0.0).body_penetration_max, 0.0);
    const Verdict through = verdict_at(scene, 0.7); // from -0.07 to 0.03
    EXPECT_GT(through.body_intersections, 0);
    EXPECT_NEAR(through.body_penetration_max.value(), 0.03, 1e-14);
    EXPECT_EQ(verdict_at(scene, 1.0).body_intersections, 0);
}

TEST(Judge, TakesTheWorstOfSeveralBodies) {
    const BuiltScene scene = built(R"(
        [[body]]
        mesh = { type = "box", size = [0.2, 0.1, 0.2] }
        position = [0.3, 0, 0]
        [[body]]
        mesh = { type = "box", size = [0.2, 0.04, 0.2] }
        position = [-0.3, 0, 0]
        )");
    EXPECT_NEAR(verdict_at(scene, 0).body_penetration_max.value(), 0.05, 1e-14);
}

TEST(Judge, SaysNothingOfDepthWhereNoBodyIsClosed) {
    EXPECT_FALSE(verdict_at(built(""), 0).body_penetration_max);
    const Verdict v = verdict_at(
        built("[[body]]\nmesh = { type = \"cylinder\", radius = 0.2, capped = false }\n"), 0);
    EXPECT_FALSE(v.body_penetration_max);
    EXPECT_GT(v.body_intersections, 0);
}

} // namespace
