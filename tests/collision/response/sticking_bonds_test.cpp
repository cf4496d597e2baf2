// Bonds form within the tolerance, break at the break distance and form again [Bridson03 6]; which
// ones there are is the same as by looking at all pairs, for any number of threads.
#include "muslin/collision/response/sticking_bonds.h"

#include "muslin/base/parallel.h"
#include "muslin/forces/sticking.h"
#include "muslin/kernels/distance.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace muslin {
namespace {

/// A sheet in the plane y = 0, its particles adhering, and a body of one triangle just above or a
/// ball.
struct Scene {
    Model model;
    State state;

    explicit Scene(const PolygonMesh& body_mesh, int vertices = 100) {
        ClothInput cloth;
        cloth.name = "sheet";
        cloth.mesh = make_irregular({.width = 0.3, .depth = 0.3, .vertices = vertices});
        cloth.material.thickness = 0.001;
        model = build_model({cloth}, {}, state);
        Body body;
        body.name = "hand";
        body.mesh = body_mesh;
        body.triangles = triangulate(body_mesh).triangles;
        model.bodies.push_back(body);
        Sticking sticking;
        for (int p = 0; p < model.particle_count(); ++p)
            sticking.particles.push_back(p);
        sticking.body = 0;
        sticking.triangles = model.bodies[0].triangles;
        sticking.tolerance = 0.01;
        sticking.break_distance = 0.03;
        sticking.stiffness = 20;
        model.stickings.push_back(sticking);
    }
    void move(const Vec3& by) {
        for (Vec3& p : state.positions)
            p += by;
    }
};

PolygonMesh triangle_mesh(double y) {
    PolygonMesh mesh;
    mesh.positions = {{-1, y, -1}, {0, y, 1.5}, {1, y, -1}};
    mesh.corner_vertex = {0, 1, 2};
    mesh.face_begin = {0, 3};
    return mesh;
}

TEST(StickingBonds, FormWithinTheToleranceWithoutLength) {
    Scene scene(triangle_mesh(0.0101));
    StickingBonds bonds(scene.model);
    EXPECT_EQ(bonds.update(scene.state).formed, 0) << "just too far";
    scene.move({0, 0.0002, 0});
    const auto change = bonds.update(scene.state);
    EXPECT_EQ(change.formed, scene.model.particle_count());
    EXPECT_EQ(change.broken, 0);
    const auto& x = scene.model.bodies[0].mesh.positions;
    const Vec3 corners[3] = {x[0], x[1], x[2]};
    for (const Bond& bond : scene.state.bonds) {
        EXPECT_LT(norm(stick_target(corners, bond.weights, bond.height).place -
                       scene.state.positions[bond.particle]),
                  1e-15);
        EXPECT_EQ(bond.share, 1);
    }
    EXPECT_EQ(bonds.update(scene.state).formed, 0) << "once";
}

TEST(StickingBonds, BreakExactlyAtTheThresholdAndFormAgain) {
    Scene scene(triangle_mesh(0.005));
    StickingBonds bonds(scene.model);
    const int all = scene.model.particle_count();
    EXPECT_EQ(bonds.update(scene.state).formed, all);
    // Away, and out of the tolerance at that.
    scene.move({0, -0.0299999, 0});
    EXPECT_EQ(bonds.update(scene.state).broken, 0);
    EXPECT_EQ(static_cast<int>(scene.state.bonds.size()), all);
    scene.move({0, -0.0000002, 0});
    EXPECT_EQ(bonds.update(scene.state).broken, all);
    EXPECT_TRUE(scene.state.bonds.empty());
    scene.move({0, 0.03, 0});
    EXPECT_EQ(bonds.update(scene.state).formed, all);
    // Along the surface bonds break too, and form anew where the particles now are.
    scene.move({0.031, 0, 0});
    const auto change = bonds.update(scene.state);
    EXPECT_EQ(change.broken, all);
    EXPECT_EQ(change.formed, all);
}

TEST(StickingBonds, NeedStrengthAndTime) {
    Scene scene(triangle_mesh(0.005));
    scene.model.stickings[0].strength = Animated<double>({{0.0, 1.0}, {1.0, 0.0}});
    scene.model.stickings[0].window = {0.5, 3};
    StickingBonds bonds(scene.model);
    EXPECT_EQ(bonds.update(scene.state).formed, 0);
    scene.state.time = 0.6;
    EXPECT_EQ(bonds.update(scene.state).formed, scene.model.particle_count());
    scene.state.time = 1;
    EXPECT_EQ(bonds.update(scene.state).broken, scene.model.particle_count());
    EXPECT_TRUE(scene.state.bonds.empty());
}

TEST(StickingBonds, FollowABodyThatMovesAndTurns) {
    Scene scene(triangle_mesh(0.005));
    Body& body = scene.model.bodies[0];
    body.motion.translation = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {1.0, Vec3{1, 2, 3}}});
    body.motion.rotation = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {1.0, Vec3{70, 110, -40}}});
    StickingBonds bonds(scene.model);
    bonds.update(scene.state);
    const auto kept = scene.state.bonds.size();
    scene.state.time = 0.7;
    for (Vec3& p : scene.state.positions)
        p = body.motion.apply(0.7, p);
    const auto change = bonds.update(scene.state);
    EXPECT_EQ(change.broken, 0);
    EXPECT_EQ(change.formed, 0);
    EXPECT_EQ(scene.state.bonds.size(), kept);
    scene.state.time = 0.9; // the body leaves without them
    EXPECT_EQ(bonds.update(scene.state).broken, static_cast<int>(kept));
}

// Pressed layers: contact may push them apart up to the thickness without a pull against it.
TEST(StickingBonds, PlacesMoveOutToTheThicknessAndNoFurther) {
    Scene scene(triangle_mesh(0.0001)); // half a thickness is 0.0005
    StickingBonds bonds(scene.model);
    bonds.update(scene.state);
    for (const auto& [down, expected] :
         {std::pair(0.0002, 0.0003), {0.0001, 0.0004}, {-0.0002, 0.0004}, {0.01, 0.0005}}) {
        scene.move({0, -down, 0});
        bonds.update(scene.state);
        for (const Bond& bond : scene.state.bonds)
            EXPECT_NEAR(std::abs(bond.height), expected, 1e-12);
    }
}

std::vector<std::pair<int, int>> pairs_of(const State& state) {
    std::vector<std::pair<int, int>> out;
    for (const Bond& bond : state.bonds)
        out.emplace_back(bond.particle, bond.triangle);
    return out;
}

TEST(StickingBonds, AreThoseOfAllPairs) {
    Scene scene(make_sphere({.radius = 0.1, .rings = 12, .segments = 24}), 500);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> place(-0.15, 0.15);
    for (Vec3& p : scene.state.positions)
        p = {place(random), place(random), place(random)};
    const Sticking& sticking = scene.model.stickings[0];
    std::vector<std::pair<int, int>> expected;
    const auto& x = scene.model.bodies[0].mesh.positions;
    for (const int p : sticking.particles)
        for (std::size_t t = 0; t < sticking.triangles.size(); ++t) {
            const auto& [a, b, c] = sticking.triangles[t];
            if (vertex_face_distance(scene.state.positions[p], x[a], x[b], x[c]).squared <=
                sticking.tolerance * sticking.tolerance)
                expected.emplace_back(p, static_cast<int>(t));
        }
    ASSERT_GT(expected.size(), 100u);
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        State state = scene.state;
        StickingBonds bonds(scene.model);
        bonds.update(state);
        EXPECT_EQ(pairs_of(state), expected) << threads;
        for (std::size_t k = 0; k < state.bonds.size(); ++k) {
            const auto same =
                std::count_if(state.bonds.begin(), state.bonds.end(), [&](const Bond& other) {
                    return other.particle == state.bonds[k].particle;
                });
            EXPECT_EQ(state.bonds[k].share, 1.0 / static_cast<double>(same));
        }
    }
    set_thread_count(0);
}

TEST(StickingBonds, OfTapeGoToTheNearestTriangleOnce) {
    Scene scene(make_sphere({.radius = 0.1, .rings = 12, .segments = 24}), 300);
    Sticking& sticking = scene.model.stickings[0];
    sticking.nearest = true;
    sticking.tolerance = sticking.break_distance = std::numeric_limits<double>::infinity();
    scene.move({0.3, 0.05, -0.02});
    StickingBonds bonds(scene.model);
    bonds.update(scene.state);
    const auto& x = scene.model.bodies[0].mesh.positions;
    const auto squared = [&](int p, int t) {
        const auto& [a, b, c] = sticking.triangles[t];
        return vertex_face_distance(scene.state.positions[p], x[a], x[b], x[c]).squared;
    };
    ASSERT_EQ(scene.state.bonds.size(), sticking.particles.size());
    for (const Bond& bond : scene.state.bonds) {
        double least = 1e9;
        for (std::size_t t = 0; t < sticking.triangles.size(); ++t)
            least = std::min(least, squared(bond.particle, static_cast<int>(t)));
        EXPECT_NEAR(squared(bond.particle, bond.triangle), least, 1e-14);
    }
    scene.move({5, 0, 0});
    const auto change = bonds.update(scene.state);
    EXPECT_EQ(change.formed + change.broken, 0);
}

// A sheet folded on itself sticks to the layer above, not to its own surroundings.
TEST(StickingBonds, OfAClothToItselfLeaveOutWhatItHangsTogetherWith) {
    Scene scene(triangle_mesh(9), 400);
    Sticking& sticking = scene.model.stickings[0];
    sticking.body = -1;
    sticking.triangles = scene.model.dynamics.triangles;
    sticking.tolerance = 0.04; // several edges long
    sticking.break_distance = 0.1;
    StickingBonds flat(scene.model);
    EXPECT_EQ(flat.update(scene.state).formed, 0);
    const std::vector<Vec3> before = scene.state.positions;
    for (Vec3& p : scene.state.positions)
        if (p.x > 0)
            p = {-p.x, 0.01, p.z};
    EXPECT_GT(flat.update(scene.state).formed, 400);
    for (const Bond& bond : scene.state.bonds)
        for (const int p : sticking.triangles[bond.triangle])
            EXPECT_GT(norm(before[p] - before[bond.particle]), 0.05);
}

TEST(StickingBonds, OfAnotherSceneAreDropped) {
    Scene scene(triangle_mesh(0.005));
    StickingBonds bonds(scene.model);
    bonds.update(scene.state);
    std::vector<Bond> list = {scene.state.bonds[3], scene.state.bonds[4], scene.state.bonds[5],
                              scene.state.bonds[6]};
    list[0].sticking = 1;
    list[1].triangle = 1;
    list[2].particle = 100000;
    bonds.keep_fitting(list);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].particle, scene.state.bonds[6].particle);
}

} // namespace
} // namespace muslin
