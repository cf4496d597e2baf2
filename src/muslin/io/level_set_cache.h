#pragma once

#include "muslin/levelset/level_set.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace muslin {

/// A digest of all that a level set is made from, and of how it is stored.
std::uint64_t level_set_key(const TriangleView& surface, const LevelSetSettings& settings);

/// Level sets in a folder, one file KEY.vdb each, so that those of a whole animation are made once
/// and serve every run after [Bridson03 5.1]. None is held in memory. Files carry a digest of their
/// bytes; one that is broken or of another make is made anew. Not to be called by two threads at
/// once; two programs may share a folder, as files appear whole.
class LevelSetCache {
public:
    /// The folder is made when the first file is. Empty: nothing is kept, every request makes.
    explicit LevelSetCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// The level set of a key, from its file or made now. A folder or file that cannot be written
    /// is a FileError.
    LevelSet get_or_make(std::uint64_t key, const std::function<LevelSet()>& make);
    LevelSet get_or_make(const TriangleView& surface, const LevelSetSettings& settings);

    /// Whether there is a file of it; it may yet turn out to be broken. Always so where nothing is
    /// kept, as there is then nothing to be made ahead.
    bool holds(const TriangleView& surface, const LevelSetSettings& settings) const;

    std::size_t made() const { return made_; } ///< since the beginning
    std::size_t read() const { return read_; } ///< taken from files
    /// One line for each file that could not be used, or not be made.
    const std::vector<std::string>& warnings() const { return warnings_; }

private:
    std::filesystem::path file(std::uint64_t key) const;
    void keep(std::uint64_t key, const LevelSet& level_set);

    std::filesystem::path folder_;
    std::size_t made_ = 0, read_ = 0;
    std::vector<std::string> warnings_;
};

} // namespace muslin
