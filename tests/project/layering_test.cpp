#include "includes.h"
#include "source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

using namespace muslin::project;

// A folder of src/muslin may include itself and the folders to its left (docs/architecture.md). Its
// target in CMakeLists.txt names those that it does include, no fewer and no more.

namespace {

constexpr std::array<std::string_view, 18> order = {
    "base",        "math",    "mesh",   "kernels", "linalg", "levelset",
    "io",          "pattern", "model",  "garment", "forces", "collision",
    "integrators", "scene",   "engine", "run",     "render", "api"};

std::optional<std::size_t> rank(std::string_view folder) {
    const auto found = std::ranges::find(order, folder);
    if (found == order.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - order.begin());
}

std::string first_folder(const std::string& path) {
    return path.substr(0, path.find('/'));
}

/// Whether a path that begins with muslin/ is that of a header of include/muslin.
bool is_face(const std::string& path) {
    return path.find('/', 7) == std::string::npos;
}

std::string check_include(const std::string& folder, const std::string& path) {
    if (path.find("apps/") != std::string::npos)
        return "a library includes an app: " + path;
    if (path.find("../") != std::string::npos)
        return "an include by a way up hides its folder: " + path;
    if (!path.starts_with("muslin/"))
        return "";
    const std::string target = first_folder(path.substr(7));
    if (is_face(path))
        return folder == "api" ? "" : "'" + folder + "' includes the public face: " + path;
    if (!rank(target))
        return "includes the unknown folder '" + target + "': " + path;
    if (*rank(target) > *rank(folder))
        return "'" + folder + "' stands below '" + target + "' and includes " + path;
    return "";
}

/// The public face includes itself and the standard library alone: it is installed without the
/// rest.
std::vector<Violation> find_face_violations(const std::filesystem::path& root) {
    std::vector<Violation> out;
    for (const SourceFile& file : read_tree(root)) {
        if (!file.path.starts_with("include/"))
            continue;
        for (const Include& include : find_includes(file))
            if (include.path.find('/') != std::string::npos &&
                (!include.path.starts_with("muslin/") || !is_face(include.path)))
                out.push_back({file.path, include.line, "includes " + include.path});
    }
    return out;
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
        for (const Include& include : find_includes(file)) {
            const std::string text = check_include(folder, include.path);
            if (!text.empty())
                out.push_back({file.path, include.line, text});
        }
    }
    return out;
}

// Which other folders a folder stands on: those that its headers include, and those that only its
// sources do.
struct Edges {
    std::set<std::string> headers, sources;
};

std::map<std::string, Edges> included_folders(const std::vector<SourceFile>& files) {
    std::map<std::string, Edges> out;
    const std::string library = "src/muslin/";
    for (const SourceFile& file : files) {
        if (!file.path.starts_with(library) || !is_code(file.path))
            continue;
        const std::string folder = first_folder(file.path.substr(library.size()));
        Edges& edges = out[folder];
        for (const Include& include : find_includes(file))
            if (include.path.starts_with("muslin/") && !is_face(include.path))
                if (const auto target = first_folder(include.path.substr(7)); target != folder)
                    (file.path.ends_with(".cpp") ? edges.sources : edges.headers).insert(target);
    }
    for (auto& [folder, edges] : out)
        for (const std::string& target : edges.headers)
            edges.sources.erase(target);
    return out;
}

// muslin_module(NAME PUBLIC FOLDER... PRIVATE FOLDER...) of the main CMakeLists.txt.
std::map<std::string, Edges> declared_folders(const std::vector<SourceFile>& files) {
    std::map<std::string, Edges> out;
    const auto list = std::ranges::find(files, "CMakeLists.txt", &SourceFile::path);
    if (list == files.end())
        return out;
    std::string text;
    for (const std::string& line : list->lines)
        text += line.substr(0, line.find('#')) + '\n';
    const std::string call = "muslin_module(";
    for (auto at = text.find(call); at != text.npos; at = text.find(call, at + 1)) {
        const std::size_t begin = at + call.size();
        std::istringstream words(text.substr(begin, text.find(')', begin) - begin));
        std::string name, word;
        words >> name;
        Edges& edges = out[name];
        std::set<std::string>* scope = &edges.headers;
        while (words >> word)
            if (word == "PUBLIC" || word == "PRIVATE")
                scope = word == "PUBLIC" ? &edges.headers : &edges.sources;
            else
                scope->insert(word);
    }
    return out;
}

std::vector<Violation> find_edge_violations(const std::filesystem::path& root) {
    std::vector<Violation> out;
    const auto files = read_tree(root);
    const auto included = included_folders(files);
    auto declared = declared_folders(files);
    const auto compare = [&](const std::string& folder, const char* scope, const char* by,
                             const std::set<std::string>& is, const std::set<std::string>& said) {
        const std::string call = "muslin_module(" + folder + "): '";
        for (const std::string& target : is)
            if (!said.contains(target))
                out.push_back({"CMakeLists.txt", 0,
                               call + target + "' is to be " + scope + ": " + by + " include it"});
        for (const std::string& target : said)
            if (!is.contains(target))
                out.push_back(
                    {"CMakeLists.txt", 0,
                     call + target + "' is " + scope + ", but not what " + by + " include"});
    };
    for (const auto& [folder, edges] : included) {
        compare(folder, "PUBLIC", "headers", edges.headers, declared[folder].headers);
        compare(folder, "PRIVATE", "only sources", edges.sources, declared[folder].sources);
    }
    return out;
}

} // namespace

TEST(layering, targets_name_what_is_included) {
    EXPECT_EQ(declared_folders(read_tree(MUSLIN_SOURCE_DIR)).size(), order.size());
    const auto violations = find_edge_violations(MUSLIN_SOURCE_DIR);
    EXPECT_TRUE(violations.empty()) << describe(violations);
}

TEST(layering, edges_too_few_and_too_many_are_found) {
    const TemporaryTree tree;
    tree.write("src/muslin/base/error.h", "");
    tree.write("src/muslin/math/vec.h", "#include \"muslin/base/error.h\"\n");
    tree.write("src/muslin/mesh/topology.h", "#include \"muslin/math/vec.h\"\n");
    tree.write("src/muslin/mesh/topology.cpp", "#include \"muslin/mesh/topology.h\"\n"
                                               "#include \"muslin/math/vec.h\"\n"
                                               "#include \"muslin/base/error.h\"\n");
    const std::string both = "muslin_module(base)\nmuslin_module(math PUBLIC base) # io\n";
    tree.write("CMakeLists.txt", both + "muslin_module(mesh\n  PUBLIC math PRIVATE base)\n");
    EXPECT_TRUE(find_edge_violations(tree.root()).empty())
        << describe(find_edge_violations(tree.root()));

    tree.write("CMakeLists.txt", both + "muslin_module(mesh PUBLIC math base)\n");
    auto violations = find_edge_violations(tree.root());
    ASSERT_EQ(violations.size(), 2u) << describe(violations);
    EXPECT_EQ(violations[0].text,
              "muslin_module(mesh): 'base' is PUBLIC, but not what headers include");
    EXPECT_EQ(violations[1].text,
              "muslin_module(mesh): 'base' is to be PRIVATE: only sources include it");
    tree.write("CMakeLists.txt", both + "muslin_module(mesh PUBLIC math PRIVATE base io)\n");
    violations = find_edge_violations(tree.root());
    ASSERT_EQ(violations.size(), 1u) << describe(violations);
    EXPECT_EQ(violations[0].text,
              "muslin_module(mesh): 'io' is PRIVATE, but not what only sources include");
}

TEST(layering, include_order) {
    const auto violations = find_layer_violations(MUSLIN_SOURCE_DIR);
    EXPECT_TRUE(violations.empty()) << describe(violations);
}

TEST(layering, the_public_face_stands_alone) {
    const auto violations = find_face_violations(MUSLIN_SOURCE_DIR);
    EXPECT_TRUE(violations.empty()) << describe(violations);
    const TemporaryTree tree;
    tree.write("include/muslin/a.h", "#include \"muslin/vec.h\"\n#include <vector>\n");
    tree.write("include/muslin/b.h", "#include \"muslin/math/vec.h\"\n#include <fmt/core.h>\n");
    EXPECT_EQ(find_face_violations(tree.root()).size(), 2u);
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
    tree.write("src/muslin/scene/face.cpp", "#include \"muslin/scene.h\"\n");
    tree.write("src/muslin/api/scene.cpp", "#include \"muslin/scene.h\"\n");
    const auto violations = find_layer_violations(tree.root());
    ASSERT_EQ(violations.size(), 7u) << describe(violations);
    EXPECT_EQ(violations[0].file, "src/muslin/base/upward.h");
    EXPECT_EQ(violations[0].line, 2);
    EXPECT_EQ(violations[0].text, "'base' stands below 'math' and includes muslin/math/vec.h");
    EXPECT_EQ(violations[1].file, "src/muslin/mesh/angle.cpp");
    EXPECT_EQ(violations[2].file, "src/muslin/misc/stray.h");
    EXPECT_EQ(violations[3].file, "src/muslin/render/app.cpp");
    EXPECT_EQ(violations[4].file, "src/muslin/run/unknown.cpp");
    EXPECT_EQ(violations[5].file, "src/muslin/run/way_up.cpp");
    EXPECT_EQ(violations[6].file, "src/muslin/scene/face.cpp");
}
