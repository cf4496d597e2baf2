#include "muslin/io/level_set_cache.h"

#include "muslin/base/error.h"
#include "muslin/base/hash.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/read_file.h"
#include "muslin/io/vdb_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace muslin {
namespace {

// Counts up when distances or their files change.
constexpr std::uint32_t format_version = 1;

// After the grids, where readers of .vdb do not look: these bytes, then the key and the digest of
// all bytes before, as 64-bit little-endian numbers.
constexpr std::string_view mark = "MUSLINLS";
constexpr std::size_t trailer_size = 24;

std::uint64_t digest(std::string_view bytes) {
    Hash64 hash;
    hash.add(bytes.data(), bytes.size());
    return hash.value();
}

std::string trailer(std::uint64_t key, std::uint64_t sum) {
    std::string out(mark);
    for (const std::uint64_t number : {key, sum})
        for (int i = 0; i < 8; ++i)
            out.push_back(static_cast<char>(number >> 8 * i & 0xff));
    return out;
}

/// The level set of a file; the reason where it cannot be trusted.
std::optional<LevelSet> read_checked(const std::filesystem::path& file, std::uint64_t key,
                                     std::string& reason) {
    try {
        std::string bytes = read_file(file);
        if (bytes.size() < trailer_size) {
            reason = "it is too short";
            return std::nullopt;
        }
        const std::string end = bytes.substr(bytes.size() - trailer_size);
        bytes.resize(bytes.size() - trailer_size);
        if (end != trailer(key, digest(bytes))) {
            reason = "its digest is not that of its bytes";
            return std::nullopt;
        }
        return level_set_from_vdb(bytes, file.string());
    } catch (const std::runtime_error& error) {
        reason = error.what();
        return std::nullopt;
    }
}

} // namespace

std::uint64_t level_set_key(const TriangleView& surface, const LevelSetSettings& settings) {
    Hash64 hash;
    const std::uint64_t numbers[] = {format_version, surface.positions.size(),
                                     surface.triangles.size(), settings.nearest_triangles};
    hash.add(numbers, sizeof numbers);
    const double lengths[] = {settings.voxel, settings.band};
    hash.add(lengths, sizeof lengths);
    hash.add(surface.positions.data(), surface.positions.size_bytes());
    hash.add(surface.triangles.data(), surface.triangles.size_bytes());
    return hash.value();
}

std::filesystem::path LevelSetCache::file(std::uint64_t key) const {
    return folder_ / fmt::format("{:016x}.vdb", key);
}

bool LevelSetCache::holds(const TriangleView& surface, const LevelSetSettings& settings) const {
    std::error_code ignored;
    return folder_.empty() ||
           std::filesystem::exists(file(level_set_key(surface, settings)), ignored);
}

void LevelSetCache::keep(std::uint64_t key, const LevelSet& level_set) {
    std::string bytes;
    try {
        bytes = vdb_bytes(level_set);
    } catch (const InputError& error) {
        // Those of an animation have one reason.
        if (const std::string text = fmt::format("level sets are not kept: {}", error.what());
            std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end())
            warnings_.push_back(text);
        return;
    }
    bytes += trailer(key, digest(bytes));
    make_folder(folder_);
    write_file_atomically(file(key), bytes);
}

LevelSet LevelSetCache::get_or_make(std::uint64_t key, const std::function<LevelSet()>& make) {
    const std::filesystem::path file = this->file(key);
    std::error_code ignored;
    if (!folder_.empty() && std::filesystem::exists(file, ignored)) {
        std::string reason;
        if (std::optional<LevelSet> found = read_checked(file, key, reason)) {
            ++read_;
            return *std::move(found);
        }
        warnings_.push_back(fmt::format("{}: made anew: {}", file.string(), reason));
    }
    LevelSet out = make();
    ++made_;
    if (!folder_.empty())
        keep(key, out);
    return out;
}

LevelSet LevelSetCache::get_or_make(const TriangleView& surface, const LevelSetSettings& settings) {
    return get_or_make(level_set_key(surface, settings),
                       [&] { return LevelSet::from_mesh(surface, settings); });
}

} // namespace muslin
