// Detection step after step [Volino95 4.4] against a full search at every step.
#include "muslin/collision/detect/proximity_tracker.h"

#include "collision/detect/proximity_samples.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;

namespace {

void expect_same(const std::vector<Proximity>& a, const std::vector<Proximity>& b, int step) {
    ASSERT_EQ(a.size(), b.size()) << "step " << step;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].pair(), b[i].pair()) << "step " << step;
        ASSERT_EQ(a[i].distance, b[i].distance);
        ASSERT_EQ(a[i].contact.weights, b[i].contact.weights);
    }
}

void expect_same(const std::vector<Interference>& a, const std::vector<Interference>& b, int step) {
    ASSERT_EQ(a.size(), b.size()) << "step " << step;
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_TRUE(a[i].edge == b[i].edge && a[i].triangle == b[i].triangle) << "step " << step;
}

struct Found {
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
};

// A patch that slides, turning, over a wavy sheet, and a second one that comes down elsewhere.
struct Sliding {
    Sliding() {
        std::vector<ClothInput> cloths = {irregular_sheet("sheet", 900, 4e-3, 1),
                                          irregular_sheet("patch", 60, 4e-3, 2),
                                          irregular_sheet("late", 30, 4e-3, 3)};
        for (int i = 1; i < 3; ++i)
            for (Vec3& p : cloths[i].mesh.positions)
                p *= 0.25;
        model = build_model(cloths, {}, start);
    }
    std::vector<Vec3> at(double time, double late_height) const {
        std::vector<Vec3> x = start.positions;
        const auto wave = [](const Vec3& p) {
            return 0.01 * std::sin(7 * p.x) * std::sin(5 * p.z);
        };
        const auto place = [&](int cloth, const Vec3& shift, double turn) {
            for (int p : model.cloths[cloth].surface.vertex_particle) {
                x[p] = rotation_degrees({0, turn, 0}) * start.positions[p] + shift;
                x[p].y += wave(x[p]);
            }
        };
        place(0, {0, 0, 0}, 0);
        place(1, {-0.25 + 0.3 * time, 0.003, 0.1 * time}, 40 * time);
        place(2, {0.3, late_height, -0.3}, 0);
        return x;
    }
    Model model;
    State start;
};

} // namespace

TEST(ProximityFollow, EqualsAFullSearchWhereAPatchSlides) {
    const Sliding scene;
    const Surfaces surfaces(scene.model);
    ProximityDetector full(surfaces), incremental(surfaces);
    Found all, followed;
    std::size_t full_pairs = 0, followed_pairs = 0, slid = 0, last = 0;
    full.find_all(scene.at(0, 0.1), 0, followed.near, followed.crossing);
    for (int step = 1; step <= 200; ++step) {
        const std::vector<Vec3> at = scene.at(step / 200.0, 0.1);
        full.find_all(at, 0, all.near, all.crossing);
        incremental.follow(at, 0, followed.near, followed.crossing);
        expect_same(followed.near, all.near, step);
        expect_same(followed.crossing, all.crossing, step);
        ASSERT_GT(all.near.size(), 60u);
        slid += all.near[0].contact.second != static_cast<int>(last);
        last = all.near[0].contact.second;
        full_pairs += full.work().self_pairs;
        followed_pairs += incremental.work().self_pairs;
    }
    EXPECT_GT(slid, 5u) << "nothing slid";
    EXPECT_LT(followed_pairs, full_pairs);
}

TEST(ProximityFollow, DoesNotSeeANewZone) {
    const Sliding scene;
    const Surfaces surfaces(scene.model);
    ProximityDetector detector(surfaces);
    Found all, followed;
    detector.find_all(scene.at(0, 0.1), 0, followed.near, followed.crossing);
    const std::size_t before = followed.near.size();
    const std::vector<Vec3> at = scene.at(0, 0.002);
    detector.follow(at, 0, followed.near, followed.crossing);
    EXPECT_EQ(followed.near.size(), before);
    detector.find_all(at, 0, all.near, all.crossing);
    EXPECT_GT(all.near.size(), before + 20);
}

TEST(ProximityTracker, EqualsAFullSearchWhateverMoves) {
    const Sliding scene;
    const Surfaces surfaces(scene.model);
    for (double margin : {0.0, 2e-3, 2e-2}) {
        ProximityDetector full(surfaces);
        ProximityTracker tracker(surfaces, {.margin = margin});
        Found all, tracked;
        for (int step = 0; step <= 120; ++step) {
            // The late patch comes down through the sheet, slowly and then by a jump.
            const double height = step < 100 ? 0.02 - 2e-4 * step : 0.1 - 1e-3 * step;
            const std::vector<Vec3> at = scene.at(step / 400.0, height);
            const double reach = step % 2 == 0 ? 0 : 1e-3;
            full.find_all(at, reach, all.near, all.crossing);
            tracker.update(at, reach, tracked.near, tracked.crossing);
            expect_same(tracked.near, all.near, step);
            expect_same(tracked.crossing, all.crossing, step);
        }
        EXPECT_EQ(tracker.updates(), 121);
        EXPECT_LT(tracker.searches(), margin == 2e-3 ? 121 : 30);
        EXPECT_FALSE(all.near.empty());
    }
}

// Cloth that flies as a whole needs no search for itself; near a body that stands it does.
TEST(ProximityTracker, SearchesForMotionAgainstEachOtherAlone) {
    for (bool body : {false, true}) {
        std::vector<ClothInput> cloths = {irregular_sheet("sheet", 300, 4e-3, 1)};
        State start;
        Model model = build_model(cloths, {}, start);
        if (body)
            model.bodies.push_back(body_of("ball", make_sphere({.radius = 0.2}), 0));
        const Surfaces surfaces(model);
        ProximityTracker tracker(surfaces, {.margin = 1e-2});
        ProximityDetector full(surfaces);
        std::vector<Vec3> at(surfaces.point_count());
        surfaces.place_bodies(0, at);
        Found all, tracked;
        for (int step = 0; step < 50; ++step) {
            for (int i = 0; i < surfaces.particle_count(); ++i)
                at[i] = start.positions[i] + Vec3{0, 0.3 - 0.005 * step, 0};
            full.find_all(at, 0, all.near, all.crossing);
            tracker.update(at, 0, tracked.near, tracked.crossing);
            expect_same(tracked.near, all.near, step);
        }
        EXPECT_EQ(tracker.searches() > 1, body);
        EXPECT_EQ(all.near.empty() && all.crossing.empty(), !body);
    }
}
