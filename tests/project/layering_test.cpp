#include "source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

using namespace muslin::project;

// A folder of src/muslin may include itself and the folders to its left (docs/architecture.md).

namespace {

constexpr std::array<std::string_view, 16> order = {
    "base",    "math",   "mesh",      "linalg",      "levelset", "io",     "pattern", "model",
    "garment", "forces", "collision", "integrators", "scene",    "engine", "run",     "render"};

std::optional<std::size_t> rank(std::string_view folder) {
    const auto found = std::ranges::find(order, folder);
    if (found == order.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - order.begin());
}

// The path between the quotes or angle brackets of an #include line.
std::optional<std::string> included(std::string_view line) {
    const auto skip_spaces = [&] {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    skip_spaces();
    if (!line.starts_with('#'))
        return std::nullopt;
    line.remove_prefix(1);
    skip_spaces();
    if (!line.starts_with("include"))
        return std::nullopt;
    line.remove_prefix(7);
    skip_spaces();
    if (line.empty() || (line[0] != '"' && line[0] != '<'))
        return std::nullopt;
    const std::size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == std::string_view::npos)
        return std::nullopt;
    return std::string(line.substr(1, end - 1));
}

std::string first_folder(const std::string& path) {
    return path.substr(0, path.find('/'));
}

std::string check_include(const std::string& folder, const std::string& path) {
    if (path.find("apps/") != std::string::npos)
        return "a library includes an app: " + path;
    if (path.find("../") != std::string::npos)
        return "an include by a way up hides its folder: " + path;
    if (!path.starts_with("muslin/"))
        return "";
    const std::string target = first_folder(path.substr(7));
    if (!rank(target))
        return "includes the unknown folder '" + target + "': " + path;
    if (*rank(target) > *rank(folder))
        return "'" + folder + "' stands below '" + target + "' and includes " + path;
    return "";
}

std::vector<Violation> find_layer_violations(const std::filesystem::path& root) {
    std::vector<Violation> out;
    const std::string library = "src/muslin/";
    for (const SourceFile& file : read_tree(root)) {
        if (!file.path.starts_with(library) || !is_code(file.path))
            continue;
        const std::string folder = first_folder(file.path.substr(library.size()));
        if (!rank(folder)) {
            out.push_back({file.path, 0, "the folder '" + folder + "' has no place in the order"});
            continue;
        }
        for (std::size_t i = 0; i < file.lines.size(); ++i)
            if (const auto path = included(file.lines[i])) {
                const std::string text = check_include(folder, *path);
                if (!text.empty())
                    out.push_back({file.path, static_cast<int>(i + 1), text});
            }
    }
    return out;
}

} // namespace

TEST(layering, include_order) {
    const auto violations = find_layer_violations(MUSLIN_SOURCE_DIR);
    EXPECT_TRUE(violations.empty()) << describe(violations);
}

TEST(layering, the_tree_is_really_read) {
    const auto files = read_tree(MUSLIN_SOURCE_DIR);
    const auto holds = [&](std::string_view path) {
        return std::ranges::any_of(files, [&](const SourceFile& f) { return f.path == path; });
    };
    EXPECT_TRUE(holds("src/muslin/base/parallel.h"));
    EXPECT_TRUE(holds("Makefile"));
    EXPECT_TRUE(holds(".ci/run"));
}

TEST(layering, violations_are_found) {
    const TemporaryTree tree;
    tree.write("src/muslin/math/good.h", "#include \"muslin/base/error.h\"\n#include <vector>\n"
                                         "#include \"muslin/math/vec.h\"\n");
    EXPECT_TRUE(find_layer_violations(tree.root()).empty());

    tree.write("src/muslin/base/upward.h", "\n#include \"muslin/math/vec.h\"\n");
    tree.write("src/muslin/mesh/angle.cpp", "  #  include <muslin/io/pc2.h>\n");
    tree.write("src/muslin/render/app.cpp", "#include \"apps/cli/progress.h\"\n");
    tree.write("src/muslin/run/unknown.cpp", "#include \"muslin/physics/cloth.h\"\n");
    tree.write("src/muslin/run/way_up.cpp", "#include \"../render/camera.h\"\n");
    tree.write("src/muslin/misc/stray.h", "int x;\n");
    const auto violations = find_layer_violations(tree.root());
    ASSERT_EQ(violations.size(), 6u) << describe(violations);
    EXPECT_EQ(violations[0].file, "src/muslin/base/upward.h");
    EXPECT_EQ(violations[0].line, 2);
    EXPECT_EQ(violations[0].text, "'base' stands below 'math' and includes muslin/math/vec.h");
    EXPECT_EQ(violations[1].file, "src/muslin/mesh/angle.cpp");
    EXPECT_EQ(violations[2].file, "src/muslin/misc/stray.h");
    EXPECT_EQ(violations[3].file, "src/muslin/render/app.cpp");
    EXPECT_EQ(violations[4].file, "src/muslin/run/unknown.cpp");
    EXPECT_EQ(violations[5].file, "src/muslin/run/way_up.cpp");
}
