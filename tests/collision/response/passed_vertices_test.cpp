// Particles that went through triangles in a step.
#include "muslin/collision/response/passed_vertices.h"

#include "muslin/collision/response/triangle_correction.h"
#include "muslin/mesh/generators.h"

#include <gtest/gtest.h>

using namespace muslin;

namespace {

// Two cloth triangles, one above the other, over a box whose top is y = 0.
struct Scene {
    Scene() {
        model.mass.assign(6, 1.0);
        model.dynamics.triangles = model.collision.triangles = {{0, 1, 2}, {3, 4, 5}};
        model.dynamics.pattern.assign(2, {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}});
        model.collision.thickness.assign(6, 0.01);
        model.collision.friction.assign(6, 0.0);
        Body body;
        body.name = "box";
        BoxSettings box;
        box.size = {10, 2, 10};
        body.mesh = make_box(box);
        for (Vec3& p : body.mesh.positions)
            p.y -= 1;
        body.triangles = triangulate(body.mesh).triangles;
        model.bodies.push_back(body);
        start.positions = {{0, 0.5, 0},   {0, 0.5, 2},   {2, 0.5, 0},
                           {0.4, 1, 0.4}, {0.4, 1, 2.4}, {2.4, 1, 0.4}};
        start.velocities.assign(6, Vec3{0, 0, 0});
    }
    CorrectedPoints moved(int particle, const Vec3& way) const {
        const Surfaces surfaces(model);
        CorrectedPoints points(surfaces);
        points.start(start);
        points.propose(start.positions, start.velocities);
        surfaces.place_bodies(0, points.begin);
        surfaces.place_bodies(0, points.end);
        points.end[particle] += way;
        return points;
    }
    Model model;
    State start;
};

TEST(PassedVertices, GoBackToTheSideOfClothThatTheyCameFrom) {
    const Scene scene;
    const Surfaces surfaces(scene.model);
    const CorrectedPoints points = scene.moved(3, {0, -0.7, 0}); // it ends between cloth and box
    PassedVertices vertices(surfaces, PairVolume::boxes);
    Profile profile;
    vertices.find_pairs(points, profile);
    EXPECT_TRUE(vertices.passed_bodies(points).empty());
    const auto passed = vertices.passed_cloth(points);
    ASSERT_EQ(passed.size(), 1u);
    EXPECT_EQ(passed[0].point, 3);
    EXPECT_EQ(passed[0].triangle, 0);
    const Contact c = vertices.cloth_contact(passed[0], {0, 1, 0}, 0.5);
    EXPECT_EQ(std::abs(c.normal.y), 1);
    EXPECT_NEAR(c.gap(points.end), -0.2, 1e-12) << "it is to go up";
    EXPECT_DOUBLE_EQ(c.thickness, 0.5 * 0.01);
}

TEST(PassedVertices, LeaveABodyAlongItsNormal) {
    const Scene scene;
    const Surfaces surfaces(scene.model);
    const CorrectedPoints points = scene.moved(0, {0, -0.8, 0});
    PassedVertices vertices(surfaces, PairVolume::boxes);
    Profile profile;
    vertices.find_pairs(points, profile);
    const auto passed = vertices.passed_bodies(points);
    ASSERT_FALSE(passed.empty());
    std::vector<Contact> contacts;
    vertices.append_entered(passed, points, 1e-3, contacts);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].normal.y, 1, 1e-12);
    EXPECT_NEAR(contacts[0].gap(points.end), -0.3, 1e-12);
    EXPECT_EQ(contacts[0].thickness, 1e-3);
}

TEST(PassedVertices, AreNoneWhereNothingPassed) {
    const Scene scene;
    const Surfaces surfaces(scene.model);
    const CorrectedPoints points = scene.moved(3, {0, -0.4, 0});
    PassedVertices vertices(surfaces, PairVolume::boxes);
    Profile profile;
    vertices.find_pairs(points, profile);
    EXPECT_TRUE(vertices.passed_cloth(points).empty());
    EXPECT_TRUE(vertices.passed_bodies(points).empty());
}

TEST(TriangleCorrection, PlainPartingTakesSpeedAlongTheDirectionAndHalfOfTheWayEach) {
    const Scene scene;
    const Surfaces surfaces(scene.model);
    CorrectedPoints points = scene.moved(0, {0, 0, 0});
    for (Vec3& v : points.velocities)
        v = {1, -2, 0};
    Mobility mobility;
    ConstraintSet none;
    none.merge_by_particle();
    mobility.set(surfaces, none);
    TriangleCorrection correction(surfaces, FrictionLaw::coulomb);
    correction.start_step(scene.start);
    correction.start(points);
    const std::vector<Vec3> before = points.end;
    correction.part_plainly(surfaces.triangles[1], surfaces.triangles[0], {0, 1, 0}, 0.1, mobility,
                            points);
    EXPECT_EQ(correction.contacts(), 1);
    for (int p = 0; p < 6; ++p) {
        EXPECT_NEAR(points.end[p].y - before[p].y, p < 3 ? -0.05 : 0.05, 1e-15);
        EXPECT_EQ(points.velocities[p].x, 1);
        EXPECT_EQ(points.velocities[p].y, 0);
    }
    correction.part_plainly(surfaces.triangles[1], surfaces.triangles[0], {0, 1, 0}, -0.1, mobility,
                            points);
    EXPECT_EQ(correction.contacts(), 1) << "they are apart";
}

TEST(TriangleCorrection, BodiesStopWhatComesNearerAndCountItsForce) {
    const Scene scene;
    const Surfaces surfaces(scene.model);
    constexpr double h = 0.01;
    CorrectedPoints points = scene.moved(0, {0, -0.8, 0});
    for (int p = 0; p < 6; ++p)
        points.velocities[p] = {0, p == 0 ? -80.0 : 0.0, 0};
    Mobility mobility;
    ConstraintSet none;
    none.merge_by_particle();
    mobility.set(surfaces, none);
    PassedVertices vertices(surfaces, PairVolume::boxes);
    Profile profile;
    vertices.find_pairs(points, profile);
    std::vector<Contact> contacts;
    vertices.append_entered(vertices.passed_bodies(points), points, 1e-3, contacts);
    TriangleCorrection correction(surfaces, FrictionLaw::coulomb);
    correction.start_step(scene.start);
    correction.start(points);
    correction.part_from_bodies(contacts, mobility, h, points);
    EXPECT_NEAR(points.end[0].y, 1e-3, 1e-3);
    EXPECT_GE(points.velocities[0].y, -1e-9);
    EXPECT_NEAR(correction.normal_forces()[0], 80 / h, 1e-3 * 80 / h) << "of 1 kg";
    EXPECT_EQ(correction.normal_forces()[3], 0);
}

} // namespace
