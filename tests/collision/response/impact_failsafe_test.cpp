// The last line of a step: what it stops, what it gives up, what it releases.
#include "muslin/collision/response/impact_failsafe.h"

#include "collision/response/facing_sheets.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double h = 0.01; // [s]

struct Failsafe {
    explicit Failsafe(const FacingSheets& sheets)
        : step(sheets, h, ContactFinder::Foresight::none), tangles(step.surfaces),
          failsafe(step.surfaces, step.finder, tangles, {}) {
        State end = sheets.start;
        std::copy_n(step.points.end.begin(), end.positions.size(), end.positions.begin());
        step.points.propose(end);
    }
    SensedStep step;
    Tangles tangles;
    ImpactFailsafe failsafe;
    ContactReport report;
};

TEST(ImpactFailsafe, StopsSheetsThatWouldPassThroughEachOther) {
    FacingSheets sheets(2 * sheet_thickness);
    sheets.move(1, {0, -4 * sheet_thickness / h, 0});
    Failsafe f(sheets);
    f.failsafe.stop_impacts(f.step.points, f.step.mobility, f.report);
    EXPECT_GT(f.report.impacts, 0);
    EXPECT_FALSE(f.failsafe.impacts().empty());
    EXPECT_GT(f.failsafe.largest_move(), 0);
    ASSERT_GE(f.report.particle, 0);
    EXPECT_EQ(norm(f.step.points.end[f.report.particle] - f.step.points.solved[f.report.particle]),
              f.failsafe.largest_move());
    const ProposedStep last = {f.step.conditions, sheets.start, h, f.step.constraints, {}, true};
    EXPECT_TRUE(f.failsafe.resolved());
    EXPECT_TRUE(f.failsafe.accept_or_release(last, f.step.points, f.step.mobility, f.report));
    EXPECT_FALSE(f.tangles.any());
    ContactReport again;
    f.failsafe.stop_impacts(f.step.points, f.step.mobility, again);
    EXPECT_EQ(again.impacts, 0) << "nothing crosses on the way to the new ends";
}

// A plate below that stands still and one above that comes down through the sheets.
FacingSheets press() {
    FacingSheets sheets(sheet_thickness);
    for (const double height : {-0.51, 0.51 + sheet_thickness}) {
        Body body;
        body.name = height < 0 ? "floor" : "plate";
        BoxSettings box;
        box.size = {1, 1, 1};
        body.mesh = make_box(box);
        for (Vec3& p : body.mesh.positions)
            p.y += height;
        body.triangles = triangulate(body.mesh).triangles;
        if (height > 0)
            body.motion.translation = Animated<Vec3>({{0, {0, 0, 0}}, {h, {0, -0.05, 0}}});
        sheets.model.bodies.push_back(body);
    }
    return sheets;
}

TEST(ImpactFailsafe, WhatHasNoRoomIsReleasedInTheLastTryAlone) {
    const FacingSheets sheets = press();
    for (const bool last_try : {false, true}) {
        Failsafe f(sheets);
        f.failsafe.stop_impacts(f.step.points, f.step.mobility, f.report);
        ASSERT_FALSE(f.failsafe.resolved());
        const ProposedStep step = {f.step.conditions,  sheets.start, h,
                                   f.step.constraints, {},           last_try};
        EXPECT_EQ(f.failsafe.accept_or_release(step, f.step.points, f.step.mobility, f.report),
                  last_try);
        EXPECT_EQ(f.report.resolved, last_try);
        EXPECT_EQ(f.report.reason.empty(), last_try);
        EXPECT_EQ(f.report.released.empty(), !last_try);
        EXPECT_EQ(f.tangles.any(), last_try);
        EXPECT_EQ(f.tangles.released_marks().empty(), !last_try);
    }
}

} // namespace
