// The drape of a held square at two resolutions; tests/validation/sweep takes finer ones
// (docs/validation.md).

#include "validation/drape.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::validation;

TEST(Drape, IsTheSameClothAtTwoResolutions) {
    const Drape coarse = drape(22, "bend_bridson"), fine = drape(50, "bend_bridson");
    for (const Drape& d : {coarse, fine})
        EXPECT_LT(d.speed, 2e-5); // the simulation has nothing to add to the balance
    EXPECT_NEAR(coarse.above / fine.above, 1, 0.01);
    EXPECT_NEAR(coarse.side / fine.side, 1, 0.03);
    EXPECT_NEAR(coarse.lowest / fine.lowest, 1, 0.04);
    // Both energies grow with the resolution: a coarse mesh bends less freely.
    const double less = coarse.elastic + coarse.gravity, more = fine.elastic + fine.gravity;
    EXPECT_LT(more, less);
    EXPECT_NEAR(less / more, 1, 0.08);
}

} // namespace
