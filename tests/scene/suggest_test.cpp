#include "muslin/scene/suggest.h"

#include <gtest/gtest.h>

#include <array>

namespace muslin {
namespace {

TEST(Suggest, EditDistance) {
    EXPECT_EQ(edit_distance("", ""), 0);
    EXPECT_EQ(edit_distance("", "abc"), 3);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
    EXPECT_EQ(edit_distance("sitting", "kitten"), 3);
    EXPECT_EQ(edit_distance("stretch_u", "streth_u"), 1);
    EXPECT_EQ(edit_distance("frames", "farmes"), 1); // neighbours swapped
    EXPECT_EQ(edit_distance("Air-Density", "air_density"), 0);
}

constexpr std::array<std::string_view, 4> words = {"stretch_u", "stretch_v", "shear", "density"};

TEST(Suggest, NearestWord) {
    EXPECT_EQ(nearest_word("streth_v", words), "stretch_v");
    EXPECT_EQ(nearest_word("sheer", words), "shear");
    EXPECT_EQ(nearest_word("colour", words), "");
    EXPECT_EQ(nearest_word("x", words), "");
    EXPECT_EQ(nearest_word("x", {}), "");
}

TEST(Suggest, Hint) {
    EXPECT_EQ(suggest("sheer", words), "did you mean 'shear'?");
    EXPECT_EQ(suggest("colour", words), "known: stretch_u, stretch_v, shear, density");
    EXPECT_EQ(suggest("colour", {}), "");
}

} // namespace
} // namespace muslin
