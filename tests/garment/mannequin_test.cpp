#include "mesh/enclosed_volume.h"
#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/garment/mannequin.h"
#include "muslin/mesh/measure.h"
#include "muslin/mesh/quality.h"
#include "muslin/mesh/topology.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

// Each test makes its own body, which takes half a second: what can share one does.

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

MeshQuality expect_sound_skin(const Character& character) {
    const Triangles triangles = triangles_of(character);
    const auto& x = character.mesh.positions;
    const MeshQuality quality = measure_quality(x, triangles);
    EXPECT_FALSE(find_defect(triangles, static_cast<int>(x.size())));
    EXPECT_EQ(quality.boundary_edges, 0);
    EXPECT_EQ(quality.components, 1);
    EXPECT_EQ(quality.euler, 2);
    EXPECT_GT(test::enclosed_volume(x, triangles), 0);
    EXPECT_EQ(count_self_intersections(x, triangles), 0u);
    return quality;
}

void expect_sizes(const Character& character, const MannequinSettings& wanted) {
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

void expect_both_sides_alike(const Character& character) {
    std::set<std::tuple<double, double, double>> places;
    for (const Vec3& p : character.mesh.positions)
        places.insert({p.x, p.y, p.z});
    for (const Vec3& p : character.mesh.positions)
        ASSERT_TRUE(places.contains({p.x == 0 ? 0 : -p.x, p.y, p.z})) << p.x << " " << p.y;
}

// The room that a sleeve needs: a level line between the arm and the side of the chest.
void expect_room_under_the_arms(const Character& character) {
    double side = 0, arm = 1;
    for (const Vec3& p : character.mesh.positions)
        if (std::abs(p.y - 1.25) < 0.02 && p.x > 0) {
            const bool on_arm = p.x > 0.22;
            side = on_arm ? side : std::max(side, p.x);
            arm = on_arm ? std::min(arm, p.x) : arm;
        }
    EXPECT_GT(arm - side, 0.03);
}

TEST(mannequin, skin_is_closed_even_symmetric_and_of_the_sizes_asked_for) {
    const Character character = make_mannequin({});
    const MeshQuality quality = expect_sound_skin(character);
    EXPECT_GE(quality.triangles, 8000);
    EXPECT_LE(quality.triangles, 12000);
    EXPECT_GT(quality.min_angle, 20);
    expect_sizes(character, {});
    expect_both_sides_alike(character);
    expect_room_under_the_arms(character);

    const CharacterPart& part = character.parts.at(0);
    for (int v = 0; v < part.vertex_count; ++v) {
        double sum = 0;
        const int begin = part.influence_begin[v], end = part.influence_begin[v + 1];
        for (int i = begin; i < end; ++i)
            sum += part.influence_weight[i];
        ASSERT_LE(end - begin, 4);
        ASSERT_NEAR(sum, 1, 1e-12);
    }
}

TEST(mannequin, extremes_have_sound_skins_of_the_sizes_asked_for) {
    const MannequinSettings large = {
        .height = 2.1, .bust = 1.3, .waist = 1.1, .hip = 1.4, .edge = 0.035};
    const MannequinSettings small = {
        .height = 1.4, .bust = 0.7, .waist = 0.5, .hip = 0.75, .arm_angle = 60, .edge = 0.035};
    for (const MannequinSettings& size : {large, small}) {
        const Character character = make_mannequin(size);
        expect_sound_skin(character);
        expect_sizes(character, size);
    }
}

TEST(mannequin, is_the_same_for_any_number_of_threads) {
    const auto make = [](int threads) {
        set_thread_count(threads);
        const Character out = make_mannequin({.edge = 0.035});
        set_thread_count(0);
        return out.mesh.positions;
    };
    const std::vector<Vec3> one = make(1), three = make(3);
    ASSERT_EQ(one.size(), three.size());
    for (std::size_t v = 0; v < one.size(); ++v)
        ASSERT_TRUE(one[v].x == three[v].x && one[v].y == three[v].y && one[v].z == three[v].z);
}

class Moving {
public:
    const Character character = make_mannequin({});

    std::vector<Vec3> at(const char* clip, double time) const {
        std::vector<Vec3> out(character.mesh.positions.size());
        pose_character(character, sample_clip(character, find_clip(character, clip), time), out);
        return out;
    }
};

void expect_one_first_pose(const Moving& body) {
    const std::vector<Vec3> first = body.at("stand", 0);
    for (const char* clip : {"walk", "twirl", "sit", "t-pose", "twist", "dance"}) {
        const std::vector<Vec3> other = body.at(clip, 0);
        double most = 0;
        for (std::size_t v = 0; v < first.size(); ++v)
            most = std::max(most, norm(other[v] - first[v]));
        EXPECT_LT(most, 1e-3) << clip;
    }
}

void expect_no_crossings(const Moving& body) {
    const Triangles triangles = triangles_of(body.character);
    const std::pair<const char*, std::vector<double>> looks[] = {{"walk", {0, 0.9, 1.3, 1.5, 2.35}},
                                                                 {"twirl", {0.8, 1.5, 3.6}},
                                                                 {"sit", {1.0, 1.5, 3.5}},
                                                                 {"t-pose", {2}},
                                                                 {"twist", {0.7, 1.2}},
                                                                 {"dance", {2.5, 6.0, 6.85}}};
    for (const auto& [clip, times] : looks)
        for (const double time : times)
            EXPECT_EQ(count_self_intersections(body.at(clip, time), triangles), 0u)
                << clip << " " << time;
}

// What touches the floor stays where it is until it leaves it.
void expect_planted_feet(const Moving& body) {
    const std::size_t count = body.character.mesh.positions.size();
    std::vector<Vec3> from(count);
    std::vector<char> down(count, 0);
    double slip = 0, lowest = 1;
    for (double time = 0; time <= 4; time += 1 / 30.0) {
        const std::vector<Vec3> x = body.at("walk", time);
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
}

TEST(mannequin, clips_start_alike_do_not_cross_and_do_not_slide) {
    const Moving body;
    expect_one_first_pose(body);
    expect_no_crossings(body);
    expect_planted_feet(body);

    const Clip& walk = find_clip(body.character, "walk");
    const auto way = [&](double time) {
        return sample_clip(body.character, walk, time).nodes[0].translation.z;
    };
    EXPECT_NEAR((way(4) - way(2)) / 2, 1.1, 0.01);

    double seat = 1;
    for (const Vec3& p : body.at("sit", 3.5))
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
