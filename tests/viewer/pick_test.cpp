// Rays, picking and dragging against closed forms.
#include "viewer/pick.h"

#include "math/random.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::viewer;
using muslin::testing_math::Random;

Camera some_camera(Random& random) {
    Camera camera;
    camera.eye = random.vec3() + Vec3{0, 1, 4};
    camera.target = 0.5 * random.vec3();
    camera.vertical_fov = 35;
    return camera;
}

TEST(Pick, ARayThroughWhereAPointIsDrawnMeetsThePoint) {
    Random random(1);
    const Rectangle view = {120, 40, 800, 450};
    for (int k = 0; k < 200; ++k) {
        const Camera camera = some_camera(random);
        const Vec3 point = random.vec3();
        const auto pixel = project(camera, view, point);
        ASSERT_TRUE(pixel);
        const Ray ray = ray_through(camera, view, pixel->x, pixel->y);
        EXPECT_NEAR(norm(ray.direction), 1, 1e-12);
        const Vec3 to = point - ray.origin;
        EXPECT_LT(norm(to - dot(to, ray.direction) * ray.direction), 1e-10);
        EXPECT_GT(dot(to, ray.direction), 0);
    }
}

TEST(Pick, TheMiddleOfTheViewLooksAtTheTarget) {
    Camera camera;
    camera.eye = {3, 2, 1};
    camera.target = {0, 1, 0};
    const Rectangle view = {10, 20, 640, 480};
    const Ray ray = ray_through(camera, view, 10 + 320, 20 + 240);
    EXPECT_LT(norm(ray.direction - normalized(camera.target - camera.eye)), 1e-12);
    // Half the height of the view is half the field of view.
    const Ray top = ray_through(camera, view, 330, 20);
    EXPECT_NEAR(std::acos(dot(top.direction, ray.direction)) * 180 / M_PI, camera.vertical_fov / 2,
                1e-9);
    EXPECT_FALSE(project(camera, view, {6, 3, 2})) << "behind the eye";
}

TEST(Pick, ATriangleIsMetWhereItsPlaneIsAndOnlyWithinIt) {
    Random random(2);
    int hits = 0;
    for (int k = 0; k < 40000; ++k) {
        const Vec3 a = random.vec3(), b = random.vec3(), c = random.vec3();
        const Ray ray = {3.0 * random.vec3(), normalized(random.vec3())};
        const Vec3 n = cross(b - a, c - a);
        const double distance = dot(a - ray.origin, n) / dot(ray.direction, n);
        const Vec3 p = ray.origin + distance * ray.direction;
        const double inside[] = {dot(cross(b - a, p - a), n), dot(cross(c - b, p - b), n),
                                 dot(cross(a - c, p - c), n)};
        const double nearest = std::min({inside[0], inside[1], inside[2]});
        if (std::abs(nearest) < 1e-9 * dot(n, n))
            continue; // on an edge
        const auto hit = intersect(ray, a, b, c);
        ASSERT_EQ(hit.has_value(), distance > 0 && nearest > 0);
        if (!hit)
            continue;
        ++hits;
        EXPECT_NEAR(hit->distance, distance, 1e-8 * (1 + distance));
        const Vec3 sum = hit->weights.x * a + hit->weights.y * b + hit->weights.z * c;
        EXPECT_LT(norm(sum - p), 1e-8 * (1 + distance));
        EXPECT_NEAR(hit->weights.x + hit->weights.y + hit->weights.z, 1, 1e-12);
    }
    EXPECT_GT(hits, 50);
}

TEST(Pick, ASphereIsMetOnItsNearSide) {
    SphereSettings settings;
    const TriangleMesh sphere = triangulate(make_sphere(settings));
    const double radius = norm(sphere.positions[0]);
    Random random(3);
    for (int k = 0; k < 50; ++k) {
        const Vec3 eye = (5 * radius) * normalized(random.vec3());
        const Vec3 aim = (0.5 * radius) * random.vec3();
        const Ray ray = {eye, normalized(aim - eye)};
        const auto hit = pick(ray, sphere.positions, sphere.triangles);
        ASSERT_TRUE(hit);
        const double b = dot(ray.direction, eye), c = dot(eye, eye) - radius * radius;
        EXPECT_NEAR(hit->distance, -b - std::sqrt(b * b - c), 0.05 * radius);
        // The corner is the nearest of the three to the point.
        const auto& triangle = sphere.triangles[hit->triangle];
        for (int i = 0; i < 3; ++i)
            EXPECT_LE(norm(sphere.positions[triangle[hit->corner]] - hit->point),
                      norm(sphere.positions[triangle[i]] - hit->point));
    }
    EXPECT_FALSE(pick({{5 * radius, 0, 0}, {1, 0, 0}}, sphere.positions, sphere.triangles));
}

TEST(Pick, AThingIsDraggedInThePlaneThatFacesTheCamera) {
    Random random(4);
    const Rectangle view = {0, 0, 800, 600};
    for (int k = 0; k < 100; ++k) {
        const Camera camera = some_camera(random);
        const Vec3 point = 0.5 * random.vec3();
        const double x = 400 + 300 * random.number(), y = 300 + 200 * random.number();
        const auto to = drag_point(camera, ray_through(camera, view, x, y), point);
        ASSERT_TRUE(to);
        EXPECT_NEAR(dot(*to - point, camera_basis(camera).back), 0, 1e-12);
        const auto pixel = project(camera, view, *to);
        ASSERT_TRUE(pixel);
        EXPECT_NEAR(pixel->x, x, 1e-8);
        EXPECT_NEAR(pixel->y, y, 1e-8);
    }
    Camera camera;
    EXPECT_FALSE(drag_point(camera, {camera.eye, {0, 0, -1}}, camera.eye + Vec3{0, 0, 1}));
}

} // namespace
