#include "source_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace muslin::project;

// Templates that nothing instantiates are hardly compiled. tests/kernels calls every kernel in
// float and in double, on the host (kernels.scalars) and for a device (device_kernels.cu).

namespace {

bool is_detail(const std::string& line) {
    return line.starts_with("namespace") && line.find("_detail {") != std::string::npos;
}

/// The functions of a header that carry MUSLIN_HD, but for members and what only the header itself
/// calls (namespaces that end in _detail).
std::set<std::string> kernels_of(const SourceFile& file) {
    static const std::regex name("([A-Za-z_0-9]+)\\s*\\(");
    std::set<std::string> out;
    bool detail = false;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string& line = file.lines[i];
        if (is_detail(line))
            detail = true;
        else if (line.starts_with("} // namespace"))
            detail = false;
        if (detail || !line.starts_with("MUSLIN_HD"))
            continue;
        const std::string declaration =
            line.substr(9) + (i + 1 < file.lines.size() ? " " + file.lines[i + 1] : "");
        if (std::smatch match; std::regex_search(declaration, match, name))
            out.insert(match[1]);
    }
    return out;
}

std::set<std::string> missing_calls(const std::vector<SourceFile>& files) {
    std::set<std::string> kernels;
    std::string calls;
    for (const SourceFile& file : files) {
        if (file.path.starts_with("src/muslin/kernels/") && file.path.ends_with(".h"))
            kernels.merge(kernels_of(file));
        if (file.path.starts_with("tests/kernels/") && file.path.ends_with("_calls.h"))
            for (const std::string& line : file.lines)
                calls += line + '\n';
    }
    std::set<std::string> missing;
    for (const std::string& kernel : kernels)
        if (!std::regex_search(calls, std::regex("\\b" + kernel + "\\s*(<[A-Za-z0-9]+>)?\\(")))
            missing.insert(kernel);
    return missing;
}

} // namespace

TEST(kernels, every_one_is_instantiated_for_float_and_double) {
    for (const std::string& kernel : missing_calls(read_tree(MUSLIN_SOURCE_DIR)))
        ADD_FAILURE() << kernel << " is called nowhere in tests/kernels/*_calls.h";
}

TEST(kernels, one_that_is_not_called_is_found) {
    const TemporaryTree tree;
    tree.write("src/muslin/kernels/spring.h", "template <class T>\n"
                                              "MUSLIN_HD inline T energy(const T& x) {\n"
                                              "template <class T>\n"
                                              "MUSLIN_HD MUSLIN_ALWAYS_INLINE Long<T>\n"
                                              "pull(const T& x) {\n"
                                              "namespace spring_detail {\n"
                                              "MUSLIN_HD inline int own(int k) {\n"
                                              "} // namespace spring_detail\n");
    tree.write("tests/kernels/spring_calls.h", "out.add(energy(x));\n");
    EXPECT_EQ(missing_calls(read_tree(tree.root())), std::set<std::string>{"pull"});
}
