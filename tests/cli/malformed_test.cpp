// Broken and odd files that others have collected: the program reads each, or says in one line why
// it does not. What of glTF must be refused, by the validator's reports: tests/io/gltf_test.cpp.

#include "cli/command_line.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using muslin::testing::Outcome;

TEST(malformed, every_file_is_read_or_refused_in_one_line) {
    MUSLIN_NEED_DATA(folder, "malformed");
    // By way of a link, as the data may be kept elsewhere: messages name files as the user does.
    const muslin::testing::Scratch scratch("malformed");
    const std::filesystem::path directory = scratch / "linked";
    std::filesystem::create_directory_symlink(std::filesystem::canonical(folder), directory);
    int files = 0, read = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             directory, std::filesystem::directory_options::follow_directory_symlink)) {
        if (!entry.is_regular_file())
            continue;
        ++files;
        const Outcome outcome = muslin::testing::muslin("info '" + entry.path().string() + "'");
        if (outcome.code == 0) {
            ++read;
            EXPECT_EQ(outcome.text.find("nan"), std::string::npos) << outcome.text;
            EXPECT_EQ(outcome.text.find("inf,"), std::string::npos) << outcome.text;
            continue;
        }
        // This one names a file beside it that is not there: it cannot be read.
        const bool lacks_file = entry.path().filename() == "not_found.gltf";
        EXPECT_EQ(outcome.code, lacks_file ? 4 : 2) << entry.path() << ": " << outcome.text;
        EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
        EXPECT_NE(outcome.text.find(directory.string()), std::string::npos) << outcome.text;
    }
    EXPECT_GT(files, 200);
    EXPECT_GT(read, 30);
}

} // namespace
