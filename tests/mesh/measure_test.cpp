#include "muslin/mesh/measure.h"

#include "mesh/mesh_testing.h"
#include "muslin/base/parallel.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/topology.h"
#include "muslin/pattern/irregular_sheet.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using testing::Random;

TEST(EdgeStretch, FindsExtremesAndPercentile) {
    // 200 edges along x; edge i is stretched to 1 + i / 1000.
    std::vector<Vec3> positions = {{0, 0, 0}};
    std::vector<std::array<int, 2>> edges;
    std::vector<double> rest;
    for (int i = 0; i < 200; ++i) {
        const int shuffled = i * 77 % 200; // the order must not matter
        positions.push_back({0.5 * (1 + shuffled / 1000.0), 0, 0});
        edges.push_back({0, i + 1});
        rest.push_back(0.5);
    }
    const EdgeStretch s = edge_stretch(positions, edges, rest);
    EXPECT_NEAR(s.min, 1.0, 1e-14);
    EXPECT_NEAR(s.max, 1.199, 1e-14);
    EXPECT_NEAR(s.p99, 1.197, 1e-14); // the 198th of 200
}

TEST(EdgeStretch, OfFewEdges) {
    const std::vector<Vec3> positions = {{0, 0, 0}, {2, 0, 0}};
    const std::vector<std::array<int, 2>> edges = {{0, 1}};
    const EdgeStretch s = edge_stretch(positions, edges, std::vector{4.0});
    EXPECT_EQ(s.min, 0.5);
    EXPECT_EQ(s.max, 0.5);
    EXPECT_EQ(s.p99, 0.5);
    EXPECT_EQ(edge_stretch(positions, {}, {}).max, 1);
}

TEST(PrincipalStretch, AgreesWithASingularValueDecomposition) {
    Random random(21);
    for (int trial = 0; trial < 500; ++trial) {
        const std::array<Vec3, 3> x = {random.vector(), random.vector(), random.vector()};
        std::array<Vec2, 3> u;
        for (Vec2& p : u)
            p = {random.uniform(), random.uniform()};
        if (std::abs(testing::pattern_area(u)) < 0.01)
            continue;
        Eigen::Matrix<double, 3, 2> dx;
        Eigen::Matrix2d du;
        for (int k = 0; k < 2; ++k) {
            const Vec3 d = x[k + 1] - x[0];
            dx.col(k) << d.x, d.y, d.z;
            du.col(k) << u[k + 1].x - u[0].x, u[k + 1].y - u[0].y;
        }
        const auto values =
            Eigen::JacobiSVD<Eigen::Matrix<double, 3, 2>>(dx * du.inverse()).singularValues();
        const PrincipalStretch s = principal_stretch(x, u);
        EXPECT_NEAR(s.max, values[0], 1e-11 * values[0]);
        EXPECT_NEAR(s.min, values[1], 1e-11 * values[0]);
    }
}

TEST(PrincipalStretch, OfKnownDeformations) {
    const PolygonMesh polygons = make_irregular({.vertices = 300});
    TriangleMesh mesh = triangulate(polygons);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    const Mat3 turn = rotation_degrees({30, 50, 70});
    const auto deform = [&](double along_x, double along_z) {
        std::vector<Vec3> out;
        for (const Vec3& p : mesh.positions)
            out.push_back(turn * Vec3{along_x * p.x, 0, along_z * p.z} + Vec3{1, 2, 3});
        return extreme_stretch(out, mesh.triangles, mesh.material);
    };
    const PrincipalStretch rigid = deform(1, 1), stretched = deform(1.25, 0.5), line = deform(2, 0);
    EXPECT_NEAR(rigid.min, 1, 1e-12);
    EXPECT_NEAR(rigid.max, 1, 1e-12);
    EXPECT_NEAR(stretched.min, 0.5, 1e-12);
    EXPECT_NEAR(stretched.max, 1.25, 1e-12);
    EXPECT_NEAR(line.min, 0, 1e-12);
    EXPECT_NEAR(line.max, 2, 1e-12);
}

TEST(PrincipalStretch, MirroredPatternIsNotAStretch) {
    const std::array<Vec3, 3> x = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const PrincipalStretch s = principal_stretch(x, {{{0, 0}, {-1, 0}, {0, 1}}});
    EXPECT_DOUBLE_EQ(s.min, 1);
    EXPECT_DOUBLE_EQ(s.max, 1);
}

TEST(PrincipalStretch, AFlattenedTriangleKeepsItsDigits) {
    // sqrt(mean - root) would give 0 or 1e-8 here.
    const std::array<Vec3, 3> x = {{{0, 0, 0}, {1, 0, 0}, {0, 1e-9, 0}}};
    EXPECT_NEAR(principal_stretch(x, {{{0, 0}, {1, 0}, {0, 1}}}).min, 1e-9, 1e-18);
}

TEST(Measure, ThreadCountChangesNothing) {
    const PolygonMesh polygons = make_irregular({.vertices = 10000});
    TriangleMesh mesh = triangulate(polygons);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    const auto edges = build_topology(mesh.triangles).edges;
    const auto rest = edge_lengths(mesh.positions, edges);
    Random random(2);
    for (Vec3& p : mesh.positions)
        p += 0.01 * random.vector();
    const int threads = thread_count();
    Hash64 first;
    for (const int count : {1, 2, 8}) {
        set_thread_count(count);
        Hash64 hash;
        const EdgeStretch s = edge_stretch(mesh.positions, edges, rest);
        hash.add(&s, sizeof s);
        const auto principal = principal_stretches(mesh.positions, mesh.triangles, mesh.material);
        hash.add(principal.data(), principal.size() * sizeof principal[0]);
        if (count == 1)
            first = hash;
        EXPECT_EQ(hash.hex(), first.hex());
    }
    set_thread_count(threads);
}

} // namespace
} // namespace muslin
