// What is left out as smooth never meets: against the continuous test of each pair that a search
// without windows finds. Windows are there where the pattern is convex and single, and only there.
#include "muslin/collision/broad/smooth_windows.h"

#include "collision/detect/pair_referee.h"
#include "muslin/collision/detect/detector.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double edge = 2.2e-3, thickness = 2e-3; // [m]

struct Sheet {
    explicit Sheet(PolygonMesh mesh) {
        ClothInput cloth;
        cloth.name = "sheet";
        cloth.mesh = std::move(mesh);
        cloth.rest = RestShape::texcoords; // one pattern, not a triangle at a time
        cloth.material.thickness = thickness;
        model = build_model({cloth}, {}, start);
        surfaces = std::make_unique<Surfaces>(model);
    }
    static Sheet irregular(int vertices = 3000) {
        return Sheet(make_irregular(
            {.width = 0.1, .depth = 0.1, .vertices = vertices, .seed = 5, .jitter = 0.35}));
    }
    template <class Map>
    std::vector<Vec3> moved(Map&& map) const {
        std::vector<Vec3> out;
        for (const Vec3& p : start.positions)
            out.push_back(map(p));
        return out;
    }

    Model model;
    State start;
    std::unique_ptr<Surfaces> surfaces;
};

std::vector<PairKey> impacts_among(const Surfaces& surfaces, const Candidates& candidates,
                                   std::span<const Vec3> begin, std::span<const Vec3> end) {
    std::vector<PairKey> out;
    for (const PairKey& key : keys_of(candidates))
        if (find_impact(contact_of(surfaces, key), begin, end))
            out.push_back(key);
    std::sort(out.begin(), out.end());
    return out;
}

/// Searches with and without windows; the motion is expected to end at `expected` and ends at
/// `end`.
struct Searches {
    Candidates all, smooth;
    Searches(const Sheet& sheet, std::span<const Vec3> begin, std::span<const Vec3> expected,
             std::span<const Vec3> end) {
        constexpr double margin = 5e-4;
        Detector plain(*sheet.surfaces), with(*sheet.surfaces);
        with.leave_out_smooth(sheet.model.collision_pattern(), edge);
        for (auto& [detector, out] : {std::pair(&plain, &all), std::pair(&with, &smooth)}) {
            detector->set_motion(begin, expected, margin);
            detector->find_self(*out);
            detector->move_ends(end, *out);
        }
        std::cout << "[ windows  ] " << all.size() << " pairs, with windows " << smooth.size()
                  << '\n';
    }
};

/// Expects that both find the same impacts; how many.
std::size_t expect_same_impacts(const Sheet& sheet, std::span<const Vec3> begin,
                                std::span<const Vec3> expected, std::span<const Vec3> end) {
    const Searches found(sheet, begin, expected, end);
    const auto impacts = impacts_among(*sheet.surfaces, found.all, begin, end);
    EXPECT_EQ(impacts, impacts_among(*sheet.surfaces, found.smooth, begin, end));
    return impacts.size();
}

/// Waves along x in half of the sheet whose crests lean over by `lean` [rad] of the sheet's
/// direction: from about a quarter turn on it folds over, and then meets itself.
std::vector<Vec3> waves(const Sheet& sheet, double lean) {
    constexpr double length = 0.025;
    return sheet.moved([&](const Vec3& p) {
        // Integrated direction (cos a, sin a), a = lean sin(2 pi x / length).
        Vec3 q = {0, 0, p.z};
        const int steps = 200;
        for (int k = 0; k < steps; ++k) {
            const double s = p.x * (k + 0.5) / steps;
            const double a = s < 0 ? 0 : lean * std::sin(2 * std::numbers::pi * s / length);
            q.x += p.x / steps * std::cos(a);
            q.y += p.x / steps * std::sin(a);
        }
        return q;
    });
}

} // namespace

TEST(SmoothWindows, FlatSheetHasNoPairsLeft) {
    const Sheet sheet = Sheet::irregular();
    const auto flat = sheet.moved([](const Vec3& p) { return p; });
    const auto fallen = sheet.moved([](const Vec3& p) { return p + Vec3{0, -5e-3, 0}; });
    const Searches found(sheet, flat, fallen, fallen);
    EXPECT_GT(found.all.size(), 5000u);
    EXPECT_LT(found.smooth.size(), found.all.size() / 50);
}

TEST(SmoothWindows, LeavesOutNothingThatMeets) {
    const Sheet sheet = Sheet::irregular();
    std::size_t met = 0;
    for (const double from : {0.0, 1.2, 1.9})
        for (const double to : {0.9, 1.8, 2.4, 3.0}) {
            SCOPED_TRACE(testing::Message() << from << " to " << to);
            const auto begin = waves(sheet, from), end = waves(sheet, to);
            met += expect_same_impacts(sheet, begin, end, end);
        }
    EXPECT_GT(met, 1000u);
}

// Expected to stay flat, it folds: windows that were smooth are given up.
TEST(SmoothWindows, EndsThatWereNotExpected) {
    const Sheet sheet = Sheet::irregular();
    const auto flat = waves(sheet, 0);
    for (const double to : {2.4, 2.8}) {
        SCOPED_TRACE(to);
        EXPECT_GT(expect_same_impacts(sheet, flat, flat, waves(sheet, to)), 100u);
    }
}

// Ends change little by little, as impact zones change them.
TEST(SmoothWindows, EndsThatMoveAgainAndAgain) {
    const Sheet sheet = Sheet::irregular();
    const auto flat = waves(sheet, 0);
    SmoothWindows windows(*sheet.surfaces, sheet.model.collision_pattern(), 3e-3);
    windows.set_motion(flat, flat);
    std::vector<int> roughened;
    windows.move_ends(flat, roughened);
    EXPECT_TRUE(roughened.empty());
    // One point is drawn through the sheet and far to the other side of its neighbours.
    auto end = flat;
    int middle = 0;
    for (std::size_t i = 0; i < flat.size(); ++i)
        if (norm(flat[i]) < norm(flat[middle]))
            middle = static_cast<int>(i);
    end[middle] += Vec3{3 * edge, 0, 0};
    windows.move_ends(end, roughened);
    ASSERT_FALSE(roughened.empty());
    const int t = sheet.surfaces->triangle_of_point(middle);
    EXPECT_NE(std::find(roughened.begin(), roughened.end(), t), roughened.end());
    EXPECT_FALSE(windows.hold(t, t));
    // It comes back, but windows are given up for the step.
    roughened.clear();
    windows.move_ends(flat, roughened);
    EXPECT_TRUE(roughened.empty());
    EXPECT_FALSE(windows.hold(t, t));
    windows.set_motion(flat, flat);
    EXPECT_TRUE(windows.hold(t, t));
}

// A slit parts the sheet from its border to its middle. Both sides have the same gradient while one
// slides over the other: the pattern across the slit is no convex piece.
TEST(SmoothWindows, NotAcrossASlit) {
    constexpr int n = 40; // cells a side
    PolygonMesh mesh =
        make_grid({.width = n * 2e-3, .depth = n * 2e-3, .columns = n + 1, .rows = n + 1});
    const auto on_slit = [](const Vec3& p) { return std::abs(p.x) < 1e-9 && p.z < -1e-9; };
    std::vector<int> twin(mesh.positions.size(), -1);
    const std::size_t count = mesh.positions.size();
    for (std::size_t i = 0; i < count; ++i)
        if (on_slit(mesh.positions[i])) {
            twin[i] = static_cast<int>(mesh.positions.size());
            mesh.positions.push_back(mesh.positions[i]);
        }
    for (int f = 0; f < mesh.face_count(); ++f) {
        const auto face =
            std::span(mesh.corner_vertex)
                .subspan(mesh.face_begin[f], mesh.face_begin[f + 1] - mesh.face_begin[f]);
        double x = 0;
        for (int i : face)
            x += mesh.positions[i].x;
        for (int& i : face)
            if (x > 0 && twin[i] >= 0)
                i = twin[i];
    }
    const Sheet sheet(std::move(mesh));
    // The right side lies over the left one and goes through it; both stay nearly as they are.
    const std::vector<Vec3> rest = sheet.start.positions;
    std::vector<std::uint8_t> right(rest.size(), 0);
    for (const auto& triangle : sheet.surfaces->triangles) {
        const Vec3 sum = rest[triangle[0]] + rest[triangle[1]] + rest[triangle[2]];
        for (int p : triangle)
            right[p] |= sum.x > 0;
    }
    std::vector<Vec3> begin = rest, end = rest;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const double far = std::clamp(-rest[i].z / 0.04, 0.0, 1.0);
        if (right[i] && rest[i].z < 0) {
            begin[i] += far * far * Vec3{-4e-3, 1e-3, 0};
            end[i] += far * far * Vec3{-4e-3, -1e-3, 0};
        }
    }
    EXPECT_GT(expect_same_impacts(sheet, begin, end, end), 20u);
}

TEST(PatternWindows, UsableInASheetButNotWhereThePatternLiesTwice) {
    const Sheet sheet = Sheet::irregular();
    auto pattern = sheet.model.collision_pattern();
    const PatternWindows once(*sheet.surfaces, pattern, 3e-3);
    std::size_t usable = 0, filled = 0;
    for (std::size_t c = 0; c < once.cell_count(); ++c) {
        filled += !once.cell_triangles[c].empty();
        usable += once.usable[c] >> PatternWindows::most & 1;
    }
    EXPECT_EQ(once.charts.size(), 1u);
    EXPECT_GT(usable, filled * 9 / 10);
    // The pattern folded over along its middle.
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const auto& corners : pattern)
        for (const Vec2& p : corners) {
            low = std::min(low, p.x);
            high = std::max(high, p.x);
        }
    for (auto& corners : pattern)
        for (Vec2& p : corners)
            p.x = std::abs(p.x - 0.5 * (low + high));
    const PatternWindows twice(*sheet.surfaces, pattern, 3e-3);
    for (std::size_t c = 0; c < twice.cell_count(); ++c)
        ASSERT_EQ(twice.usable[c], 0) << c;
}

// An L: windows at the corner that bends inward are not usable, those along straight borders are.
TEST(PatternWindows, NotAtACornerThatBendsInward) {
    constexpr int n = 40;
    PolygonMesh grid =
        make_grid({.width = n * 2e-3, .depth = n * 2e-3, .columns = n + 1, .rows = n + 1});
    const Sheet sheet(grid);
    // Each triangle of the upper right quarter far off: the rest is an L.
    auto pattern = sheet.model.collision_pattern();
    Vec2 middle = {0, 0};
    for (const auto& corners : pattern)
        for (const Vec2& p : corners)
            middle = middle + (1.0 / (3.0 * static_cast<double>(pattern.size()))) * p;
    const auto in_quarter = [&](const std::array<Vec2, 3>& c) {
        return c[0].x + c[1].x + c[2].x > 3 * middle.x && c[0].y + c[1].y + c[2].y > 3 * middle.y;
    };
    for (auto& corners : pattern)
        if (in_quarter(corners))
            for (Vec2& p : corners)
                p.x += 1;
    constexpr double cell = 3e-3;
    const PatternWindows windows(*sheet.surfaces, pattern, cell);
    ASSERT_EQ(windows.charts.size(), 2u);
    const auto& chart = windows.charts[windows.ranges[0].chart];
    std::size_t at_corner = 0, usable = 0;
    for (int c = chart.first_cell; c < chart.first_cell + chart.size[0] * chart.size[1]; ++c)
        for (int size = PatternWindows::least; size <= PatternWindows::most; ++size) {
            if (!(windows.usable[c] >> size & 1))
                continue;
            ++usable;
            const int i = (c - chart.first_cell) % chart.size[0],
                      j = (c - chart.first_cell) / chart.size[0];
            const double x = chart.low.x + i * cell, y = chart.low.y + j * cell;
            at_corner += x < middle.x - 1e-9 && middle.x + 1e-9 < x + size * cell &&
                         y < middle.y - 1e-9 && middle.y + 1e-9 < y + size * cell;
        }
    EXPECT_EQ(at_corner, 0u);
    EXPECT_GT(usable, 1000u);
}
