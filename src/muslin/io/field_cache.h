#pragma once

#include "muslin/io/sample_file.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

// NAME.fields: numbers per vertex and frame that cannot be had from positions, beside NAME.pc2 and
// with one sample for each of its. Little-endian: the 12 bytes "MUSLINFIELDS", then 32-bit integers
// version (1), points, fields, samples; the name of each field in 16 bytes, filled up with zeros;
// then for each sample and field in turn one 32-bit float per point.

/// Throws FileError when the disk refuses. A number of fields or points that is not the cache's, or
/// a value that is no finite float, is a programmer's error: std::logic_error.
class FieldCacheWriter {
public:
    /// One or more names of 1 .. 16 characters.
    FieldCacheWriter(const std::filesystem::path& file, int points,
                     std::vector<std::string> fields);
    /// Goes on with a cache that is there.
    FieldCacheWriter(const std::filesystem::path& file, int points, std::vector<std::string> fields,
                     KeptSamples kept);
    /// `values`: in the order of the fields, one per point each.
    void append(std::span<const std::vector<double>> values);

private:
    std::vector<std::string> fields_;
    int points_;
    std::optional<SampleWriter> file_;
    std::vector<char> buffer_; ///< the bytes of one sample
};

/// Throws FileError or InputError. A sample that was being written when the program stopped is
/// passed over.
class FieldCacheReader {
public:
    explicit FieldCacheReader(const std::filesystem::path& file);
    int points() const { return points_; }
    int samples() const { return samples_; }
    const std::vector<std::string>& fields() const { return fields_; }
    bool has(std::string_view field) const;
    /// std::out_of_range for a sample or field that is not there.
    void read(std::string_view field, int sample, std::vector<double>& values);

private:
    std::string name_;
    SampleReader file_;
    std::vector<std::string> fields_;
    int points_ = 0, samples_ = 0;
    std::vector<char> buffer_; ///< the bytes of one field
};

} // namespace muslin
