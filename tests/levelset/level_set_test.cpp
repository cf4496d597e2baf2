#include "muslin/levelset/level_set.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/io/mesh_file.h"
#include "muslin/levelset/closest_point.h"
#include "muslin/mesh/penetration.h"

#include "levelset/shapes.h"
#include "mesh/mesh_testing.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

using namespace muslin;
using namespace muslin::levelset_testing;
using muslin::testing::Random;

namespace {

/// Exact distances from the definition.
class Referee {
public:
    explicit Referee(const TriangleView& surface) : surface_(surface), tree_(surface) {}
    double distance(const Vec3& p) {
        return std::sqrt(closest_point(p, surface_, tree_, near_).squared_distance);
    }

private:
    TriangleView surface_;
    judging::BoxTree tree_;
    int near_ = 0;
};

std::vector<Vec3> random_places(const Bounds& box, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Vec3> out(count);
    for (Vec3& p : out)
        for (int k = 0; k < 3; ++k)
            p[k] = random.uniform(box.low[k], box.high[k]);
    return out;
}

std::vector<char> inside(const std::vector<Vec3>& places, const TriangleView& surface) {
    std::vector<char> out(places.size(), 0);
    for (const int i : find_inside(places, surface))
        out[i] = 1;
    return out;
}

std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST(level_set, beyond_the_band_only_the_side_is_known) {
    const TriangleMesh mesh = sphere(0.5, 24);
    const LevelSet s = LevelSet::from_mesh(view(mesh), {0.02, 0.1});
    EXPECT_EQ(s.voxel_size(), 0.02);
    EXPECT_EQ(s.band(), 0.1);
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{0.1, 0.2, -0.1}, Vec3{0, 0.39, 0}}) {
        EXPECT_EQ(s.sample(p).distance, -0.1);
        EXPECT_EQ(norm(s.sample(p).normal), 0);
    }
    const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
    for (const Vec3& p : {Vec3{0, 0.61, 0}, Vec3{0.5, 0.5, 0.5}, Vec3{1e9, 0, 0}, Vec3{-inf, 0, 0},
                          Vec3{nan, 0, 0}}) {
        EXPECT_EQ(s.sample(p).distance, 0.1);
        EXPECT_EQ(norm(s.sample(p).normal), 0);
    }
    EXPECT_EQ(LevelSet().sample({1, 2, 3}).distance, 0);
}

TEST(level_set, is_continuous_at_the_end_of_the_band) {
    const TriangleMesh mesh = torus(0.3, 0.12, 48, 24);
    const LevelSet s = LevelSet::from_mesh(view(mesh), {0.02, 0.05});
    Random random(3);
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 p = random.vector(-0.5, 0.5), q = p + random.vector(-1e-4, 1e-4);
        worst = std::max(worst, std::abs(s.distance(p) - s.distance(q)) / norm(p - q));
    }
    EXPECT_LT(worst, 1.8); // the slope of a trilinear interpolant of distances is at most sqrt(3)
}

TEST(level_set, every_node_is_exact) {
    // Two spheres that cross: what each has inside the other is no surface.
    const TriangleMesh one = sphere(0.3, 20), two = moved(sphere(0.25, 16), {0.23, 0.11, 0.05});
    const TriangleMesh mesh = joined(one, two);
    const LevelSet s = LevelSet::from_mesh(view(mesh), {0.02, 0.06, true});
    const BlockGrid& grid = s.grid();
    // The surface of the union: triangles that cross another one or lie outside the other sphere.
    std::vector<char> wanted(mesh.triangles.size(), 0);
    for (const auto& pair : find_self_intersections(mesh.positions, mesh.triangles))
        wanted[pair[0]] = wanted[pair[1]] = 1;
    std::vector<Vec3> corners;
    for (const auto& t : mesh.triangles)
        corners.push_back(mesh.positions[t[0]]);
    const std::vector<char> in_one = inside(corners, view(one)),
                            in_two = inside(corners, view(two));
    TriangleMesh outer;
    outer.positions = mesh.positions;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        if (wanted[i] || !(i < one.triangles.size() ? in_two : in_one)[i])
            outer.triangles.push_back(mesh.triangles[i]);
    ASSERT_LT(outer.triangles.size(), mesh.triangles.size() * 9 / 10);
    Referee referee(view(outer));
    std::vector<Vec3> places;
    for (std::size_t b = 0; b < grid.block_count(); ++b)
        for (std::size_t n = 0; n < BlockGrid::nodes; ++n)
            places.push_back(grid.position(b, n));
    const std::vector<char> negative = inside(places, view(mesh));
    const double far = 0.06 + 2 * 0.02;
    std::size_t near = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double d = std::min(referee.distance(places[i]), far);
        near += d < far;
        ASSERT_NEAR(grid.values[i], negative[i] ? -d : d, 1e-6) << "node " << i;
        ASSERT_EQ(grid.nearest_triangle[i] >= 0, d < far) << i;
    }
    EXPECT_GT(near, 20000u);
}

TEST(level_set, seams_and_triangles_without_area_change_nothing) {
    // One ball inside another: nothing but the outer one counts.
    TriangleMesh mesh = joined(sphere(0.3, 12), sphere(0.15, 10));
    const LevelSet before = LevelSet::from_mesh(view(mesh), {0.03, 0.17});
    EXPECT_NEAR(before.distance({0, 0.15, 0}), -0.15, 0.01);
    TriangleMesh apart; // each triangle with vertices of its own
    for (const auto& t : mesh.triangles) {
        const int v = static_cast<int>(apart.positions.size());
        for (const int k : t)
            apart.positions.push_back(mesh.positions[k]);
        apart.triangles.push_back({v, v + 1, v + 2});
        apart.triangles.push_back({v, v + 1, v + 1});
    }
    const LevelSet after = LevelSet::from_mesh(view(apart), {0.03, 0.17});
    EXPECT_EQ(before.grid().values, after.grid().values);
    EXPECT_EQ(before.grid().table, after.grid().table);
    for (auto& t : apart.triangles)
        t = {0, 1, 1};
    apart.triangles[0] = {1, 0, 0};
    EXPECT_NE(message_of([&] {
                  LevelSet::from_mesh(view(apart), {0.03, 0.17});
              }).find("with an area"),
              std::string::npos);
}

TEST(level_set, is_second_order_away_from_the_medial_axis) {
    struct Case {
        const char* name;
        std::function<TriangleMesh(double)> mesh; ///< for a voxel
        std::function<double(const Vec3&)> distance;
        std::function<Vec3(const Vec3&)> normal;
    };
    const auto ring = [](const Vec3& p) { // from the circle in the middle of the torus
        const double r = std::hypot(p.x, p.z);
        return Vec3{p.x * (1 - 0.35 / r), p.y, p.z * (1 - 0.35 / r)};
    };
    const Case cases[] = {
        {"sphere", [](double h) { return sphere(0.5, static_cast<int>(0.8 / h)); },
         [](const Vec3& p) { return norm(p) - 0.5; }, [](const Vec3& p) { return normalized(p); }},
        {"torus",
         [](double h) {
             return torus(0.35, 0.15, static_cast<int>(1.1 / h), static_cast<int>(0.48 / h));
         },
         [&](const Vec3& p) { return norm(ring(p)) - 0.15; },
         [&](const Vec3& p) { return normalized(ring(p)); }}};
    for (const Case& c : cases) {
        double last[3] = {0, 0, 0};
        for (const double h : {0.04, 0.02, 0.01}) {
            const TriangleMesh mesh = c.mesh(h);
            const LevelSet s = LevelSet::from_mesh(view(mesh), {h, 0.06});
            double error[3] = {0, 0, 0}; // largest and root mean square of distance, of normal
            std::size_t count = 0;
            for (const Vec3& p : random_places({{-0.6, -0.6, -0.6}, {0.6, 0.6, 0.6}}, 60000, 7)) {
                const double d = c.distance(p);
                if (std::abs(d) > 0.055)
                    continue;
                const LevelSetSample got = s.sample(p);
                error[0] = std::max(error[0], std::abs(got.distance - d));
                error[1] += (got.distance - d) * (got.distance - d);
                error[2] += dot(got.normal - c.normal(p), got.normal - c.normal(p));
                ++count;
            }
            ASSERT_GT(count, 2000u);
            error[1] = std::sqrt(error[1] / static_cast<double>(count));
            error[2] = std::sqrt(error[2] / static_cast<double>(count));
            std::printf("%s, voxel %.2f m: distance max %.2e rms %.2e m, normal rms %.2e", c.name,
                        h, error[0], error[1], error[2]);
            if (last[0] > 0) {
                std::printf("; orders %.2f %.2f %.2f", std::log2(last[0] / error[0]),
                            std::log2(last[1] / error[1]), std::log2(last[2] / error[2]));
                EXPECT_GE(std::log2(last[0] / error[0]), 1.8) << c.name << " " << h;
                EXPECT_GE(std::log2(last[1] / error[1]), 1.8) << c.name << " " << h;
                EXPECT_GE(std::log2(last[2] / error[2]), 0.9) << c.name << " " << h;
            }
            std::printf("\n");
            std::copy(error, error + 3, last);
        }
    }
}

TEST(level_set, normal_is_the_gradient_of_the_distance) {
    const TriangleMesh mesh = torus(0.3, 0.12, 48, 24);
    const LevelSet s = LevelSet::from_mesh(view(mesh), {0.03, 0.09});
    Random random(5);
    int count = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3 p = random.vector(-0.45, 0.45);
        const double e = 1e-7;
        const GridCell low = s.grid().find(p - Vec3{e, e, e}),
                       high = s.grid().find(p + Vec3{e, e, e});
        if (low.block < 0 || low.node != high.node || std::abs(s.distance(p)) > 0.089)
            continue;
        Vec3 slope;
        for (int k = 0; k < 3; ++k) {
            Vec3 a = p, b = p;
            a[k] -= e;
            b[k] += e;
            slope[k] = (s.distance(b) - s.distance(a)) / (2 * e);
        }
        EXPECT_LT(norm(s.sample(p).normal - normalized(slope)), 1e-6);
        ++count;
    }
    EXPECT_GT(count, 1000);
}

TEST(level_set, same_bits_for_any_number_of_threads) {
    const TriangleMesh mesh = torus(0.3, 0.12, 48, 24);
    std::vector<Vec3> places = random_places({{-0.5, -0.2, -0.5}, {0.5, 0.2, 0.5}}, 5000, 2);
    std::vector<LevelSetSample> first(places.size()), again(places.size());
    set_thread_count(1);
    const LevelSet a = LevelSet::from_mesh(view(mesh), {0.02, 0.06, true});
    a.sample(places, first);
    set_thread_count(4);
    const LevelSet b = LevelSet::from_mesh(view(mesh), {0.02, 0.06, true});
    b.sample(places, again);
    set_thread_count(0);
    EXPECT_EQ(a.grid().values, b.grid().values);
    EXPECT_EQ(a.grid().nearest_triangle, b.grid().nearest_triangle);
    EXPECT_EQ(a.grid().table, b.grid().table);
    for (std::size_t i = 0; i < places.size(); ++i) {
        ASSERT_EQ(first[i].distance, again[i].distance);
        // The compiler may fuse differently here.
        ASSERT_NEAR(first[i].distance, a.distance(places[i]), 1e-15);
    }
}

TEST(level_set, work_and_memory_go_with_the_surface) {
    // Twice the size at one voxel: four times the surface, eight times the volume.
    const LevelSet one = LevelSet::from_mesh(view(sphere(0.3, 16)), {0.01, 0.03});
    const LevelSet two = LevelSet::from_mesh(view(sphere(0.6, 32)), {0.01, 0.03});
    const double blocks = static_cast<double>(two.grid().block_count()) /
                          static_cast<double>(one.grid().block_count());
    EXPECT_GT(blocks, 3.6);
    EXPECT_LT(blocks, 4.4);
    EXPECT_LT(10 * two.memory(), 46 * one.memory());
}

TEST(level_set, refuses_what_has_no_inside) {
    TriangleMesh mesh = sphere(0.5, 8);
    const auto make = [&](double voxel, double band) {
        return [&mesh, voxel, band] { LevelSet::from_mesh(view(mesh), {voxel, band}); };
    };
    EXPECT_NE(message_of(make(0, 0.1)).find("voxel: expected a positive number"),
              std::string::npos);
    EXPECT_NE(message_of(make(0.1, 0.05)).find("band: expected at least one voxel"),
              std::string::npos);
    EXPECT_NE(message_of(make(1e-6, 0.1)).find("larger voxel"), std::string::npos);
    const auto triangle = mesh.triangles.back();
    mesh.triangles.pop_back();
    EXPECT_NE(message_of(make(0.1, 0.1)).find("surface: expected a closed surface"),
              std::string::npos);
    mesh.triangles.push_back({triangle[0], triangle[2], triangle[1]});
    EXPECT_NE(message_of(make(0.1, 0.1)).find("closed surface"), std::string::npos);
    mesh.triangles.back() = triangle;
    EXPECT_EQ(message_of(make(0.1, 0.1)), "");
    mesh.positions[3].y = std::nan("");
    EXPECT_NE(message_of(make(0.1, 0.1)).find("finite positions"), std::string::npos);
    mesh.triangles.clear();
    EXPECT_NE(message_of(make(0.1, 0.1)).find("finite positions"), std::string::npos);
    mesh.positions.clear();
    EXPECT_NE(message_of(make(0.1, 0.1)).find("no triangles"), std::string::npos);
}

TEST(level_set, side_of_a_body_that_crosses_itself) {
    MUSLIN_NEED_DATA(file, "bodies/f_smpl_template.obj");
    const TriangleMesh mesh = triangulate(read_mesh(file));
    ASSERT_GT(count_self_intersections(mesh.positions, mesh.triangles), 0u);
    const LevelSet s = LevelSet::from_mesh(view(mesh), {0.01, 0.03});
    const std::vector<Vec3> places = random_places(s.bounds(), 100000, 11);
    const std::vector<char> expected = inside(places, view(mesh));
    Referee referee(view(mesh));
    std::size_t wrong = 0, wrong_far = 0, within = 0;
    double worst = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        within += expected[i];
        const double d = s.distance(places[i]);
        if ((d < 0) != (expected[i] != 0)) {
            ++wrong;
            wrong_far += referee.distance(places[i]) > 0.5 * s.voxel_size();
        } else if (!expected[i] && d < 0.029)
            worst = std::max(worst, std::abs(d - referee.distance(places[i])));
    }
    std::printf("%zu places, %zu inside: side wrong for %zu, %zu of them farther than half a "
                "voxel; outside distances within %.1f mm\n",
                places.size(), within, wrong, wrong_far, 1000 * worst);
    EXPECT_LT(wrong, places.size() / 1000);
    EXPECT_EQ(wrong_far, 0u);
    EXPECT_GT(within, 4000u);
    EXPECT_LT(worst, 0.6 * s.voxel_size());
}
