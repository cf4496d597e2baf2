// docs/scene-format.md says what the loader does: its sections list the keys that the loader knows,
// and its examples load.

#include "scene/scene_testing.h"

#include "muslin/scene/keys.h"

#include <algorithm>
#include <map>
#include <set>

namespace muslin {
namespace {

std::string manual() {
    return testing::read_file(std::filesystem::path(test::source_directory()) / "docs" /
                              "scene-format.md");
}

/// "## [[cloth]]" and "## scene: the top level" head the sections "cloth" and "scene".
std::string section_name(std::string_view heading) {
    std::string name;
    for (const char c : heading) {
        if (c == '#' || c == '[' || c == ']')
            continue;
        if (c == ':' || (c == ' ' && !name.empty()))
            break;
        if (c != ' ')
            name += c;
    }
    return name;
}

/// The keys that each section lists: rows that begin "| `key` |".
std::map<std::string, std::set<std::string>> listed_keys(const std::string& text) {
    std::map<std::string, std::set<std::string>> out;
    std::string section;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("##"))
            section = section_name(line);
        else if (line.starts_with("| `") && line[3] != '"')
            out[section].insert(line.substr(3, line.find('`', 3) - 3));
    }
    return out;
}

TEST(SceneFormat, EverySectionListsTheKeysOfItsTable) {
    const auto listed = listed_keys(manual());
    for (const KeyGroup& group : keys::all) {
        SCOPED_TRACE(group.table);
        const auto section = listed.find(std::string(group.table));
        ASSERT_NE(section, listed.end()) << "no section";
        for (const std::string_view key : group.keys)
            EXPECT_TRUE(section->second.contains(std::string(key))) << "missing: " << key;
        for (const std::string& key : section->second)
            EXPECT_NE(std::find(group.keys.begin(), group.keys.end(), key), group.keys.end())
                << "no such key: " << key;
    }
    EXPECT_EQ(listed.size(), std::size(keys::all));
}

struct Example {
    int line = 0;
    std::string text;
};

std::vector<Example> examples(const std::string& text) {
    std::vector<Example> out;
    std::istringstream lines(text);
    bool inside = false;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (line == "```toml") {
            inside = true;
            out.push_back({number, ""});
        } else if (line == "```") {
            inside = false;
        } else if (inside) {
            out.back().text += line + '\n';
        }
    }
    return out;
}

TEST(SceneFormat, EveryExampleLoads) {
    const testing::TemporaryFolder folder;
    for (const char* mesh :
         {"shirt.obj", "figure.obj", "painted.ply", "dance.pc2", "sheet-untangled.obj"})
        folder.write(mesh, "");
    std::string all;
    for (const Example& example : examples(manual())) {
        std::string text = example.text;
        // Fragments speak of a cloth "sheet" and a region "hem".
        if (text.find("[[cloth]]") == std::string::npos)
            text += "[[cloth]]\nname = \"sheet\"\nmesh = { type = \"irregular\" }\n";
        if (text.find("\"hem\"") != std::string::npos &&
            text.find("[[region]]") == std::string::npos)
            text += "[[region]]\nname = \"hem\"\nvertices = [5]\n";
        try {
            parse_scene(text, "scene-format.md", folder.path(), "example");
        } catch (const std::exception& error) {
            ADD_FAILURE() << "the example at line " << example.line << ": " << error.what();
        }
        all += text;
    }
    // One example at least for every key.
    for (const KeyGroup& group : keys::all)
        for (const std::string_view key : group.keys) {
            const std::string name(key);
            EXPECT_TRUE(all.find(name + " =") != std::string::npos ||
                        all.find("[" + name + "]") != std::string::npos ||
                        all.find("." + name + "]") != std::string::npos)
                << "no example of '" << key << "' of " << group.table;
        }
}

} // namespace
} // namespace muslin
