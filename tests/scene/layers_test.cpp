// The layers of a cloth: what is read, what is built, what is refused.
#include "muslin/mesh/measure.h"
#include "muslin/mesh/topology.h"
#include "muslin/scene/build_scene.h"
#include "scene_testing.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;

BuiltScene build(const std::string& text) {
    return build_scene(parse(text));
}

double total_mass(const Model& model) {
    return std::accumulate(model.mass.begin(), model.mass.end(), 0.0);
}

const std::string sheet = R"(
[[cloth]]
material = { base = "cotton", density = 0.2 }
mesh = { type = "grid", width = 1, depth = 1, columns = 5, rows = 5 }
)";

TEST(Layers, OneMeshIsAllOfThemUnlessSaidOtherwise) {
    const Model model = build(sheet).model;
    const Cloth& cloth = model.cloths[0];
    EXPECT_TRUE(cloth.surface_pulls);
    EXPECT_EQ(cloth.particles, cloth.surface.vertex_particle);
    EXPECT_EQ(model.collision.triangles, model.dynamics.triangles);
    EXPECT_TRUE(model.collision.pattern.empty());
    EXPECT_EQ(&model.collision_pattern(), &model.dynamics.pattern);
}

TEST(Layers, VerticesAreMatchedByPlace) {
    // The dynamics layer has the 25 vertices of the surface and 16 middles; the collision layer
    // is coarser, every other vertex.
    const BuiltScene built = build(sheet + R"(
dynamics = { mesh = { type = "grid", columns = 5, rows = 5, diagonals = "crossed" } }
collision = { mesh = { type = "grid", columns = 3, rows = 3 } }
position = [3, 1, 2]
rotation = [0, 30, 10]
scale = 0.5
)");
    const Model& model = built.model;
    const Cloth& cloth = model.cloths[0];
    EXPECT_FALSE(cloth.surface_pulls);
    EXPECT_EQ(model.particle_count(), 41);
    EXPECT_EQ(cloth.particles.size(), 41u);
    EXPECT_EQ(cloth.surface.vertex_particle.size(), 25u);
    EXPECT_EQ(model.dynamics.triangles.size(), 64u);
    EXPECT_EQ(model.collision.triangles.size(), 8u);
    EXPECT_NEAR(total_mass(model), 0.2 * 0.25, 1e-12);
    for (std::size_t v = 0; v < 25; ++v)
        EXPECT_LT(norm(built.start.positions[cloth.particles[v]] - cloth.surface.mesh.positions[v]),
                  1e-12);
    // Each layer covers the sheet, on its pattern and in space.
    const auto area = [&](const auto& triangles, const auto& pattern) {
        double flat = 0, space = 0;
        for (std::size_t t = 0; t < triangles.size(); ++t) {
            const auto& [a, b, c] = pattern[t];
            flat += std::abs(cross(b - a, c - a)) / 2;
            const auto& x = built.start.positions;
            const auto& [i, j, k] = triangles[t];
            space += norm(cross(x[j] - x[i], x[k] - x[i])) / 2;
        }
        EXPECT_NEAR(space, flat, 1e-12);
        return flat;
    };
    EXPECT_NEAR(area(model.dynamics.triangles, model.dynamics.pattern), 0.25, 1e-12);
    EXPECT_NEAR(area(model.collision.triangles, model.collision_pattern()), 0.25, 1e-12);
}

TEST(Layers, WhatIsNotGivenIsTheMesh) {
    const Model model = build(sheet + R"(
surface = { mesh = { type = "grid", columns = 3, rows = 3 } }
)")
                            .model;
    EXPECT_EQ(model.cloths[0].surface.vertex_particle.size(), 9u);
    EXPECT_EQ(model.particle_count(), 25);
    EXPECT_EQ(model.dynamics.triangles.size(), 32u);
    EXPECT_EQ(model.collision.triangles.size(), 32u);
    EXPECT_EQ(std::set<std::set<int>>([&] {
                  std::set<std::set<int>> out;
                  for (const auto& t : model.collision.triangles)
                      out.insert({t.begin(), t.end()});
                  return out;
              }())
                  .size(),
              32u);
}

TEST(Layers, AClothMayHaveNoneThatTouchesOrPulls) {
    EXPECT_TRUE(build(sheet + "collision = \"none\"\n").model.collision.triangles.empty());
    const Model loose = build(sheet + R"(
dynamics = "none"
[[cloth.points]]
mesh = { type = "grid", width = 1, depth = 1, columns = 5, rows = 5 }
mass = 0.5
)")
                            .model;
    EXPECT_TRUE(loose.dynamics.triangles.empty());
    EXPECT_EQ(loose.collision.triangles.size(), 32u);
    EXPECT_EQ(loose.particle_count(), 25) << "points on vertices are those";
    for (const double m : loose.mass)
        EXPECT_NEAR(m, 0.02, 1e-15);
    // A weight gives mass to what has none, evenly.
    const Model weighed = build(sheet + R"(
dynamics = "none"
[[weight]]
box = { min = [-1, -1, -1], max = [1, 1, 1] }
mass = 1
)")
                              .model;
    for (const double m : weighed.mass)
        EXPECT_NEAR(m, 0.04, 1e-15);
}

TEST(Layers, EveryParticleNeedsMass) {
    const Problem finer = problem_of([] {
        build(sheet + R"(
surface = { mesh = { type = "grid", columns = 9, rows = 9 } }
)");
    });
    EXPECT_EQ(finer.key, "cloth 'cloth'");
    EXPECT_NE(finer.expected.find("mass"), std::string::npos);
    EXPECT_EQ(finer.found, "none for vertex 1 at (-0.375, 0, -0.5) m");
    const Problem none = problem_of([] { build(sheet + "dynamics = \"none\"\n"); });
    EXPECT_EQ(none.found, "none for vertex 0 at (-0.5, 0, -0.5) m");
}

TEST(Layers, RefusesWhatCannotBe) {
    EXPECT_EQ(problem_in(sheet + "surface = \"none\"\n").expected, "a table { mesh = ... }");
    EXPECT_EQ(problem_in(sheet + "dynamics = true\n").expected,
              "\"none\", or a table { mesh = ... }");
    EXPECT_EQ(problem_in(sheet + "collision = { grid = 1 }\n").expected, "a key of 'layer'");
    EXPECT_EQ(problem_in(sheet + "collision = {}\n").key, "cloth[0].collision.mesh");
    EXPECT_EQ(problem_in(sheet + R"(
surface = { mesh = { type = "grid" } }
dynamics = { mesh = { type = "grid" } }
collision = "none"
)")
                  .found,
              "all three are given");
    EXPECT_EQ(problem_in("[[cloth]]\nsurface = { mesh = { type = \"grid\" } }\n").key,
              "cloth[0].mesh");
}

TEST(Points, FillABoxOrTheInsideOfTheSurface) {
    const Model block = build(R"(
[[cloth]]
mesh = { type = "grid", width = 0.4, depth = 0.4, columns = 5, rows = 5 }
scale = 2
[[cloth.points]]
name = "below"
spacing = 0.1
box = { min = [-0.2, -0.2, -0.2], max = [0.2, 0, 0.2] }
mass = 3
)")
                            .model;
    EXPECT_EQ(block.particle_count(), 75) << "5 x 3 x 5, the upper layer on the grid";
    ASSERT_EQ(block.regions.size(), 1u);
    EXPECT_EQ(block.regions[0].name, "below");
    EXPECT_EQ(block.regions[0].particles.size(), 75u);
    EXPECT_NEAR(total_mass(block), 3 + 0.15 * 0.64, 1e-12);

    const BuiltScene ball = build(R"(
[[cloth]]
mesh = { type = "sphere", radius = 0.2, rings = 12, segments = 24 }
position = [0, 1, 0]
[[cloth.points]]
name = "inside"
spacing = 0.05
margin = 0.03
mass = 1
)");
    const std::vector<int>& inside = ball.model.regions[0].particles;
    EXPECT_GT(inside.size(), 80u);
    for (const int p : inside)
        EXPECT_LT(norm(ball.start.positions[p] - Vec3{0, 1, 0}), 0.171);
    // Inner points come after the surface's vertices.
    EXPECT_EQ(ball.model.cloths[0].particles.size(),
              ball.model.cloths[0].surface.vertex_particle.size() + inside.size());
}

TEST(Points, CanBeSelected) {
    const Model model = build(sheet + R"(
[[cloth.points]]
places = [[0, -1, 0], [0, -2, 0]]
mass = 1
[[region]]
name = "numbers"
vertices = [3, 26]
[[region]]
name = "low"
box = { min = [-1, -9, -1], max = [1, -0.5, 1] }
[[region]]
name = "lowest"
nearest = [[0, -7, 0]]
)")
                            .model;
    const std::vector<int>& particles = model.cloths[0].particles;
    std::vector<int> numbers = {particles[3], particles[26]}, low = {particles[25], particles[26]};
    std::sort(numbers.begin(), numbers.end());
    std::sort(low.begin(), low.end());
    EXPECT_EQ(model.regions[0].particles, numbers);
    EXPECT_EQ(model.regions[1].particles, low);
    EXPECT_EQ(model.regions[2].particles, std::vector<int>{particles[26]});
    EXPECT_EQ(
        problem_of([] { build(sheet + "[[region]]\nname = \"x\"\nvertices = [25]\n"); }).found,
        "25");
}

TEST(Regions, MayBeLayers) {
    const Model model = build(sheet + R"(
dynamics = { mesh = { type = "grid", columns = 5, rows = 5, diagonals = "crossed" } }
collision = { mesh = { type = "grid", columns = 3, rows = 3 } }
[[cloth.points]]
places = [[0, -1, 0]]
mass = 1
[[region]]
name = "drawn"
layer = "surface"
[[region]]
name = "pulling"
layer = "dynamics"
[[region]]
name = "touching"
layer = "collision"
)")
                            .model;
    EXPECT_EQ(model.regions[0].particles.size(), 25u);
    EXPECT_EQ(model.regions[1].particles.size(), 41u);
    EXPECT_EQ(model.regions[2].particles.size(), 9u);
    EXPECT_EQ(problem_in(sheet + "[[region]]\nname = \"x\"\nlayer = \"inner\"\n").key,
              "region[0].layer");
    EXPECT_EQ(problem_of([] {
                  build(sheet + "collision = \"none\"\n[[region]]\nname = \"x\"\nlayer = "
                                "\"collision\"\n");
              }).found,
              "a selection that matches nothing");
}

TEST(Points, OfCopiesHaveTheirNumbers) {
    const Model model = build(sheet + R"(
repeat = { count = 2, offset = [0, 5, 0] }
[[cloth.points]]
name = "bead"
places = [[0, -1, 0]]
mass = 1
)")
                            .model;
    ASSERT_EQ(model.regions.size(), 2u);
    EXPECT_EQ(model.regions[1].name, "bead1");
    EXPECT_EQ(model.regions[1].particles, std::vector<int>{model.cloths[1].particles[25]});
}

TEST(Points, RefusesWhatCannotBe) {
    const std::string points = sheet + "[[cloth.points]]\nmass = 1\n";
    EXPECT_EQ(problem_in(points).found, "none");
    EXPECT_EQ(problem_in(points + "spacing = 0.1\nplaces = [[0, 0, 0]]\n").found,
              "places and spacing");
    EXPECT_EQ(problem_in(sheet + "[[cloth.points]]\nplaces = [[0, 0, 0]]\n").key,
              "cloth[0].points[0].mass");
    EXPECT_EQ(problem_in(points + "places = [[0, 0, 0]]\nmargin = 1\n").found, "'margin'");
    EXPECT_EQ(problem_of([&] { build(points + "spacing = 0.1\n"); }).found, "an open one");
    EXPECT_NE(problem_of([&] {
                  build(points + "spacing = 1e-4\nbox = { min = [-1, -1, -1], max = [1, 1, 1] }\n");
              }).expected.find("at most"),
              std::string::npos);
}

TEST(FoldedGrid, KeepsItsPattern) {
    const BuiltScene built = build(R"(
[[cloth]]
mesh = { type = "grid", width = 1.2, depth = 0.5, columns = 13, rows = 5, folds = 2, fold_angle = 80 }
)");
    const Model& model = built.model;
    const PatternEdges edges = pattern_edges(model.dynamics.triangles, model.dynamics.pattern);
    const EdgeStretch stretch = edge_stretch(built.start.positions, edges.edges, edges.lengths);
    EXPECT_NEAR(stretch.max, 1, 1e-12);
    EXPECT_NEAR(stretch.min, 1, 1e-12);
    double low = 1, high = -1;
    for (const Vec3& x : built.start.positions) {
        low = std::min(low, x.y);
        high = std::max(high, x.y);
    }
    EXPECT_NEAR(low, 0, 1e-12);
    EXPECT_NEAR(high, 0.4 * std::sin(40 * 3.14159265358979 / 180), 1e-9);
    EXPECT_NE(problem_in("[[cloth]]\nmesh = { type = \"grid\", columns = 12, folds = 2 }\n")
                  .expected.find("divides 11"),
              std::string::npos);
}

} // namespace
} // namespace muslin
