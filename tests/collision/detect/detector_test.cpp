// The detector against the comparison of all pairs: nothing that comes near is missed, whatever the
// motion, however often its trees were refitted.
#include "muslin/collision/detect/detector.h"

#include "collision/detect/pair_referee.h"
#include "math/random.h"
#include "muslin/base/parallel.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <iostream>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

ClothInput irregular_cloth(const std::string& name, int vertices, double thickness, unsigned seed) {
    ClothInput cloth;
    cloth.name = name;
    cloth.mesh = make_irregular({.vertices = vertices, .seed = seed, .jitter = 0.4});
    cloth.material.thickness = thickness;
    return cloth;
}

Body make_body(const std::string& name, PolygonMesh mesh, double thickness) {
    Body body;
    body.name = name;
    body.triangles = triangulate(mesh).triangles;
    body.mesh = std::move(mesh);
    body.thickness = thickness;
    return body;
}

// A smooth field of velocities that folds cloth, different for every seed.
class Swirl {
public:
    explicit Swirl(std::uint64_t seed) {
        Random random(seed);
        for (auto& wave : waves_) {
            wave.vector = 6.0 * random.vec3();
            wave.phase = 3 * random.number();
            wave.size = random.vec3();
        }
    }
    Vec3 at(const Vec3& x) const {
        Vec3 sum = {0, 0, 0};
        for (const auto& wave : waves_)
            sum += std::sin(dot(wave.vector, x) + wave.phase) * wave.size;
        return sum;
    }

private:
    struct Wave {
        Vec3 vector, size;
        double phase;
    };
    std::array<Wave, 5> waves_;
};

// Three cloths of different thickness in a heap, and two bodies that stand in each other: a ball
// that flies and turns, and a box.
struct Heap {
    explicit Heap(bool bodies_move) {
        std::vector<ClothInput> cloths = {irregular_cloth("thin", 400, 2e-3, 1),
                                          irregular_cloth("thick", 400, 6e-3, 2),
                                          irregular_cloth("middle", 400, 4e-3, 3)};
        for (int i = 0; i < 3; ++i)
            for (Vec3& p : cloths[i].mesh.positions)
                p = rotation_degrees({8.0 * i, 25.0 * i, 0}) * p + Vec3{0, 0.01 * i, 0};
        model = build_model(cloths, {}, start);
        Body ball = make_body("ball", make_sphere({.radius = 0.2, .rings = 8, .segments = 16}), 0);
        if (bodies_move) {
            ball.motion.translation = Animated<Vec3>({{0, {0, -0.4, 0}}, {1, {0.1, 0.4, 0.2}}});
            ball.motion.rotation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {90, 200, -30}}});
        }
        model.bodies.push_back(ball);
        model.bodies.push_back(make_body("box", make_box({{0.5, 0.1, 0.3}, 3}), 3e-3));
    }
    Model model;
    State start;
};

struct Tally {
    std::size_t near = 0, candidates = 0, between_cloths = 0, with_bodies = 0;
};

// Everything that a search must keep to. `more` than the thickness [m] is what counts as near, and
// boxes reach `slack` [m] further than the thickness.
void check_search(const Surfaces& surfaces, const Model& model, const Candidates& candidates,
                  std::span<const Vec3> begin, std::span<const Vec3> end, double more, double slack,
                  Tally& tally) {
    std::vector<PairKey> keys = keys_of(candidates);
    std::sort(keys.begin(), keys.end());
    ASSERT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end()) << "a pair came twice";
    const AllPairs referee(surfaces);
    for (const PairKey& key : keys) {
        const Contact c = contact_of(surfaces, key);
        const std::span<const int> points = c.points;
        const std::size_t cut = c.edges ? 2 : 1;
        const auto a = points.first(cut), b = points.subspan(cut);
        ASSERT_TRUE(referee.may_meet(a, b)) << "shares a point, or both are of bodies";
        double half_a = 0, half_b = 0;
        for (int p : a)
            half_a = std::max(half_a, surfaces.half_thickness[p]);
        for (int p : b)
            half_b = std::max(half_b, surfaces.half_thickness[p]);
        ASSERT_TRUE(overlap(AllPairs::box_of(a, begin, end, half_a + slack + 1e-12),
                            AllPairs::box_of(b, begin, end, half_b + slack + 1e-12)))
            << "no candidate: its boxes lie apart";
    }
    const std::vector<PairKey> near = referee.near_pairs(begin, end, more);
    std::vector<PairKey> missed;
    std::set_difference(near.begin(), near.end(), keys.begin(), keys.end(),
                        std::back_inserter(missed));
    EXPECT_TRUE(missed.empty()) << missed.size() << " of " << near.size() << " missed; the first: "
                                << (missed.empty() || missed[0][0] == 0 ? "vertex, face "
                                                                        : "edges ")
                                << (missed.empty() ? 0 : missed[0][1]) << ' '
                                << (missed.empty() ? 0 : missed[0][2]);
    tally.near += near.size();
    tally.candidates += keys.size();
    for (const PairKey& key : near) {
        const Contact c = contact_of(surfaces, key);
        const int a = c.points[0], b = c.points[c.edges ? 2 : 1];
        if (!surfaces.is_cloth(a) || !surfaces.is_cloth(b)) {
            ++tally.with_bodies;
            continue;
        }
        const auto cloth_of = [&](int p) {
            return model.dynamics.triangle_cloth[surfaces.triangle_of_point(p)];
        };
        if (cloth_of(a) != cloth_of(b))
            ++tally.between_cloths;
    }
}

Candidates search(Detector& detector, std::span<const Vec3> begin, std::span<const Vec3> end,
                  double margin) {
    Candidates found;
    found.vertex_face.push_back({-1, -1}); // to be replaced
    detector.set_motion(begin, end, margin);
    detector.find_self(found);
    detector.append_body(found);
    return found;
}

// Steps of very different sizes in a row: still, gentle, fast, and one that throws every particle
// somewhere else, so that trees are refitted, wear out and are built anew.
void check_steps(bool bodies_move, std::uint64_t seed, Tally& tally) {
    const Heap heap(bodies_move);
    const Surfaces surfaces(heap.model);
    Detector detector(surfaces);
    Random random(seed);
    const int particles = surfaces.particle_count();
    std::vector<Vec3> begin(surfaces.point_count()), end(surfaces.point_count());
    std::copy(heap.start.positions.begin(), heap.start.positions.end(), begin.begin());
    const double smooth[] = {0, 0.02, 0.05, 0.2, 0.02, 0.02, 0.1, 0.02};
    const double rough[] = {0, 0.002, 0.01, 0, 0.05, 0, 0.002, 0.3};
    for (int step = 0; step < 8; ++step) {
        surfaces.place_bodies(step / 8.0, begin);
        surfaces.place_bodies((step + 1) / 8.0, end);
        const Swirl swirl(seed + step);
        for (int i = 0; i < particles; ++i)
            end[i] = begin[i] + smooth[step] * swirl.at(begin[i]) + rough[step] * random.vec3();
        const double margin = step % 2 == 0 ? 0 : 1e-3;
        const Candidates found = search(detector, begin, end, margin);
        SCOPED_TRACE(step);
        check_search(surfaces, heap.model, found, begin, end, 2 * margin, margin, tally);
        if (testing::Test::HasFatalFailure())
            return;
        std::copy_n(end.begin(), particles, begin.begin());
    }
}

} // namespace

TEST(detector, heap_has_the_size_that_its_tests_speak_of) {
    const Heap heap(true);
    const Surfaces surfaces(heap.model);
    EXPECT_GT(surfaces.cloth_triangle_count(), 2000);
    EXPECT_GT(surfaces.body_triangle_count(), 300);
}

TEST(detector, misses_nothing_near_moving_bodies) {
    Tally tally;
    check_steps(true, 11, tally);
    EXPECT_GT(tally.between_cloths, 10000u);
    EXPECT_GT(tally.with_bodies, 10000u);
    EXPECT_GT(tally.near - tally.between_cloths - tally.with_bodies, 10000u) << "with itself";
    std::cout << tally.near << " pairs came near, " << tally.candidates << " candidates\n";
}

// Bodies that stand still keep their boxes from the first step, unless the margin changes.
TEST(detector, misses_nothing_near_bodies_that_stand) {
    Tally tally;
    check_steps(false, 12, tally);
    EXPECT_GT(tally.with_bodies, 10000u);
}

// Ends that move away from those that were searched, a few of them or many, by little or by much,
// several times in a row: the candidates follow.
TEST(detector, misses_nothing_when_ends_move) {
    for (const bool bodies_move : {false, true}) {
        const Heap heap(bodies_move);
        const Surfaces surfaces(heap.model);
        Detector detector(surfaces);
        const double margin = 1e-3;
        std::vector<Vec3> begin(surfaces.point_count()), end(surfaces.point_count());
        std::copy(heap.start.positions.begin(), heap.start.positions.end(), begin.begin());
        surfaces.place_bodies(0.4, begin);
        surfaces.place_bodies(0.5, end);
        const Swirl swirl(21);
        for (int i = 0; i < surfaces.particle_count(); ++i)
            end[i] = begin[i] + 0.03 * swirl.at(begin[i]);
        Candidates found = search(detector, begin, end, margin);
        Random random(22);
        Tally tally;
        std::size_t changes = 0;
        int round = 0;
        for (const double size : {0.0005, 0.05, 0.002, 0.2, 0.02, 0.0005}) {
            // Around some particle; everywhere in the fourth round.
            const Vec3 middle = end[100 * ++round];
            const double radius = size > 0.1 ? 10 : 0.3;
            for (int i = 0; i < surfaces.particle_count(); ++i)
                if (norm(end[i] - middle) < radius)
                    end[i] += size * random.vec3();
            const std::vector<PairKey> before = keys_of(found);
            detector.move_ends(end, found);
            changes += before != keys_of(found);
            SCOPED_TRACE(size);
            // Ends within the margin of those that were searched keep their boxes.
            check_search(surfaces, heap.model, found, begin, end, 0, 2 * margin, tally);
        }
        EXPECT_GE(changes, 4u);
        EXPECT_GT(tally.near, 10000u);
    }
}

TEST(detector, same_lists_for_any_number_of_threads) {
    const Heap heap(true);
    const Surfaces surfaces(heap.model);
    std::vector<std::vector<PairKey>> one;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        Detector detector(surfaces);
        std::vector<Vec3> begin(surfaces.point_count()), end(surfaces.point_count());
        std::copy(heap.start.positions.begin(), heap.start.positions.end(), begin.begin());
        std::vector<std::vector<PairKey>> lists;
        for (int step = 0; step < 5; ++step) {
            surfaces.place_bodies(step / 5.0, begin);
            surfaces.place_bodies((step + 1) / 5.0, end);
            const Swirl swirl(step);
            for (int i = 0; i < surfaces.particle_count(); ++i)
                end[i] = begin[i] + 0.1 * swirl.at(begin[i]);
            Candidates found = search(detector, begin, end, 1e-3);
            lists.push_back(keys_of(found));
            for (int i = 0; i < surfaces.particle_count(); i += 9)
                end[i] += 0.01 * swirl.at(end[i]);
            detector.move_ends(end, found);
            lists.push_back(keys_of(found));
            std::copy_n(end.begin(), surfaces.particle_count(), begin.begin());
        }
        if (threads == 1)
            one = lists;
        EXPECT_EQ(lists, one) << threads << " threads"; // the order too
    }
    set_thread_count(0);
    EXPECT_GT(one.back().size(), 1000u);
}

TEST(detector, misses_nothing_in_a_crumpled_cloth_of_10000_vertices) {
    State start;
    const Model model = build_model({irregular_cloth("sheet", 10000, 2e-3, 5)}, {}, start);
    const Surfaces surfaces(model);
    Detector detector(surfaces);
    std::vector<Vec3> begin = start.positions, end = begin;
    // A ball of cloth: a square of 1 m, layer on layer.
    for (int round = 0; round < 4; ++round) {
        search(detector, begin, end, 0);
        begin = end;
        const Swirl swirl(40 + round);
        for (std::size_t i = 0; i < begin.size(); ++i)
            end[i] = 0.9 * begin[i] + 0.12 * swirl.at(begin[i]);
    }
    for (std::size_t i = 0; i < begin.size(); ++i)
        end[i] = begin[i] + 0.05 * (end[i] - begin[i]);
    Tally tally;
    check_search(surfaces, model, search(detector, begin, end, 0), begin, end, 0, 0, tally);
    EXPECT_GT(tally.near, 10000u);
    std::cout << tally.near << " pairs came near, " << tally.candidates << " candidates\n";
}

// A seam joins a thick cloth to a thin one: triangles whose corners differ in thickness are
// searched with the thickness that their contact will have.
TEST(detector, misses_nothing_at_a_seam_of_thick_and_thin_cloth) {
    std::vector<ClothInput> cloths = {irregular_cloth("thick", 60, 0.05, 7),
                                      irregular_cloth("thin", 60, 0.001, 8),
                                      irregular_cloth("over", 80, 0.001, 9)};
    for (Vec3& p : cloths[1].mesh.positions)
        p.x += 1;
    for (Vec3& p : cloths[2].mesh.positions)
        p = {p.x + 0.5, 0.02, p.z};
    std::vector<std::vector<StitchingLayer::Vertex>> joints;
    const auto& left = cloths[0].mesh.positions;
    const auto& right = cloths[1].mesh.positions;
    for (int i = 0; i < static_cast<int>(left.size()); ++i)
        for (int j = 0; j < static_cast<int>(right.size()); ++j)
            if (norm(left[i] - right[j]) < 1e-6)
                joints.push_back({{0, i}, {1, j}});
    ASSERT_GE(joints.size(), 5u);
    for (const bool turned : {false, true}) {
        if (turned) {
            std::swap(cloths[0], cloths[1]);
            for (auto& joint : joints)
                std::swap(joint[0].vertex, joint[1].vertex);
        }
        State start;
        const Model model = build_model(cloths, joints, start);
        const Surfaces surfaces(model);
        Detector detector(surfaces);
        Tally tally;
        check_search(surfaces, model, search(detector, start.positions, start.positions, 0),
                     start.positions, start.positions, 0, 0, tally);
        EXPECT_GT(tally.near, 100u);
    }
}
