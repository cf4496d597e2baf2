#include "source_tree.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace muslin::project {
namespace {

namespace fs = std::filesystem;

bool is_passed_over(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name == ".git" || name == "out" || name.starts_with("build");
}

bool is_text(const fs::path& file) {
    static constexpr std::array endings = {".h",   ".cpp",  ".cu",   ".cmake", ".txt",  ".in",
                                           ".md",  ".toml", ".json", ".py",    ".sh",   ".js",
                                           ".css", ".html", ".glsl", ".yml",   ".patch"};
    const std::string ending = file.extension().string();
    // Scripts and the like: Makefile, LICENSE, scripts/install-dependencies, .ci/run, .clang-tidy.
    return ending.empty() || std::ranges::find(endings, ending) != endings.end();
}

} // namespace

std::string describe(const std::vector<Violation>& violations) {
    std::string text;
    for (const Violation& v : violations)
        text += "\n  " + v.file + (v.line > 0 ? ":" + std::to_string(v.line) : "") + ": " + v.text;
    return text;
}

std::vector<SourceFile> read_tree(const fs::path& root) {
    std::vector<SourceFile> files;
    for (auto entry = fs::recursive_directory_iterator(root); entry != end(entry); ++entry) {
        // Only folders of the root itself may be build directories.
        if (entry->is_directory() && entry.depth() == 0 && is_passed_over(entry->path()))
            entry.disable_recursion_pending();
        // In a worktree of git .git is a file, with a path of this machine in it.
        if (!entry->is_regular_file() || !is_text(entry->path()) ||
            entry->path().filename() == ".git")
            continue;
        SourceFile file{fs::relative(entry->path(), root).generic_string(), {}};
        std::ifstream stream(entry->path());
        for (std::string line; std::getline(stream, line);)
            file.lines.push_back(line);
        files.push_back(std::move(file));
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

bool is_code(const std::string& path) {
    return path.ends_with(".h") || path.ends_with(".cpp") || path.ends_with(".cu");
}

bool is_document(const std::string& path) {
    return path.ends_with(".md");
}

TemporaryTree::TemporaryTree() {
    std::string name = (fs::temp_directory_path() / "muslin-project-XXXXXX").string();
    if (!mkdtemp(name.data()))
        throw std::runtime_error("no temporary folder: " + name);
    root_ = name;
}

TemporaryTree::~TemporaryTree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
}

void TemporaryTree::write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
}

} // namespace muslin::project
