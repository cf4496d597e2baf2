#pragma once

#include "muslin/io/point_cache.h"
#include "muslin/io/sample_file.h"
#include "muslin/math/vec.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// What the head of a PC2 point cache says.
struct Pc2Header {
    std::int32_t points = 0;
    float start_frame = 0;
    float sample_rate = 1; ///< samples per frame
    std::int32_t samples = 0;
};

/// Writes a point cache sample by sample; a file cut off at any moment opens with the samples it
/// has. Memory does not grow with their number. Throws FileError when the disk refuses; a number
/// of points that is not the cache's, or a position that is no finite float, is a programmer's
/// error: std::logic_error, and the file stays as it was.
class Pc2Writer {
public:
    Pc2Writer(const std::filesystem::path& file, int points, float start_frame = 0);
    /// Goes on with a cache that is there.
    Pc2Writer(const std::filesystem::path& file, int points, KeptSamples kept);
    void append(std::span<const Vec3> positions);
    int samples() const { return header_.samples; }

private:
    std::optional<SampleWriter> file_;
    Pc2Header header_;
    std::vector<char> buffer_; ///< the bytes of one sample
};

/// Reads a point cache. The head's count is believed when the file holds that many samples; bytes
/// beyond them are of a sample that was being written when the program stopped, and are passed
/// over.
class Pc2Reader : public PointCacheReader {
public:
    explicit Pc2Reader(const std::filesystem::path& file);
    const Pc2Header& header() const { return header_; }

private:
    Pc2Header header_;
};

/// The 32 bytes with which a PC2 file of this head begins.
std::array<char, 32> pc2_head(const Pc2Header& header);

} // namespace muslin
