// Contacts as elements: what they know of their step, and impacts that join them.
#include "muslin/collision/response/contact_elements.h"

#include "collision/response/facing_sheets.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace muslin;
using namespace muslin::test;

namespace {

constexpr double h = 0.01; // [s]

struct Elements {
    explicit Elements(const FacingSheets& sheets)
        : step(sheets, h), elements(step.surfaces),
          of({sheets.start, h, step.points, step.mobility}) {
        elements.start(of, step.contacts);
    }
    SensedStep step;
    ContactElements elements;
    ContactStep of;
};

TEST(ContactElements, KnowTheGapAndHowFastItCloses) {
    FacingSheets sheets(0.5 * sheet_thickness);
    sheets.move(1, {0, -0.02, 0});
    const Elements e(sheets);
    ASSERT_FALSE(e.elements.empty());
    double weights = 0;
    for (const ContactElement& element : e.elements.all()) {
        EXPECT_NEAR(element.start.gap, 0.5 * sheet_thickness, 1e-9);
        EXPECT_NEAR(element.start.closing, 0.02, 1e-12);
        EXPECT_GT(element.start.mass, 0);
        for (const double w : element.contact.weights)
            weights += std::abs(w);
    }
    double crowding = 0;
    for (int i = 0; i < e.step.surfaces.particle_count(); ++i)
        crowding += e.elements.crowding(i);
    EXPECT_NEAR(crowding, weights, 1e-12 * weights);
}

TEST(ContactElements, StepsInWhichLayersCloseInByManyElementsAreTooLong) {
    FacingSheets sheets(5 * sheet_thickness);
    sheets.move(1, {0, -0.5, 0});
    EXPECT_GT(Elements(sheets).elements.longest_step(), h);
    sheets.move(1, {0, -100, 0});
    const Elements fast(sheets);
    EXPECT_LT(fast.elements.longest_step(), h);
    EXPECT_GT(fast.elements.longest_step(), 0);
}

TEST(ContactElements, ImpactsThatShowJoinTwiceInAStep) {
    const FacingSheets sheets(0.5 * sheet_thickness);
    Elements e(sheets);
    const std::size_t before = e.elements.all().size();
    const std::span<const Contact> impact(e.step.contacts.data(), 1);
    EXPECT_FALSE(e.elements.stiffen_against_impacts(e.of, impact, 1e-3 * sheet_thickness))
        << "nobody sees it";
    EXPECT_FALSE(e.elements.stiffen_against_impacts(e.of, {}, 1));
    EXPECT_EQ(e.elements.all().size(), before);
    for (const std::size_t more : {1, 2}) {
        EXPECT_TRUE(e.elements.stiffen_against_impacts(e.of, impact, sheet_thickness));
        ASSERT_EQ(e.elements.all().size(), before + more);
        EXPECT_TRUE(e.elements.all().back().start.is_impact);
        EXPECT_GE(e.elements.all().back().start.closing, 0.5 * sheet_thickness / h * (1 - 1e-9));
    }
    EXPECT_FALSE(e.elements.stiffen_against_impacts(e.of, impact, sheet_thickness));
    e.elements.start(e.of, e.step.contacts);
    EXPECT_EQ(e.elements.all().size(), before);
}

} // namespace
