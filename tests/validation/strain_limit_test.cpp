// The hard scene of strain limits, examples/bridson03/jerked-sheet.toml, judged after every step:
// edges within 0 and +10 % of their rest length, plus at most 1 % [Bridson03 3]. The sweep takes it
// to its end; here it goes through the start of the first jerk.

#include "validation/jerked_sheet.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::validation;

TEST(StrainLimit, EveryStepOfAJerkedSheetIsWithinTheLimits) {
    const Jerked j = run_jerked_sheet(0.13, 0.04, {});
    fmt::print("{} steps: strain {:.2f} to {:+.2f} %, {:.0f} sweeps a step, at most {}\n", j.steps,
               100 * j.least, 100 * j.greatest, double(j.sweeps) / j.steps, j.most_sweeps);
    EXPECT_GT(j.greatest, 0.09); // the limit is felt
    EXPECT_LT(j.greatest, 0.11);
    EXPECT_GT(j.least, -0.01);
}

} // namespace
