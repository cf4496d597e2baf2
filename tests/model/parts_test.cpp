// The open registry of parts and recipes.
#include "muslin/model/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace muslin {
namespace {

TEST(PartRegistry, EveryRecipeHasAKnownPartForEveryStage) {
    EXPECT_EQ(recipes().front().name, "muslin");
    for (const Recipe& recipe : recipes()) {
        EXPECT_EQ(recipe.parts.size(), stages.size()) << recipe.name;
        EXPECT_NO_THROW(choose_recipe(recipe.name)) << recipe.name;
        for (const auto& [stage, name] : recipe.parts)
            EXPECT_TRUE(std::ranges::any_of(parts(),
                                            [&, s = stage, n = name](const Part& part) {
                                                return part.stage == s && part.name == n;
                                            }))
                << recipe.name << ": " << stage << " = " << name;
    }
}

TEST(PartRegistry, NamesDifferWithinAStage) {
    std::set<std::pair<std::string, std::string>> names;
    for (const Part& part : parts()) {
        EXPECT_TRUE(names.emplace(part.stage, part.name).second) << part.name;
        EXPECT_NE(std::find(stages.begin(), stages.end(), part.stage), stages.end()) << part.name;
        EXPECT_FALSE(part.summary.empty()) << part.name;
    }
}

TEST(PartRegistry, TakesPartsAndRecipesFromOutside) {
    const std::size_t before = parts().size();
    register_part({"weight", "moon", "a sixth of the weight"});
    ASSERT_EQ(parts().size(), before + 1);
    EXPECT_EQ(parts().back().name, "moon") << "after those of Muslin";
    EXPECT_EQ(choose_recipe("bw98", {{"weight", {"moon"}}}).parts.at("weight"), "moon");

    Recipe lunar = choose_recipe("bw98", {{"weight", {"moon"}}});
    lunar.name = "lunar";
    register_recipe(lunar);
    EXPECT_EQ(recipes().back().name, "lunar");
    EXPECT_EQ(choose_recipe("lunar").parts.at("weight"), "moon");
}

TEST(PartRegistry, RefusesWhatIsThereAlreadyOrNotWhole) {
    EXPECT_THROW(register_part({"in_plane", "edge_springs", "again"}), std::logic_error);
    EXPECT_THROW(register_part({"in-plane", "other", "of no stage"}), std::logic_error);
    EXPECT_THROW(register_recipe(recipes().front()), std::logic_error);
    Recipe other = recipes().front();
    other.name = "other";
    other.parts["air"] = "vacuum";
    EXPECT_THROW(register_recipe(other), std::logic_error);
    other.parts.erase("air");
    EXPECT_THROW(register_recipe(other), std::logic_error);
}

TEST(PartRegistry, ContactOfTheImplicitStepNeedsOne) {
    EXPECT_THROW(choose_recipe("volino95", {{"contact", {"implicit_contact"}}}), InputError);
    EXPECT_THROW(choose_recipe("muslin", {{"contact", {"bw98_contact"}}}), InputError);
    EXPECT_NO_THROW(choose_recipe("muslin", {{"integrator", {"backward_euler"}}}));
    try {
        choose_recipe("muslin", {{"integrator", {"runge_kutta"}}});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "parts.contact");
        EXPECT_EQ(error.problem().found,
                  "'implicit_contact', which needs one of 'sdirk2', 'backward_euler'");
    }
}

} // namespace
} // namespace muslin
