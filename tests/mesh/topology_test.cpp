#include "muslin/mesh/topology.h"

#include "mesh/mesh_testing.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace muslin {
namespace {

using Triangles = std::vector<std::array<int, 3>>;
using Kind = MeshDefect::Kind;

TEST(Topology, TwoTrianglesMakeOneHinge) {
    const Triangles triangles = {{0, 1, 2}, {2, 1, 3}};
    const Topology topology = build_topology(triangles);
    const std::vector<std::array<int, 2>> edges = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
    EXPECT_EQ(topology.edges, edges);
    ASSERT_EQ(topology.hinges.size(), 1u);
    EXPECT_EQ(topology.hinges[0].v, (std::array<int, 4>{1, 2, 0, 3}));
    EXPECT_EQ(topology.hinges[0].t, (std::array<int, 2>{0, 1}));
    const std::vector<std::array<int, 2>> boundary = {{0, 1}, {2, 0}, {1, 3}, {3, 2}};
    EXPECT_EQ(topology.boundary_edges, boundary);
}

TEST(Topology, OfNothingIsEmpty) {
    const Topology topology = build_topology({});
    EXPECT_TRUE(topology.edges.empty());
    EXPECT_TRUE(topology.hinges.empty());
    EXPECT_TRUE(topology.boundary_edges.empty());
}

/// Every promise of the header, against a map of all sides of an irregular mesh.
TEST(Topology, AgreesWithASlowReferee) {
    const auto mesh = triangulate(make_irregular({.vertices = 700}));
    const Topology topology = build_topology(mesh.triangles);
    std::map<std::array<int, 2>, std::vector<int>> referee; // edge -> triangles
    std::set<std::array<int, 2>> directed;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
        for (int k = 0; k < 3; ++k) {
            const int a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            referee[{std::min(a, b), std::max(a, b)}].push_back(t);
            directed.insert({a, b});
        }
    }
    ASSERT_EQ(topology.edges.size(), referee.size());
    std::size_t e = 0, hinge = 0, boundary = 0;
    for (const auto& [edge, owners] : referee) {
        EXPECT_EQ(topology.edges[e++], edge);
        if (owners.size() == 1) {
            const auto side = topology.boundary_edges[boundary++];
            EXPECT_EQ((std::array{std::min(side[0], side[1]), std::max(side[0], side[1])}), edge);
            EXPECT_TRUE(directed.count(side));
            continue;
        }
        const Hinge& h = topology.hinges[hinge++];
        EXPECT_EQ(h.t[0], owners[0]);
        EXPECT_EQ(h.t[1], owners[1]);
        for (int side = 0; side < 2; ++side) { // t[0] has v0 v1 v2 in its order, t[1] has v1 v0 v3
            std::array<int, 3> want = {h.v[side], h.v[1 - side], h.v[2 + side]};
            std::rotate(want.begin(), std::min_element(want.begin(), want.end()), want.end());
            std::array<int, 3> found = mesh.triangles[h.t[side]];
            std::rotate(found.begin(), std::min_element(found.begin(), found.end()), found.end());
            EXPECT_EQ(found, want);
        }
    }
    EXPECT_EQ(hinge, topology.hinges.size());
    EXPECT_EQ(boundary, topology.boundary_edges.size());
}

TEST(Topology, CrowdedEdgeIsListedOnceAndMakesNoHinge) {
    const Triangles fan = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const Topology topology = build_topology(fan);
    EXPECT_EQ(topology.edges.size(), 7u);
    EXPECT_TRUE(topology.hinges.empty());
    EXPECT_EQ(topology.boundary_edges.size(), 6u);
}

void expect_defect(const Triangles& triangles, int vertices, Kind kind, const std::string& text) {
    const auto defect = find_defect(triangles, vertices);
    ASSERT_TRUE(defect) << text;
    EXPECT_EQ(defect->kind, kind) << defect->text;
    EXPECT_EQ(defect->text, text);
}

TEST(FindDefect, NamesEachKind) {
    EXPECT_FALSE(find_defect(Triangles{{0, 1, 2}, {2, 1, 3}}, 4));
    expect_defect({{0, 1, 2}, {2, 1, 4}}, 4, Kind::index,
                  "triangle 1 refers to vertex 4, but the mesh has 4 vertices");
    expect_defect({{0, -1, 2}}, 4, Kind::index,
                  "triangle 0 refers to vertex -1, but the mesh has 4 vertices");
    expect_defect({{0, 1, 2}, {3, 1, 3}}, 4, Kind::repeated_corner,
                  "triangle 1 has vertex 3 at two corners");
    expect_defect({{0, 1, 2}, {1, 0, 3}, {4, 0, 1}}, 5, Kind::non_manifold_edge,
                  "edge 0-1 is shared by 3 triangles (0, 1, 2)");
    expect_defect({{0, 1, 2}, {1, 2, 3}}, 4, Kind::orientation,
                  "triangles 0 and 1 run along edge 1-2 the same way: one of them is turned over");
    expect_defect({{0, 1, 2}, {2, 1, 4}}, 5, Kind::unused_vertex, "vertex 3 is in no triangle");
}

TEST(FindDefect, TellsTheGraverKindFirst) {
    // Turned over at edge 0-1 and crowded at edge 5-6: crowding has no meaning to mend around.
    expect_defect({{0, 1, 2}, {0, 1, 3}, {5, 6, 7}, {6, 5, 8}, {6, 5, 9}}, 10,
                  Kind::non_manifold_edge, "edge 5-6 is shared by 3 triangles (2, 3, 4)");
}

TEST(FindDefect, FindsOneTurnedTriangleInALargeMesh) {
    auto mesh = triangulate(make_irregular({.vertices = 2000}));
    const int vertices = static_cast<int>(mesh.positions.size());
    EXPECT_FALSE(find_defect(mesh.triangles, vertices));
    std::swap(mesh.triangles[1234][0], mesh.triangles[1234][1]);
    const auto defect = find_defect(mesh.triangles, vertices);
    ASSERT_TRUE(defect);
    EXPECT_EQ(defect->kind, Kind::orientation);
    EXPECT_NE(defect->text.find("1234"), std::string::npos) << defect->text;
}

} // namespace
} // namespace muslin
