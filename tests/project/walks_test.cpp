// The walks of docs/architecture.md: lists of functions that are where they are said to be.
#include "source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <vector>

using namespace muslin::project;

namespace {

struct Stop {
    int line = 0; ///< of the document, from 1
    std::vector<std::string> functions;
    std::vector<std::string> files; ///< below src/muslin; the last is that of all functions left
    std::string file_of(std::size_t function) const {
        return files.empty() ? "" : files[std::min(function, files.size() - 1)];
    }
};
using Walk = std::vector<Stop>;

/// What stands between backticks.
std::vector<std::string> names_in(const std::string& cell) {
    static const std::regex code("`([^`]+)`");
    std::vector<std::string> out;
    for (std::sregex_iterator match(cell.begin(), cell.end(), code), none; match != none; ++match)
        out.push_back((*match)[1]);
    return out;
}

/// The tables below headings "The walk of ...", by what walks.
std::map<std::string, Walk> read_walks(const SourceFile& document) {
    static const std::regex heading("#+ The walk of (.*)"), row(R"(\| \d+ \|([^|]*)\|([^|]*)\|.*)");
    std::map<std::string, Walk> out;
    std::string walker;
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
        const std::string& line = document.lines[i];
        std::smatch match;
        if (std::regex_match(line, match, heading))
            walker = match[1];
        else if (line.starts_with("#"))
            walker.clear();
        else if (!walker.empty() && std::regex_match(line, match, row))
            out[walker].push_back(
                {static_cast<int>(i + 1), names_in(match[1]), names_in(match[2])});
    }
    return out;
}

bool has(const std::string& text, const std::string& pattern) {
    return std::regex_search(text, std::regex(pattern));
}

/// Whether a file defines a function, "name" or "Class::name", in or out of its class.
bool defines(const std::string& text, const std::string& function) {
    const std::size_t colons = function.rfind("::");
    if (colons == std::string::npos)
        return has(text, "\\b" + function + "\\(");
    const std::string type = function.substr(0, colons), name = function.substr(colons + 2);
    return has(text, "\\b" + type + "::" + name + "\\(") ||
           (has(text, "\\b(class|struct) " + type + "\\b") && has(text, "\\b" + name + "\\("));
}

std::string text_of(const std::vector<SourceFile>& tree, const std::string& path) {
    std::string out;
    for (const SourceFile& file : tree)
        if (file.path == path)
            for (const std::string& line : file.lines)
                out += line + "\n";
    return out;
}

/// Functions that are not in the file beside them.
std::vector<Violation> find_lost(const std::map<std::string, Walk>& walks,
                                 const std::vector<SourceFile>& tree, const std::string& document) {
    std::vector<Violation> out;
    for (const auto& [walker, walk] : walks)
        for (const Stop& stop : walk)
            for (std::size_t f = 0; f < stop.functions.size(); ++f)
                if (!defines(text_of(tree, "src/muslin/" + stop.file_of(f)), stop.functions[f]))
                    out.push_back({document, stop.line,
                                   stop.functions[f] + " is not in '" + stop.file_of(f) + "'"});
    return out;
}

std::size_t count_functions(const Walk& walk) {
    std::size_t out = 0;
    for (const Stop& stop : walk)
        out += stop.functions.size();
    return out;
}

/// How often a walk goes to another folder of src/muslin.
int count_changes_of_folder(const Walk& walk) {
    int out = 0;
    std::string last;
    for (const Stop& stop : walk)
        for (const std::string& file : stop.files) {
            const std::string folder = file.substr(0, file.find('/'));
            out += !last.empty() && folder != last;
            last = folder;
        }
    return out;
}

std::map<std::string, Walk> walks_of(const std::vector<SourceFile>& tree,
                                     const std::string& document) {
    const auto found = std::find_if(tree.begin(), tree.end(),
                                    [&](const SourceFile& file) { return file.path == document; });
    return found == tree.end() ? std::map<std::string, Walk>() : read_walks(*found);
}

} // namespace

TEST(walks, functions_are_where_they_are_said_to_be) {
    const auto tree = read_tree(MUSLIN_SOURCE_DIR);
    const auto walks = walks_of(tree, "docs/architecture.md");
    for (const char* walker : {"one vertex", "one seam joint", "one contact pair"}) {
        ASSERT_TRUE(walks.contains(walker)) << walker;
        EXPECT_GE(walks.at(walker).size(), 10u) << walker;
    }
    const auto lost = find_lost(walks, tree, "docs/architecture.md");
    EXPECT_TRUE(lost.empty()) << describe(lost);
}

TEST(walks, a_vertex_takes_few_functions_and_folders) {
    const auto walks = walks_of(read_tree(MUSLIN_SOURCE_DIR), "docs/architecture.md");
    ASSERT_TRUE(walks.contains("one vertex"));
    EXPECT_LE(count_functions(walks.at("one vertex")), 14u);
    EXPECT_LE(count_changes_of_folder(walks.at("one vertex")), 10);
}

TEST(walks, what_is_lost_is_found) {
    const TemporaryTree tree;
    tree.write("docs/a.md", "## The walk of a thing\n"
                            "| | function | file | what |\n"
                            "|---|---|---|---|\n"
                            "| 1 | `go`, `Cart::roll` | `road/go.cpp`, `road/cart.h` | |\n"
                            "| 2 | `stop` | `road/go.cpp` | not there |\n"
                            "| 3 | `Cart::tip` | `field/cart.cpp` | no such file |\n"
                            "## Else\n"
                            "| 1 | `none` | `none.cpp` | |\n");
    tree.write("src/muslin/road/go.cpp", "int go() { return 1; }\n// nonstop(\n");
    tree.write("src/muslin/road/cart.h", "class Cart {\n    void roll();\n};\n");
    const auto files = read_tree(tree.root());
    const auto walks = walks_of(files, "docs/a.md");
    ASSERT_EQ(walks.size(), 1u);
    const Walk& walk = walks.at("a thing");
    EXPECT_EQ(count_functions(walk), 4u);
    EXPECT_EQ(count_changes_of_folder(walk), 1);
    const auto lost = find_lost(walks, files, "docs/a.md");
    ASSERT_EQ(lost.size(), 2u) << describe(lost);
    EXPECT_EQ(lost[0].line, 5);
    EXPECT_EQ(lost[1].line, 6);
}
