#pragma once

#include "muslin/math/vec.h"

#include <cstdint>

namespace muslin::testing_math {

/// Numbers in (-1, 1), the same on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    double number() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(static_cast<std::int64_t>(state_) >> 11) * 0x1p-52;
    }
    Vec2 vec2() { return {number(), number()}; }
    Vec3 vec3() { return {number(), number(), number()}; }
    Mat3 mat3() {
        Mat3 a;
        for (auto& row : a.m)
            for (double& x : row)
                x = number();
        return a;
    }

private:
    std::uint64_t state_;
};

} // namespace muslin::testing_math
