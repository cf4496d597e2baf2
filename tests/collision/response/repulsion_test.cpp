// Repulsion by impulses after a step.
#include "muslin/collision/response/repulsion.h"

#include "collision/response/facing_sheets.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double h = 0.01; // [s]

Vec3 momentum_of_way(const FacingSheets& sheets, const StepPoints& points) {
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < sheets.model.particle_count(); ++i)
        sum += sheets.model.mass[i] * (points.end[i] - points.begin[i]);
    return sum;
}

TEST(Repulsion, StopsWhatComesNearerAndKeepsMomentum) {
    FacingSheets sheets(0.9 * sheet_thickness);
    sheets.move(1, {0.2, -0.1, 0});
    SensedStep step(sheets, h, ContactFinder::Foresight::none);
    const Vec3 before = momentum_of_way(sheets, step.points);
    EXPECT_GT(repel(step.contacts, {}, step.surfaces, step.mobility, h, step.points), 0);
    EXPECT_LT(norm(momentum_of_way(sheets, step.points) - before), 1e-12 * norm(before));
    const Contact& last = step.contacts.back();
    EXPECT_GE(last.gap(step.points.end), last.gap(step.points.begin) - 1e-12);
}

TEST(Repulsion, LeavesWhatPartsFastEnoughAlone) {
    FacingSheets sheets(0.9 * sheet_thickness);
    sheets.move(1, {0, 1, 0});
    SensedStep step(sheets, h, ContactFinder::Foresight::none);
    const std::vector<Vec3> before = step.points.end;
    ASSERT_FALSE(step.contacts.empty());
    EXPECT_EQ(repel(step.contacts, {}, step.surfaces, step.mobility, h, step.points), 0);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(norm(step.points.end[i] - before[i]), 0);
}

} // namespace
