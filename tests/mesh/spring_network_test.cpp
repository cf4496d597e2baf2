// Which vertices springs join, on grids, lattices, irregular meshes, closed surfaces and seams.
#include "muslin/mesh/spring_network.h"

#include "muslin/mesh/generators.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/mesh/vertex_fans.h"
#include "muslin/pattern/flat_garments.h"
#include "muslin/pattern/irregular_sheet.h"

#include "mesh/mesh_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

namespace muslin {
namespace {

using Pair = std::array<int, 2>;

TriangleMesh flattened(const PolygonMesh& source, RestShape rest = RestShape::texcoords) {
    TriangleMesh mesh = triangulate(source);
    set_material_coordinates(mesh, source, rest);
    return mesh;
}
SpringNetwork network(const TriangleMesh& mesh) {
    return build_spring_network(mesh.triangles, mesh.material);
}
PolygonMesh grid(int columns, int rows, Diagonals diagonals = Diagonals::one) {
    return make_grid({.width = 0.01 * (columns - 1),
                      .depth = 0.013 * (rows - 1),
                      .columns = columns,
                      .rows = rows,
                      .diagonals = diagonals});
}

struct Pairs {
    std::set<Pair> structural, shear, flexion;
};
Pairs pairs(const SpringNetwork& n) {
    Pairs out;
    out.structural.insert(n.structural.begin(), n.structural.end());
    for (const auto& s : n.shear)
        out.shear.insert(s.vertices);
    for (const auto& f : n.flexion)
        out.flexion.insert(f.ends);
    return out;
}

// Every list holds each pair once, and no pair is in two of them.
void expect_each_pair_once(const SpringNetwork& n, int vertices) {
    const Pairs p = pairs(n);
    EXPECT_EQ(p.structural.size(), n.structural.size());
    EXPECT_EQ(p.shear.size(), n.shear.size());
    EXPECT_EQ(p.flexion.size(), n.flexion.size());
    std::set<Pair> all = p.structural;
    all.insert(p.shear.begin(), p.shear.end());
    all.insert(p.flexion.begin(), p.flexion.end());
    EXPECT_EQ(all.size(), n.spring_count());
    for (const Pair& pair : all) {
        ASSERT_LT(pair[0], pair[1]);
        ASSERT_GE(pair[0], 0);
        ASSERT_LT(pair[1], vertices);
    }
}

// The numbers of [Bayraktar07 5], whichever way the quads were cut.
TEST(SpringNetwork, GridsHaveTheSpringsOfThePaper) {
    for (const Diagonals cut : {Diagonals::one, Diagonals::alternating}) {
        const TriangleMesh hanging = flattened(grid(24, 30, cut));
        const SpringNetwork a = network(hanging);
        EXPECT_EQ(hanging.positions.size(), 720u);
        EXPECT_EQ(hanging.triangles.size(), 1334u);
        EXPECT_EQ(a.structural.size(), 1386u);
        EXPECT_EQ(a.shear.size(), 1334u);
        EXPECT_EQ(a.flexion.size(), 1332u);
        EXPECT_EQ(a.spring_count(), 4052u);
        const TriangleMesh table = flattened(grid(26, 26, cut));
        const SpringNetwork b = network(table);
        EXPECT_EQ(table.positions.size(), 676u);
        EXPECT_EQ(table.triangles.size(), 1250u);
        EXPECT_EQ(b.structural.size(), 1300u);
        EXPECT_EQ(b.shear.size(), 1250u);
        EXPECT_EQ(b.flexion.size(), 1248u);
        EXPECT_EQ(b.spring_count(), 3798u);
    }
}

TEST(SpringNetwork, GridsJoinTheVerticesThatThePaperNames) {
    const int columns = 7, rows = 5;
    const SpringNetwork n = network(flattened(grid(columns, rows, Diagonals::alternating)));
    Pairs expected;
    const auto at = [&](int i, int j) { return j * columns + i; };
    const auto join = [&](std::set<Pair>& to, int i, int j, int k, int l) {
        if (std::min({k, l, i, j}) >= 0 && std::max(i, k) < columns && std::max(j, l) < rows)
            to.insert({std::min(at(i, j), at(k, l)), std::max(at(i, j), at(k, l))});
    };
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            join(expected.structural, i, j, i + 1, j);
            join(expected.structural, i, j, i, j + 1);
            join(expected.shear, i, j, i + 1, j + 1);
            join(expected.shear, i + 1, j, i, j + 1);
            join(expected.flexion, i, j, i + 2, j);
            join(expected.flexion, i, j, i, j + 2);
        }
    const Pairs found = pairs(n);
    EXPECT_EQ(found.structural, expected.structural);
    EXPECT_EQ(found.shear, expected.shear);
    EXPECT_EQ(found.flexion, expected.flexion);
    for (const auto& f : n.flexion) {
        const bool along = f.ends[1] - f.ends[0] == 2;
        EXPECT_EQ(f.middle, (f.ends[0] + f.ends[1]) / 2);
        EXPECT_NEAR(f.length, along ? 0.02 : 0.026, 1e-12);
        EXPECT_NEAR(f.arms[0], f.length / 2, 1e-12);
        EXPECT_TRUE(f.grid);
        EXPECT_NEAR(f.lines, 2, 1e-9);
    }
    for (const auto& s : n.shear)
        EXPECT_NEAR(s.length, std::hypot(0.01, 0.013), 1e-12);
    EXPECT_NEAR(std::accumulate(n.vertex_area.begin(), n.vertex_area.end(), 0.0), 0.06 * 0.052,
                1e-12);
    EXPECT_NEAR(n.vertex_area[at(3, 2)], 1.3e-4, 1e-12);
    EXPECT_NEAR(n.vertex_area[at(0, 0)], 0.25 * 1.3e-4, 1e-12);
}

// Crossed quads are a grid that lies at 45 degrees: their cells are those.
TEST(SpringNetwork, CrossedQuadsAreAGridOnItsCorner) {
    const SpringNetwork n = network(flattened(make_grid(
        {.width = 0.4, .depth = 0.3, .columns = 5, .rows = 4, .diagonals = Diagonals::crossed})));
    EXPECT_EQ(n.structural.size(), 12u * 4 + 14); // arms of the crosses, and the outline
    // Both diagonals for each of the 31 sides of quads less the outline's 14; at each corner of the
    // sheet two triangles remain.
    EXPECT_EQ(n.shear.size(), 2u * 17 + 4);
    expect_each_pair_once(n, 32);
}

TEST(SpringNetwork, ALatticeHasThreeLinesThroughEveryInnerVertex) {
    const TriangleMesh mesh = flattened(make_lattice({.width = 0.5, .depth = 0.4, .rows = 10}));
    const Topology topology = build_topology(mesh.triangles);
    const SpringNetwork n = network(mesh);
    const int vertices = static_cast<int>(mesh.positions.size());
    expect_each_pair_once(n, vertices);
    EXPECT_EQ(n.structural, topology.edges);
    EXPECT_EQ(n.shear.size(), topology.hinges.size());
    std::vector<int> lines(vertices, 0);
    std::vector<bool> outline(vertices, false);
    for (const auto& f : n.flexion)
        ++lines[f.middle];
    for (const auto& [a, b] : topology.boundary_edges)
        outline[a] = outline[b] = true;
    for (int v = 0; v < vertices; ++v)
        if (!outline[v]) {
            EXPECT_EQ(lines[v], 3) << v;
        }
}

/// The same mesh with other numbers for its vertices, other triangles first, other corners first.
TriangleMesh renumbered(const TriangleMesh& mesh, std::vector<int>& number,
                        testing::Random& random) {
    const auto shuffled = [&](std::size_t count) {
        std::vector<int> order(count);
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = count; i > 1; --i)
            std::swap(order[i - 1], order[static_cast<std::size_t>(
                                        random.integer(0, static_cast<std::int64_t>(i) - 1))]);
        return order;
    };
    number = shuffled(mesh.positions.size());
    TriangleMesh out;
    out.positions.resize(mesh.positions.size());
    for (std::size_t v = 0; v < number.size(); ++v)
        out.positions[number[v]] = mesh.positions[v];
    for (const int t : shuffled(mesh.triangles.size())) {
        const auto turn = random.integer(0, 2);
        std::array<int, 3> corners;
        std::array<Vec2, 3> pattern;
        for (int k = 0; k < 3; ++k) {
            corners[k] = number[mesh.triangles[t][(k + turn) % 3]];
            pattern[k] = mesh.material[t][(k + turn) % 3];
        }
        out.triangles.push_back(corners);
        out.material.push_back(pattern);
    }
    return out;
}

TEST(SpringNetwork, DoesNotDependOnHowTheMeshIsNumbered) {
    testing::Random random(7);
    const TriangleMesh meshes[] = {flattened(make_irregular({.vertices = 10000, .seed = 5})),
                                   flattened(grid(31, 17, Diagonals::alternating)),
                                   flattened(make_shirt({}))};
    for (const TriangleMesh& mesh : meshes) {
        std::vector<int> number;
        const Pairs before = pairs(network(mesh));
        const Pairs after = pairs(network(renumbered(mesh, number, random)));
        const auto moved = [&](const std::set<Pair>& all) {
            std::set<Pair> out;
            for (const auto& [a, b] : all)
                out.insert({std::min(number[a], number[b]), std::max(number[a], number[b])});
            return out;
        };
        EXPECT_EQ(moved(before.structural), after.structural);
        EXPECT_EQ(moved(before.shear), after.shear);
        EXPECT_EQ(moved(before.flexion), after.flexion);
    }
}

TEST(SpringNetwork, IrregularMeshesHaveTwoToThreeFlexionsPerVertex) {
    const TriangleMesh mesh = flattened(make_irregular({.vertices = 10000, .seed = 2}));
    const Topology topology = build_topology(mesh.triangles);
    const SpringNetwork n = network(mesh);
    expect_each_pair_once(n, 10000);
    EXPECT_GT(100 * n.structural.size(), 97 * topology.edges.size());
    EXPECT_GT(10 * n.shear.size(), 9 * topology.hinges.size());
    EXPECT_GT(n.flexion.size(), 22000u);
    EXPECT_LT(n.flexion.size(), 30000u);
    for (const auto& f : n.flexion) {
        EXPECT_LE(f.length, f.arms[0] + f.arms[1] + 1e-15);
        const double chord = norm(mesh.positions[f.ends[1]] - mesh.positions[f.ends[0]]);
        EXPECT_NEAR(f.length, chord, 1e-9); // the pattern lies flat in space
    }
    for (const auto& s : n.shear)
        EXPECT_NEAR(s.length, norm(mesh.positions[s.vertices[1]] - mesh.positions[s.vertices[0]]),
                    1e-9);
}

// A closed surface that is nowhere flat: its rest shape lies flat triangle by triangle.
TEST(SpringNetwork, ClosedSurfacesHaveNoEnds) {
    const PolygonMesh source = make_sphere({.radius = 0.5, .rings = 24, .segments = 48});
    const TriangleMesh mesh = flattened(source, RestShape::positions);
    const SpringNetwork n = network(mesh);
    const int vertices = static_cast<int>(mesh.positions.size());
    expect_each_pair_once(n, vertices);
    // Bands near the equator are quads: two lines go through each of their vertices, one of them
    // along the parallel, the other along the meridian.
    std::vector<int> lines(vertices, 0);
    for (const auto& f : n.flexion)
        ++lines[f.middle];
    for (int v = 0; v < vertices; ++v)
        if (std::abs(mesh.positions[v].y) < 0.1) {
            EXPECT_EQ(lines[v], 2) << v;
        }
    for (const auto& fan : build_vertex_fans(mesh.triangles, mesh.material)) {
        EXPECT_TRUE(fan.closed);
        EXPECT_LE(fan.turn, 2 * std::numbers::pi + 1e-9);
    }
}

// Front and back of a shirt are separate in the pattern. Springs go on across its seams, along what
// is straight there; lengths are those of the panels.
TEST(SpringNetwork, SeamsAreNoInterruption) {
    const TriangleMesh mesh = flattened(make_shirt({}));
    const SpringNetwork n = network(mesh);
    const int vertices = static_cast<int>(mesh.positions.size());
    expect_each_pair_once(n, vertices);
    // Vertices with more than one place in the pattern are on seams.
    std::vector<std::set<std::pair<double, double>>> places(vertices);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k)
            places[mesh.triangles[t][k]].insert({mesh.material[t][k].x, mesh.material[t][k].y});
    int across = 0;
    for (const auto& f : n.flexion) {
        if (places[f.middle].size() > 1)
            ++across;
        EXPECT_GT(f.length, 0.7 * (f.arms[0] + f.arms[1]));
    }
    EXPECT_GT(across, 50);
    const std::vector<VertexFan> fans = build_vertex_fans(mesh.triangles, mesh.material);
    EXPECT_EQ(fans.size(), mesh.positions.size());
}

// A tube of four segments: opposite points are joined once, not by each side of the tube; and the
// tip of a cone has no straight line through it.
TEST(SpringNetwork, TubesAndTips) {
    const SpringNetwork tube = network(flattened(
        make_cylinder({.radius = 0.1, .height = 0.5, .segments = 4, .bands = 3, .capped = false})));
    expect_each_pair_once(tube, 16);
    int around = 0;
    for (const auto& f : tube.flexion)
        around += f.ends[1] - f.ends[0] == 2;
    EXPECT_EQ(around, 2 * 4);
    std::vector<std::array<int, 3>> cone;
    std::vector<std::array<Vec2, 3>> pattern;
    for (int k = 0; k < 4; ++k) { // four sectors of 60 degrees
        cone.push_back({0, 1 + k, 1 + (k + 1) % 4});
        pattern.push_back({Vec2{0, 0}, Vec2{1, 0}, Vec2{0.5, std::sqrt(0.75)}});
    }
    EXPECT_TRUE(build_spring_network(cone, pattern).flexion.empty());
}

} // namespace
} // namespace muslin
