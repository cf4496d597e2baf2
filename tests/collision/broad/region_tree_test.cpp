// Regions and their curvature [Volino95 4.1] against boxes alone and all pairs: what they leave out
// is never near.
#include "muslin/collision/broad/region_tree.h"

#include "collision/broad/meander.h"
#include "collision/detect/proximity_samples.h"
#include "muslin/base/parallel.h"

#include <gtest/gtest.h>

#include <set>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

struct Found {
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    DetectionWork work;
};

Found find(const Surfaces& surfaces, std::span<const Vec3> at, double margin, SelfSearch search) {
    ProximityDetector detector(surfaces, search);
    Found found;
    detector.find_all(at, margin, found.near, found.crossing);
    found.work = detector.work();
    return found;
}

// Both searches, pair by pair.
void expect_same(const Found& a, const Found& b, const std::string& where) {
    ASSERT_EQ(a.near.size(), b.near.size()) << where;
    for (std::size_t i = 0; i < a.near.size(); ++i)
        ASSERT_EQ(a.near[i].pair(), b.near[i].pair()) << where;
    ASSERT_EQ(a.crossing.size(), b.crossing.size()) << where;
    for (std::size_t i = 0; i < a.crossing.size(); ++i)
        ASSERT_TRUE(a.crossing[i].edge == b.crossing[i].edge &&
                    a.crossing[i].triangle == b.crossing[i].triangle)
            << where;
}

ClothInput cloth_of(PolygonMesh mesh, double thickness) {
    ClothInput cloth;
    cloth.name = "cloth";
    cloth.mesh = std::move(mesh);
    cloth.material.thickness = thickness;
    return cloth;
}

std::vector<PolygonMesh> sample_meshes() {
    return {
        make_irregular({.vertices = 700, .seed = 4, .jitter = 0.45}),
        make_grid({.columns = 25, .rows = 25, .diagonals = Diagonals::one}),
        make_cylinder({.radius = 0.2, .height = 0.8, .segments = 32, .bands = 20, .capped = false}),
        make_sphere({.radius = 0.3, .rings = 16, .segments = 32})};
}

} // namespace

// Crumpled from a little to beyond recognition, smoothly and by noise: everything between regular
// regions and triangles in disorder.
TEST(RegionTree, LosesNothingInCrumpledCloth) {
    std::size_t near = 0, crossings = 0, left_out = 0, cases = 0;
    for (const PolygonMesh& mesh : sample_meshes())
        for (int seed = 1; seed <= 24; ++seed) {
            State start;
            const Model model =
                build_model({{cloth_of(mesh, seed % 3 == 0 ? 1.2e-2 : 3e-3)}}, {}, start);
            const Surfaces surfaces(model);
            const Crumple crumple(seed, 0.015 * (seed % 12));
            Random noise(seed);
            std::vector<Vec3> at = start.positions;
            for (Vec3& x : at)
                x = crumple.at(x) + (seed % 4 == 0 ? 6e-3 : 0.0) * noise.vec3();
            const double margin = seed % 2 == 0 ? 0 : 4e-3;
            const Found boxes = find(surfaces, at, margin, SelfSearch::boxes);
            const Found regions = find(surfaces, at, margin, SelfSearch::regions);
            expect_same(regions, boxes, "seed " + std::to_string(seed));
            EXPECT_LE(regions.work.self_pairs, boxes.work.self_pairs);
            near += boxes.near.size();
            crossings += boxes.crossing.size();
            left_out += regions.work.self_pairs < boxes.work.self_pairs / 2;
            ++cases;
        }
    EXPECT_GT(near, 4000u);
    EXPECT_GT(crossings, 1000u);
    EXPECT_GT(left_out, cases / 3) << "nothing was left out: nothing was tested";
}

// The same against all pairs, which share no code with either search.
TEST(RegionTree, LosesNothingAgainstAllPairs) {
    for (int seed = 1; seed <= 6; ++seed) {
        State start;
        const Model model = build_model(
            {{cloth_of(make_irregular({.vertices = 300, .seed = unsigned(seed)}), 8e-3)}}, {},
            start);
        const Surfaces surfaces(model);
        const Crumple crumple(seed, 0.03 * seed);
        std::vector<Vec3> at = start.positions;
        for (Vec3& x : at)
            x = crumple.at(x);
        Found all;
        AllProximities(surfaces).find(at, 0, all.near, all.crossing);
        expect_same(find(surfaces, at, 0, SelfSearch::regions), all,
                    "seed " + std::to_string(seed));
    }
}

// Folds that hang over by more than 90 degrees, closed bit by bit until they touch: found at the
// very distance that counts.
TEST(RegionTree, FindsFoldsAsTheyClose) {
    const PolygonMesh mesh = make_irregular({.width = 1, .depth = 0.4, .vertices = 900});
    State start;
    const Model model = build_model({{cloth_of(mesh, 6e-3)}}, {}, start);
    const Surfaces surfaces(model);
    bool apart = false, touching = false;
    for (double angle = 96; angle <= 128; angle += 2) {
        const Meander meander(1, 2.5, angle);
        std::vector<Vec3> at = start.positions;
        for (Vec3& x : at)
            x = meander.at(x);
        const Found boxes = find(surfaces, at, 0, SelfSearch::boxes);
        const Found regions = find(surfaces, at, 0, SelfSearch::regions);
        expect_same(regions, boxes, "angle " + std::to_string(angle));
        (boxes.near.empty() ? apart : touching) = true;
        if (angle < 112) {
            EXPECT_LT(regions.work.self_pairs, boxes.work.self_pairs / 10);
        }
    }
    EXPECT_TRUE(apart && touching);
}

TEST(RegionTree, LeavesOutSmoothSheetsAltogether) {
    const PolygonMesh mesh = make_irregular({.vertices = 2000});
    State start;
    const Model model = build_model({{cloth_of(mesh, 2e-3)}}, {}, start);
    const Surfaces surfaces(model);
    std::vector<Vec3> at = start.positions;
    for (Vec3& x : at)
        x.y = 0.05 * std::sin(5 * x.x) * std::cos(4 * x.z);
    EXPECT_EQ(find(surfaces, at, 0, SelfSearch::regions).work.self_pairs, 0u);
    EXPECT_GT(find(surfaces, at, 0, SelfSearch::boxes).work.self_pairs, 10000u);
}

// A spiral staircase faces up everywhere and still lies over itself: only the contour tells.
TEST(RegionTree, FindsWhatFacesOneWayAndLiesOverItself) {
    const PolygonMesh mesh = make_irregular({.width = 4, .depth = 0.3, .vertices = 1500});
    for (double pitch : {5e-4, 0.02, 0.0}) {
        State start;
        const Model model = build_model({{cloth_of(mesh, 6e-3)}}, {}, start);
        const Surfaces surfaces(model);
        std::vector<Vec3> at = start.positions;
        for (Vec3& x : at) {
            const double radius = 0.35 + x.z, turn = x.x / 0.35;
            x = {radius * std::cos(turn), pitch * turn, radius * std::sin(turn)};
        }
        const Found boxes = find(surfaces, at, 0, SelfSearch::boxes);
        expect_same(find(surfaces, at, 0, SelfSearch::regions), boxes, std::to_string(pitch));
        EXPECT_EQ(boxes.near.empty(), pitch == 0.02);
    }
}

TEST(RegionTree, SameBitsOnAnyNumberOfThreads) {
    State start;
    const Model model =
        build_model({{cloth_of(make_irregular({.vertices = 1500}), 6e-3)}}, {}, start);
    const Surfaces surfaces(model);
    const Crumple crumple(5, 0.12);
    std::vector<Vec3> at = start.positions;
    for (Vec3& x : at)
        x = crumple.at(x);
    std::vector<std::array<int, 2>> first;
    for (int threads : {1, 2, 8}) {
        set_thread_count(threads);
        std::vector<Box> boxes;
        for (const auto& [a, b, c] : surfaces.triangles) {
            boxes.push_back(Box::around(at[a], at[b], at[c]));
            boxes.back().grow(3e-3);
        }
        RegionTree tree(surfaces.triangles, surfaces.point_count(), surfaces.half_thickness);
        tree.update(at, boxes, 0);
        std::vector<std::vector<std::array<int, 2>>> chunks(tree.chunk_count());
        tree.visit_self_pairs([&](std::size_t chunk, int a, int b) {
            chunks[chunk].push_back({a, b});
        });
        std::vector<std::array<int, 2>> pairs;
        for (const auto& chunk : chunks)
            pairs.insert(pairs.end(), chunk.begin(), chunk.end());
        if (threads == 1)
            first = pairs;
        EXPECT_EQ(pairs, first);
        EXPECT_GT(pairs.size(), 100u);
        EXPECT_EQ(std::set(pairs.begin(), pairs.end()).size(), pairs.size()) << "a pair came twice";
    }
    set_thread_count(0);
}

// Every level covers the surface once; the regions grow by about two; the contour of a region runs
// along its edges with the region on the left.
TEST(RegionLayout, LevelsCoverTheSurface) {
    for (const PolygonMesh& mesh : sample_meshes()) {
        const auto triangles = triangulate(mesh).triangles;
        const int points = static_cast<int>(mesh.positions.size());
        const RegionLayout layout = build_regions(triangles, points);
        std::vector<std::vector<int>> inside(layout.regions.size());
        for (int level = 0; level < layout.level_count(); ++level) {
            std::vector<int> covered(triangles.size(), 0);
            const int begin = layout.level_begin[level], end = layout.level_begin[level + 1];
            for (int r = begin; r < end; ++r) {
                const auto& region = layout.regions[r];
                const auto own = layout.triangles_of(region);
                inside[r].assign(own.begin(), own.end());
                std::set<int> below;
                for (int i = 0; i < region.child_count; ++i)
                    for (int t : inside[layout.children[region.first_child + i]])
                        below.insert(t);
                if (level > 0) {
                    EXPECT_EQ(below, std::set<int>(own.begin(), own.end()));
                }
                for (int t : inside[r])
                    ++covered[t];
                if (region.outline.corner_count == 0)
                    continue;
                // Directed edges of the triangles that have no opposite inside.
                std::set<std::array<int, 2>> open;
                std::vector<int> filled = inside[r];
                const auto filling = layout.filling(region.outline);
                filled.insert(filled.end(), filling.begin(), filling.end());
                EXPECT_EQ(std::set(filled.begin(), filled.end()).size(), filled.size());
                for (int t : filled)
                    for (int k = 0; k < 3; ++k) {
                        const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
                        if (!open.erase({b, a}))
                            open.insert({a, b});
                    }
                const auto loop = layout.contour(region.outline);
                for (std::size_t i = 0; i < loop.size(); ++i)
                    EXPECT_EQ(open.erase({loop[i], loop[(i + 1) % loop.size()]}), 1u);
                EXPECT_TRUE(open.empty());
            }
            EXPECT_EQ(covered, std::vector<int>(triangles.size(), 1));
            if (level > 0) {
                EXPECT_LT(end - begin, begin - layout.level_begin[level - 1]);
            }
        }
        EXPECT_EQ(inside.back().size(), triangles.size());
        EXPECT_LT(layout.level_count(), 14);
    }
}

// The contour test by itself, against the distances of all pairs of edges.
TEST(GraphContour, KeepsClearOfItself) {
    Random random(7);
    int clear = 0, crossing = 0;
    for (int i = 0; i < 3000; ++i) {
        GraphContour contour;
        const int count = 3 + i % 40;
        for (int k = 0; k < count; ++k) {
            const double turn = 2 * std::numbers::pi * k / count;
            const double radius = 1 + (i % 7) * 0.12 * random.number();
            contour.corners.push_back({radius * std::cos(turn), radius * std::sin(turn)});
        }
        if (i % 5 == 0)
            std::swap(contour.corners[0], contour.corners[count / 2]);
        const double distance = 0.02 * (i % 6);
        double least = HUGE_VAL, narrowest = 1;
        const auto corner = [&](int k) {
            const Vec2 c = contour.corners[(k + count) % count];
            return Vec3{c.x, c.y, 0};
        };
        for (int e = 0; e < count; ++e) {
            for (int f = e + 2; f < count; ++f)
                if ((f + 1) % count != e)
                    least = std::min(least, edge_edge_distance(corner(e), corner(e + 1), corner(f),
                                                               corner(f + 1))
                                                .squared);
            const Vec3 back = corner(e - 1) - corner(e), on = corner(e + 1) - corner(e);
            const double sine = cross(on, back).z / (norm(on) * norm(back));
            if (sine <= 0 && dot(on, back) > 0)
                narrowest = std::min(narrowest, -sine);
        }
        if (std::abs(std::sqrt(least) - distance) < 1e-9)
            continue;
        double notch = 0;
        const bool keeps = contour.keeps_clear(distance, notch);
        EXPECT_EQ(keeps, std::sqrt(least) > distance && narrowest > 0) << i;
        if (keeps) {
            EXPECT_NEAR(notch, narrowest, 1e-12);
        }
        ++(keeps ? clear : crossing);
    }
    EXPECT_GT(clear, 300);
    EXPECT_GT(crossing, 300);
}
