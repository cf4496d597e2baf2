#pragma once

#include "muslin/io/deflate.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

// How a page packs what it shows. viewer_data.js is the other side.

/// For each vertex an earlier one next to it: the last of its neighbours that come before it, else
/// the vertex before it, else (the first) -1.
std::vector<int> earlier_neighbours(int vertices, std::span<const std::array<int, 3>> triangles);

/// Packs frames of unsigned whole numbers, one to three of them per vertex, that change little
/// from frame to frame and from vertex to vertex.
///
/// A number is first predicted from the same vertex in the frames before: order 0 predicts
/// nothing, order 1 that it stays, order 2 that it goes on as it went. The error of that may in
/// turn be predicted to be that of the earlier neighbour. What remains is put down modulo the
/// numbers' range, sign in the lowest bit. Of the six ways, each component of each frame takes the
/// one whose remains have the fewest bits. On draped cloth this takes a third of the bytes that
/// the numbers alone deflate to.
///
/// A frame is: for each component a byte, 2 * order + (1 where the neighbour predicts); then the
/// low bytes of the components, one component after the other; then the high bytes likewise.
class FramePacker {
public:
    /// `bytes` per number: 1 or 2.
    FramePacker(int components, int bytes, std::vector<int> neighbours);

    /// `numbers`: all components of the first vertex, of the second, and so on.
    void put(std::span<const std::uint16_t> numbers, Deflater& out);

private:
    void find_remains(std::span<const std::uint16_t> numbers, std::size_t component, int mode,
                      std::vector<std::uint16_t>& remains);

    std::size_t components_;
    int bytes_;
    std::vector<int> neighbours_;
    int frames_ = 0;
    std::array<std::vector<std::uint16_t>, 2> past_; // the frame before, and that before it
    std::vector<std::uint16_t> errors_, trial_;
};

/// Packs triangles: each corner as the difference to the same corner of the triangle before, sign
/// in the lowest bit, 32 bits; all lowest bytes first, then the next, and so on.
void pack_triangles(std::span<const std::array<int, 3>> triangles, Deflater& out);

} // namespace muslin
