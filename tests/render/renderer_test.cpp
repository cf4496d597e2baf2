#include "muslin/render/renderer.h"

#include "muslin/base/error.h"
#include "scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

namespace muslin {
namespace {

using namespace testing;

RenderSettings small() {
    RenderSettings settings;
    settings.width = 480;
    settings.height = 360;
    return settings;
}

Camera camera_at(const Vec3& target, const ViewDirection& view, double distance) {
    Camera camera;
    camera.target = target;
    camera.eye = target + distance * toward_eye(view);
    return camera;
}

bool is_red(const std::array<std::uint8_t, 3>& p) {
    return p[0] > 1.5 * p[1] && p[0] > 1.5 * p[2];
}

TEST(Renderer, SphereCoversItsProjectedDisc) {
    const Vec3 center = {0.1, 0.6, -0.2};
    const double radius = 0.35;
    std::vector<RenderMesh> meshes = {sphere(center, radius)};
    meshes[0].front_color = meshes[0].back_color = {0.85, 0.1, 0.1};
    const Camera camera = camera_at(center, {30, 20}, 2.5);
    Renderer renderer;
    for (const bool ground : {true, false}) {
        RenderSettings settings = small();
        settings.ground = ground;
        const Image image = renderer.draw(meshes, camera, settings);
        int area = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                area += is_red(image.pixel(x, y)) ? 1 : 0;
        const double focal = 0.5 * settings.height / std::tan(camera.vertical_fov / 360 * M_PI);
        const double disc = focal * std::tan(std::asin(radius / 2.5));
        EXPECT_NEAR(area, M_PI * disc * disc, 0.02 * M_PI * disc * disc);
        EXPECT_TRUE(is_red(image.pixel(settings.width / 2, settings.height / 2)));
        const Vec3 corner = mean_color(image, {10, 10});
        EXPECT_NEAR(corner.x, 255 * settings.background.x, 1.5);
        EXPECT_NEAR(corner.z, 255 * settings.background.z, 1.5);
    }
}

TEST(Renderer, FrontAndBackHaveTheirOwnColors) {
    std::vector<RenderMesh> meshes = {sheet(9, [](double, double) { return 0.0; })};
    meshes[0].front_color = {0.2, 0.7, 0.2};
    meshes[0].back_color = {0.2, 0.2, 0.7};
    Renderer renderer;
    const Vec3 middle = {0.5, 0.5, 0};
    const Vec2 at = {240, 180};
    const Vec3 front =
        mean_color(renderer.draw(meshes, camera_at(middle, {0, 10}, 3), small()), at);
    const Vec3 back =
        mean_color(renderer.draw(meshes, camera_at(middle, {180, 10}, 3), small()), at);
    EXPECT_GT(front.y, 1.5 * front.z);
    EXPECT_GT(back.z, 1.5 * back.y);
}

TEST(Renderer, VertexColorsReplaceBothSides) {
    std::vector<RenderMesh> meshes = {sheet(3, [](double, double) { return 0.0; })};
    meshes[0].vertex_colors.assign(meshes[0].positions.size(), Vec3{0.8, 0.1, 0.1});
    Renderer renderer;
    for (const double azimuth : {0.0, 180.0}) {
        const Camera camera = camera_at({0.5, 0.5, 0}, {azimuth, 10}, 3);
        EXPECT_TRUE(is_red(renderer.draw(meshes, camera, small()).pixel(240, 180)));
    }
}

TEST(Renderer, ShadowDarkensTheGround) {
    const std::vector<RenderMesh> meshes = {sphere({0, 0.5, 0}, 0.2)};
    const Camera camera = camera_at({0, 0.2, 0}, {0, 35}, 5);
    RenderSettings settings = small();
    settings.ground_height = 0.0;
    settings.toward_light = Vec3{-1, 1, 0};
    settings.ambient_occlusion = false;
    Renderer renderer;
    const Image with = renderer.draw(meshes, camera, settings);
    settings.shadows = false;
    const Image without = renderer.draw(meshes, camera, settings);
    const Vec2 in_shadow = project({0.5, 0, 0}, camera, settings.width, settings.height);
    const Vec2 in_light = project({-0.5, 0, 0}, camera, settings.width, settings.height);
    EXPECT_LT(brightness(mean_color(with, in_shadow)),
              0.85 * brightness(mean_color(without, in_shadow)));
    EXPECT_NEAR(brightness(mean_color(with, in_light)), brightness(mean_color(without, in_light)),
                0.6);
    EXPECT_NEAR(brightness(mean_color(without, in_light)), 255 * brightness(settings.background),
                1.5);
}

TEST(Renderer, CastsShadowOnOtherSurfaces) {
    std::vector<RenderMesh> meshes = {sheet(9, [](double, double) { return 0.0; }),
                                      sphere({0.5, 0.5, 0.5}, 0.15)};
    const Camera camera = camera_at({0.5, 0.5, 0}, {-40, 10}, 4);
    RenderSettings settings = small();
    settings.ground = false;
    settings.toward_light = Vec3{0.4, 0, 1}; // the shadow falls to the left of the sphere
    Renderer renderer;
    const Vec2 dark = project({0.3, 0.5, 0}, camera, settings.width, settings.height);
    const Vec2 lit = project({0.85, 0.85, 0}, camera, settings.width, settings.height);
    const Image image = renderer.draw(meshes, camera, settings);
    EXPECT_LT(brightness(mean_color(image, dark)), 0.85 * brightness(mean_color(image, lit)));
}

/// A lit sheet that shadows itself in spots ("acne") would not be even.
TEST(Renderer, FlatSheetIsEvenlyLitFromAnySide) {
    std::vector<RenderMesh> meshes = {sheet(60, [](double, double) { return 0.0; })};
    const Camera camera = camera_at({0.5, 0.5, 0}, {15, 15}, 3);
    Renderer renderer;
    for (const double angle : {5.0, 40.0, 75.0, 85.0, 120.0}) {
        RenderSettings settings = small();
        settings.ground = false;
        settings.toward_light =
            Vec3{std::sin(angle * M_PI / 180), 0.1, std::cos(angle * M_PI / 180)};
        const Image image = renderer.draw(meshes, camera, settings);
        const Vec3 mean = mean_color(image, {240, 180}, 40);
        for (int y = 140; y <= 220; ++y)
            for (int x = 200; x <= 280; ++x)
                ASSERT_NEAR(image.pixel(x, y)[1], mean.y, 4.0) << angle << " at " << x << ' ' << y;
    }
}

TEST(Renderer, AmbientOcclusionDarkensAValley) {
    const auto valley = [](double x, double) { return 1.2 * std::abs(x - 0.5); };
    const std::vector<RenderMesh> meshes = {sheet(81, valley)};
    const Camera camera = camera_at({0.5, 0.5, 0}, {0, 5}, 3);
    RenderSettings settings = small();
    settings.shadows = false;
    Renderer renderer;
    const Vec2 at = project({0.5, 0.5, 0}, camera, settings.width, settings.height);
    const Vec2 open = project({0.95, 0.5, 0.54}, camera, settings.width, settings.height);
    const Image with = renderer.draw(meshes, camera, settings);
    settings.ambient_occlusion = false;
    const Image without = renderer.draw(meshes, camera, settings);
    EXPECT_LT(brightness(mean_color(with, at)), 0.93 * brightness(mean_color(without, at)));
    EXPECT_GT(brightness(mean_color(with, open)), 0.97 * brightness(mean_color(without, open)));
}

TEST(Renderer, WireframeAndCheckerDrawOnTheSurface) {
    std::vector<RenderMesh> meshes = {sheet(11, [](double, double) { return 0.0; })};
    const Camera camera = camera_at({0.5, 0.5, 0}, {10, 10}, 3);
    Renderer renderer;
    const Image plain = renderer.draw(meshes, camera, small());
    RenderSettings wire = small(), checker = small();
    wire.wireframe = true;
    checker.checker = true;
    checker.checker_size = 0.1;
    EXPECT_NE(renderer.draw(meshes, camera, wire).rgb, plain.rgb);
    const Image squares = renderer.draw(meshes, camera, checker);
    const Vec2 a = project({0.55, 0.55, 0}, camera, 480, 360);
    const Vec2 b = project({0.65, 0.55, 0}, camera, 480, 360);
    EXPECT_GT(std::abs(brightness(mean_color(squares, a)) - brightness(mean_color(squares, b))), 6);
    meshes[0].material.clear(); // nothing to draw the checker by
    EXPECT_EQ(renderer.draw(meshes, camera, checker).rgb, plain.rgb);
}

TEST(Renderer, SamePictureTwice) {
    const std::vector<RenderMesh> meshes = {wavy_sheet(100, 0), sphere({0.5, 0.3, 0.4}, 0.2)};
    SceneBounds box;
    for (const RenderMesh& mesh : meshes)
        box.add(mesh.positions);
    const Camera camera = frame_camera(box, {});
    Renderer first;
    const Image a = first.draw(meshes, camera, small());
    RenderSettings other = small();
    other.wireframe = other.flat = true;
    other.width = 200;
    first.draw(std::vector<RenderMesh>{wavy_sheet(20, 1)}, camera, other); // leaves no trace
    Renderer second;
    EXPECT_EQ(first.draw(meshes, camera, small()).rgb, a.rgb);
    EXPECT_EQ(second.draw(meshes, camera, small()).rgb, a.rgb);
}

TEST(Renderer, FollowsPositionsAndTopologyFromFrameToFrame) {
    std::vector<RenderMesh> meshes = {wavy_sheet(30, 0)};
    const Camera camera = camera_at({0.5, 0.5, 0}, {20, 20}, 3);
    Renderer reused;
    reused.draw(meshes, camera, small());
    meshes = {wavy_sheet(30, 2)};
    EXPECT_EQ(reused.draw(meshes, camera, small()).rgb,
              Renderer().draw(meshes, camera, small()).rgb);
    meshes = {wavy_sheet(31, 2), sphere({0.5, 0.5, 0.5}, 0.1)};
    EXPECT_EQ(reused.draw(meshes, camera, small()).rgb,
              Renderer().draw(meshes, camera, small()).rgb);
}

TEST(Renderer, SurvivesBadVerticesAndEmptyScenes) {
    std::vector<RenderMesh> meshes = {wavy_sheet(30, 0)};
    meshes[0].positions[5].x = std::nan("");
    const Camera camera = camera_at({0.5, 0.5, 0}, {20, 20}, 3);
    Renderer renderer;
    const Image image = renderer.draw(meshes, camera, small());
    EXPECT_GT(std::abs(mean_color(image, {240, 180}).x - mean_color(image, {10, 10}).x), 3);
    const Image nothing = renderer.draw({}, camera, small());
    EXPECT_NEAR(mean_color(nothing, {240, 180}).x, 255 * small().background.x, 1.5);
    meshes[0].triangles[0] = {0, 1, 900};
    EXPECT_THROW(renderer.draw(meshes, camera, small()), std::out_of_range);
}

/// What a frame of 40,000 vertices costs on a machine without a graphics card: 0.3 s on two cores.
/// The processor's time is measured, which other programs do not change.
TEST(Renderer, DrawsFortyThousandVerticesQuickly) {
    const std::vector<RenderMesh> meshes = {wavy_sheet(201, 0)};
    const Camera camera = camera_at({0.5, 0.5, 0}, {20, 20}, 3);
    Renderer renderer;
    renderer.draw(meshes, camera); // the driver compiles its programs
    const std::clock_t start = std::clock();
    constexpr int pictures = 3;
    for (int i = 0; i < pictures; ++i)
        renderer.draw(meshes, camera);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / pictures;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "not timed under a sanitizer";
#endif
    EXPECT_LT(seconds, 2 * 0.3);
}

/// In a process of its own, which has not loaded a driver yet.
TEST(RendererDeathTest, SaysWhatToInstallWhereThereIsNoDriver) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto start = [] {
        ::setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent/none.json", 1);
        try {
            const Renderer renderer;
            std::fprintf(stderr, "started");
        } catch (const FileError& error) {
            std::fprintf(stderr, "%s", error.what());
        }
        std::exit(0);
    };
    EXPECT_EXIT(start(), ::testing::ExitedWithCode(0),
                "cannot start headless OpenGL: .*install libegl1 and libgl1-mesa-dri");
}

} // namespace
} // namespace muslin
