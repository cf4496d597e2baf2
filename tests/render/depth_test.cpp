#include "muslin/render/renderer.h"

#include "scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace muslin {
namespace {

using namespace testing;

constexpr double inf = std::numeric_limits<double>::infinity();

/// A ball away from the middle of the picture, where perspective makes its outline an ellipse.
struct Ball {
    Vec3 center = {0.42, 0.75, 0.1};
    double radius = 0.3;
};

/// How far the ball is along the view axis behind a place in the picture, worked out from the
/// ray alone.
double ball_depth(const Ball& ball, const Camera& camera, const Vec2& at, int width, int height) {
    const CameraBasis basis = camera_basis(camera);
    const double f = 0.5 * height / std::tan(camera.vertical_fov * std::numbers::pi / 360);
    const Vec3 ray = ((at.x - 0.5 * width) / f) * basis.right +
                     ((0.5 * height - at.y) / f) * basis.up - basis.back;
    const Vec3 to = ball.center - camera.eye;
    const double a = dot(ray, ray), b = dot(ray, to);
    const double d = b * b - a * (dot(to, to) - ball.radius * ball.radius);
    return d < 0 ? inf : (b - std::sqrt(d)) / a;
}

/// The least and the greatest depth within one pixel of a pixel's middle.
struct Range {
    double low = inf, high = 0;
    bool all() const { return high < inf; }
    bool none() const { return low == inf; }
};
Range around(const Ball& ball, const Camera& camera, int x, int y, int width, int height) {
    Range out;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            const double d = ball_depth(ball, camera, {x + 0.5 + dx, y + 0.5 + dy}, width, height);
            out.low = std::min(out.low, d);
            out.high = std::max(out.high, d);
        }
    return out;
}

RenderSettings plain() {
    RenderSettings settings;
    settings.width = 480;
    settings.height = 320;
    settings.ground = false;
    return settings;
}

Camera oblique() {
    Camera camera;
    camera.target = {0, 0.5, 0};
    camera.eye = camera.target + 2.2 * toward_eye({-25, 30});
    camera.vertical_fov = 50;
    return camera;
}

TEST(Depth, SphereHasTheOutlineAndTheDistanceThatPerspectiveGivesIt) {
    const Ball ball;
    const Camera camera = oblique();
    const RenderSettings settings = plain();
    std::vector<RenderMesh> meshes = {sphere(ball.center, ball.radius, 200)};
    meshes[0].front_color = meshes[0].back_color = {0.85, 0.1, 0.1};
    Renderer renderer;
    const DepthImage depth = renderer.draw_depth(meshes, camera, settings);
    const Image image = renderer.draw(meshes, camera, settings);
    ASSERT_EQ(depth.depth.size(), 480U * 320U);
    int inside = 0, outside = 0;
    for (int y = 0; y < settings.height; ++y)
        for (int x = 0; x < settings.width; ++x) {
            const Range r = around(ball, camera, x, y, settings.width, settings.height);
            const auto p = image.pixel(x, y);
            const bool red = p[0] > 1.5 * p[1] && p[0] > 1.5 * p[2];
            if (r.all()) {
                ++inside;
                const double slack = 1e-3 * ball.radius; // the sphere is drawn by triangles
                ASSERT_GT(depth.at(x, y), r.low - slack) << x << ' ' << y;
                ASSERT_LT(depth.at(x, y), r.high + slack) << x << ' ' << y;
                ASSERT_TRUE(red) << x << ' ' << y;
            } else if (r.none()) {
                ++outside;
                ASSERT_EQ(depth.at(x, y), std::numeric_limits<float>::infinity()) << x << ' ' << y;
                ASSERT_FALSE(red) << x << ' ' << y;
            }
        }
    EXPECT_GT(inside, 3000);
    EXPECT_GT(outside, 100000);
    EXPECT_GT(inside + outside, 0.99 * 480 * 320) << "the outline is one pixel wide";
}

TEST(Depth, DrawingItLeavesNoTraceInThePicture) {
    const std::vector<RenderMesh> meshes = {wavy_sheet(30, 0), sphere({0.5, 0.5, 0.3}, 0.2)};
    const Camera camera = oblique();
    Renderer renderer;
    RenderSettings settings = plain();
    settings.ground = true;
    const Image before = renderer.draw(meshes, camera, settings);
    const DepthImage depth = renderer.draw_depth(meshes, camera, settings);
    EXPECT_EQ(depth.depth, Renderer().draw_depth(meshes, camera, settings).depth);
    EXPECT_EQ(renderer.draw(meshes, camera, settings).rgb, before.rgb);
}

} // namespace
} // namespace muslin
