#pragma once

#include <filesystem>

namespace muslin {

/// A file that is still being written, under a name of its own: removed at the end of its scope
/// unless it has been kept.
class UnfinishedFile {
public:
    explicit UnfinishedFile(std::filesystem::path path);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// A child that writes the file, and ends with it; 0: none any more.
    void set_writer(int process);
    /// It has become what it was written for.
    void keep();

private:
    std::filesystem::path path_;
    int slot_ = -1; ///< among those that a signal removes; -1: none was free
    bool kept_ = false;
};

/// Removes all files that are unfinished at this moment, and ends their writers, for a program that
/// a signal ends. Safe in the handler of a signal.
void remove_unfinished_files() noexcept;

} // namespace muslin
