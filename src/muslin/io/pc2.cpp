#include "muslin/io/pc2.h"

#include "muslin/io/bytes.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace muslin {
namespace {

// The head, little-endian: name, version, points, start frame, rate, samples.
constexpr std::string_view magic("POINTCACHE2\0", 12);
constexpr std::int32_t version = 1;
constexpr std::size_t version_at = 12, points_at = 16, start_at = 20, rate_at = 24, samples_at = 28,
                      head_size = 32;
constexpr std::size_t point_size = 3 * sizeof(float);

using Head = std::array<char, head_size>;

template <class T>
void store(char* at, T value) {
    const auto bytes = to_bytes(value, std::endian::little);
    std::memcpy(at, bytes.data(), bytes.size());
}

template <class T>
T load(const char* at) {
    return load_bytes<T>(at, std::endian::little);
}

Pc2Header decode(const Head& head, const std::string& file) {
    const auto fail = [&](const char* key, std::string expected, std::string found) {
        fail_input(file, 0, key, std::move(expected), std::move(found));
    };
    if (std::string_view(head.data(), magic.size()) != magic)
        fail("head", "a PC2 point cache, which begins with POINTCACHE2",
             quote({head.data(), magic.size()}));
    if (const auto found = load<std::int32_t>(head.data() + version_at); found != version)
        fail("version", fmt::format("{}", version), fmt::format("{}", found));
    const Pc2Header header = {
        load<std::int32_t>(head.data() + points_at), load<float>(head.data() + start_at),
        load<float>(head.data() + rate_at), load<std::int32_t>(head.data() + samples_at)};
    if (header.points <= 0)
        fail("points", "a positive number of points", fmt::format("{}", header.points));
    if (!std::isfinite(header.start_frame))
        fail("start", "a finite start frame", fmt::format("{}", header.start_frame));
    if (!std::isfinite(header.sample_rate) || header.sample_rate <= 0)
        fail("rate", "a positive number of samples per frame",
             fmt::format("{}", header.sample_rate));
    if (header.samples < 0)
        fail("samples", "a number of samples", fmt::format("{}", header.samples));
    return header;
}

// Divided rather than multiplied: the product of two hostile counts overflows 64 bits.
void check_size(const Pc2Header& header, std::uint64_t size, const std::string& file) {
    const std::uint64_t held =
        (size - head_size) / point_size / static_cast<unsigned>(header.points);
    if (static_cast<std::uint64_t>(header.samples) > held)
        fail_input(file, 0, "samples",
                   fmt::format("{} samples of {} points, as the head declares", header.samples,
                               header.points),
                   fmt::format("a file of {} bytes, which ends in sample {}", size, held));
}

} // namespace

std::array<char, head_size> pc2_head(const Pc2Header& header) {
    Head head;
    std::memcpy(head.data(), magic.data(), magic.size());
    store(head.data() + version_at, version);
    store(head.data() + points_at, header.points);
    store(head.data() + start_at, header.start_frame);
    store(head.data() + rate_at, header.sample_rate);
    store(head.data() + samples_at, header.samples);
    return head;
}

Pc2Writer::Pc2Writer(const std::filesystem::path& file, int points, float start_frame)
    : header_{points, start_frame, 1, 0} {
    if (points <= 0 || !std::isfinite(start_frame))
        throw std::logic_error("Pc2Writer: points must be positive and start_frame finite");
    const Head head = pc2_head(header_);
    file_.emplace(file, std::string_view(head.data(), head.size()), samples_at);
}

Pc2Writer::Pc2Writer(const std::filesystem::path& file, int points, KeptSamples kept)
    : header_{points, 0, 1, 0} {
    const Head head = pc2_head(header_);
    file_.emplace(file, std::string_view(head.data(), head.size()), samples_at,
                  point_size * static_cast<std::size_t>(points), kept);
    header_.samples = file_->samples();
}

void Pc2Writer::append(std::span<const Vec3> positions) {
    if (positions.size() != static_cast<std::size_t>(header_.points))
        throw std::logic_error(fmt::format("Pc2Writer: a sample of {} points in a cache of {}",
                                           positions.size(), header_.points));
    buffer_.resize(positions.size() * point_size);
    char* at = buffer_.data();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis, at += sizeof(float)) {
            const auto value = static_cast<float>(positions[i][axis]);
            if (!std::isfinite(value))
                throw std::logic_error(fmt::format(
                    "Pc2Writer: point {} of sample {} is not a finite float", i, header_.samples));
            store(at, value);
        }
    }
    file_->append({buffer_.data(), buffer_.size()});
    header_.samples = file_->samples();
}

Pc2Reader::Pc2Reader(const std::filesystem::path& file) : PointCacheReader(file) {
    if (file_.size() < head_size)
        fail_input(name_, 0, "head", fmt::format("the {} bytes of a PC2 head", head_size),
                   fmt::format("a file of {} bytes", file_.size()));
    Head head;
    file_.read(0, head);
    header_ = decode(head, name_);
    check_size(header_, file_.size(), name_);
    data_at_ = head_size;
    points_ = header_.points;
    samples_ = header_.samples;
    samples_per_frame_ = static_cast<double>(header_.sample_rate);
}

} // namespace muslin
