#include "muslin/base/error.h"

#include <gtest/gtest.h>

using namespace muslin;

TEST(error, describe_gives_every_part) {
    const Problem problem = {{"scene.toml", 12, 5},
                             "cloth[0].density",
                             "a positive number [kg/m^2]",
                             "-0.2",
                             "cotton has 0.15"};
    EXPECT_EQ(describe(problem), "scene.toml:12:5: cloth[0].density: expected a positive number "
                                 "[kg/m^2], found -0.2 (cotton has 0.15)");
}

TEST(error, describe_leaves_out_what_is_not_known) {
    EXPECT_EQ(describe({{"a.ply", 0, 0}, "", "a PLY header", "an empty file", ""}),
              "a.ply: expected a PLY header, found an empty file");
    EXPECT_EQ(describe({{"a.obj", 3, 0}, "f", "three corners", "two", ""}),
              "a.obj:3: f: expected three corners, found two");
    EXPECT_EQ(describe({{}, "--frames", "a whole number", "x", ""}),
              "--frames: expected a whole number, found x");
}

TEST(error, a_message_is_one_line_whatever_was_found) {
    EXPECT_EQ(describe({{"a.toml", 1, 7}, "k", "x", "a\nb\x1b", ""}),
              "a.toml:1:7: k: expected x, found a\\nb\\x1b");
    EXPECT_STREQ(FileError("a\tb", "no").what(), "a\\x09b: no");
}

TEST(error, a_message_shows_the_beginning_of_what_is_long) {
    const std::string text = describe({{"a.toml", 1, 7}, "k", "x", std::string(5000, 'y'), "z"});
    EXPECT_EQ(text, "a.toml:1:7: k: expected x, found " + std::string(800, 'y') + "... (z)");
    // A letter of two bytes across the end is left out.
    EXPECT_EQ(describe({{}, "", "x", std::string(799, 'y') + "\u00e9\u00e9", ""}),
              "expected x, found " + std::string(799, 'y') + "...");
}

TEST(error, a_column_without_a_line_is_not_shown) {
    EXPECT_EQ(describe({{"a.toml", 0, 7}, "k", "x", "y", ""}), "a.toml: k: expected x, found y");
}

TEST(error, input_error_carries_the_problem_and_its_text) {
    const Problem problem = {
        {"s.toml", 1, 2}, "recipe", "a recipe", "'bw89'", "did you mean 'bw98'?"};
    try {
        throw InputError(problem);
    } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), describe(problem));
        const auto* input = dynamic_cast<const InputError*>(&error);
        ASSERT_NE(input, nullptr);
        EXPECT_EQ(input->problem().where.line, 1);
        EXPECT_EQ(input->problem().found, "'bw89'");
    }
}

TEST(error, file_error_names_the_file) {
    EXPECT_STREQ(FileError("out/sheet.pc2", "No space left on device").what(),
                 "out/sheet.pc2: No space left on device");
}
