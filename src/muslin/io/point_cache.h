#pragma once

#include "muslin/io/sample_file.h"
#include "muslin/math/vec.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// Where the vertices of a mesh are, sample by sample, in a file: what PC2 and MDD have in common.
/// Samples are read in any order; memory holds one of them. Errors are FileError or InputError.
class PointCacheReader {
public:
    int points() const { return points_; }
    int samples() const { return samples_; }
    /// Samples a second, where the file says so (MDD).
    std::optional<double> frame_rate() const { return frame_rate_; }
    double samples_per_frame() const { return samples_per_frame_; } ///< 1 but for some PC2
    /// Sample 0 <= sample < samples(); std::out_of_range otherwise.
    void read(int sample, std::vector<Vec3>& positions);

protected:
    explicit PointCacheReader(const std::filesystem::path& file);

    std::string name_; ///< of the file, for messages
    SampleReader file_;
    int points_ = 0, samples_ = 0;
    std::uint64_t data_at_ = 0; ///< where the first sample begins
    std::endian order_ = std::endian::little;
    std::optional<double> frame_rate_;
    double samples_per_frame_ = 1;

private:
    std::vector<char> buffer_; ///< the bytes of one sample
};

/// MDD, all big-endian: 32-bit integers frames and points, the time of each frame [s] as a float,
/// then three floats per point and frame. The format has no mark of its own: a file whose size is
/// not what its head asks for is not one.
class MddReader : public PointCacheReader {
public:
    explicit MddReader(const std::filesystem::path& file);

private:
    void read_times();
    double first_time_ = 0;
};

bool is_point_cache(const std::filesystem::path& file); ///< by its ending, .pc2 or .mdd
PointCacheReader open_point_cache(const std::filesystem::path& file);

} // namespace muslin
