#include "muslin/collision/detect/triangle_pairs.h"

#include "collision/untangle/tangled_sheets.h"
#include "math/random.h"
#include "muslin/io/mesh_file.h"
#include "muslin/kernels/continuous.h"
#include "muslin/mesh/predicates.h"
#include "muslin/mesh/triangle_mesh.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <iostream>

using namespace muslin;
using namespace muslin::test;

namespace {

class triangle_pairs : public testing::Test {
protected:
    void TearDown() override { set_thread_count(0); }
};

using Pairs = std::vector<TrianglePair>;

constexpr PairVolume both_volumes[] = {PairVolume::boxes, PairVolume::spheres};

/// A sheet that folds over itself and through itself many times.
void crumple(TangledScene& scene, double time, std::vector<Vec3>& points, double size = 0.5) {
    for (int i = 0; i < scene.surfaces->particle_count(); ++i) {
        const Vec3& x = scene.start.positions[i];
        const double u = 6 * x.x, v = 6 * x.z;
        points[i] = size * Vec3{std::sin(1.1 * u + 0.9 * std::sin(2 * v + time)),
                                std::sin(1.3 * v + 0.7 * std::sin(1.7 * u - time)),
                                std::sin(0.8 * u + 1.2 * v + time)};
    }
}

void add_body(TangledScene& scene, PolygonMesh mesh) {
    Body body;
    body.name = "body";
    body.mesh = std::move(mesh);
    body.triangles = triangulate(body.mesh).triangles;
    scene.model.bodies.push_back(body);
}

TangledScene sheet_and_body(int vertices, PolygonMesh body) {
    TangledScene scene;
    scene.model =
        build_model({sheet_input("sheet", small_sheet(vertices, 3, 1, 1), 1e-3)}, {}, scene.start);
    add_body(scene, std::move(body));
    scene.finish();
    return scene;
}

TangledScene sheet_and_ball(int vertices) {
    return sheet_and_body(vertices, make_sphere({.radius = 0.3, .rings = 12, .segments = 20}));
}

bool share_point(const Surfaces& s, int a, int b) {
    for (int p : s.triangles[a])
        for (int q : s.triangles[b])
            if (p == q)
                return true;
    return false;
}

struct Found {
    Pairs bodies, cloth;
    bool operator==(const Found&) const = default;
};

/// Every triangle of cloth with every other, by the predicates of the judge.
Found all_pairs(const Surfaces& s, std::span<const Vec3> x) {
    Found found;
    const int cloth = s.cloth_triangle_count(), all = static_cast<int>(s.triangles.size());
    const auto corners = [&](int t) {
        const auto& [a, b, c] = s.triangles[t];
        return Corners{&x[a], &x[b], &x[c]};
    };
    const auto apart = [&](const Corners& a, const Corners& b) { // along an axis
        for (int k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax({(*a[0])[k], (*a[1])[k], (*a[2])[k]});
            const auto [least, most] = std::minmax({(*b[0])[k], (*b[1])[k], (*b[2])[k]});
            if (high < least || low > most)
                return true;
        }
        return false;
    };
    for (int a = 0; a < cloth; ++a)
        for (int b = a + 1; b < all; ++b)
            if (!apart(corners(a), corners(b)) && !share_point(s, a, b) &&
                triangles_meet(corners(a), corners(b)))
                (b < cloth ? found.cloth : found.bodies).push_back({a, b});
    return found;
}

Found search(TrianglePairs& pairs, std::span<const Vec3> before, std::span<const Vec3> now) {
    Found found;
    pairs.update(before, now);
    pairs.find(before, now, found.bodies, found.cloth);
    return found;
}

} // namespace

TEST_F(triangle_pairs, trees_find_the_pairs_of_all_pairs) {
    TangledScene scene = sheet_and_ball(1000);
    const Surfaces& s = *scene.surfaces;
    std::vector<Vec3> x = scene.points;
    TrianglePairs by_boxes(s, {.volume = PairVolume::boxes});
    TrianglePairs by_spheres(s, {.volume = PairVolume::spheres});
    for (const double time : {-1.0, 0.0, 1.0, 4.0}) {
        // The trees are those of the flat sheet; all that follow are far from it.
        if (time >= 0)
            crumple(scene, time, x);
        const Found expected = all_pairs(s, x);
        ASSERT_GT(expected.bodies.size(), 20u);
        ASSERT_GE(expected.cloth.size(), time < 0 ? 0u : 100u) << "time " << time;
        for (TrianglePairs* pairs : {&by_boxes, &by_spheres}) {
            EXPECT_EQ(search(*pairs, x, x), expected) << "time " << time;
            const auto work = pairs->cloth_work();
            EXPECT_EQ(work.candidates, work.adjacent + work.tests);
            EXPECT_GE(work.tests, expected.cloth.size());
            for (const TrianglePair& pair : expected.bodies)
                ASSERT_TRUE(pairs->is_pair(pair, x, x));
        }
    }
}

TEST_F(triangle_pairs, the_same_for_any_number_of_threads_and_any_history) {
    TangledScene scene = sheet_and_ball(1500);
    std::vector<Vec3> before = scene.points, x = scene.points;
    crumple(scene, 2, before);
    crumple(scene, 2.05, x);
    for (const PairTest test : {PairTest::triangles, PairTest::vertices})
        for (const PairVolume volume : both_volumes) {
            set_thread_count(1);
            TrianglePairs fresh(*scene.surfaces, {.volume = volume, .test = test});
            const Found expected = search(fresh, before, x);
            ASSERT_FALSE(expected.bodies.empty());
            ASSERT_FALSE(expected.cloth.empty());
            for (const int threads : {2, 4}) {
                set_thread_count(threads);
                TrianglePairs pairs(*scene.surfaces, {.volume = volume, .test = test});
                search(pairs, scene.points, scene.points);
                EXPECT_EQ(search(pairs, before, x), expected) << threads << " threads";
            }
        }
}

// A sheet that lies in the plane of a body's face touches all of it that is below.
TEST_F(triangle_pairs, a_sheet_that_lies_on_a_table_touches_it) {
    TangledScene scene = sheet_and_body(200, make_box({.size = {0.5, 0.1, 0.5}}));
    std::vector<Vec3> x = scene.points;
    for (int i = 0; i < scene.surfaces->particle_count(); ++i)
        x[i].y = 0.05;
    for (const PairVolume volume : both_volumes) {
        TrianglePairs pairs(*scene.surfaces, {.volume = volume});
        const Found found = search(pairs, x, x);
        EXPECT_EQ(found, all_pairs(*scene.surfaces, x));
        EXPECT_GT(found.bodies.size(), 50u);
        for (int i = 0; i < scene.surfaces->particle_count(); ++i)
            x[i].y = std::nextafter(0.05, 1);
        EXPECT_TRUE(search(pairs, x, x).bodies.empty());
        for (int i = 0; i < scene.surfaces->particle_count(); ++i)
            x[i].y = 0.05;
    }
}

namespace {

/// Every vertex with every triangle, on its way.
Found all_passes(const Surfaces& s, std::span<const Vec3> from, std::span<const Vec3> to) {
    Found found;
    const int cloth = s.cloth_triangle_count();
    for (int t = 0; t < static_cast<int>(s.triangles.size()); ++t)
        for (int v = 0; v < s.particle_count(); ++v) {
            const auto& [a, b, c] = s.triangles[t];
            bool apart = v == a || v == b || v == c;
            for (int k = 0; k < 3; ++k) {
                const auto [low, high] = std::minmax({from[v][k], to[v][k]});
                const auto [least, most] =
                    std::minmax({from[a][k], from[b][k], from[c][k], to[a][k], to[b][k], to[c][k]});
                apart = apart || high < least || low > most;
            }
            if (apart)
                continue;
            const bool passes = t < cloth
                                    ? vertex_face_impact({from[v], from[a], from[b], from[c]},
                                                         {to[v], to[a], to[b], to[c]},
                                                         {.tolerance = 1e-9, .resolution = 1e-9})
                                          .has_value()
                                    : segment_meets_triangle(from[v], to[v], to[a], to[b], to[c]);
            for (int u = 0; passes && u < cloth; ++u) {
                const auto& corners = s.triangles[u];
                if (std::find(corners.begin(), corners.end(), v) == corners.end())
                    continue;
                if (t >= cloth)
                    found.bodies.push_back({u, t});
                else if (!share_point(s, u, t))
                    found.cloth.push_back({std::min(u, t), std::max(u, t)});
            }
        }
    for (Pairs* list : {&found.bodies, &found.cloth}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return found;
}

} // namespace

TEST_F(triangle_pairs, vertices_that_passed_are_those_of_all_vertices) {
    TangledScene scene = sheet_and_ball(300);
    std::vector<Vec3> from = scene.points, to = scene.points;
    crumple(scene, 1, from);
    crumple(scene, 1.2, to);
    const Found expected = all_passes(*scene.surfaces, from, to);
    ASSERT_GT(expected.bodies.size(), 20u);
    ASSERT_GT(expected.cloth.size(), 20u);
    for (const PairVolume volume : both_volumes) {
        TrianglePairs pairs(*scene.surfaces, {.volume = volume, .test = PairTest::vertices});
        search(pairs, scene.points, scene.points);
        EXPECT_EQ(search(pairs, from, to), expected);
        for (const TrianglePair& pair : expected.cloth)
            ASSERT_TRUE(pairs.is_pair(pair, from, to));
        for (const TrianglePair& pair : expected.bodies)
            ASSERT_TRUE(pairs.is_pair(pair, from, to));
    }
}

// "It is fast to find mass-point to object polygon intersections, but this does not guarantee
// coverage of all possible collisions" [Bayraktar07 3].
TEST_F(triangle_pairs, a_spike_passes_between_vertices_unseen) {
    TangledScene scene;
    scene.model = build_model(
        {sheet_input("sheet", make_grid({.width = 1, .depth = 1, .columns = 2, .rows = 2}), 1e-3)},
        {}, scene.start);
    add_body(scene, make_box({.size = {0.01, 1, 0.01}}));
    scene.finish();
    std::vector<Vec3> above = scene.points, below = scene.points;
    for (int i = 0; i < scene.surfaces->particle_count(); ++i) {
        above[i].y = 0.6;
        below[i].y = 0.4;
    }
    TrianglePairs triangles(*scene.surfaces, {.test = PairTest::triangles});
    TrianglePairs vertices(*scene.surfaces, {.test = PairTest::vertices});
    EXPECT_GE(search(triangles, above, below).bodies.size(), 4u);
    EXPECT_TRUE(search(vertices, above, below).bodies.empty());
    EXPECT_TRUE(search(triangles, above, above).bodies.empty());
}

namespace {

void expect_as_judged(const Surfaces& s, std::span<const Vec3> x, const Found& found) {
    const auto cloth = std::span(s.triangles).first(s.cloth_triangle_count());
    Found judged;
    for (const auto& [a, b] : find_self_intersections(x, cloth))
        if (!share_point(s, a, b))
            judged.cloth.push_back({a, b});
    const int first = s.cloth_triangle_count();
    for (const auto& [a, b] :
         find_intersections_between({x, cloth}, {x, std::span(s.triangles).subspan(first)}))
        judged.bodies.push_back({a, first + b});
    EXPECT_EQ(found, judged);
    std::cout << s.cloth_triangle_count() << " triangles, " << s.body_triangle_count()
              << " of the body: " << judged.cloth.size() << " and " << judged.bodies.size()
              << " pairs\n";
    EXPECT_GT(judged.cloth.size(), 1000u);
    EXPECT_GT(judged.bodies.size(), 100u);
}

} // namespace

TEST_F(triangle_pairs, the_judge_finds_the_same_in_a_large_sheet) {
    TangledScene scene = sheet_and_ball(10500);
    std::vector<Vec3> x = scene.points;
    crumple(scene, 3, x);
    for (const PairVolume volume : both_volumes) {
        TrianglePairs pairs(*scene.surfaces, {.volume = volume});
        search(pairs, scene.points, scene.points);
        expect_as_judged(*scene.surfaces, x, search(pairs, x, x));
    }
}

TEST_F(triangle_pairs, the_judge_finds_the_same_on_a_person) {
    MUSLIN_NEED_DATA(file, "bodies/f_smpl_template.obj");
    TangledScene scene = sheet_and_body(4000, read_mesh(file));
    std::vector<Vec3> x = scene.points;
    crumple(scene, 1, x, 0.8);
    for (const PairVolume volume : both_volumes) {
        TrianglePairs pairs(*scene.surfaces, {.volume = volume});
        expect_as_judged(*scene.surfaces, x, search(pairs, x, x));
    }
}
