// [[sticking]], [[tape]], [[tack]] and [[weight]]: what is read, what is built, what is refused.
#include "scene/scene_testing.h"

#include "muslin/scene/build_scene.h"

#include <cmath>

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;

const std::string base = R"(
[[cloth]]
name = "sheet"
mesh = { type = "grid", columns = 5, rows = 5 }

[[body]]
name = "hand"
mesh = { type = "box", size = [0.2, 0.2, 0.2] }
position = [0, 0.2, 0]

[[region]]
name = "all"
box = { min = [-1, -1, -1], max = [1, 1, 1] }

[[region]]
name = "corner"
vertices = [0]
)";

TEST(StickingScene, ReachesTheModel) {
    const SceneDescription scene = parse(base + R"(
[[sticking]]
name = "grip"
region = "corner"
body = "hand"
body_box = { min = [-1, -1, -1], max = [1, 0.15, 1] }
tolerance = 0.01
damping = 0.5
interval = 0.02
strength = [{ t = 0, value = 0 }, { t = 2, value = 4 }]
start = 0.5
end = 3
)");
    const Model model = build_scene(scene).model;
    ASSERT_EQ(model.stickings.size(), 1u);
    const Sticking& s = model.stickings[0];
    EXPECT_EQ(s.name, "grip");
    EXPECT_EQ(s.particles, model.regions[1].particles);
    EXPECT_EQ(s.body, 0);
    EXPECT_EQ(s.triangles.size(), 2u) << "the underside";
    EXPECT_EQ(s.tolerance, 0.01);
    EXPECT_EQ(s.break_distance, 0.04);
    EXPECT_EQ(s.stiffness, 20);
    EXPECT_EQ(s.damping, 0.5);
    EXPECT_EQ(s.interval, 0.02);
    EXPECT_FALSE(s.nearest);
    EXPECT_EQ(s.strength_at(0.4), 0);
    EXPECT_EQ(s.strength_at(1), 2);
    EXPECT_EQ(s.strength_at(3), 0);
}

TEST(StickingScene, TapeAndTacksAreStickingThatNeverBreaks) {
    const Model model = build_scene(parse(base + R"(
[[tape]]
region = "corner"
body = "hand"
body_vertices = [0, 1, 2, 3, 4, 5, 6, 7]
tolerance = 0.3
[[tack]]
regions = ["all", "corner"]
)"))
                            .model;
    ASSERT_EQ(model.stickings.size(), 2u);
    EXPECT_TRUE(model.stickings[0].nearest);
    EXPECT_EQ(model.stickings[0].tolerance, 0.3);
    EXPECT_TRUE(std::isinf(model.stickings[0].break_distance));
    EXPECT_EQ(model.stickings[0].triangles.size(), 12u);
    EXPECT_EQ(model.stickings[1].body, -1);
    EXPECT_TRUE(std::isinf(model.stickings[1].tolerance));
    EXPECT_GE(model.stickings[1].triangles.size(), 1u) << "those at the corner";
    EXPECT_LE(model.stickings[1].triangles.size(), 2u);
}

TEST(StickingScene, RefusesWhatCannotBeMeant) {
    const auto problem = [](const std::string& text) { return problem_in(base + text); };
    EXPECT_EQ(problem("[[sticking]]\nregion = \"all\"\nbody = \"hnad\"\n").key, "sticking[0].body");
    EXPECT_EQ(problem("[[sticking]]\nregion = \"alll\"\nbody = \"hand\"\n").key,
              "sticking[0].region");
    EXPECT_EQ(problem("[[sticking]]\nregion = \"all\"\nto_region = \"x\"\n").key,
              "sticking[0].to_region");
    const Problem none = problem("[[sticking]]\nregion = \"all\"\n");
    EXPECT_EQ(none.expected, "exactly one of body, to_region");
    EXPECT_EQ(none.found, "none");
    const Problem breaks = problem("[[sticking]]\nregion = \"all\"\nbody = \"hand\"\n"
                                   "tolerance = 0.02\nbreak_distance = 0.02\n");
    EXPECT_EQ(breaks.key, "sticking[0].break_distance");
    EXPECT_NE(breaks.expected.find("more than tolerance = 0.02"), std::string::npos);
    EXPECT_EQ(problem("[[sticking]]\nregion = \"all\"\nbody = \"hand\"\nstrength = -1\n").key,
              "sticking[0].strength");
    EXPECT_EQ(problem("[[sticking]]\nregion = \"all\"\nto_region = \"corner\"\n"
                      "body_vertices = [0]\n")
                  .key,
              "sticking[0].body_vertices");
    EXPECT_EQ(problem("[[tape]]\nregion = \"all\"\n").key, "tape[0].body");
    EXPECT_EQ(problem("[[tape]]\nregion = \"all\"\nbody = \"hand\"\nbreak_distance = 1\n").key,
              "tape[0].break_distance");
    EXPECT_EQ(problem("[[tack]]\nregions = [\"all\"]\n").key, "tack[0].regions");
    EXPECT_EQ(problem("[[tack]]\nregions = [\"all\", \"all\"]\n").key, "tack[0].regions[1]");
    EXPECT_EQ(problem("[[weight]]\nregion = \"all\"\n").expected,
              "exactly one of mass, mass_per_length");
    EXPECT_EQ(problem("[[weight]]\nregion = \"all\"\nmass = 0\n").key, "weight[0].mass");
}

TEST(StickingScene, RefusesPartsWithoutTriangles) {
    const auto problem = [](const std::string& text) {
        return problem_of([&] { build_scene(parse(base + text)); });
    };
    EXPECT_EQ(problem("[[sticking]]\nregion = \"all\"\nto_region = \"corner\"\n").key,
              "sticking.to_region");
    EXPECT_EQ(problem("[[sticking]]\nregion = \"all\"\nbody = \"hand\"\n"
                      "body_box = { min = [5, 5, 5], max = [6, 6, 6] }\n")
                  .found,
              "none");
    EXPECT_EQ(problem("[[tape]]\nregion = \"all\"\nbody = \"hand\"\nbody_vertices = [900]\n").key,
              "tape.body_vertices");
    const Problem hem = problem("[[weight]]\nregion = \"corner\"\nmass_per_length = 1\n");
    EXPECT_EQ(hem.key, "weight.mass_per_length");
}

} // namespace
} // namespace muslin
