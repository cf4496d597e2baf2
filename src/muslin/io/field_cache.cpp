#include "muslin/io/field_cache.h"

#include "muslin/io/bytes.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

constexpr std::string_view magic = "MUSLINFIELDS";
constexpr std::int32_t version = 1;
constexpr std::size_t version_at = 12, points_at = 16, fields_at = 20, samples_at = 24,
                      names_at = 28, name_size = 16;
constexpr std::int32_t most_fields = 64;

void put(std::string& head, std::int32_t value) {
    const auto bytes = to_bytes(value, std::endian::little);
    head.append(bytes.data(), bytes.size());
}

std::string encode(int points, const std::vector<std::string>& fields) {
    std::string head(magic);
    put(head, version);
    put(head, points);
    put(head, static_cast<std::int32_t>(fields.size()));
    put(head, 0);
    for (std::string name : fields) {
        name.resize(name_size, '\0');
        head += name;
    }
    return head;
}

} // namespace

FieldCacheWriter::FieldCacheWriter(const std::filesystem::path& file, int points,
                                   std::vector<std::string> fields)
    : fields_(std::move(fields)), points_(points) {
    const auto is_bad = [](const std::string& name) {
        return name.empty() || name.size() > name_size;
    };
    if (points <= 0 || fields_.empty() || fields_.size() > most_fields ||
        std::any_of(fields_.begin(), fields_.end(), is_bad))
        throw std::logic_error("FieldCacheWriter: points and fields must be given");
    file_.emplace(file, encode(points, fields_), samples_at);
}

FieldCacheWriter::FieldCacheWriter(const std::filesystem::path& file, int points,
                                   std::vector<std::string> fields, KeptSamples kept)
    : fields_(std::move(fields)), points_(points) {
    file_.emplace(file, encode(points, fields_), samples_at,
                  sizeof(float) * fields_.size() * static_cast<std::size_t>(points), kept);
}

void FieldCacheWriter::append(std::span<const std::vector<double>> values) {
    if (values.size() != fields_.size())
        throw std::logic_error("FieldCacheWriter: the number of fields differs");
    buffer_.clear();
    for (const std::vector<double>& field : values) {
        if (field.size() != static_cast<std::size_t>(points_))
            throw std::logic_error("FieldCacheWriter: the number of points differs");
        for (const double value : field) {
            const auto single = static_cast<float>(value);
            if (!std::isfinite(single))
                throw std::logic_error("FieldCacheWriter: a value is not a finite float");
            const auto bytes = to_bytes(single, std::endian::little);
            buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
        }
    }
    file_->append({buffer_.data(), buffer_.size()});
}

FieldCacheReader::FieldCacheReader(const std::filesystem::path& file)
    : name_(file.string()), file_(file) {
    const auto fail = [&](const char* key, std::string expected, std::string found) {
        fail_input(name_, 0, key, std::move(expected), std::move(found));
    };
    if (file_.size() < names_at)
        fail("head", fmt::format("the {} bytes of a head", names_at),
             fmt::format("a file of {} bytes", file_.size()));
    std::array<char, names_at> head;
    file_.read(0, head);
    if (std::string_view(head.data(), magic.size()) != magic)
        fail("head", fmt::format("a cache of fields, which begins with {}", magic),
             quote({head.data(), magic.size()}));
    const auto number = [&](std::size_t at) {
        return load_bytes<std::int32_t>(head.data() + at, std::endian::little);
    };
    if (number(version_at) != version)
        fail("version", fmt::format("{}", version), fmt::format("{}", number(version_at)));
    points_ = number(points_at);
    samples_ = number(samples_at);
    const std::int32_t count = number(fields_at);
    if (points_ <= 0)
        fail("points", "a positive number of points", fmt::format("{}", points_));
    if (count < 1 || count > most_fields)
        fail("fields", fmt::format("1 .. {} fields", most_fields), fmt::format("{}", count));
    if (samples_ < 0)
        fail("samples", "a number of samples", fmt::format("{}", samples_));

    const std::uint64_t head_size = names_at + name_size * static_cast<std::uint64_t>(count);
    // Divided rather than multiplied: the product of hostile counts overflows 64 bits.
    const std::uint64_t held = file_.size() < head_size
                                   ? 0
                                   : (file_.size() - head_size) / sizeof(float) /
                                         static_cast<unsigned>(points_) /
                                         static_cast<unsigned>(count);
    if (file_.size() < head_size || static_cast<std::uint64_t>(samples_) > held)
        fail("samples",
             fmt::format("{} samples of {} fields of {} points, as the head declares", samples_,
                         count, points_),
             fmt::format("a file of {} bytes", file_.size()));
    std::array<char, name_size> name;
    for (std::int32_t f = 0; f < count; ++f) {
        file_.read(names_at + name_size * static_cast<std::uint64_t>(f), name);
        fields_.emplace_back(name.begin(), std::find(name.begin(), name.end(), '\0'));
        const std::string& found = fields_.back();
        if (found.empty() ||
            !std::all_of(found.begin(), found.end(), [](char c) { return c > ' ' && c <= '~'; }))
            fail("fields", "names of letters and signs", quote(found));
    }
}

bool FieldCacheReader::has(std::string_view field) const {
    return std::find(fields_.begin(), fields_.end(), field) != fields_.end();
}

void FieldCacheReader::read(std::string_view field, int sample, std::vector<double>& values) {
    const auto at = std::find(fields_.begin(), fields_.end(), field);
    if (at == fields_.end() || sample < 0 || sample >= samples_)
        throw std::out_of_range(
            fmt::format("FieldCacheReader: field '{}', sample {} of {}", field, sample, samples_));
    buffer_.resize(sizeof(float) * static_cast<std::size_t>(points_));
    const auto index = static_cast<std::uint64_t>(sample) * fields_.size() +
                       static_cast<std::uint64_t>(at - fields_.begin());
    file_.read(names_at + name_size * fields_.size() + buffer_.size() * index, buffer_);
    values.resize(static_cast<std::size_t>(points_));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = load_bytes<float>(buffer_.data() + sizeof(float) * i, std::endian::little);
        if (!std::isfinite(values[i]))
            fail_input(name_, 0, fmt::format("{}, sample {}, point {}", field, sample, i),
                       "a finite value", "a number that is not finite");
    }
}

} // namespace muslin
