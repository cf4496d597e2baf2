#pragma once

#include "muslin/io/sample_file.h"
#include "muslin/math/vec.h"

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
    void append(std::span<const Vec3> positions);
    int samples() const { return header_.samples; }

private:
    std::optional<SampleWriter> file_;
    Pc2Header header_;
    std::vector<char> buffer_; ///< the bytes of one sample
};

/// Reads samples of a point cache in any order. Throws FileError or InputError. The head's count
/// is believed when the file holds that many samples; bytes beyond them are of a sample that was
/// being written when the program stopped, and are passed over.
class Pc2Reader {
public:
    explicit Pc2Reader(const std::filesystem::path& file);
    const Pc2Header& header() const { return header_; }
    /// Sample 0 <= sample < header().samples; std::out_of_range otherwise.
    void read(int sample, std::vector<Vec3>& positions);

private:
    std::string name_;
    SampleReader file_;
    Pc2Header header_;
    std::vector<char> buffer_; ///< the bytes of one sample
};

} // namespace muslin
