#include "muslin/render/camera.h"

#include "scenes.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing;

TEST(Camera, DefaultViewIsFromAboveTheRight) {
    const Vec3 eye = toward_eye({});
    EXPECT_GT(eye.x, 0.3);
    EXPECT_GT(eye.y, 0.2);
    EXPECT_GT(eye.z, 0.5);
    EXPECT_NEAR(norm(eye), 1, 1e-12);
}

TEST(CameraFramer, FitsPointsExactlyInsideTheMargin) {
    const std::vector<Vec3> points = wavy_sheet(20, 0.3).positions;
    for (const ViewDirection view :
         {ViewDirection{}, ViewDirection{200, -30}, ViewDirection{0, 90}, ViewDirection{75, 0}})
        for (const double aspect : {0.5, 1.0, 16.0 / 9.0}) {
            FramingSettings settings;
            settings.view = view;
            settings.aspect = aspect;
            CameraFramer framer(settings);
            framer.add(points);
            const int height = 900, width = static_cast<int>(900 * aspect);
            SceneBounds picture;
            for (const Vec3& p : points) {
                const Vec2 at = project(p, framer.camera(), width, height);
                picture.add(std::array{Vec3{at.x / width, at.y / height, 0}});
            }
            const double m = settings.margin;
            // Symmetric about the middle, and one pair of sides touches.
            EXPECT_GE(picture.lower.x, m - 1e-9);
            EXPECT_GE(picture.lower.y, m - 1e-9);
            EXPECT_LE(picture.upper.x, 1 - m + 1e-9);
            EXPECT_LE(picture.upper.y, 1 - m + 1e-9);
            EXPECT_NEAR(std::min(picture.lower.x, picture.lower.y), m, 1e-6);
            EXPECT_NEAR(std::max(picture.upper.x, picture.upper.y), 1 - m, 1e-6);
        }
}

TEST(CameraFramer, StandsSomewhereSaneForDegenerateInput) {
    const Camera none = frame_camera(SceneBounds{}, {});
    EXPECT_GT(norm(none.eye - none.target), 0);
    CameraFramer point;
    point.add(std::array{Vec3{1, 2, 3}, Vec3{std::nan(""), 0, 0}});
    EXPECT_TRUE(is_finite(point.camera().eye));
    EXPECT_GT(norm(point.camera().eye - point.camera().target), 0);
    EXPECT_NEAR(norm(point.camera().target - Vec3{1, 2, 3}), 0, 1e-12);
}

TEST(SceneBounds, LeavesOutPointsThatAreNotFinite) {
    SceneBounds box;
    EXPECT_TRUE(box.empty());
    box.add(std::array{Vec3{0, 0, 0}, Vec3{1, 2, 3}, Vec3{SceneBounds::inf, 0, 0}});
    EXPECT_EQ(box.upper.x, 1);
    EXPECT_NEAR(box.diagonal(), std::sqrt(14.0), 1e-12);
}

} // namespace
} // namespace muslin
