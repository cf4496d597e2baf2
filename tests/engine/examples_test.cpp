// The example scenes as they ship: sound at the start, and what their comments promise.
#include "muslin/engine/recipe.h"
#include "muslin/engine/start_check.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"

#include "test_data.h"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace muslin;

TEST(Examples, StartWithoutTangles) {
    for (const BuiltinFile& file : builtin_scenes()) {
        SCOPED_TRACE(file.name);
        if (test::needs_missing_data(file.text))
            continue;
        SceneDescription scene = load_scene(std::string(file.name));
        // No more of a body's motion than the start needs.
        scene.time.frames = 1;
        scene.dressing.preroll = scene.dressing.settle = 0.05;
        EXPECT_NO_THROW(choose_recipe(scene.recipe, scene.parts));
        EXPECT_FALSE(scene.contact.allow_tangled);
        const BuiltScene built = build_scene(scene);
        for (const Tangle& tangle : find_tangles(built.model, built.start))
            ADD_FAILURE() << describe(tangle);
    }
}

TEST(Examples, OfContactAreHeldToNoIntersections) {
    const std::set<std::string> names = {"drape-sphere", "ribbon-pile",
                                         "twist",        "funnel",
                                         "sheet-stack",  "moving-sphere-through-curtain",
                                         "pinch",        "pinch-closed"};
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        const SceneDescription scene = load_scene(name);
        EXPECT_EQ(scene.recipe, "muslin");
        EXPECT_EQ(scene.limits.self_intersections, 0);
        EXPECT_EQ(scene.limits.body_intersections, 0);
    }
}

TEST(Examples, AreRefinedByOneNumber) {
    for (int n : {51, 101, 201}) {
        const std::string setting = "cloth.sheet.mesh.resolution=" + std::to_string(n);
        const SceneDescription scene =
            load_scene("drape-sphere", std::vector<std::string>{setting});
        const BuiltScene built = build_scene(scene);
        EXPECT_EQ(built.model.particle_count(), n * n);
        EXPECT_EQ(built.model.bodies.at(0).triangles.size(), 640u);
    }
    const SceneDescription stack =
        load_scene("sheet-stack", std::vector<std::string>{"cloth.sheet.mesh.resolution=11"});
    EXPECT_EQ(build_scene(stack).model.particle_count(), 10 * 11 * 11);
}

// What bodies do is read off their vertices.
std::vector<Vec3> body_at(const SceneDescription& scene, std::size_t body, double time) {
    const Body built = build_scene(scene).model.bodies.at(body);
    std::vector<Vec3> x(built.mesh.positions.size());
    body_positions(built, time, x);
    return x;
}

TEST(Examples, TheCurtainIsCrossedAtTwentyMetresASecond) {
    const SceneDescription scene = load_scene("moving-sphere-through-curtain");
    const Vec3 a = body_at(scene, 0, 0.05)[0], b = body_at(scene, 0, 0.06)[0];
    EXPECT_NEAR(norm(b - a) / 0.01, 20, 1e-9);
    EXPECT_LT(body_at(scene, 0, 0)[0].z * body_at(scene, 0, 0.15)[0].z, 0)
        << "from one side to the other";
}

TEST(Examples, ThePinchLeavesTwiceTheThickness) {
    for (const auto& [name, gap] : {std::pair("pinch", 2.0), std::pair("pinch-closed", 0.0)}) {
        const SceneDescription scene = load_scene(name);
        double front = 1, back = -1;
        for (const Vec3& p : body_at(scene, 0, 1.5))
            front = std::min(front, p.z);
        for (const Vec3& p : body_at(scene, 1, 1.5))
            back = std::max(back, p.z);
        EXPECT_NEAR(front - back, gap * scene.cloths[0].material.thickness, 1e-12) << name;
    }
}

TEST(Examples, TheTwistIsOfFourTurns) {
    const SceneDescription scene = load_scene("twist");
    ASSERT_EQ(scene.pins.size(), 2u);
    const double top = scene.pins[0].motion.rotation.at(9).y;
    const double bottom = scene.pins[1].motion.rotation.at(9).y;
    EXPECT_EQ(top - bottom, 4 * 360);
}

} // namespace
