#pragma once

#include "muslin/kernels/bend_bw.h"

#include <cmath>

namespace muslin {

/// Bending of a hinge by half its angle [Bridson03 4]. With S = sin(theta/2), S_0 of the rest angle
/// and the hinge's stiffness k of bend_bw.h,
///     moment = 2 k (S - S_0) (1 + b (2 S)^2) + k_d (1 + c |dtheta/dt|) dtheta/dt.
/// b = c = 0 is the paper's: its k^e |E|^2 / (|N1| + |N2|) is 2 k with k^e = 4 D, where D is the
/// fabric's rigidity, and |E|, |N| are those of the rest shape, which makes the force the gradient
/// of an energy. b and c are the nonlinear functions that section 4 allows: they multiply all four
/// forces alike. The force on vertex i is -moment dtheta/dx_i. (The paper's mode u is -dtheta/dx:
/// as printed, dtheta/dt comes out as minus the sum of u . v; tests/forces/bend_bridson_test.cpp.)
///
/// Half the angle grows steadily up to the sharpest fold, where the sine of the whole would fall
/// back to zero, and needs no arc tangent.
template <class T>
struct HalfAngle {
    T sine, cosine; ///< of theta / 2; the cosine is not negative
};

/// From n1 . n2 and (n1 x n2) . e of normals of any length. Each is found by the way that loses no
/// digits; the paper's sqrt((1 - cos) / 2) loses half of them on flat cloth.
template <class T>
MUSLIN_HD inline HalfAngle<T> half_angle(const T& scaled_cosine, const T& scaled_sine) {
    using std::sqrt;
    const T half(0.5), zero(0), one(1), tiny = tiny_square<T>();
    const T radius = sqrt(maximum(scaled_cosine * scaled_cosine + scaled_sine * scaled_sine, tiny));
    const T cosine = scaled_cosine / radius, sine = scaled_sine / radius;
    const auto blunt = cosine > zero;
    const T long_side = sqrt(half * (one + select(blunt, cosine, -cosine)));
    const T short_side = half * sine / maximum(long_side, tiny);
    const T sign = select(sine < zero, -one, one);
    return {select(blunt, short_side, sign * long_side),
            select(blunt, long_side, sign * short_side)};
}

/// Of the elastic part.
template <class T>
struct HalfAngleParameters {
    T stiffness;  ///< k [N m]
    T rest_sine;  ///< sin(theta_0 / 2)
    T stiffening; ///< b
};

/// The elastic moment [N m] and its derivative by theta, not below zero: where the rest angle
/// makes it negative, a solver must not be told.
template <class T>
struct HalfAngleMoment {
    T moment, stiffness;
};

template <class T>
MUSLIN_HD inline HalfAngleMoment<T> bridson_moment(const HalfAngle<T>& half,
                                                   const HalfAngleParameters<T>& p) {
    const T one(1), two(2), four(4), eight(8), zero(0);
    const T bent = half.sine - p.rest_sine;
    const T factor = one + four * p.stiffening * half.sine * half.sine;
    const T slope = half.cosine * (factor + eight * p.stiffening * bent * half.sine);
    return {two * p.stiffness * bent * factor, p.stiffness * maximum(slope, zero)};
}

/// Energy [J] over that of the rest angle; `angle` and `rest_angle` [rad].
template <class T>
MUSLIN_HD inline T bridson_energy(const T& angle, const T& rest_angle, const T& stiffness,
                                  const T& stiffening) {
    // The moment's integral over phi = theta / 2, with sin^3 and sin^2 in closed form.
    const auto integral = [&](const T& phi) {
        const T c = std::cos(phi), s = std::sin(phi), rest = std::sin(T(0.5) * rest_angle);
        const T cube = -c + c * c * c / 3, square = T(0.5) * (phi - s * c);
        return -c - rest * phi + 4 * stiffening * (cube - rest * square);
    };
    return 4 * stiffness * (integral(T(0.5) * angle) - integral(T(0.5) * rest_angle));
}

} // namespace muslin
