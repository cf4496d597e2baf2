#include "muslin/render/renderer.h"

#include "muslin/mesh/measure.h"
#include "scenes.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing;

constexpr int width = 400, height = 400;

RenderSettings plain() {
    RenderSettings settings;
    settings.width = width;
    settings.height = height;
    settings.ground = settings.shadows = settings.ambient_occlusion = false;
    return settings;
}

Camera facing(const Vec3& target, const ViewDirection& view = {0, 0}) {
    Camera camera;
    camera.target = target;
    camera.eye = target + 3.0 * toward_eye(view);
    return camera;
}

/// Four squares: red and green below, blue and white above.
std::shared_ptr<Image> quarters() {
    auto image = std::make_shared<Image>(64, 64);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x) {
            const bool right = x >= 32, upper = y < 32;
            const Vec3 color = upper ? (right ? Vec3{1, 1, 1} : Vec3{0, 0, 1})
                                     : (right ? Vec3{0, 1, 0} : Vec3{1, 0, 0});
            blend(*image, x, y, color, 1);
        }
    return image;
}

char name_of(const Vec3& c) {
    const bool r = c.x > 90, g = c.y > 90, b = c.z > 90;
    return r && g && b     ? 'w'
           : r && !g && !b ? 'r'
           : g && !r && !b ? 'g'
           : b && !r && !g ? 'b'
                           : '?';
}

TEST(Texture, LandsWhereTheMaterialCoordinatesSay) {
    std::vector<RenderMesh> meshes = {sheet(9, [](double, double) { return 0.0; })};
    meshes[0].texture = quarters();
    meshes[0].texture_size = 1.0;
    Renderer renderer;
    const Camera camera = facing({0.5, 0.5, 0});
    const auto letters = [&](std::initializer_list<Vec2> places) {
        const Image image = renderer.draw(meshes, camera, plain());
        std::string out;
        for (const Vec2& p : places)
            out += name_of(mean_color(image, project({p.x, p.y, 0}, camera, width, height)));
        return out;
    };
    EXPECT_EQ(letters({{0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}}), "rgbw");
    meshes[0].texture_size = 0.5; // repeats
    EXPECT_EQ(letters({{0.12, 0.12}, {0.38, 0.12}, {0.62, 0.62}, {0.88, 0.62}}), "rgrg");
    meshes[0].texture_size = 1.0;
    for (auto& corners : meshes[0].material) // the cloth was cut with its u along y
        for (Vec2& uv : corners)
            std::swap(uv.x, uv.y);
    EXPECT_EQ(letters({{0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}}), "rbgw");
    auto wide = std::make_shared<Image>(64, 32); // half as high as wide, also in the material
    paste(*wide, *quarters(), 0, 0);
    meshes[0].texture = wide;
    meshes[0].texture_size = 0.5;
    EXPECT_EQ(letters({{0.1, 0.1}, {0.1, 0.4}, {0.35, 0.1}}), "bwb"); // v runs along x
    meshes[0].texture = nullptr;
    EXPECT_EQ(letters({{0.25, 0.25}}), "w") << "linen again";
}

/// Seen from far, a texture must be its mean colour, not a flicker of its pixels.
TEST(Texture, IsFilteredWhenSmall) {
    std::vector<RenderMesh> meshes = {sheet(3, [](double, double) { return 0.0; })};
    auto stripes = std::make_shared<Image>(64, 64);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; x += 2)
            blend(*stripes, x, y, {1, 1, 1}, 1);
    meshes[0].texture = stripes;
    meshes[0].texture_size = 0.05;
    Renderer renderer;
    const Camera camera = facing({0.5, 0.5, 0}, {40, 10});
    const Image image = renderer.draw(meshes, camera, plain());
    const Vec3 mean = mean_color(image, {200, 200}, 20);
    for (int y = 180; y <= 220; ++y)
        for (int x = 180; x <= 220; ++x)
            ASSERT_NEAR(image.pixel(x, y)[0], mean.x, 5) << x << ' ' << y;
}

bool is_red(const Vec3& c) {
    return c.x > 2 * c.y && c.x > 2 * c.z && c.x > 60;
}

/// Two sheets across each other: they meet along the line x = 0.5.
TEST(Marks, RedWhereTwoSheetsCrossAndNowhereElse) {
    RenderMesh flat = sheet(21, [](double, double) { return 0.0; });
    RenderMesh slope = sheet(21, [](double x, double) { return 0.8 * (x - 0.513); });
    Renderer renderer;
    const Camera camera = facing({0.5, 0.5, 0});
    const auto reds = [&](const std::vector<RenderMesh>& meshes) {
        const Image image = renderer.draw(meshes, camera, plain());
        int near = 0, far = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                if (const auto p = image.pixel(x, y);
                    is_red({double(p[0]), double(p[1]), double(p[2])})) {
                    const double left = project({0.38, 0.5, 0}, camera, width, height).x;
                    const double right = project({0.62, 0.5, 0}, camera, width, height).x;
                    (x > left && x < right ? near : far) += 1;
                }
        return std::array{near, far};
    };
    const auto pairs = find_intersections_between({flat.positions, flat.triangles},
                                                  {slope.positions, slope.triangles});
    ASSERT_FALSE(pairs.empty());
    EXPECT_EQ(reds({flat, slope}), (std::array{0, 0}));
    for (const auto& [a, b] : pairs) {
        flat.marked.push_back(a);
        slope.marked.push_back(b);
    }
    const auto [near, far] = reds({flat, slope});
    EXPECT_GT(near, 1000);
    EXPECT_EQ(far, 0);
    flat.marked.clear();
    slope.marked.clear();
    EXPECT_EQ(reds({flat, slope}), (std::array{0, 0})) << "marks do not stay";
    flat.marked = {100000};
    EXPECT_THROW(renderer.draw(std::vector{flat}, camera, plain()), std::out_of_range);
}

TEST(SetBack, LetsWhatIsBehindByLessComeForward) {
    std::vector<RenderMesh> meshes = {sheet(3, [](double, double) { return 0.0; }),
                                      sheet(3, [](double, double) { return 0.01; })};
    meshes[1].front_color = meshes[1].back_color = {0.9, 0.05, 0.05};
    Renderer renderer;
    const Camera camera = facing({0.5, 0.5, 0});
    const auto red = [&] {
        return is_red(mean_color(renderer.draw(meshes, camera, plain()), {200, 200}));
    };
    EXPECT_TRUE(red());
    meshes[1].set_back = 0.005;
    EXPECT_TRUE(red());
    meshes[1].set_back = 0.02;
    EXPECT_FALSE(red());
}

TEST(SetBack, DoesNotPutASurfaceIntoItsOwnShadow) {
    std::vector<RenderMesh> meshes = {sheet(9, [](double, double) { return 0.0; })};
    Renderer renderer;
    const Camera camera = facing({0.5, 0.5, 0}, {20, 20});
    RenderSettings settings = plain();
    settings.shadows = true;
    settings.toward_light = Vec3{0.3, 0.2, 1};
    const Vec3 lit = mean_color(renderer.draw(meshes, camera, settings), {200, 200}, 40);
    meshes[0].set_back = 0.02;
    const Vec3 back = mean_color(renderer.draw(meshes, camera, settings), {200, 200}, 40);
    EXPECT_NEAR(back.x, lit.x, 1);
    EXPECT_NEAR(back.z, lit.z, 1);
}

TEST(Marks, ShineFaintlyThroughWhatHidesThem) {
    RenderMesh back = sheet(3, [](double, double) { return -0.3; });
    const RenderMesh front = sheet(3, [](double, double) { return 0.0; });
    Renderer renderer;
    const Camera camera = facing({0.5, 0.5, 0});
    const Vec3 plain_color =
        mean_color(renderer.draw(std::vector{back, front}, camera, plain()), {200, 200});
    back.marked = {0, 1, 2, 3, 4, 5, 6, 7};
    const Vec3 through =
        mean_color(renderer.draw(std::vector{back, front}, camera, plain()), {200, 200});
    const Vec3 bare = mean_color(renderer.draw(std::vector{back}, camera, plain()), {200, 200});
    EXPECT_TRUE(is_red(bare));
    EXPECT_FALSE(is_red(through));
    EXPECT_LT(through.y, plain_color.y - 20);
    EXPECT_GT(through.x, through.y + 20);
}

} // namespace
} // namespace muslin
