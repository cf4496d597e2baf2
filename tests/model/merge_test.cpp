// Particles that become one: numbers, layers, momentum, and what is refused.
#include "muslin/model/merge.h"

#include "linalg/dense.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace muslin::test {
namespace {

constexpr int side = 5; // vertices along a side of a grid

/// Grids side by side along x, `gap` apart, each 0.4 m wide and facing up.
struct Sections {
    Model model;
    Conditions conditions;
    State state;

    explicit Sections(int count, double gap = 0.1) {
        std::vector<ClothInput> cloths;
        for (int i = 0; i < count; ++i) {
            ClothInput cloth;
            cloth.name = "c" + std::to_string(i);
            cloth.mesh = make_grid({.width = 0.4, .depth = 0.4, .columns = side, .rows = side});
            for (Vec3& p : cloth.mesh.positions)
                p.x += i * (0.4 + gap);
            cloth.material.density = 0.1 * (i + 1);
            cloth.material.thickness = 0.001 * (i + 1);
            cloth.material.friction = 0.2 * (i + 1);
            cloths.push_back(std::move(cloth));
        }
        model = build_model(std::move(cloths), {}, state);
    }
    int particle(int cloth, int column, int row) const {
        return model.cloths[cloth].surface.vertex_particle[row * side + column];
    }
    /// The joints of the right side of one grid with the left side of the next.
    ParticleGroups seam(int cloth) const {
        ParticleGroups out;
        for (int row = 0; row < side; ++row)
            out.push_back({particle(cloth, side - 1, row), particle(cloth + 1, 0, row)});
        return out;
    }
};

Vec3 momentum(const Model& model, const State& state) {
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < model.mass.size(); ++i)
        sum += model.mass[i] * state.velocities[i];
    return sum;
}

TEST(Merge, NumbersKeepTheirOrderAndGroupsTheirFirstPlace) {
    const ParticleMap map = map_particles(8, {{5, 1}, {6, 5}, {2, 4}});
    EXPECT_EQ(map.to, (std::vector<int>{0, 1, 2, 3, 2, 1, 1, 4}));
    EXPECT_EQ(map.count, 5);
    EXPECT_EQ(map.groups(), (ParticleGroups{{1, 5, 6}, {2, 4}}));
}

TEST(Merge, AtOnceAndOneAfterTheOtherIsTheSame) {
    Random random(1);
    for (int round = 0; round < 50; ++round) {
        ParticleGroups groups;
        for (int i = 0; i < 6; ++i)
            groups.push_back({random.index(30), random.index(30)});
        const ParticleMap all = map_particles(30, groups);
        ParticleMap steps = map_particles(30, {});
        for (const auto& group : groups)
            steps = compose(steps,
                            map_particles(steps.count, {{steps.to[group[0]], steps.to[group[1]]}}));
        EXPECT_EQ(all.to, steps.to);
        EXPECT_EQ(all.count, steps.count);
        EXPECT_EQ(map_particles(30, all.groups()).to, all.to);
    }
}

TEST(Merge, ASewnSeamIsOneSurface) {
    const Sections s(2);
    const ParticleMap map = map_particles(s.model.particle_count(), s.seam(0));
    const Model merged = merge_particles(s.model, map);
    EXPECT_EQ(merged.particle_count(), 2 * side * side - side);
    EXPECT_FALSE(find_defect(merged.dynamics.triangles, merged.particle_count()));
    // One surface has the border of both without the seam, and hinges across it.
    EXPECT_EQ(build_topology(merged.dynamics.triangles).boundary_edges.size(), 6u * (side - 1));
    EXPECT_EQ(merged.dynamics.hinges.size(), s.model.dynamics.hinges.size() + side - 1);
    EXPECT_EQ(merged.stitching.joints.size(), 5u);
    for (const auto& joint : merged.stitching.joints)
        EXPECT_EQ(joint.size(), 2u);
    EXPECT_EQ(merged.dynamics.pattern.size(), s.model.dynamics.pattern.size());
    for (std::size_t t = 0; t < merged.dynamics.pattern.size(); ++t)
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(norm(merged.dynamics.pattern[t][k] - s.model.dynamics.pattern[t][k]), 0);
    // The same mesh sewn at the start is the same model but for its numbers.
    const auto total = [](const std::vector<double>& m) {
        return std::accumulate(m.begin(), m.end(), 0.0);
    };
    EXPECT_NEAR(total(merged.mass), total(s.model.mass), 1e-15);
    const int q = map.to[s.particle(0, side - 1, 2)];
    EXPECT_EQ(merged.mass[q],
              s.model.mass[s.particle(0, side - 1, 2)] + s.model.mass[s.particle(1, 0, 2)]);
    EXPECT_EQ(merged.collision.thickness[q], 0.002);
    EXPECT_NEAR(merged.collision.friction[q], 0.3, 1e-15);
    EXPECT_EQ(merged.collision.triangles, merged.dynamics.triangles);
}

TEST(Merge, MomentumStaysAndWhatIsApartKeepsEveryBit) {
    Sections s(2);
    Random random(2);
    for (Vec3& v : s.state.velocities)
        v = random.vec();
    s.state.contact_force.assign(s.model.mass.size(), 0.5);
    const ParticleMap map = map_particles(s.model.particle_count(), s.seam(0));
    const Model merged = merge_particles(s.model, map);
    State state = s.state;
    merge_state(s.model, merged, map, state);
    EXPECT_LT(norm(momentum(merged, state) - momentum(s.model, s.state)), 1e-15);
    const int p = s.particle(0, side - 1, 1), q = s.particle(1, 0, 1), m = map.to[p];
    // The second cloth is twice as heavy.
    const Vec3 centre = (1.0 / 3) * s.state.positions[p] + (2.0 / 3) * s.state.positions[q];
    EXPECT_LT(norm(state.positions[m] - centre), 1e-15);
    EXPECT_EQ(state.contact_force[m], 1.0);
    int apart = 0;
    for (int i = 0; i < s.model.particle_count(); ++i)
        if (std::count(map.to.begin(), map.to.end(), map.to[i]) == 1) {
            EXPECT_EQ(norm(state.positions[map.to[i]] - s.state.positions[i]), 0);
            EXPECT_EQ(norm(state.velocities[map.to[i]] - s.state.velocities[i]), 0);
            ++apart;
        }
    EXPECT_EQ(apart, s.model.particle_count() - 2 * side);
}

TEST(Merge, WhatRefersToParticlesIsToldTheNewNumbers) {
    Sections s(2);
    const ParticleGroups seam = s.seam(0);
    const int a = seam[0][0], b = seam[0][1], other = s.particle(0, 0, 0);
    const std::vector<int> both = {std::min(a, b), std::max(a, b)};
    s.model.regions = {{"r", 0, both}};
    Pin pin;
    pin.particles = both;
    pin.start = {{1, 0, 0}, {2, 0, 0}};
    pin.frames = {{{3, 0, 0}, {4, 0, 0}}};
    s.conditions.pins = {pin};
    Pull pull;
    pull.particles = both;
    s.conditions.pulls = {pull};
    Load load;
    load.particles = both;
    s.model.loads = {load};
    Link link;
    link.particles = {a, b};
    s.model.dynamics.links = {link};
    link.particles = {other, b};
    s.model.dynamics.links.push_back(link);
    Sticking sticking;
    sticking.particles = both;
    sticking.triangles = {{a, s.particle(0, side - 2, 0), s.particle(0, side - 2, 1)}};
    s.model.stickings = {sticking};
    s.state.bonds = {{0, both[0], 0, {1, 0, 0}, 0.1, 1}, {0, both[1], 0, {0, 1, 0}, 0.2, 1}};
    Seam open;
    open.joints = seam;
    s.model.seams = {open};
    s.model.dynamics.rest_angles.assign(s.model.dynamics.hinges.size(), 0.5);
    s.state.strain_history.hinges.assign(s.model.dynamics.hinges.size(), 0.25);

    const ParticleMap map = map_particles(s.model.particle_count(), {seam[0]});
    const Model merged = merge_particles(s.model, map);
    merge_state(s.model, merged, map, s.state);
    merge_conditions(map, s.conditions);
    const int q = map.to[a];
    const std::vector<int> one = {q};
    EXPECT_EQ(merged.regions[0].particles, one);
    EXPECT_EQ(s.conditions.pins[0].particles, one);
    ASSERT_EQ(s.conditions.pins[0].start.size(), 1u);
    EXPECT_EQ(s.conditions.pins[0].start[0].x, 1);
    EXPECT_EQ(s.conditions.pins[0].frames[0].size(), 1u);
    EXPECT_EQ(s.conditions.pulls[0].particles, one);
    EXPECT_EQ(merged.loads[0].particles, one);
    ASSERT_EQ(merged.dynamics.links.size(), 1u); // one to itself is none
    EXPECT_EQ(merged.dynamics.links[0].particles, (std::array{map.to[other], q}));
    EXPECT_EQ(merged.stickings[0].particles, one);
    EXPECT_EQ(merged.stickings[0].triangles[0][0], q);
    ASSERT_EQ(s.state.bonds.size(), 1u);
    EXPECT_EQ(s.state.bonds[0].particle, q);
    EXPECT_EQ(s.state.bonds[0].height, 0.1);
    ASSERT_EQ(merged.seams[0].joints.size(), seam.size() - 1);
    EXPECT_TRUE(std::is_sorted(merged.seams[0].joints[0].begin(), merged.seams[0].joints[0].end()));
    EXPECT_EQ(merged.cloths[1].surface.vertex_particle[0], q);
    // No hinge came to be by one vertex; with two there is one, flat and without history.
    EXPECT_EQ(merged.dynamics.hinges.size(), s.model.dynamics.hinges.size());
    const ParticleMap two = map_particles(s.model.particle_count(), {seam[0], seam[1]});
    const Model sewn = merge_particles(s.model, two);
    State end = s.state;
    end.strain_history.hinges.assign(s.model.dynamics.hinges.size(), 0.25);
    end.positions.assign(s.model.mass.size(), {0, 0, 0});
    end.velocities = end.positions;
    end.bonds.clear();
    merge_state(s.model, sewn, two, end);
    EXPECT_EQ(sewn.dynamics.hinges.size(), s.model.dynamics.hinges.size() + 1);
    EXPECT_EQ(std::count(sewn.dynamics.rest_angles.begin(), sewn.dynamics.rest_angles.end(), 0.0),
              1);
    EXPECT_EQ(std::count(end.strain_history.hinges.begin(), end.strain_history.hinges.end(), 0.25),
              static_cast<std::ptrdiff_t>(s.model.dynamics.hinges.size()));
}

TEST(Merge, RefusesWhatNoClothCanBe) {
    const Sections s(3);
    // The two ends of an edge; three borders on one line; one turned over.
    const std::vector<int> edge = {s.particle(0, 0, 0), s.particle(0, 1, 0)};
    EXPECT_EQ(choose_groups(s.model, {edge}).refused.size(), 1u);
    ParticleGroups crowded = s.seam(0);
    for (int row = 0; row < side; ++row)
        crowded[row].push_back(s.particle(2, 0, row));
    const MergeChoice three = choose_groups(s.model, crowded);
    EXPECT_EQ(three.groups.size(), 3u); // every other: they share no edge
    EXPECT_EQ(three.refused.size(), 2u);
    EXPECT_NE(three.refused[0].reason.find("more than two triangles"), std::string::npos);
    ParticleGroups turned;
    for (int row = 0; row < side; ++row)
        turned.push_back({s.particle(0, side - 1, row), s.particle(1, 0, side - 1 - row)});
    EXPECT_NE(choose_groups(s.model, turned).refused.at(0).reason.find("opposite ways"),
              std::string::npos);
    // What can be taken is, whatever is refused beside it.
    ParticleGroups mixed = s.seam(0);
    mixed.insert(mixed.begin() + 2, edge);
    const MergeChoice choice = choose_groups(s.model, mixed);
    EXPECT_EQ(choice.groups, s.seam(0));
    ASSERT_EQ(choice.refused.size(), 1u);
    EXPECT_EQ(choice.refused[0].group, edge);
}

TEST(Merge, JointsMeetWithinTheirDistanceAndWindow) {
    Sections s(2, 0.1);
    Seam seam;
    seam.joints = s.seam(0);
    seam.meet_distance = 0.05;
    s.model.seams = {seam};
    EXPECT_NEAR(joint_width(seam.joints[0], s.state.positions), 0.1, 1e-12);
    EXPECT_TRUE(joints_that_met(s.model, s.state).empty());
    s.state.positions[seam.joints[1][1]].x -= 0.06;
    EXPECT_EQ(joints_that_met(s.model, s.state), (ParticleGroups{seam.joints[1]}));
    s.model.seams[0].window.start = 1;
    EXPECT_TRUE(joints_that_met(s.model, s.state).empty());
}

} // namespace
} // namespace muslin::test
