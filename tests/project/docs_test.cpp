#include "source_tree.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

using namespace muslin::project;

namespace {

namespace fs = std::filesystem;

// Targets of [text](target), ![picture](target), [name]: target, href="target" and src="target".
std::vector<std::string> link_targets(std::string line) {
    static const std::regex code("`[^`]*`");
    static const std::regex link(
        R"re(\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s{0,3}\[[^\]]+\]:\s+(\S+)|(?:href|src)="([^"]+)")re");
    line = std::regex_replace(line, code, "");
    std::vector<std::string> out;
    for (std::sregex_iterator match(line.begin(), line.end(), link), none; match != none; ++match)
        for (std::size_t group = 1; group <= 3; ++group)
            if ((*match)[group].matched)
                out.push_back((*match)[group].str());
    return out;
}

bool is_relative(const std::string& target) {
    static const std::regex scheme("^[A-Za-z][A-Za-z0-9+.-]*:");
    return !target.starts_with("#") && !target.starts_with("//") &&
           !std::regex_search(target, scheme);
}

// Links that name nothing in the tree, or something outside it.
std::vector<Violation> find_broken_links(const fs::path& root) {
    std::vector<Violation> out;
    for (const SourceFile& file : read_tree(root)) {
        if (!is_document(file.path))
            continue;
        bool in_code = false;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            if (file.lines[i].starts_with("```"))
                in_code = !in_code;
            if (in_code)
                continue;
            for (const std::string& target : link_targets(file.lines[i])) {
                if (!is_relative(target))
                    continue;
                const fs::path folder = fs::path(file.path).parent_path();
                const fs::path path =
                    (folder / target.substr(0, target.find_first_of("#?"))).lexically_normal();
                if (path.is_absolute() || *path.begin() == ".." || !fs::exists(root / path))
                    out.push_back({file.path, static_cast<int>(i + 1), "links to " + target});
            }
        }
    }
    return out;
}

} // namespace

TEST(docs, links_point_to_files) {
    const auto broken = find_broken_links(MUSLIN_SOURCE_DIR);
    EXPECT_TRUE(broken.empty()) << describe(broken);
}

TEST(docs, broken_links_are_found) {
    const TemporaryTree tree;
    tree.write("README.md", "[good](docs/a.md) and [part](docs/a.md#section) [web](https://x.org)\n"
                            "![bad](docs/b.png) `[code](none.md)`\n"
                            "<img src=\"docs/c.png\">\n"
                            "[name]: docs/d.md\n"
                            "```\n[code](none.md)\n```\n"
                            "[here](#section) [mail](mailto:a@b.c)\n");
    tree.write("docs/a.md", "[up](../README.md) [folder](../docs) [out](../../x.md) [abs](/etc)\n");
    const auto broken = find_broken_links(tree.root());
    ASSERT_EQ(broken.size(), 5u) << describe(broken);
    EXPECT_EQ(broken[0].line, 2);
    EXPECT_EQ(broken[1].line, 3);
    EXPECT_EQ(broken[2].line, 4);
    EXPECT_EQ(broken[3].text, "links to ../../x.md");
    EXPECT_EQ(broken[4].text, "links to /etc");
}
