// The smooth surfaces behind triangles: normals, curvatures, and pairs that are not the nearest.
#include "muslin/collision/detect/surface_shape.h"

#include "math/random.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

using namespace muslin;
using testing_math::Random;

namespace {

// A flat sheet, vertices first, and a body.
struct Scene {
    explicit Scene(PolygonMesh body_mesh) {
        ClothInput sheet;
        sheet.name = "sheet";
        sheet.mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 11, .rows = 11});
        model = build_model({sheet}, {}, start);
        Body body;
        body.name = "body";
        body.mesh = std::move(body_mesh);
        body.triangles = triangulate(body.mesh).triangles;
        model.bodies.push_back(std::move(body));
        surfaces = std::make_unique<Surfaces>(model);
        points.resize(surfaces->point_count());
        std::copy(start.positions.begin(), start.positions.end(), points.begin());
        surfaces->place_bodies(0, points);
        shape = std::make_unique<SurfaceShape>(*surfaces);
        shape->place(points);
    }
    // The first vertex of the sheet against a place of a triangle of the body, from outside.
    Contact on_body(int triangle, const Vec3& weights) const {
        Contact c = make_contact(*surfaces, {0, triangle}, false);
        c.weights = {1, -weights.x, -weights.y, -weights.z};
        const auto& [i, j, k] = surfaces->triangles[triangle];
        c.normal = normalized(cross(points[j] - points[i], points[k] - points[i]));
        return c;
    }
    Vec3 place_of(const Contact& c) const {
        return -1.0 * (c.weights[1] * points[c.points[1]] + c.weights[2] * points[c.points[2]] +
                       c.weights[3] * points[c.points[3]]);
    }
    int first_triangle() const { return surfaces->cloth_triangle_count(); }

    Model model;
    State start;
    std::unique_ptr<Surfaces> surfaces;
    std::vector<Vec3> points;
    std::unique_ptr<SurfaceShape> shape;
};

Vec3 random_weights(Random& random) {
    const Vec3 any = random.vec3();
    const Vec3 w = {0.05 + std::abs(any.x), 0.05 + std::abs(any.y), 0.05 + std::abs(any.z)};
    return (1 / (w.x + w.y + w.z)) * w;
}

TEST(SurfaceShape, SphereHasItsNormalsAndCurvature) {
    constexpr double radius = 0.2;
    Scene scene(make_sphere({.radius = radius, .rings = 48, .segments = 96}));
    Random random(3);
    const int first = scene.first_triangle();
    const int last = static_cast<int>(scene.surfaces->triangles.size());
    int tried = 0;
    for (int t = first; t < last; t += 7) {
        const Contact c = scene.on_body(t, random_weights(random));
        const Vec3 radial = normalized(scene.place_of(c));
        if (std::abs(radial.y) > 0.8) // triangles of the poles are slender
            continue;
        ++tried;
        EXPECT_NEAR(dot(scene.shape->normal(c), radial), 1, 2e-5);
        const Vec3 along = normalized(cross(radial, {0, 1, 0}));
        for (const Vec3& u : {along, cross(radial, along)}) {
            const Vec3 turn = scene.shape->curvature(c) * u;
            EXPECT_NEAR(dot(turn, u) * radius, 1, 0.1);
            EXPECT_NEAR(dot(turn, radial) * radius, 0, 0.1);
        }
    }
    EXPECT_GT(tried, 100);
}

TEST(SurfaceShape, RodCurvesAcrossItsAxisAlone) {
    constexpr double radius = 0.05;
    Scene scene(make_cylinder({.radius = radius, .height = 0.2, .segments = 90}));
    Random random(4);
    const int first = scene.first_triangle();
    int tried = 0;
    for (int t = first; t < static_cast<int>(scene.surfaces->triangles.size()); t += 3) {
        const Contact c = scene.on_body(t, random_weights(random));
        const Vec3 place = scene.place_of(c);
        if (std::abs(c.normal.y) > 0.5) // its ends
            continue;
        ++tried;
        const Vec3 radial = normalized(Vec3{place.x, 0, place.z});
        EXPECT_NEAR(dot(scene.shape->normal(c), radial), 1, 1e-4);
        const Mat3 k = scene.shape->curvature(c);
        const Vec3 around = cross(radial, {0, 1, 0});
        EXPECT_NEAR(dot(k * around, around) * radius, 1, 0.02);
        EXPECT_NEAR(norm(k * Vec3{0, 1, 0}) * radius, 0, 1e-9);
    }
    EXPECT_GT(tried, 50);
}

// Up to its edges a box is flat: they are no part of a smooth surface.
TEST(SurfaceShape, BoxIsFlat) {
    Scene scene(make_box({{0.3, 0.2, 0.1}, 2}));
    Random random(5);
    for (int t = scene.first_triangle(); t < static_cast<int>(scene.surfaces->triangles.size());
         ++t) {
        const Contact c = scene.on_body(t, random_weights(random));
        EXPECT_NEAR(dot(scene.shape->normal(c), c.normal), 1, 1e-12);
        EXPECT_EQ(norm(scene.shape->curvature(c) * Vec3{1, 2, 3}), 0);
    }
}

// Of two edges whose normal points over a triangle of one of them, that triangle is nearer.
TEST(SurfaceShape, EdgesThatFaceAcrossATriangleLean) {
    Scene scene(make_box({{0.3, 0.2, 0.1}, 1}));
    const Adjacency adjacency(*scene.surfaces);
    for (int e = 0; e < scene.surfaces->cloth_edge_count(); ++e) {
        if (adjacency.edge_triangles[e].size() != 2)
            continue;
        const auto& [p, q] = scene.surfaces->edges[e];
        const Vec3 up = {0, 1, 0}, along = normalized(scene.points[q] - scene.points[p]);
        const Vec3 across = cross(up, along);
        // The same edge on both sides: of a flat sheet each sees what the other does.
        Contact above = {};
        above.edges = true;
        above.first = above.second = e;
        for (const double lean : {-0.5, -0.1, 0.0, 0.1, 0.5}) {
            above.normal = normalized(up + lean * across);
            EXPECT_EQ(scene.shape->leans(above), std::abs(lean) > 0.2) << e << ' ' << lean;
        }
        above.edges = false;
        EXPECT_FALSE(scene.shape->leans(above)); // a vertex and a face have the face's normal
    }
}

} // namespace
