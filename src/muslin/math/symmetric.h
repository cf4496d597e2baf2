#pragma once

#include "muslin/base/host_device.h"
#include "muslin/math/pack.h"
#include "muslin/math/scalar.h"

#include <cmath>

namespace muslin {

/// The symmetric 2x2 matrix (a, b; b, c).
template <class T>
struct Symmetric2 {
    T a, b, c;
};

/// The nearest positive semi-definite matrix: negative eigenvalues become zero.
template <class T>
MUSLIN_HD inline Symmetric2<T> project_psd(const Symmetric2<T>& m) {
    using std::sqrt;
    const T half(0.5), zero(0), tiny = tiny_square<T>();
    const T mean = half * (m.a + m.c);
    const T difference = half * (m.a - m.c);
    const T radius = sqrt(difference * difference + m.b * m.b);
    const T high = maximum(mean + radius, zero);
    const T low = maximum(mean - radius, zero);
    // M = mean I + radius R with R^2 = I, so the projection is (high + low)/2 I + (high - low)/2 R.
    const T average = half * (high + low);
    const T scale = half * (high - low) / maximum(radius, tiny);
    return {average + scale * difference, scale * m.b, average - scale * difference};
}

} // namespace muslin
