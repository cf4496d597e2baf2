#pragma once

#include "math/random.h"
#include "muslin/base/parallel.h"
#include "muslin/collision/broad/box.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace muslin::testing_boxes {

using Pair = std::array<int, 2>;
using Pairs = std::vector<Pair>;

/// Boxes with centres in the cube of side 2 and sides up to `size`; every third is flat or a point.
inline std::vector<Box> random_boxes(int count, double size, std::uint64_t seed) {
    testing_math::Random random(seed);
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i) {
        const Vec3 centre = random.vec3();
        Vec3 side = 0.5 * size * random.vec3();
        if (i % 3 == 0)
            side[i % 9 / 3] = 0;
        if (i % 27 == 0)
            side = {0, 0, 0};
        boxes.push_back(Box::around(centre - side, centre + side));
    }
    return boxes;
}

/// Triangles of a sheet that folds over itself many times, side x side squares, grown by a tenth of
/// their size. `time` moves it smoothly.
inline std::vector<Box> crumpled_boxes(int side, double time = 0) {
    std::vector<Vec3> points;
    for (int j = 0; j <= side; ++j)
        for (int i = 0; i <= side; ++i) {
            const double u = 6.0 * i / side, v = 6.0 * j / side;
            points.push_back({std::sin(1.1 * u + 0.9 * std::sin(2 * v + time)),
                              std::sin(1.3 * v + 0.7 * std::sin(1.7 * u - time)),
                              std::sin(0.8 * u + 1.2 * v + time)});
        }
    std::vector<Box> boxes;
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const Vec3 *row = &points[j * (side + 1) + i], *next = row + side + 1;
            boxes.push_back(Box::around(row[0], row[1], next[0]));
            boxes.push_back(Box::around(row[1], next[1], next[0]));
        }
    for (Box& box : boxes)
        box.grow(0.6 / side);
    return boxes;
}

/// Overlap by the definition, in double and without the class under test.
inline bool touch(const Box& a, const Box& b) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(a.low[axis] <= b.high[axis] && b.low[axis] <= a.high[axis]))
            return false;
    return true;
}

inline Pairs all_self_pairs(std::span<const Box> boxes) {
    Pairs pairs;
    for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
        for (int j = i + 1; j < static_cast<int>(boxes.size()); ++j)
            if (touch(boxes[i], boxes[j]))
                pairs.push_back({i, j});
    return pairs;
}

inline Pairs all_pairs(std::span<const Box> a, std::span<const Box> b) {
    Pairs pairs;
    for (int i = 0; i < static_cast<int>(a.size()); ++i)
        for (int j = 0; j < static_cast<int>(b.size()); ++j)
            if (touch(a[i], b[j]))
                pairs.push_back({i, j});
    return pairs;
}

/// What a visitor calls, per chunk and in its order.
template <class Visitor>
Pairs in_chunk_order(std::size_t chunks, Visitor&& visitor) {
    std::vector<Pairs> per_chunk(chunks);
    visitor([&](std::size_t chunk, int i, int j) { per_chunk.at(chunk).push_back({i, j}); });
    Pairs pairs;
    for (const Pairs& part : per_chunk)
        pairs.insert(pairs.end(), part.begin(), part.end());
    return pairs;
}

template <class Broad>
Pairs self_pairs(const Broad& broad) {
    return in_chunk_order(broad.chunk_count(), [&](auto&& v) { broad.visit_self_pairs(v); });
}

template <class Broad>
Pairs pairs_between(const Broad& a, const Broad& b) {
    return in_chunk_order(a.chunk_count(), [&](auto&& v) { a.visit_pairs(b, v); });
}

inline Pairs sorted(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace muslin::testing_boxes
