// Every fifth of the scenes of `make torture`: each ends well, or says what is wrong with it,
// within its time.

#include "torture/runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <unistd.h>

namespace {

using namespace muslin::torture;

// Four scenes each, forty in all.
class Torture : public testing::TestWithParam<int> {};

TEST_P(Torture, EndsWellOrSaysWhyNot) {
    const std::filesystem::path scratch = std::filesystem::temp_directory_path() /
                                          ("muslin-torture-test-" + std::to_string(getpid()));
    int feasible = 0, succeeded = 0;
    for (int number = 5 * GetParam(); number < torture_count; number += 50) {
        const Trial trial = make_trial(torture_seed, number);
        const Ending ending = run_trial(trial, scratch);
        for (const std::string& fault : ending.faults)
            ADD_FAILURE() << trial.name() << ": " << fault << "\n" << ending.text;
        feasible += trial.feasible;
        succeeded += trial.feasible && ending.succeeded();
    }
    std::filesystem::remove_all(scratch);
    EXPECT_GE(succeeded + 1, feasible);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Torture, testing::Range(0, 10));

TEST(TortureTrials, AreTheSameForTheSameSeed) {
    for (const int number : {0, 57, 123}) {
        EXPECT_EQ(make_trial(1, number).scene_text, make_trial(1, number).scene_text);
        EXPECT_NE(make_trial(1, number).scene_text, make_trial(2, number).scene_text);
    }
}

TEST(TortureTrials, HaveEveryTroubleAloneAndEveryRecipe) {
    std::vector<std::string> alone, recipes;
    for (int number = 0; number < torture_count; ++number) {
        const Trial trial = make_trial(torture_seed, number);
        if (trial.troubles.size() == 1)
            alone.push_back(trial.troubles.front());
        recipes.push_back(trial.recipe);
    }
    for (const std::string& trouble : trouble_names())
        EXPECT_GE(std::count(alone.begin(), alone.end(), trouble), 8) << trouble;
    for (const char* recipe : {"muslin", "bw98", "bridson03", "volino95", "bayraktar07", "ohta95"})
        EXPECT_GE(std::count(recipes.begin(), recipes.end(), recipe), 20) << recipe;
}

} // namespace
