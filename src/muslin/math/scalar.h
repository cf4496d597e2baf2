#pragma once

#include "muslin/base/host_device.h"

#include <limits>

namespace muslin {

// Numbers that depend on the scalar a kernel is instantiated for. What holds for double holds for
// every scalar that computes in double: packs of four and numbers that carry derivatives.

template <class T>
struct ScalarLimits {
    static constexpr double epsilon = std::numeric_limits<double>::epsilon();
    static constexpr double tiny_square = 1e-300, tiny_length = 1e-150;
    static constexpr double series_end = 1e-4;
};
template <>
struct ScalarLimits<float> {
    static constexpr float epsilon = std::numeric_limits<float>::epsilon();
    static constexpr float tiny_square = 1e-37F, tiny_length = 1e-18F;
    static constexpr float series_end = 1e-2F;
};
template <>
struct ScalarLimits<long double> : ScalarLimits<double> {
    static constexpr long double epsilon = std::numeric_limits<long double>::epsilon();
};

/// The distance from 1 to the next number.
template <class T>
MUSLIN_HD inline T machine_epsilon() {
    return T(ScalarLimits<T>::epsilon);
}
/// Stands in for a squared quantity that is zero where it divides: a normal number, whose
/// reciprocal is one too. Squares of areas reach it for edges of 0.02 mm in float, of 1e-75 m in
/// double.
template <class T>
MUSLIN_HD inline T tiny_square() {
    return T(ScalarLimits<T>::tiny_square);
}
/// The same for a quantity whose square is taken as well.
template <class T>
MUSLIN_HD inline T tiny_length() {
    return T(ScalarLimits<T>::tiny_length);
}
/// Below this, a series of two terms has more digits than a difference that cancels.
template <class T>
MUSLIN_HD inline T series_end() {
    return T(ScalarLimits<T>::series_end);
}

} // namespace muslin
