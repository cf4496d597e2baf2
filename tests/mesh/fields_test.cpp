#include "muslin/mesh/fields.h"

#include "muslin/base/parallel.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/pattern/irregular_sheet.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

namespace muslin {
namespace {

TriangleMesh sheet(const PolygonMesh& polygons) {
    TriangleMesh mesh = triangulate(polygons);
    set_material_coordinates(mesh, polygons, RestShape::texcoords);
    return mesh;
}

TriangleMesh irregular_sheet(int vertices = 2602) {
    IrregularSettings settings;
    settings.vertices = vertices;
    return sheet(make_irregular(settings));
}

std::vector<Vec3> mapped(const TriangleMesh& mesh, const std::function<Vec3(const Vec3&)>& map) {
    std::vector<Vec3> out;
    for (const Vec3& p : mesh.positions)
        out.push_back(map(p));
    return out;
}

void expect_all(const std::vector<double>& values, double expected, double tolerance) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    EXPECT_NEAR(*low, expected, tolerance);
    EXPECT_NEAR(*high, expected, tolerance);
}

std::vector<double> curvature(const TriangleMesh& mesh, const std::vector<Vec3>& positions) {
    std::vector<double> out;
    bending_field(positions, mesh.triangles, build_topology(mesh.triangles).hinges, out);
    return out;
}

/// The mean over vertices at least 5 cm from the sheet's edge, which have all their neighbours.
double inner_mean(const TriangleMesh& mesh, const std::vector<double>& values) {
    double sum = 0;
    int count = 0;
    for (std::size_t v = 0; v < values.size(); ++v)
        if (std::abs(mesh.positions[v].x) < 0.45 && std::abs(mesh.positions[v].z) < 0.45) {
            sum += values[v];
            ++count;
        }
    return sum / count;
}

TEST(Fields, HaveNamesUnitsAndScales) {
    for (const Field field : all_fields) {
        EXPECT_EQ(field_by_name(info(field).name), field);
        EXPECT_FALSE(info(field).unit.empty());
        EXPECT_LT(info(field).low, info(field).high);
    }
    EXPECT_EQ(field_by_name("warmth"), std::nullopt);
}

TEST(Fields, AffineMapsStretchEveryVertexAlike) {
    const TriangleMesh mesh = irregular_sheet();
    const auto x = mapped(mesh, [](const Vec3& p) {
        return Vec3{1.1 * p.x, 0.3 + 0.2 * p.x, p.z}; // u to (1.1, 0.2), v unchanged
    });
    std::vector<double> values;
    stretch_field(x, mesh.triangles, mesh.material, values);
    expect_all(values, 100 * (std::hypot(1.1, 0.2) - 1), 1e-9);
    shear_field(x, mesh.triangles, mesh.material, values);
    expect_all(values, 0, 1e-6);
}

TEST(Fields, ShearIsTheAngleLost) {
    TriangleMesh mesh = irregular_sheet();
    const double angle = 12 * std::numbers::pi / 180;
    const auto x = mapped(mesh, [&](const Vec3& p) {
        return Vec3{p.x + p.z * std::sin(angle), 0, p.z * std::cos(angle)};
    });
    std::vector<double> values;
    shear_field(x, mesh.triangles, mesh.material, values);
    expect_all(values, 12, 1e-9);
    for (auto& corners : mesh.material) // a mirrored panel loses as much
        for (Vec2& uv : corners)
            uv.x = -uv.x;
    shear_field(x, mesh.triangles, mesh.material, values);
    expect_all(values, 12, 1e-9);
}

TEST(Fields, CurvatureOfACylinderIsOneOverItsRadius) {
    const double radius = 0.25;
    const auto roll = [&](const Vec3& p) {
        return Vec3{radius * std::sin(p.x / radius), radius * std::cos(p.x / radius), p.z};
    };
    GridSettings grid;
    grid.columns = grid.rows = 101;
    const TriangleMesh regular = sheet(make_grid(grid));
    const auto on_grid = curvature(regular, mapped(regular, roll));
    for (std::size_t v = 0; v < on_grid.size(); ++v) {
        const Vec3& p = regular.positions[v];
        const bool inner = std::abs(p.x) < 0.49 && std::abs(p.z) < 0.49;
        ASSERT_NEAR(inner ? on_grid[v] : 1 / radius, 1 / radius, 0.001 / radius) << v;
    }
    const TriangleMesh irregular = irregular_sheet(10000);
    EXPECT_NEAR(inner_mean(irregular, curvature(irregular, mapped(irregular, roll))), 1 / radius,
                0.12 / radius);
    expect_all(curvature(irregular, irregular.positions), 0, 1e-9);
}

TEST(Fields, CurvatureOfASaddleIsThatOfItsSteeperWay) {
    const TriangleMesh mesh = irregular_sheet(10000);
    const auto saddle = [](const Vec3& p) {
        return Vec3{p.x, 0.5 * (0.3 * p.x * p.x - 0.1 * p.z * p.z), p.z};
    };
    // Where it is nearly flat, so that second derivatives are curvatures.
    const auto values = curvature(mesh, mapped(mesh, saddle));
    EXPECT_NEAR(inner_mean(mesh, values), 0.3, 0.05);
}

TEST(Fields, SpeedAndAreas) {
    const TriangleMesh mesh = irregular_sheet(500);
    const auto later = mapped(mesh, [](const Vec3& p) { return p + Vec3{0.03, 0, 0.04}; });
    std::vector<double> values;
    speed_field(mesh.positions, later, 0.1, values);
    expect_all(values, 0.5, 1e-12);
    const auto areas = vertex_areas(mesh.positions.size(), mesh.triangles, mesh.material);
    EXPECT_NEAR(std::accumulate(areas.begin(), areas.end(), 0.0), 1, 1e-12);
    EXPECT_GT(*std::min_element(areas.begin(), areas.end()), 0);
}

TEST(Fields, DoNotDependOnTheNumberOfThreads) {
    const TriangleMesh mesh = irregular_sheet(10000);
    const auto x = mapped(mesh, [](const Vec3& p) {
        return Vec3{p.x, 0.1 * std::sin(9 * p.x) * std::cos(7 * p.z), p.z};
    });
    const auto all = [&] {
        std::array<std::vector<double>, 3> out;
        stretch_field(x, mesh.triangles, mesh.material, out[0]);
        shear_field(x, mesh.triangles, mesh.material, out[1]);
        out[2] = curvature(mesh, x);
        return out;
    };
    set_thread_count(1);
    const auto one = all();
    set_thread_count(2);
    const auto two = all();
    set_thread_count(0);
    EXPECT_EQ(one, two);
}

} // namespace
} // namespace muslin
