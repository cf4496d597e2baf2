#pragma once

#include <filesystem>
#include <functional>

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
    /// Starts a child that writes the file and ends with it: `start` returns its process, or 0 if
    /// there is none. A signal meanwhile waits until the child is known.
    void start_writer(const std::function<int()>& start);
    /// The child has ended.
    void writer_ended();
    /// It has become what it was written for.
    void keep();

private:
    std::filesystem::path path_;
    int slot_ = -1; ///< among those that a signal removes; -1: none was free
    bool kept_ = false;
};

/// From now on no writer starts: whoever wants to start one waits for the end of the program. For
/// the handler of a signal that ends it.
void refuse_writers() noexcept;

/// Removes all files that are unfinished at this moment, and ends their writers, for a program that
/// a signal ends. Safe in the handler of a signal.
void remove_unfinished_files() noexcept;

} // namespace muslin
