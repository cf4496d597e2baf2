#include "muslin/collision/detect/solid_faces.h"

#include "math/random.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

using namespace muslin;
using testing_math::Random;

namespace {

Body make_body(PolygonMesh mesh) {
    Body body;
    body.name = "body";
    body.triangles = triangulate(mesh).triangles;
    body.mesh = std::move(mesh);
    return body;
}

// A body on its own: the cloth is far away.
struct World {
    explicit World(PolygonMesh mesh) {
        ClothInput cloth;
        cloth.name = "cloth";
        cloth.mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 2, .rows = 2});
        State start;
        model = build_model({cloth}, {}, start);
        model.bodies.push_back(make_body(std::move(mesh)));
    }
    Model model;
};

std::vector<int> all_faces(const Surfaces& surfaces) {
    std::vector<int> faces(surfaces.body_triangle_count());
    std::iota(faces.begin(), faces.end(), surfaces.cloth_triangle_count());
    return faces;
}

// Distance to the surface of a box with half sides s about the origin; negative inside.
double box_distance(const Vec3& x, const Vec3& s) {
    const Vec3 q = {std::abs(x.x) - s.x, std::abs(x.y) - s.y, std::abs(x.z) - s.z};
    const Vec3 out = {std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)};
    return norm(out) + std::min(std::max({q.x, q.y, q.z}), 0.0);
}

} // namespace

TEST(solid_faces, signed_distance_of_a_box) {
    const World world(make_box({.size = {1, 0.6, 0.4}, .divisions = 2}));
    const Surfaces surfaces(world.model);
    std::vector<Vec3> points(surfaces.point_count());
    surfaces.place_bodies(0, points);
    SolidFaces faces(surfaces);
    faces.set_positions(points);
    Random random(3);
    int inside = 0, beside_edges = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3 x = 0.8 * random.vec3();
        const NearestFace near = faces.nearest(x, all_faces(surfaces));
        const double expected = box_distance(x, {0.5, 0.3, 0.2});
        ASSERT_NEAR(near.distance, expected, 1e-12);
        inside += expected < 0;
        beside_edges += near.place.region != FaceRegion::interior;
        ASSERT_NEAR(norm(near.normal), 1, 1e-12);
        if (expected > 1e-6) {
            const Vec3 back = x - near.distance * near.normal;
            ASSERT_NEAR(norm(back - faces.position(near.place)), 0, 1e-12);
        }
    }
    EXPECT_GT(inside, 200);
    EXPECT_GT(beside_edges, 200);
}

TEST(solid_faces, signs_near_the_edges_of_a_sphere) {
    const World world(make_sphere({.radius = 0.5, .rings = 6, .segments = 8}));
    const Surfaces surfaces(world.model);
    std::vector<Vec3> points(surfaces.point_count());
    surfaces.place_bodies(0, points);
    SolidFaces faces(surfaces);
    faces.set_positions(points);
    // Along the ray through each corner the sign changes at the corner.
    for (int p = surfaces.particle_count(); p < surfaces.point_count(); ++p) {
        EXPECT_LT(faces.nearest(0.98 * points[p], all_faces(surfaces)).distance, 0);
        const NearestFace out = faces.nearest(1.02 * points[p], all_faces(surfaces));
        EXPECT_NEAR(out.distance, 0.01, 1e-9);
        EXPECT_NEAR(dot(out.normal, points[p]), norm(points[p]), 1e-6);
    }
}

TEST(solid_faces, offsets_turn_with_their_face) {
    World world(make_box({.size = {1, 1, 1}, .divisions = 1}));
    const Surfaces surfaces(world.model);
    std::vector<Vec3> points(surfaces.point_count());
    surfaces.place_bodies(0, points);
    SolidFaces before(surfaces), after(surfaces);
    before.set_positions(points);
    const Mat3 turn = rotation_degrees({20, -50, 130});
    for (Vec3& p : points)
        p = turn * p + Vec3{1, 2, 3};
    after.set_positions(points);
    Random random(9);
    for (const int face : all_faces(surfaces)) {
        const Vec3 offset = random.vec3();
        const Vec3 local = before.to_frame(face, offset);
        EXPECT_NEAR(norm(before.from_frame(face, local) - offset), 0, 1e-14);
        EXPECT_NEAR(norm(after.from_frame(face, local) - turn * offset), 0, 1e-14);
    }
}
