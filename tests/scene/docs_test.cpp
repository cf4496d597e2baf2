// docs/scene-format.md says what the loader does: its tables are those of the loader, and its
// examples load.

#include "muslin/model/parts.h"
#include "scene/key_docs.h"
#include "scene/scene_testing.h"

namespace muslin {
namespace {

std::string manual() {
    return testing::read_file(std::filesystem::path(test::source_directory()) / "docs" /
                              "scene-format.md");
}

TEST(SceneFormat, TablesAreThoseOfTheKeys) {
    EXPECT_EQ(testing::with_key_tables(manual(), keys::all()), manual()) << "run `make scene-docs`";
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
    register_part({std::string(added_force), "magnet", "of a program", {}, {}});
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
    for (const KeyGroup* group : keys::all())
        for (const std::string_view key : group->names()) {
            const std::string name(key);
            EXPECT_TRUE(all.find(name + " =") != std::string::npos ||
                        all.find("[" + name + "]") != std::string::npos ||
                        all.find("." + name + "]") != std::string::npos)
                << "no example of '" << key << "' of " << group->table;
        }
}

} // namespace
} // namespace muslin
