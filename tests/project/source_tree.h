#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace muslin::project {

/// One line of a file that breaks a rule.
struct Violation {
    std::string file; ///< relative to the root of the tree, with '/'
    int line = 0;     ///< from 1; 0 when the file as a whole is meant
    std::string text;
};

std::string describe(const std::vector<Violation>& violations);

struct SourceFile {
    std::string path; ///< relative to the root, with '/'
    std::vector<std::string> lines;
};

/// The text files of a source tree (code, scripts, scenes, documents), sorted by path; build
/// directories and version control are passed over.
std::vector<SourceFile> read_tree(const std::filesystem::path& root);

bool is_code(const std::string& path);
bool is_document(const std::string& path);

/// A folder that goes away with the object, for trees that break rules on purpose.
class TemporaryTree {
public:
    TemporaryTree();
    ~TemporaryTree();
    TemporaryTree(const TemporaryTree&) = delete;
    TemporaryTree& operator=(const TemporaryTree&) = delete;

    void write(const std::string& path, const std::string& text) const;
    const std::filesystem::path& root() const { return root_; }

private:
    std::filesystem::path root_;
};

} // namespace muslin::project
