// The law by which layers press on each other.
#include "muslin/collision/response/contact_pressure.h"

#include <gtest/gtest.h>

using namespace muslin;

namespace {

const PressureLaw law = {200};
const PressureLaw::Layers layers = {2e-3, 1e-4};

double force(double gap) { // as the law is stated
    const double d = 1 - gap / layers.thickness;
    return law.softness * d / (1 - d) * layers.area;
}

TEST(PressureLaw, TangentTouchesTheLawAndHasItsSlope) {
    for (const double part : {0.1, 0.3, 0.5, 0.9}) {
        const double gap = part * layers.thickness, step = 1e-6 * layers.thickness;
        const PressureLaw::Tangent tangent = law.tangent(gap, layers);
        EXPECT_NEAR(tangent.stiffness * (tangent.target - gap), force(gap), 1e-12 * force(gap));
        const double slope = (force(gap + step) - force(gap - step)) / (2 * step);
        EXPECT_NEAR(-tangent.stiffness / slope, 1, 1e-6) << part;
    }
}

TEST(PressureLaw, IsNothingAtTheWholeThicknessAndStiffensNoMoreWhenPressedToNothing) {
    const PressureLaw::Tangent apart = law.tangent(2 * layers.thickness, layers);
    EXPECT_DOUBLE_EQ(apart.target, layers.thickness);
    EXPECT_EQ(law.energy(2 * layers.thickness, layers), 0);
    const double least = law.tangent(thinnest_pressed * layers.thickness, layers).stiffness;
    EXPECT_EQ(law.tangent(-layers.thickness, layers).stiffness, least);
}

TEST(PressureLaw, GapUnderAForceIsTheGapOfThatForce) {
    EXPECT_EQ(law.gap_under(0, layers), layers.thickness);
    for (const double part : {0.2, 0.5, 0.8})
        EXPECT_NEAR(law.gap_under(force(part * layers.thickness), layers), part * layers.thickness,
                    1e-12 * layers.thickness);
}

TEST(PressureLaw, ForceIsMinusTheSlopeOfTheEnergy) {
    for (const double part : {0.1, 0.4, 0.8}) {
        const double gap = part * layers.thickness, step = 1e-5 * layers.thickness;
        const double slope =
            (law.energy(gap + step, layers) - law.energy(gap - step, layers)) / (2 * step);
        EXPECT_NEAR(-slope / force(gap), 1, 1e-6) << part;
    }
}

} // namespace
