#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

namespace muslin {

// Files of a head and then samples of one size, which the head counts: point caches and caches of
// fields.

/// How many samples of a file that is there stay.
struct KeptSamples {
    std::int32_t count;
};

/// Writes such a file sample by sample. The count in the head is brought up to date after every
/// sample is on its way to the disk, so that a file cut off at any moment opens with the samples it
/// has. Throws FileError.
class SampleWriter {
public:
    /// `count_at`: where in the head the little-endian 32-bit count stands; it must be zero there.
    SampleWriter(const std::filesystem::path& file, std::string_view head, std::size_t count_at);
    /// Goes on after the first samples of a file that has this head; what follows them goes when
    /// the next one comes, not before.
    SampleWriter(const std::filesystem::path& file, std::string_view head, std::size_t count_at,
                 std::size_t sample_size, KeptSamples kept);
    void append(std::string_view sample);
    std::int32_t samples() const { return samples_; }

private:
    void write(std::string_view bytes);
    void write_count();
    void flush();
    void cut();

    std::filesystem::path file_;
    std::fstream stream_;
    std::size_t count_at_;
    std::int32_t samples_ = 0;
    std::uint64_t cut_at_ =
        0; ///< the size that a file which is gone on with is to have; 0: its own
};

/// Reads parts of a file at given places. Throws FileError.
class SampleReader {
public:
    explicit SampleReader(const std::filesystem::path& file);
    std::uint64_t size() const { return size_; }
    void read(std::uint64_t at, std::span<char> bytes);

private:
    std::filesystem::path file_;
    std::ifstream stream_;
    std::uint64_t size_ = 0;
};

} // namespace muslin
