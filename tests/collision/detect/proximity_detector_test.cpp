// Proximities and interferences [Volino95 4.2] against the comparison of all features: none is
// missed, none is made up, and every close place has one.
#include "muslin/collision/detect/proximity_detector.h"

#include "collision/detect/proximity_samples.h"
#include "muslin/base/parallel.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;

namespace {

// Two crumpled cloths of different thickness, a ball and a box that stand in each other.
struct Crumpled {
    explicit Crumpled(std::uint64_t seed, double strength = 0.12, bool bodies = true) {
        std::vector<ClothInput> cloths = {irregular_sheet("thin", 500, 4e-3, 1),
                                          irregular_sheet("thick", 300, 8e-3, 2)};
        for (Vec3& p : cloths[1].mesh.positions)
            p = rotation_degrees({10, 30, 5}) * p + Vec3{0, 0.02, 0};
        testing_math::Random random(seed);
        for (int i = 0; i < 30; ++i) { // edges and corners enough for the marginal kinds
            ClothInput scrap;
            scrap.name = "scrap " + std::to_string(i);
            scrap.mesh = make_grid({.width = 0.06, .depth = 0.06, .columns = 3, .rows = 3});
            scrap.material.thickness = 5e-3;
            const Vec3 place = 0.15 * random.vec3();
            const Mat3 turn = rotation_degrees(180.0 * random.vec3());
            for (Vec3& p : scrap.mesh.positions)
                p = turn * p + place;
            cloths.push_back(scrap);
        }
        model = build_model(cloths, {}, start);
        if (bodies) {
            model.bodies.push_back(
                body_of("ball", make_sphere({.radius = 0.25, .rings = 8, .segments = 16}), 2e-3));
            model.bodies.push_back(body_of("box", make_box({{0.5, 0.1, 0.3}, 3}), 0));
        }
        surfaces = std::make_unique<Surfaces>(model);
        at.assign(surfaces->point_count(), Vec3{0, 0, 0});
        surfaces->place_bodies(0, at);
        const Crumple crumple(seed, strength);
        for (int i = 0; i < surfaces->particle_count(); ++i)
            at[i] = crumple.at(start.positions[i]);
    }
    Model model;
    State start;
    std::unique_ptr<Surfaces> surfaces;
    std::vector<Vec3> at;
};

void expect_same(const std::vector<Proximity>& a, const std::vector<Proximity>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].pair(), b[i].pair());
        ASSERT_EQ(a[i].distance, b[i].distance);
        ASSERT_EQ(a[i].contact.points, b[i].contact.points);
        ASSERT_EQ(a[i].contact.weights, b[i].contact.weights);
    }
}

void expect_same(const std::vector<Interference>& a, const std::vector<Interference>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a[i].edge, b[i].edge);
        ASSERT_EQ(a[i].triangle, b[i].triangle);
    }
}

} // namespace

TEST(ProximityDetector, FindsWhatAllPairsFind) {
    std::array<std::size_t, 4> kinds{};
    std::size_t crossings = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Crumpled scene(seed);
        ProximityDetector detector(*scene.surfaces);
        std::vector<Proximity> near, all_near;
        std::vector<Interference> crossing, all_crossing;
        for (double margin : {0.0, 3e-3, 2e-2}) {
            detector.find_all(scene.at, margin, near, crossing);
            AllProximities(*scene.surfaces).find(scene.at, margin, all_near, all_crossing);
            expect_same(near, all_near);
            expect_same(crossing, all_crossing);
        }
        for (const Proximity& p : near)
            ++kinds[static_cast<int>(p.kind)];
        crossings += crossing.size();
    }
    // The samples are worth something only if every kind is in them.
    EXPECT_GT(kinds[0], 300u);
    EXPECT_GT(kinds[1], 300u);
    EXPECT_GT(kinds[2], 0u);
    EXPECT_GT(kinds[3], 0u);
    EXPECT_GT(crossings, 300u);
}

TEST(ProximityDetector, SameBitsOnAnyNumberOfThreads) {
    const Crumpled scene(3);
    std::vector<Proximity> near, again;
    std::vector<Interference> crossing, crossing_again;
    set_thread_count(1);
    ProximityDetector(*scene.surfaces).find_all(scene.at, 1e-3, near, crossing);
    for (int threads : {2, 8}) {
        set_thread_count(threads);
        ProximityDetector(*scene.surfaces).find_all(scene.at, 1e-3, again, crossing_again);
        expect_same(near, again);
        expect_same(crossing, crossing_again);
    }
    set_thread_count(0);
}

// Sheets that are near but do not cross: the least distance between any two triangles of different
// sheets is that of a proximity, whatever features it is between.
TEST(ProximityDetector, EveryCloseTriangleHasAProximityAsNear) {
    int checked = 0;
    std::array<int, 4> kinds{};
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        testing_math::Random random(seed);
        std::vector<ClothInput> cloths(2);
        for (int i = 0; i < 2; ++i) {
            cloths[i].name = i == 0 ? "a" : "b";
            cloths[i].mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 3, .rows = 3});
            cloths[i].material.thickness = 0.04;
            const Mat3 turn = rotation_degrees(180.0 * random.vec3());
            const Vec3 shift = 0.1 * random.vec3();
            for (Vec3& p : cloths[i].mesh.positions)
                p = turn * (p + 0.01 * random.vec3()) + shift;
        }
        State start;
        const Model model = build_model(cloths, {}, start);
        const Surfaces surfaces(model);
        ProximityDetector detector(surfaces);
        std::vector<Proximity> near;
        std::vector<Interference> crossing;
        detector.find_all(start.positions, 0, near, crossing);
        if (!crossing.empty())
            continue;
        double least = HUGE_VAL, found = HUGE_VAL;
        std::vector<int> cloth_of(surfaces.point_count());
        for (int particle : model.cloths[1].surface.vertex_particle)
            cloth_of[particle] = 1;
        const auto cloth_of_triangle = [&](int t) { return cloth_of[surfaces.triangles[t][0]]; };
        for (int a = 0; a < 16; ++a)
            for (int b = 0; b < a; ++b)
                if (cloth_of_triangle(a) != cloth_of_triangle(b))
                    least = std::min(least, triangle_distance(surfaces, a, b, start.positions));
        for (const Proximity& p : near)
            if (cloth_of[p.contact.points[0]] != cloth_of[p.contact.points[3]]) {
                found = std::min(found, p.distance);
                ++kinds[static_cast<int>(p.kind)];
            }
        if (!(least < 0.04))
            continue;
        EXPECT_NEAR(found, least, 1e-12) << "seed " << seed;
        ++checked;
    }
    EXPECT_GT(checked, 40);
    for (int count : kinds)
        EXPECT_GT(count, 5);
}

TEST(ProximityDetector, KindsOfTwoTriangles) {
    // A triangle on the floor and one above it, moved so that each kind is the nearest.
    std::vector<ClothInput> cloths(2);
    for (int i = 0; i < 2; ++i) {
        cloths[i].name = i == 0 ? "floor" : "above";
        cloths[i].mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
        cloths[i].mesh.texcoords = {{0, 0}, {0, -1}, {1, 0}};
        cloths[i].mesh.face_begin = {0, 3};
        cloths[i].mesh.corner_vertex = cloths[i].mesh.corner_texcoord = {0, 1, 2};
        cloths[i].material.thickness = 0.05;
    }
    State start;
    const Model model = build_model(cloths, {}, start);
    const Surfaces surfaces(model);
    ProximityDetector detector(surfaces);
    const auto kinds_at = [&](std::array<Vec3, 3> above) {
        std::vector<Vec3> at = start.positions;
        for (int k = 0; k < 3; ++k)
            at[model.cloths[1].surface.vertex_particle[k]] = above[k];
        std::vector<Proximity> near;
        std::vector<Interference> crossing;
        detector.find_all(at, 0, near, crossing);
        std::vector<ProximityKind> kinds;
        for (const Proximity& p : near) {
            kinds.push_back(p.kind);
            EXPECT_NEAR(p.distance, 0.04, 1e-12);
            EXPECT_NEAR(norm(p.contact.difference(at)), 0.04, 1e-12);
            EXPECT_NEAR(p.contact.gap(at), 0.04, 1e-12);
            EXPECT_EQ(p.contact.thickness, 0.05);
        }
        return kinds;
    };
    using enum ProximityKind;
    const double d = 0.04;
    EXPECT_EQ(kinds_at({{{0.2, d, 0.2}, {0.2, 1, 0.2}, {0.3, 1, 0.2}}}),
              std::vector{vertex_triangle});
    EXPECT_EQ(kinds_at({{{-d, -0.3, 0.5}, {-d, 0.3, 0.5}, {-0.5, 0, 0.5}}}),
              std::vector{edge_edge});
    EXPECT_EQ(kinds_at({{{-d, 0, 0.5}, {-0.5, 0.3, 0.5}, {-0.5, -0.3, 0.5}}}),
              std::vector{vertex_edge});
    const double s = std::sqrt(0.5) * d;
    EXPECT_EQ(kinds_at({{{-s, 0, -s}, {-0.5, 0.3, -0.5}, {-0.5, -0.3, -0.5}}}),
              std::vector{vertex_vertex});
}
