// Which pairs are contacts of a step.
#include "muslin/collision/response/contact_finder.h"

#include "collision/response/facing_sheets.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double h = 0.01; // [s]
using Foresight = ContactFinder::Foresight;

TEST(ContactFinder, WhatIsNearerThanItsThicknessIsAContact) {
    const FacingSheets sheets(0.5 * sheet_thickness);
    for (const Foresight foresight : {Foresight::none, Foresight::all_that_meet}) {
        const SensedStep step(sheets, h, foresight);
        ASSERT_FALSE(step.contacts.empty());
        for (const Contact& c : step.contacts) {
            EXPECT_NEAR(std::abs(c.gap(step.points.begin)), 0.5 * sheet_thickness, 1e-9);
            EXPECT_NEAR(std::abs(c.normal.y), 1, 1e-9);
        }
    }
}

TEST(ContactFinder, ForesightAloneSeesWhatWillMeet) {
    FacingSheets sheets(5 * sheet_thickness);
    sheets.move(1, {0, -10 * sheet_thickness / h, 0}); // right through the other
    EXPECT_TRUE(SensedStep(sheets, h, Foresight::none).contacts.empty());
    const SensedStep step(sheets, h, Foresight::all_that_meet);
    ASSERT_FALSE(step.contacts.empty());
    for (const Contact& c : step.contacts)
        EXPECT_LT(c.gap(step.points.end), 0) << "on the other side at the end";
    sheets.move(1, {0, 10 * sheet_thickness / h, 0});
    EXPECT_TRUE(SensedStep(sheets, h, Foresight::all_that_meet).contacts.empty()) << "it leaves";
}

TEST(ContactFinder, PairsBetweenReleasedPointsAreNone) {
    const FacingSheets sheets(0.5 * sheet_thickness);
    SensedStep step(sheets, h);
    const std::vector<Contact> all = step.contacts;
    std::vector<std::uint8_t> released(step.surfaces.point_count(), 0);
    for (const int p : all.front().points)
        released[p] = 1;
    step.finder.find(step.points, step.input, released, step.contacts, step.profile);
    EXPECT_LT(step.contacts.size(), all.size());
    EXPECT_TRUE(std::none_of(step.contacts.begin(), step.contacts.end(),
                             [&](const Contact& c) { return all_marked(c, released); }));
    std::fill(released.begin(), released.end(), std::uint8_t{1});
    step.finder.find(step.points, step.input, released, step.contacts, step.profile);
    EXPECT_TRUE(step.contacts.empty());
}

} // namespace
