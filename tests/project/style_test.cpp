#include "source_tree.h"

#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/wait.h>

using namespace muslin::project;

namespace {

// Written in two parts, or this file would break its own rules.
constexpr std::array<std::string_view, 2> markers = {"TO"
                                                     "DO",
                                                     "FIX"
                                                     "ME"};
constexpr std::array<std::string_view, 3> machine_paths = {"/wo"
                                                           "rk",
                                                           "/ro"
                                                           "ot",
                                                           "/ho"
                                                           "me"};
constexpr std::string_view temporary_path = "/t"
                                            "mp";

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// `word` with no letter, digit or '_' on either side.
bool holds_word(std::string_view line, std::string_view word) {
    for (auto at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(line[at - 1])) && (end == line.size() || !is_word(line[end])))
            return true;
    }
    return false;
}

// An absolute path that starts with `path`: nothing that continues a relative path comes before.
bool holds_path(std::string_view line, std::string_view path) {
    for (auto at = line.find(path); at != line.npos; at = line.find(path, at + 1)) {
        const std::size_t end = at + path.size();
        const char before = at == 0 ? ' ' : line[at - 1];
        const bool starts = !is_word(before) &&
                            std::string_view("./})-*$<>").find(before) == std::string_view::npos;
        if (starts && (end == line.size() || !(is_word(line[end]) || line[end] == '-')))
            return true;
    }
    return false;
}

std::vector<Violation> find_markers(const std::vector<SourceFile>& files) {
    std::vector<Violation> out;
    for (const SourceFile& file : files)
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            for (const auto marker : markers)
                if (holds_word(file.lines[i], marker))
                    out.push_back({file.path, static_cast<int>(i + 1), file.lines[i]});
    return out;
}

std::vector<Violation> find_machine_paths(const std::vector<SourceFile>& files) {
    std::vector<Violation> out;
    for (const SourceFile& file : files)
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            bool found = !file.path.starts_with("tests/") && holds_path(line, temporary_path);
            for (const auto path : machine_paths)
                found = found || holds_path(line, path);
            if (found)
                out.push_back({file.path, static_cast<int>(i + 1), line});
        }
    return out;
}

struct Command {
    int exit_code = -1;
    std::string output;
};

Command run(const std::string& command) {
    Command result;
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (!pipe)
        return result;
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
        result.output.append(buffer.data(), n);
    const int status = pclose(pipe);
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

} // namespace

TEST(style, nothing_is_left_for_later) {
    const auto violations = find_markers(read_tree(MUSLIN_SOURCE_DIR));
    EXPECT_TRUE(violations.empty()) << describe(violations);
}

TEST(style, no_paths_of_one_machine) {
    const auto violations = find_machine_paths(read_tree(MUSLIN_SOURCE_DIR));
    EXPECT_TRUE(violations.empty()) << describe(violations);
}

// Another version of clang-format breaks lines elsewhere, so only Debian 12's is asked.
TEST(style, clang_format_changes_nothing) {
    const Command version = run("clang-format --version");
    if (version.exit_code != 0)
        GTEST_SKIP() << "clang-format is not installed (scripts/install-dependencies --dev)";
    if (version.output.find("version 14.") == std::string::npos)
        GTEST_SKIP() << "needs clang-format 14, found " << version.output;
    std::string files;
    for (const SourceFile& file : read_tree(MUSLIN_SOURCE_DIR))
        if (is_code(file.path))
            files += " '" + file.path + "'";
    const Command check = run("cd '" + std::string(MUSLIN_SOURCE_DIR) +
                              "' && clang-format --dry-run -Werror" + files);
    EXPECT_EQ(check.exit_code, 0) << "run `make format`\n" << check.output.substr(0, 4000);
}

TEST(style, violations_are_found) {
    const TemporaryTree tree;
    const std::string marker(markers[0]), path(machine_paths[0]), temporary(temporary_path);
    tree.write("src/later.h", "int x; // " + marker + ": y\nint " + marker + "S;\n");
    tree.write("docs/where.md", "see " + path + "/main\nnet" + path + "\n" + path + "shop\n");
    tree.write("src/scratch.cpp", "open(\"" + temporary + "/x\");\n");
    tree.write("tests/scratch.cpp", "open(\"" + temporary + "/x\");\n");
    tree.write("build-x/generated.cpp", "// " + marker + " " + path + "\n");
    const auto files = read_tree(tree.root());

    const auto later = find_markers(files);
    ASSERT_EQ(later.size(), 1u) << describe(later);
    EXPECT_EQ(later[0].line, 1);

    const auto paths = find_machine_paths(files);
    ASSERT_EQ(paths.size(), 2u) << describe(paths);
    EXPECT_EQ(paths[0].file, "docs/where.md");
    EXPECT_EQ(paths[0].line, 1);
    EXPECT_EQ(paths[1].file, "src/scratch.cpp");
}
