#include "muslin/render/page_codec.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace muslin {

namespace {

constexpr int modes = 6;

/// The sign moves to the lowest bit, so that small numbers of either sign have few bits.
std::uint32_t fold_sign(std::int32_t number) {
    return static_cast<std::uint32_t>(number) << 1 ^ static_cast<std::uint32_t>(number >> 31);
}

std::uint64_t bits_of(const std::vector<std::uint16_t>& numbers) {
    std::uint64_t sum = 0;
    for (const std::uint16_t number : numbers)
        sum += static_cast<std::uint64_t>(std::bit_width(number));
    return sum;
}

void put_plane(const std::vector<std::uint16_t>& numbers, int shift, Deflater& out) {
    std::string bytes(numbers.size(), '\0');
    std::transform(numbers.begin(), numbers.end(), bytes.begin(),
                   [shift](std::uint16_t n) { return static_cast<char>(n >> shift & 255); });
    out.put(bytes);
}

} // namespace

std::vector<int> earlier_neighbours(int vertices, std::span<const std::array<int, 3>> triangles) {
    std::vector<int> out(static_cast<std::size_t>(vertices));
    for (int v = 0; v < vertices; ++v)
        out[static_cast<std::size_t>(v)] = -1;
    for (const auto& triangle : triangles)
        for (const int a : triangle)
            for (const int b : triangle)
                if (b < a)
                    out[static_cast<std::size_t>(a)] =
                        std::max(out[static_cast<std::size_t>(a)], b);
    for (int v = 1; v < vertices; ++v)
        if (out[static_cast<std::size_t>(v)] < 0)
            out[static_cast<std::size_t>(v)] = v - 1;
    return out;
}

FramePacker::FramePacker(int components, int bytes, std::vector<int> neighbours)
    : components_(static_cast<std::size_t>(components)), bytes_(bytes),
      neighbours_(std::move(neighbours)) {}

void FramePacker::find_remains(std::span<const std::uint16_t> numbers, std::size_t component,
                               int mode, std::vector<std::uint16_t>& remains) {
    const int order = mode / 2;
    const bool from_neighbour = mode % 2 == 1;
    const std::size_t count = neighbours_.size();
    errors_.resize(count);
    for (std::size_t v = 0, at = component; v < count; ++v, at += components_) {
        int error = numbers[at];
        if (order == 1)
            error -= past_[0][at];
        if (order == 2)
            error -= 2 * past_[0][at] - past_[1][at];
        errors_[v] = static_cast<std::uint16_t>(error);
    }
    remains.resize(count);
    for (std::size_t v = 0; v < count; ++v) {
        int rest = errors_[v];
        if (from_neighbour && neighbours_[v] >= 0)
            rest -= errors_[static_cast<std::size_t>(neighbours_[v])];
        const std::int32_t wrapped =
            bytes_ == 1 ? static_cast<std::int8_t>(rest) : static_cast<std::int16_t>(rest);
        remains[v] = static_cast<std::uint16_t>(fold_sign(wrapped));
    }
}

void FramePacker::put(std::span<const std::uint16_t> numbers, Deflater& out) {
    if (numbers.size() != components_ * neighbours_.size())
        throw std::invalid_argument("FramePacker: a frame with another number of vertices");
    const int orders = std::min(frames_, 2) + 1;
    std::vector<std::vector<std::uint16_t>> best(components_);
    std::string chosen;
    for (std::size_t c = 0; c < components_; ++c) {
        std::uint64_t fewest = ~std::uint64_t{0};
        int winner = 0;
        for (int mode = 0; mode < std::min(modes, 2 * orders); ++mode) {
            find_remains(numbers, c, mode, trial_);
            const std::uint64_t bits = bits_of(trial_);
            if (bits < fewest) {
                fewest = bits;
                winner = mode;
                std::swap(best[c], trial_);
            }
        }
        chosen += static_cast<char>(winner);
    }
    out.put(chosen);
    for (int shift = 0; shift < 8 * bytes_; shift += 8) {
        for (const auto& remains : best)
            put_plane(remains, shift, out);
        out.end_block();
    }
    std::swap(past_[0], past_[1]);
    past_[0].assign(numbers.begin(), numbers.end());
    ++frames_;
}

void pack_triangles(std::span<const std::array<int, 3>> triangles, Deflater& out) {
    std::vector<std::uint32_t> steps;
    std::array<int, 3> before = {0, 0, 0};
    for (const auto& triangle : triangles) {
        for (std::size_t k = 0; k < 3; ++k)
            steps.push_back(fold_sign(triangle[k] - before[k]));
        before = triangle;
    }
    std::string plane(steps.size(), '\0');
    for (int shift = 0; shift < 32; shift += 8) {
        std::transform(steps.begin(), steps.end(), plane.begin(),
                       [shift](std::uint32_t n) { return static_cast<char>(n >> shift & 255); });
        out.put(plane);
        out.end_block();
    }
}

} // namespace muslin
