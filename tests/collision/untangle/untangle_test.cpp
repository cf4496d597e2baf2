// What crosses is separated without history; the judge is mesh/intersections.cpp, which shares no
// code with contact.
#include "muslin/collision/untangle/untangle.h"

#include "collision/untangle/tangled_sheets.h"
#include "muslin/base/parallel.h"

#include <gtest/gtest.h>

#include <iostream>
#include <numbers>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double thickness = 1e-3; // [m]

UntangleReport untangled(TangledScene& scene, std::span<const std::uint8_t> held = {}) {
    const UntangleReport report = Untangler(*scene.surfaces, held).run(scene.points);
    std::cout << "[ untangle ] " << report.crossings_before << " crossings on "
              << report.contours_before << " contours, " << report.crossings << " left, "
              << report.iterations << " iterations, moved up to " << 1e3 * report.largest_move
              << " mm, strain " << report.strain << ", near " << report.near << '\n';
    return report;
}

/// `most_near`: places that have no room for the thickness.
void expect_clear(TangledScene& scene, std::size_t most_near = 0) {
    ASSERT_GT(scene.pairs(scene.points), 0u);
    const UntangleReport report = untangled(scene);
    EXPECT_TRUE(report.clear());
    EXPECT_EQ(scene.pairs(scene.points), 0u);
    EXPECT_LE(report.strain, UntangleSettings{}.max_strain);
    EXPECT_LE(report.near, most_near);
}

/// A ribbon that turns back over itself in a half circle; its free end dips through the lower half
/// by `depth` [m].
TangledScene folded_through(double depth) {
    PolygonMesh ribbon = small_sheet(500, 3, 0.4, 0.08);
    const double radius = 0.02, bend = std::numbers::pi * radius;
    for (Vec3& p : ribbon.positions) {
        const double s = p.x - (-bend / 2);
        if (s > bend) // back over the lower half, at a height of 2 radius, dipping at its end
            p = {-(s - bend),
                 2 * radius -
                     (2 * radius + depth) * std::pow(std::clamp((s - bend) / 0.16, 0.0, 1.0), 2),
                 p.z};
        else if (s > 0)
            p = {radius * std::sin(s / radius), radius - radius * std::cos(s / radius), p.z};
        else
            p = {s, 0, p.z};
    }
    TangledScene out;
    out.model = build_model({sheet_input("ribbon", ribbon, thickness)}, {}, out.start);
    out.finish();
    return out;
}

TEST(Untangle, LeavesClearSheetsAlone) {
    TangledScene scene = pressed_sheets(thickness, -0.9 * thickness);
    for (int p : scene.model.cloths[1].surface.vertex_particle)
        scene.points[p].y += 5 * thickness;
    const std::vector<Vec3> before = scene.points;
    const UntangleReport report = untangled(scene);
    EXPECT_TRUE(report.clear());
    EXPECT_EQ(report.moved, 0u);
    EXPECT_EQ(report.largest_move, 0);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(norm(scene.points[i] - before[i]), 0);
}

TEST(Untangle, SheetThroughSheetByOneToFiveThicknesses) {
    for (int k = 1; k <= 5; ++k) {
        SCOPED_TRACE(k);
        TangledScene scene = pressed_sheets(thickness, k * thickness);
        expect_clear(scene);
    }
}

TEST(Untangle, CornerThroughSheet) {
    PolygonMesh lower = small_sheet(400, 1), upper = small_sheet(300, 2);
    for (Vec3& p : upper.positions) {
        const double turn = std::numbers::pi / 4;
        const double x = std::cos(turn) * p.x + std::sin(turn) * p.z,
                     z = std::cos(turn) * p.z - std::sin(turn) * p.x;
        p = {0.9 * z, -0.6 * x + 0.07, x - 0.03};
    }
    TangledScene scene;
    scene.model = build_model(
        {sheet_input("lower", lower, thickness), sheet_input("upper", upper, thickness)}, {},
        scene.start);
    scene.finish();
    expect_clear(scene);
}

TEST(Untangle, FoldThroughItself) {
    for (double depth : {1e-3, 4e-3}) {
        SCOPED_TRACE(depth);
        TangledScene scene = folded_through(depth);
        expect_clear(scene);
    }
}

TEST(Untangle, SpikeThroughSheet) {
    PolygonMesh lower = small_sheet(600, 1), upper = small_sheet(600, 2);
    for (Vec3& p : upper.positions) {
        const double r = std::sqrt(p.x * p.x + p.z * p.z) / 0.025;
        p.y = 0.01 - 0.02 * std::exp(-r * r);
    }
    TangledScene scene;
    scene.model = build_model(
        {sheet_input("lower", lower, thickness), sheet_input("upper", upper, thickness)}, {},
        scene.start);
    scene.finish();
    expect_clear(scene, 15); // its cloth has no room but in wrinkles
}

/// Cloths as they are given.
TangledScene scene_of(std::vector<PolygonMesh> meshes) {
    std::vector<ClothInput> cloths;
    for (PolygonMesh& mesh : meshes)
        cloths.push_back(
            sheet_input(("cloth" + std::to_string(cloths.size())).c_str(), mesh, thickness));
    TangledScene out;
    out.model = build_model(cloths, {}, out.start);
    out.finish();
    return out;
}

// Neither sheet is parted: the contour runs from the border of one to the border of the other.
TEST(Untangle, BordersThatCross) {
    PolygonMesh lower = small_sheet(300, 1), upper = small_sheet(300, 2);
    for (Vec3& p : upper.positions)
        p = {0.02 + 0.2 * p.z, p.x + 0.05, p.z + 0.16};
    TangledScene scene = scene_of({lower, upper});
    expect_clear(scene, 5);
}

// Around its middle the sheet goes round twice, as the square root does around zero: it crosses
// itself from there to a second corner. The contour parts nothing, and where it ends a corner holds
// it; wider around cloth is flat, and ironing brings that to the middle.
TEST(Untangle, FoldAroundACornerIsIroned) {
    PolygonMesh sheet = small_sheet(1500, 7);
    for (Vec3& p : sheet.positions) {
        const double r = std::hypot(p.x, p.z), angle = std::atan2(p.z, p.x);
        const double twice = std::clamp(2 - r / 0.012, 0.0, 1.0);
        p = {r * (twice * std::cos(2 * angle) + (1 - twice) * std::cos(angle)),
             0.5 * r * twice * std::sin(angle),
             r * (twice * std::sin(2 * angle) + (1 - twice) * std::sin(angle))};
    }
    TangledScene scene = scene_of({sheet});
    ASSERT_GT(scene.pairs(scene.points), 0u);
    const UntangleSettings settings = {.max_strain = 30};
    const UntangleReport report = Untangler(*scene.surfaces, {}, settings).run(scene.points);
    std::cout << "[ untangle ] " << report.crossings_before << " crossings, " << report.crossings
              << " left, strain " << report.strain << '\n';
    EXPECT_TRUE(report.clear());
    EXPECT_EQ(scene.pairs(scene.points), 0u);
    EXPECT_LE(report.strain, settings.max_strain);
}

// A ring that goes through the wall of another: no direction makes the contour shorter. Whatever
// is left is told, and it is not worse than before.
TEST(Untangle, LinkedRingsAreNeverWorse) {
    const auto ring = [](bool turned) {
        PolygonMesh mesh = make_cylinder(
            {.radius = 0.05, .height = 0.03, .segments = 40, .bands = 4, .capped = false});
        for (Vec3& p : mesh.positions)
            p = turned ? Vec3{p.y, 0.2 * p.x, p.z + 0.05} : p;
        return mesh;
    };
    TangledScene scene = scene_of({ring(false), ring(true)});
    const std::size_t before = scene.pairs(scene.points);
    ASSERT_GT(before, 0u);
    const UntangleReport report = untangled(scene);
    EXPECT_LE(report.crossings, report.crossings_before);
    EXPECT_EQ(report.clear(), scene.pairs(scene.points) == 0);
    EXPECT_LE(report.strain, UntangleSettings{}.max_strain);
}

// Two sheets that are held everywhere cannot part.
TEST(Untangle, WhatIsHeldStaysAndIsTold) {
    PolygonMesh lower = small_sheet(100, 1), upper = small_sheet(100, 2);
    for (Vec3& p : upper.positions)
        p = {p.x, p.z, 0.3 * p.x};
    TangledScene scene = scene_of({lower, upper});
    const std::vector<std::uint8_t> held(scene.surfaces->particle_count(), 1);
    const std::vector<Vec3> before = scene.points;
    Untangler untangler(*scene.surfaces, held, {.max_iterations = 30});
    const UntangleReport report = untangler.run(scene.points);
    EXPECT_FALSE(report.clear());
    EXPECT_EQ(report.crossings, report.crossings_before);
    EXPECT_EQ(untangler.left().size(), report.contours);
    EXPECT_EQ(report.moved, 0u);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(norm(scene.points[i] - before[i]), 0);
}

TEST(Untangle, SameBitsForAnyNumberOfThreads) {
    std::vector<std::vector<Vec3>> results;
    for (int threads : {1, 3}) {
        set_thread_count(threads);
        TangledScene scene = pressed_sheets(thickness, 3 * thickness, 1500);
        untangled(scene);
        results.push_back(scene.points);
    }
    set_thread_count(0);
    for (std::size_t i = 0; i < results[0].size(); ++i)
        for (int k = 0; k < 3; ++k)
            ASSERT_EQ(results[0][i][k], results[1][i][k]);
}

TEST(Contours, OfAPressedSheetIsOneLoopThatEnclosesBothSides) {
    TangledScene scene = pressed_sheets(thickness, 3 * thickness);
    CrossingFinder finder(*scene.surfaces);
    ContourTracer tracer(*scene.surfaces, finder.adjacency());
    std::vector<Interference> crossings;
    std::vector<Contour> contours;
    finder.find(scene.points, crossings);
    tracer.trace(crossings, contours);
    ASSERT_EQ(contours.size(), 1u);
    EXPECT_EQ(contours[0].crossings.size(), crossings.size());
    EXPECT_TRUE(contours[0].closed);
    EXPECT_FALSE(contours[0].one_sided);
    std::vector<std::uint8_t> upper(scene.surfaces->particle_count(), 0);
    for (int p : scene.model.cloths[1].surface.vertex_particle)
        upper[p] = 1;
    for (const ContourRegion& region : contours[0].regions) {
        EXPECT_TRUE(region.encloses);
        ASSERT_FALSE(region.points.empty());
        const bool is_upper = upper[region.points.front()];
        std::size_t expected = 0;
        const double radius2 = 0.06 * 0.06 * std::log(4.0); // where the bump reaches zero
        for (int p = 0; p < scene.surfaces->particle_count(); ++p) {
            const Vec3& x = scene.points[p];
            expected += upper[p] == is_upper && x.x * x.x + x.z * x.z < radius2;
        }
        EXPECT_NEAR(double(region.points.size()), double(expected), 0.03 * double(expected));
    }
}

TEST(Contours, FromBorderToBorderPartTheSheetThatEnds) {
    PolygonMesh lower = small_sheet(300, 1), upper = small_sheet(200, 2, 0.1, 0.1);
    for (Vec3& p : upper.positions)
        p = {p.x, p.z + 0.03, 0.001 * p.z}; // upright: 2 cm of it are below
    TangledScene scene = scene_of({lower, upper});
    CrossingFinder finder(*scene.surfaces);
    ContourTracer tracer(*scene.surfaces, finder.adjacency());
    std::vector<Interference> crossings;
    std::vector<Contour> contours;
    finder.find(scene.points, crossings);
    tracer.trace(crossings, contours);
    ASSERT_EQ(contours.size(), 1u);
    EXPECT_FALSE(contours[0].closed);
    const auto& [a, b] = contours[0].regions;
    ASSERT_NE(a.encloses, b.encloses);
    std::vector<int> below;
    for (int p : scene.model.cloths[1].surface.vertex_particle)
        if (scene.points[p].y < 0)
            below.push_back(p);
    std::sort(below.begin(), below.end());
    EXPECT_EQ((a.encloses ? a : b).points, below);
}

TEST(Untangle, SheetInBoxComesOut) {
    PolygonMesh sheet = small_sheet(500, 1);
    TangledScene scene;
    scene.model = build_model({sheet_input("sheet", sheet, thickness)}, {}, scene.start);
    Body box;
    box.name = "box";
    box.mesh = make_box({.size = {0.08, 0.06, 0.08}, .divisions = 4});
    for (Vec3& p : box.mesh.positions)
        p.y -= 0.025; // its top is 5 mm above the sheet
    box.triangles = triangulate(box.mesh).triangles;
    scene.model.bodies.push_back(box);
    scene.finish();
    ASSERT_GT(scene.inside(scene.points, 0), 0u);
    const std::vector<Vec3> before = scene.points;
    expect_clear(scene);
    EXPECT_EQ(scene.inside(scene.points, 0), 0u);
    for (int i = scene.surfaces->particle_count(); i < scene.surfaces->point_count(); ++i)
        EXPECT_EQ(norm(scene.points[i] - before[i]), 0);
}

} // namespace
