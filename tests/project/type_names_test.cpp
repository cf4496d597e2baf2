#include "source_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

using namespace muslin::project;

// Two types of one name in one namespace are one type to the linker: of the functions that both
// have inline, destructors and std::vector of them included, it keeps those of either. No compiler
// sees both, and whatever is inlined hides it.

namespace {

bool is_product(const std::string& path) {
    return is_code(path) &&
           (path.starts_with("src/") || path.starts_with("apps/") || path.starts_with("include/"));
}

std::string join(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += name + "::";
    return out;
}

/// Types of named namespaces that two files define.
std::vector<Violation> find_second_definitions(const std::vector<SourceFile>& files) {
    static const std::regex opens(R"(^namespace ?([\w:]*) ?\{.*)");
    static const std::regex defines(
        R"(^(?:template ?<.*> )?(?:struct|class|enum class|enum) (?:alignas\(\w+\) )?(\w+)(?: final)?(?: ?:(?!:).*)?(?: \{.*)?$)");
    std::map<std::string, std::string> first; // where a name was defined before
    std::vector<Violation> out;
    for (const SourceFile& file : files) {
        if (!is_product(file.path))
            continue;
        std::vector<std::string> scope;
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const std::string& line = file.lines[i];
            std::smatch match;
            if (line.starts_with("} // namespace") && !scope.empty()) {
                scope.pop_back();
            } else if (line.starts_with("namespace") && std::regex_match(line, match, opens)) {
                // What has no name is of its file alone.
                scope.push_back(match[1].length() > 0 ? match[1].str() : file.path);
            } else if (std::regex_match(line, match, defines)) {
                const std::string name = join(scope) + match[1].str();
                const auto [place, is_new] = first.emplace(name, file.path);
                if (!is_new && place->second != file.path)
                    out.push_back({file.path, static_cast<int>(i + 1),
                                   name + " is defined in " + place->second + " too"});
            }
        }
    }
    return out;
}

} // namespace

TEST(type_names, each_is_defined_once) {
    const auto violations = find_second_definitions(read_tree(MUSLIN_SOURCE_DIR));
    EXPECT_TRUE(violations.empty()) << describe(violations);
}

TEST(type_names, second_definitions_are_found) {
    const TemporaryTree tree;
    tree.write("src/muslin/a/box.h", "namespace muslin {\n\nstruct Box {\n};\nclass Ahead;\n"
                                     "template <class T>\nclass List final : public Base<T> {\n};\n"
                                     "} // namespace muslin\n");
    tree.write("src/muslin/b/camera.h", "namespace muslin {\nclass Ahead {\n};\nstruct Box {\n};\n"
                                        "class List {\n};\n} // namespace muslin\n");
    tree.write("src/muslin/b/other.cpp", "namespace muslin {\nnamespace {\nstruct Box {\n};\n"
                                         "} // namespace\nstruct Box::Part {\n};\n"
                                         "} // namespace muslin\n"
                                         "namespace muslin::judging {\nstruct Box {\n};\n"
                                         "} // namespace muslin::judging\n");
    const auto violations = find_second_definitions(read_tree(tree.root()));
    ASSERT_EQ(violations.size(), 2u) << describe(violations);
    for (const Violation& violation : violations)
        EXPECT_EQ(violation.file, "src/muslin/b/camera.h");
}
