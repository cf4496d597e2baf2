#pragma once

#include <cmath>

namespace muslin {

/// A number and how fast it changes along one direction: arithmetic on these carries derivatives
/// along exactly (forward differentiation). T may itself be a Dual, which gives second derivatives.
template <class T>
struct Dual {
    T value{}, slope{};

    Dual() = default;
    Dual(double constant) : value(constant), slope(0.0) {} // NOLINT: a number is a constant
    Dual(T v, T s) : value(v), slope(s) {}
};

/// The number without its derivatives.
inline double plain(double x) {
    return x;
}
template <class T>
double plain(const Dual<T>& x) {
    return plain(x.value);
}

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
    return {a.value + b.value, a.slope + b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
    return {a.value - b.value, a.slope - b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
    return {-a.value, -a.slope};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
    const T quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
}

template <class T>
Dual<T> sin(const Dual<T>& a) {
    using std::cos, std::sin;
    return {sin(a.value), a.slope * cos(a.value)};
}
template <class T>
Dual<T> cos(const Dual<T>& a) {
    using std::cos, std::sin;
    return {cos(a.value), -(a.slope * sin(a.value))};
}
template <class T>
Dual<T> tan(const Dual<T>& a) {
    using std::tan;
    const T t = tan(a.value);
    return {t, a.slope * (T(1.0) + t * t)};
}
template <class T>
Dual<T> asin(const Dual<T>& a) {
    using std::asin, std::sqrt;
    return {asin(a.value), a.slope / sqrt(T(1.0) - a.value * a.value)};
}
template <class T>
Dual<T> acos(const Dual<T>& a) {
    using std::acos, std::sqrt;
    return {acos(a.value), -(a.slope / sqrt(T(1.0) - a.value * a.value))};
}
template <class T>
Dual<T> atan(const Dual<T>& a) {
    using std::atan;
    return {atan(a.value), a.slope / (T(1.0) + a.value * a.value)};
}
template <class T>
Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
    using std::atan2;
    return {atan2(y.value, x.value),
            (y.slope * x.value - x.slope * y.value) / (x.value * x.value + y.value * y.value)};
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
    using std::exp;
    const T e = exp(a.value);
    return {e, a.slope * e};
}
template <class T>
Dual<T> log(const Dual<T>& a) {
    using std::log;
    return {log(a.value), a.slope / a.value};
}
template <class T>
Dual<T> sqrt(const Dual<T>& a) {
    using std::sqrt;
    const T root = sqrt(a.value);
    return {root, a.slope / (T(2.0) * root)};
}
/// The slope at a step is that beside it: zero.
template <class T>
Dual<T> floor(const Dual<T>& a) {
    using std::floor;
    return {floor(a.value), T(0.0)};
}

inline bool is_zero(double x) {
    return x == 0;
}
template <class T>
bool is_zero(const Dual<T>& x) {
    return is_zero(x.value) && is_zero(x.slope);
}

/// a^b. A constant exponent differentiates at any base, so that t^2 has a slope at t = 0.
inline double power(double a, double b) {
    return std::pow(a, b);
}
template <class T>
Dual<T> power(const Dual<T>& a, const Dual<T>& b) {
    using std::log;
    const T value = power(a.value, b.value);
    T slope(0.0);
    if (!is_zero(a.slope) && !is_zero(b.value))
        slope = slope + a.slope * b.value * power(a.value, b.value - T(1.0));
    if (!is_zero(b.slope))
        slope = slope + b.slope * value * log(a.value);
    return {value, slope};
}

} // namespace muslin
