#include "muslin/io/point_cache.h"

#include "muslin/io/bytes.h"
#include "muslin/io/pc2.h"
#include "muslin/io/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace muslin {
namespace {

constexpr std::size_t point_size = 3 * sizeof(float);
constexpr std::size_t mdd_head_size = 2 * sizeof(std::int32_t);

} // namespace

PointCacheReader::PointCacheReader(const std::filesystem::path& file)
    : name_(file.string()), file_(file) {}

void PointCacheReader::read(int sample, std::vector<Vec3>& positions) {
    if (sample < 0 || sample >= samples_)
        throw std::out_of_range(fmt::format("{}: sample {} of {}", name_, sample, samples_));
    buffer_.resize(static_cast<std::size_t>(points_) * point_size);
    file_.read(data_at_ + buffer_.size() * static_cast<std::uint64_t>(sample), buffer_);
    positions.resize(static_cast<std::size_t>(points_));
    const char* at = buffer_.data();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis, at += sizeof(float))
            positions[i][axis] = static_cast<double>(load_bytes<float>(at, order_));
        if (!is_finite(positions[i]))
            fail_input(name_, 0, fmt::format("sample {}, point {}", sample, i),
                       "finite coordinates", "a number that is not finite");
    }
}

MddReader::MddReader(const std::filesystem::path& file) : PointCacheReader(file) {
    order_ = std::endian::big;
    if (file_.size() < mdd_head_size)
        fail_input(name_, 0, "head", fmt::format("the {} bytes of an MDD head", mdd_head_size),
                   fmt::format("a file of {} bytes", file_.size()));
    std::array<char, mdd_head_size> head;
    file_.read(0, head);
    samples_ = load_bytes<std::int32_t>(head.data(), order_);
    points_ = load_bytes<std::int32_t>(head.data() + sizeof(std::int32_t), order_);
    if (samples_ <= 0)
        fail_input(name_, 0, "frames", "an MDD point cache with a positive number of frames",
                   fmt::format("{}", samples_));
    if (points_ <= 0)
        fail_input(name_, 0, "points", "a positive number of points", fmt::format("{}", points_));
    // Two numbers below 2^31 and a factor of 12 stay below 2^66: the product may overflow, so the
    // number of points that fit is asked for first.
    const auto samples = static_cast<std::uint64_t>(samples_);
    const std::uint64_t times = mdd_head_size + sizeof(float) * samples;
    const std::uint64_t held = file_.size() < times ? 0 : (file_.size() - times) / point_size;
    if (held / samples != static_cast<std::uint64_t>(points_) ||
        times + samples * static_cast<std::uint64_t>(points_) * point_size != file_.size())
        fail_input(name_, 0, "size",
                   fmt::format("{} frames of {} points, as the head declares", samples_, points_),
                   fmt::format("a file of {} bytes", file_.size()));
    data_at_ = times;
    read_times();
}

void MddReader::read_times() {
    std::array<char, 1024 * sizeof(float)> block;
    double last = 0;
    for (int begin = 0; begin < samples_; begin += 1024) {
        const int count = std::min(1024, samples_ - begin);
        file_.read(mdd_head_size + sizeof(float) * static_cast<std::uint64_t>(begin),
                   std::span(block).first(sizeof(float) * static_cast<std::size_t>(count)));
        for (int i = 0; i < count; ++i) {
            last = static_cast<double>(load_bytes<float>(
                block.data() + sizeof(float) * static_cast<std::size_t>(i), order_));
            if (!std::isfinite(last))
                fail_input(name_, 0, fmt::format("time of frame {}", begin + i),
                           "a finite time [s]", fmt::format("{}", last));
            if (begin + i == 0)
                first_time_ = last;
        }
    }
    if (samples_ < 2 || last <= first_time_)
        return;
    // Times are floats: 29.99999 frames a second are 30.
    const double rate = (samples_ - 1) / (last - first_time_), whole = std::round(rate);
    frame_rate_ = std::abs(rate - whole) < 1e-4 * whole ? whole : rate;
}

bool is_point_cache(const std::filesystem::path& file) {
    const std::string ending = lower_case_ending(file);
    return ending == ".pc2" || ending == ".mdd";
}

PointCacheReader open_point_cache(const std::filesystem::path& file) {
    const std::string ending = lower_case_ending(file);
    if (ending == ".mdd")
        return MddReader(file);
    if (ending == ".pc2")
        return Pc2Reader(file);
    fail_input(file.string(), 0, {}, "a point cache that ends in .pc2 or .mdd",
               ending.empty() ? "no ending" : quote(ending));
}

} // namespace muslin
