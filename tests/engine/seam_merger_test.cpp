// Joints that have met make another model and state, without a stepper.
#include "muslin/engine/seam_merger.h"

#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

constexpr int side = 4; // vertices along a side of a grid

/// Two grids side by side whose borders are `gap` apart, drawn together by a seam.
struct Sewn {
    std::shared_ptr<const Model> start;
    State state;
    Conditions conditions;
    SceneDescription scene;

    explicit Sewn(double gap) {
        std::vector<ClothInput> cloths;
        for (int i = 0; i < 2; ++i) {
            ClothInput cloth;
            cloth.name = "c" + std::to_string(i);
            cloth.mesh = make_grid({.width = 0.3, .depth = 0.3, .columns = side, .rows = side});
            for (Vec3& p : cloth.mesh.positions)
                p.x += i * (0.3 + gap);
            cloth.material.thickness = 1e-3;
            cloths.push_back(std::move(cloth));
        }
        Model model = build_model(std::move(cloths), {}, state);
        Seam seam;
        seam.name = "s";
        for (int row = 0; row < side; ++row) {
            std::vector<int> joint = {
                model.cloths[0].surface.vertex_particle[row * side + side - 1],
                model.cloths[1].surface.vertex_particle[row * side]};
            std::sort(joint.begin(), joint.end());
            seam.joints.push_back(joint);
        }
        seam.meet_distance = 0.01;
        model.seams = {seam};
        Pin pin;
        pin.particles = seam.joints[0];
        pin.start = {{1, 0, 0}, {2, 0, 0}};
        conditions.pins = {pin};
        start = std::make_shared<const Model>(std::move(model));
    }
};

TEST(SeamMerger, MakesAnotherModelOfWhatHasMet) {
    Sewn sewn(0.005);
    const Dressing dressing(sewn.scene);
    const SeamMerger merger(sewn.start, dressing, true);
    FrameReport report;
    const int before = sewn.start->particle_count();
    const auto next = merger.merge({*sewn.start, 1, sewn.conditions, sewn.state}, true, report);
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(sewn.start->particle_count(), before) << "the model is not changed";
    EXPECT_EQ(next->particle_count(), before - side);
    EXPECT_EQ(static_cast<int>(sewn.state.positions.size()), before - side);
    EXPECT_EQ(sewn.state.merged.size(), std::size_t{side});
    EXPECT_EQ(sewn.conditions.pins[0].particles.size(), 1u);
    EXPECT_EQ(merger.model_of(sewn.state).particle_count(), before - side);
    merger.count_joints(*next, sewn.state, report);
    EXPECT_EQ(report.joints_open, 0);
    EXPECT_EQ(report.joints_merged, side);
    EXPECT_FALSE(merger.merge({*next, 2, sewn.conditions, sewn.state}, true, report).has_value());
}

TEST(SeamMerger, LeavesWhatIsApart) {
    Sewn sewn(0.02);
    const Dressing dressing(sewn.scene);
    const SeamMerger merger(sewn.start, dressing, true);
    FrameReport report;
    EXPECT_FALSE(
        merger.merge({*sewn.start, 1, sewn.conditions, sewn.state}, true, report).has_value());
    EXPECT_TRUE(sewn.state.merged.empty());
    merger.count_joints(*sewn.start, sewn.state, report);
    EXPECT_EQ(report.joints_open, side);
    EXPECT_NEAR(report.seam_gap, 0.02, 1e-12);
}

TEST(SeamMerger, RefusedJointsAreToldOnceAndKeptInTheState) {
    Sewn sewn(0.005);
    Model model = *sewn.start;
    // Two neighbours of one border, which share a triangle with a third corner.
    const auto& particle = model.cloths[0].surface.vertex_particle;
    std::vector<int> neighbours = {particle[0], particle[1]};
    std::sort(neighbours.begin(), neighbours.end());
    model.seams[0].joints = {neighbours};
    model.seams[0].meet_distance = 0.5;
    sewn.start = std::make_shared<const Model>(model);
    const Dressing dressing(sewn.scene);
    const SeamMerger merger(sewn.start, dressing, false);
    FrameReport report;
    EXPECT_FALSE(
        merger.merge({*sewn.start, 1, sewn.conditions, sewn.state}, true, report).has_value());
    EXPECT_EQ(report.joints_refused.size(), 1u);
    EXPECT_EQ(sewn.state.parts.sewing.refused, (std::vector<int>{neighbours.front()}));
    merger.merge({*sewn.start, 2, sewn.conditions, sewn.state}, true, report);
    EXPECT_EQ(report.joints_refused.size(), 1u);
}

TEST(SeamMerger, MergesWithinAFrameOnlyWhileAGarmentIsSewn) {
    Sewn sewn(0.005);
    const Dressing none(sewn.scene);
    EXPECT_FALSE(SeamMerger(sewn.start, none, true).wants_to_merge(*sewn.start, sewn.state, 0));
    sewn.scene.garments.resize(1);
    sewn.scene.garments[0].cloth = "c0";
    const Dressing dressing(sewn.scene);
    const SeamMerger merger(sewn.start, dressing, true);
    const int first = -dressing.frames().all();
    EXPECT_TRUE(merger.wants_to_merge(*sewn.start, sewn.state, first));
    EXPECT_FALSE(merger.wants_to_merge(*sewn.start, sewn.state, 0));
    const Sewn apart(0.02);
    Model begun = *apart.start; // its seam begins to close with the frame
    begun.seams[0].window.start = first / sewn.scene.time.frame_rate;
    EXPECT_FALSE(merger.wants_to_merge(begun, apart.state, first));
}

} // namespace
} // namespace muslin
