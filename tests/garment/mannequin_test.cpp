#include "muslin/base/error.h"
#include "muslin/garment/mannequin.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <tuple>

namespace muslin {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

Triangles triangles_of(const Character& character) {
    Triangles out(character.mesh.face_count());
    for (std::size_t t = 0; t < out.size(); ++t)
        for (int k = 0; k < 3; ++k)
            out[t][k] = character.mesh.corner_vertex[3 * t + k];
    return out;
}

const Character& standard() {
    static const Character character = make_mannequin({});
    return character;
}

TEST(mannequin, skin_is_closed_even_and_free_of_crossings) {
    const Character& character = standard();
    const Triangles triangles = triangles_of(character);
    const auto& x = character.mesh.positions;
    const MeshQuality quality = measure_quality(x, triangles);
    EXPECT_FALSE(find_defect(triangles, static_cast<int>(x.size())));
    EXPECT_EQ(quality.boundary_edges, 0);
    EXPECT_EQ(quality.components, 1);
    EXPECT_EQ(quality.euler, 2);
    EXPECT_GE(quality.triangles, 8000);
    EXPECT_LE(quality.triangles, 12000);
    EXPECT_GT(quality.min_angle, 20);
    EXPECT_GT(enclosed_volume(x, triangles), 0.05);
    EXPECT_EQ(count_self_intersections(x, triangles), 0u);
}

TEST(mannequin, both_sides_are_the_same) {
    const Character& character = standard();
    std::map<std::tuple<double, double, double>, int> at;
    const auto& x = character.mesh.positions;
    for (std::size_t v = 0; v < x.size(); ++v)
        at[{x[v].x, x[v].y, x[v].z}] = static_cast<int>(v);
    for (const Vec3& p : x)
        ASSERT_TRUE(at.contains({p.x == 0 ? 0 : -p.x, p.y, p.z}))
            << p.x << " " << p.y << " " << p.z;
}

TEST(mannequin, stands_on_the_floor_at_its_height_with_the_girths_asked_for) {
    for (const MannequinSettings& wanted :
         {MannequinSettings{},
          MannequinSettings{.height = 1.58, .bust = 1.08, .waist = 0.90, .hip = 1.16, .edge = 0.03},
          MannequinSettings{
              .height = 1.90, .bust = 0.86, .waist = 0.64, .hip = 0.92, .edge = 0.03}}) {
        const Character character = wanted.height == 1.72 ? standard() : make_mannequin(wanted);
        const MannequinMeasures is = measure_mannequin(character);
        double low = 1;
        for (const Vec3& p : character.mesh.positions)
            low = std::min(low, p.y);
        EXPECT_NEAR(low, 0, 0.003);
        EXPECT_NEAR(is.height, wanted.height, 0.005);
        EXPECT_NEAR(is.bust, wanted.bust, 0.015 * wanted.bust);
        EXPECT_NEAR(is.waist, wanted.waist, 0.015 * wanted.waist);
        EXPECT_NEAR(is.hip, wanted.hip, 0.015 * wanted.hip);
    }
}

// The room that a sleeve needs: a level line between the arm and the side of the chest.
TEST(mannequin, arms_leave_room_beside_the_chest) {
    double side = 0, arm = 1;
    for (const Vec3& p : standard().mesh.positions)
        if (std::abs(p.y - 1.25) < 0.02 && p.x > 0) {
            const bool on_arm = p.x > 0.22;
            side = on_arm ? side : std::max(side, p.x);
            arm = on_arm ? std::min(arm, p.x) : arm;
        }
    EXPECT_GT(arm - side, 0.03);
}

TEST(mannequin, weights_are_at_most_four_and_sum_to_one) {
    const CharacterPart& part = standard().parts.at(0);
    for (int v = 0; v < part.vertex_count; ++v) {
        double sum = 0;
        const int begin = part.influence_begin[v], end = part.influence_begin[v + 1];
        for (int i = begin; i < end; ++i)
            sum += part.influence_weight[i];
        ASSERT_LE(end - begin, 4);
        ASSERT_NEAR(sum, 1, 1e-12);
    }
}

std::vector<Vec3> posed(const char* clip, double time) {
    const Character& character = standard();
    std::vector<Vec3> out(character.mesh.positions.size());
    pose_character(character, sample_clip(character, find_clip(character, clip), time), out);
    return out;
}

TEST(mannequin, every_clip_starts_from_the_same_pose) {
    const std::vector<Vec3> first = posed("stand", 0);
    for (const char* clip : {"walk", "twirl", "sit", "t-pose", "twist", "dance"}) {
        const std::vector<Vec3> other = posed(clip, 0);
        double most = 0;
        for (std::size_t v = 0; v < first.size(); ++v)
            most = std::max(most, norm(other[v] - first[v]));
        EXPECT_LT(most, 1e-3) << clip;
    }
}

TEST(mannequin, limbs_do_not_run_into_each_other) {
    const Triangles triangles = triangles_of(standard());
    const std::pair<const char*, std::vector<double>> looks[] = {{"walk", {0, 0.9, 1.3, 1.5, 2.35}},
                                                                 {"twirl", {0.8, 1.5, 3.6}},
                                                                 {"sit", {1.0, 1.5, 3.5}},
                                                                 {"t-pose", {2}},
                                                                 {"twist", {0.7, 1.2}},
                                                                 {"dance", {2.5, 6.0, 6.85}}};
    for (const auto& [clip, times] : looks)
        for (const double time : times)
            EXPECT_EQ(count_self_intersections(posed(clip, time), triangles), 0u)
                << clip << " " << time;
}

// What touches the floor stays there until it leaves it.
TEST(mannequin, feet_do_not_slide_when_it_walks) {
    const std::size_t count = standard().mesh.positions.size();
    std::vector<Vec3> from(count);
    std::vector<char> down(count, 0);
    double slip = 0, lowest = 1;
    for (double time = 0; time <= 4; time += 1 / 30.0) {
        const std::vector<Vec3> x = posed("walk", time);
        double low = 1;
        for (std::size_t v = 0; v < count; ++v) {
            low = std::min(low, x[v].y);
            if (x[v].y < 0.003 && !down[v])
                from[v] = x[v];
            down[v] = x[v].y < 0.003;
            if (down[v])
                slip = std::max(slip, std::hypot(x[v].x - from[v].x, x[v].z - from[v].z));
        }
        ASSERT_LT(low, 0.003) << time; // it does not float
        lowest = std::min(lowest, low);
    }
    EXPECT_LT(slip, 0.02);
    EXPECT_GT(lowest, -0.004);
    const auto place = [](double time) {
        const Clip& clip = find_clip(standard(), "walk");
        return sample_clip(standard(), clip, time).nodes[0].translation;
    };
    EXPECT_NEAR((place(4).z - place(2).z) / 2, 1.1, 0.01);
}

TEST(mannequin, sits_at_the_height_of_a_chair) {
    double seat = 1;
    for (const Vec3& p : posed("sit", 3.5))
        seat = p.z < -0.2 ? std::min(seat, p.y) : seat;
    EXPECT_NEAR(seat, 0.45, 0.015);
}

TEST(mannequin, sizes_out_of_range_are_named) {
    try {
        make_mannequin({.waist = 0.3});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "waist");
        EXPECT_EQ(error.problem().found, "0.3");
    }
}

} // namespace
} // namespace muslin
