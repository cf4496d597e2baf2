#pragma once

#include "muslin/math/vec.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace muslin {

/// The two frames around a time and how far it is from the first to the second.
struct FrameInterval {
    std::size_t first, second;
    double weight; ///< of the second
};

/// When a program takes points from one set of places, frame 0, to another, frame 1: from
/// start + first / rate on, for 1 / rate [s]. A way that takes a frame of the scene is counted in
/// frames from time 0, so that it has the bits of the same places in the frames of a file.
struct PathTime {
    double start = 0; ///< [s]
    double first = 0; ///< in frames
    double rate = 1;  ///< [1/s]

    double end() const { return start + (first + 1) / rate; } ///< [s]
    bool has_ended(double time) const { return time >= end() - 1e-9 / rate; }
    FrameInterval at(double time) const {
        const double part = std::clamp((time - start) * rate, first, first + 1) - first;
        return part < 1 ? FrameInterval{0, 1, part} : FrameInterval{1, 1, 0};
    }
};

/// Points that a program takes from where they are to where it wants them, each on a straight line
/// at a constant speed, and leaves there.
struct GivenPath {
    std::array<std::vector<Vec3>, 2> frames; ///< [m]
    PathTime time;

    bool empty() const { return frames[1].empty(); }
    const std::vector<Vec3>& end() const { return frames[1]; }
};

} // namespace muslin
