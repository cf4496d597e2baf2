#include "muslin/mesh/character.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <random>

namespace muslin {
namespace {

using Path = ClipChannel::Path;
using Interpolation = ClipChannel::Interpolation;

Quat about_z(double degrees) {
    const double half = degrees * std::numbers::pi / 360;
    return {0, 0, std::sin(half), std::cos(half)};
}

void expect_near(const Vec3& a, const Vec3& b, double tolerance = 1e-14) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

/// An arm along y with an elbow at height 1: vertices on the upper arm, on the elbow's blend, at
/// the hand. The hand has a morph sideways. The node of the mesh is far away, which a skin ignores.
Character arm() {
    Character out;
    out.mesh.positions = {{0, 0, 0}, {0, 1.5, 0}, {0, 2, 0}};
    out.nodes = {{"mesh", -1, {{100, 0, 0}, {}, {1, 1, 1}}},
                 {"shoulder", -1, {}},
                 {"elbow", 1, {{0, 1, 0}, {}, {1, 1, 1}}}};
    CharacterPart part;
    part.vertex_count = 3;
    part.node = 0;
    part.joints = {1, 2};
    part.inverse_bind.resize(2);
    part.inverse_bind[1].offset = {0, -1, 0};
    part.influence_begin = {0, 1, 3, 4};
    part.influence_joint = {0, 0, 1, 1};
    part.influence_weight = {1, 0.5, 0.5, 1};
    part.morphs = {{"sideways", {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}}};
    part.morph_weights = {0};
    out.parts = {part};
    const Quat q = about_z(90);
    out.clips = {{"bend",
                  {{2, Path::rotation, Interpolation::linear, {0, 1}, {0, 0, 0, 1, 0, 0, q.z, q.w}},
                   {0, Path::weights, Interpolation::linear, {0, 1}, {0, 0.5}}},
                  1}};
    return out;
}

TEST(Character, AnArmBendsAsComputedByHand) {
    const Character body = arm();
    std::vector<Vec3> at(3);
    pose_character(body, rest_pose(body), at);
    for (int v = 0; v < 3; ++v)
        expect_near(at[v], body.mesh.positions[v]);

    pose_character(body, sample_clip(body, find_clip(body, "bend"), 1), at);
    expect_near(at[0], {0, 0, 0});
    expect_near(at[1], {-0.25, 1.25, 0});
    expect_near(at[2], {-1, 1.5, 0});

    pose_character(body, sample_clip(body, body.clips[0], 0.5), at);
    const double r = std::sqrt(0.5);
    expect_near(at[2], {0.25 * r - r, 1 + 0.25 * r + r, 0});
    try {
        find_clip(body, "walk");
        FAIL() << "found a clip that is not there";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().expected, "one of 'bend'");
    }
}

TEST(Character, PartsWithoutASkinFollowTheirNode) {
    Character body = arm();
    body.parts[0].joints.clear();
    body.parts[0].node = 2;
    body.nodes[1].rest = {{0, 0, 5}, about_z(90), {2, 1, 1}};
    std::vector<Vec3> at(3);
    pose_character(body, rest_pose(body), at);
    // The hand (0, 2, 0) in the elbow is (0, 3, 0) in the shoulder.
    expect_near(at[2], {-3, 0, 5});
    body.parts[0].morph_weights = {1}; // (1, 3, 0), scaled to (2, 3, 0)
    pose_character(body, rest_pose(body), at);
    expect_near(at[2], {-3, 2, 5});
}

TEST(Character, InterpolatesAsGltfDefinesIt) {
    Character body = arm();
    ClipChannel cubic{1, Path::translation, Interpolation::cubic, {1, 3}, {}};
    cubic.values = {9, 9, 9, 0, 0, 0, 1, 0, 0, -1, 0, 0, 4, 0, 0, 9, 9, 9};
    ClipChannel step{1, Path::scale, Interpolation::step, {0, 2}, {1, 1, 1, 3, 3, 3}};
    body.clips = {{"c", {cubic, step}, 3}};
    const auto at = [&](double t) { return sample_clip(body, body.clips[0], t).nodes[1]; };
    EXPECT_DOUBLE_EQ(at(2).translation.x, 2.5); // 0.5 * 4 + 2 s * 0.125 * (1 + 1)
    EXPECT_EQ(at(0).translation.x, 0);
    EXPECT_EQ(at(7).translation.x, 4);
    EXPECT_EQ(at(1.999).scale.y, 1);
    EXPECT_EQ(at(2).scale.y, 3);
}

TEST(Character, RotationsTakeTheShorterWayAtAConstantRate) {
    CharacterPose a, b;
    a.nodes = {{{0, 0, 0}, about_z(10), {1, 1, 1}}};
    Quat far = about_z(130);
    b.nodes = {{{2, 0, 0}, {-far.x, -far.y, -far.z, -far.w}, {1, 3, 1}}};
    const NodeTransform quarter = blend_poses(a, b, 0.25).nodes[0];
    EXPECT_NEAR(quarter.rotation.z, about_z(40).z, 1e-15);
    EXPECT_NEAR(quarter.rotation.w, about_z(40).w, 1e-15);
    EXPECT_EQ(quarter.translation.x, 0.5);
    EXPECT_EQ(quarter.scale.y, 1.5);
    EXPECT_EQ(blend_poses(a, b, 1).nodes[0].rotation.z, -far.z);
    b.nodes[0].rotation = about_z(10 + 1e-7); // below what an arc cosine sees
    EXPECT_NEAR(blend_poses(a, b, 0.5).nodes[0].rotation.z, about_z(10 + 0.5e-7).z, 1e-16);
}

TEST(Character, ATransformComesBackFromItsMatrix) {
    std::mt19937 random(8);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int i = 0; i < 200; ++i) {
        NodeTransform t;
        const double q[] = {number(random), number(random), number(random), number(random)};
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        t.rotation = {q[0] / length, q[1] / length, q[2] / length, q[3] / length};
        t.translation = {number(random), 2, 3};
        t.scale = {i % 2 == 0 ? 0.5 : -2, 1.5 + number(random), 3};
        const auto back = decompose(affine(t));
        ASSERT_TRUE(back);
        for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
            expect_near(affine(*back) * p, affine(t) * p);
    }
    Affine shear;
    shear.linear.m[0][1] = 0.01;
    EXPECT_FALSE(decompose(shear));
}

TEST(Character, SkinningAgreesWithTheSumOverPointsForAnyNumberOfThreads) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] { return Vec3{number(random), number(random), number(random)}; };
    Character body = arm();
    CharacterPart& part = body.parts[0];
    const int count = 5000;
    part.vertex_count = count;
    body.mesh.positions.resize(count);
    part.morphs[0].offsets.resize(count);
    part.morph_weights = {0.7};
    part.influence_begin = {0};
    part.influence_joint.clear();
    part.influence_weight.clear();
    for (int v = 0; v < count; ++v) {
        body.mesh.positions[v] = vector();
        part.morphs[0].offsets[v] = vector();
        const double w = 0.5 + 0.5 * number(random);
        part.influence_joint.insert(part.influence_joint.end(), {0, 1});
        part.influence_weight.insert(part.influence_weight.end(), {w, 1 - w});
        part.influence_begin.push_back(2 * v + 2);
    }
    body.nodes[1].rest = {vector(), about_z(33), {1, 2, 3}};
    const CharacterPose pose = sample_clip(body, body.clips[0], 0.3);
    const std::vector<Affine> nodes = node_transforms(body, pose);
    std::vector<Vec3> one(count), many(count);
    set_thread_count(1);
    pose_character(body, pose, one);
    set_thread_count(3);
    pose_character(body, pose, many);
    set_thread_count(0);
    EXPECT_EQ(std::memcmp(one.data(), many.data(), count * sizeof(Vec3)), 0);
    for (int v = 0; v < count; ++v) {
        const Vec3 p =
            body.mesh.positions[v] + pose.morph_weights[0][0] * part.morphs[0].offsets[v];
        Vec3 sum = {0, 0, 0};
        for (int i = 2 * v; i < 2 * v + 2; ++i)
            sum += part.influence_weight[i] * (nodes[part.joints[part.influence_joint[i]]] *
                                               (part.inverse_bind[part.influence_joint[i]] * p));
        expect_near(one[v], sum, 1e-13);
    }
}

} // namespace
} // namespace muslin
