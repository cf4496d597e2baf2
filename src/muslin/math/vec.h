#pragma once

#include "muslin/base/host_device.h"

#include <cmath>

namespace muslin {

// Fixed-size vectors and matrices. They are templates on the scalar so that one kernel serves a
// single element (double), four at a time (Pack4) and derivative-carrying numbers in tests.

template <class T>
struct Vec2T {
    T x, y;
};

template <class T>
struct Vec3T {
    T x, y, z;

    MUSLIN_HD T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
    MUSLIN_HD const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
    MUSLIN_HD Vec3T& operator+=(const Vec3T& b) {
        x = x + b.x;
        y = y + b.y;
        z = z + b.z;
        return *this;
    }
    MUSLIN_HD Vec3T& operator-=(const Vec3T& b) {
        x = x - b.x;
        y = y - b.y;
        z = z - b.z;
        return *this;
    }
    MUSLIN_HD Vec3T& operator*=(const T& s) {
        x = x * s;
        y = y * s;
        z = z * s;
        return *this;
    }
};

using Vec2 = Vec2T<double>;
using Vec3 = Vec3T<double>;

template <class T>
MUSLIN_HD inline Vec2T<T> operator+(const Vec2T<T>& a, const Vec2T<T>& b) {
    return {a.x + b.x, a.y + b.y};
}
template <class T>
MUSLIN_HD inline Vec2T<T> operator-(const Vec2T<T>& a, const Vec2T<T>& b) {
    return {a.x - b.x, a.y - b.y};
}
template <class T>
MUSLIN_HD inline Vec2T<T> operator*(const T& s, const Vec2T<T>& a) {
    return {s * a.x, s * a.y};
}
template <class T>
MUSLIN_HD inline T dot(const Vec2T<T>& a, const Vec2T<T>& b) {
    return a.x * b.x + a.y * b.y;
}
/// Twice the signed area of the triangle (0, a, b).
template <class T>
MUSLIN_HD inline T cross(const Vec2T<T>& a, const Vec2T<T>& b) {
    return a.x * b.y - a.y * b.x;
}
template <class T>
MUSLIN_HD inline T norm(const Vec2T<T>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}

template <class T>
MUSLIN_HD inline Vec3T<T> operator+(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
MUSLIN_HD inline Vec3T<T> operator-(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
MUSLIN_HD inline Vec3T<T> operator-(const Vec3T<T>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
MUSLIN_HD inline Vec3T<T> operator*(const T& s, const Vec3T<T>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
MUSLIN_HD inline Vec3T<T> operator*(const Vec3T<T>& a, const T& s) {
    return {a.x * s, a.y * s, a.z * s};
}
template <class T>
MUSLIN_HD inline T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
MUSLIN_HD inline Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
MUSLIN_HD inline T norm(const Vec3T<T>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}
/// a / |a|; a must not be zero.
template <class T>
MUSLIN_HD inline Vec3T<T> normalized(const Vec3T<T>& a) {
    return (T(1) / norm(a)) * a;
}
MUSLIN_HD inline Vec3 normalized(const Vec3& a) {
    return normalized<double>(a);
}
/// The part of a vector across a unit normal.
template <class T>
MUSLIN_HD inline Vec3T<T> tangential(const Vec3T<T>& a, const Vec3T<T>& normal) {
    return a - dot(a, normal) * normal;
}

MUSLIN_HD inline bool is_finite(const Vec3& a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A 3x3 matrix, row by row.
template <class T>
struct Mat3T {
    T m[3][3];

    MUSLIN_HD T& operator()(int r, int c) { return m[r][c]; }
    MUSLIN_HD const T& operator()(int r, int c) const { return m[r][c]; }
    MUSLIN_HD Mat3T& operator+=(const Mat3T& b) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                m[r][c] = m[r][c] + b.m[r][c];
        return *this;
    }
    MUSLIN_HD static Mat3T diagonal(const T& d) {
        const T o(0);
        return {{{d, o, o}, {o, d, o}, {o, o, d}}};
    }
    MUSLIN_HD static Mat3T zero() { return diagonal(T(0)); }
    MUSLIN_HD static Mat3T identity() { return diagonal(T(1)); }
};

using Mat3 = Mat3T<double>;

template <class T>
MUSLIN_HD inline Mat3T<T> operator+(Mat3T<T> a, const Mat3T<T>& b) {
    a += b;
    return a;
}
template <class T>
MUSLIN_HD inline Mat3T<T> operator-(const Mat3T<T>& a, const Mat3T<T>& b) {
    Mat3T<T> out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.m[r][c] = a.m[r][c] - b.m[r][c];
    return out;
}
template <class T>
MUSLIN_HD inline Mat3T<T> operator*(const T& s, const Mat3T<T>& a) {
    Mat3T<T> out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.m[r][c] = s * a.m[r][c];
    return out;
}
template <class T>
MUSLIN_HD inline Vec3T<T> operator*(const Mat3T<T>& a, const Vec3T<T>& b) {
    return {a.m[0][0] * b.x + a.m[0][1] * b.y + a.m[0][2] * b.z,
            a.m[1][0] * b.x + a.m[1][1] * b.y + a.m[1][2] * b.z,
            a.m[2][0] * b.x + a.m[2][1] * b.y + a.m[2][2] * b.z};
}
template <class T>
MUSLIN_HD inline Mat3T<T> operator*(const Mat3T<T>& a, const Mat3T<T>& b) {
    Mat3T<T> out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.m[r][c] = a.m[r][0] * b.m[0][c] + a.m[r][1] * b.m[1][c] + a.m[r][2] * b.m[2][c];
    return out;
}
template <class T>
MUSLIN_HD inline Mat3T<T> transpose(const Mat3T<T>& a) {
    Mat3T<T> out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            out.m[r][c] = a.m[c][r];
    return out;
}
/// a b^T.
template <class T>
MUSLIN_HD inline Mat3T<T> outer(const Vec3T<T>& a, const Vec3T<T>& b) {
    return {{{a.x * b.x, a.x * b.y, a.x * b.z},
             {a.y * b.x, a.y * b.y, a.y * b.z},
             {a.z * b.x, a.z * b.y, a.z * b.z}}};
}
/// The matrix of x -> a cross x.
template <class T>
MUSLIN_HD inline Mat3T<T> cross_matrix(const Vec3T<T>& a) {
    const T o(0);
    return {{{o, -a.z, a.y}, {a.z, o, -a.x}, {-a.y, a.x, o}}};
}
MUSLIN_HD inline double determinant(const Mat3& a) {
    return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
           a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
           a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}
/// The inverse of a regular matrix, by cofactors.
MUSLIN_HD inline Mat3 inverse(const Mat3& a) {
    const double s = 1.0 / determinant(a);
    Mat3 out;
    for (int r = 0; r < 3; ++r) {
        const int r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            out.m[c][r] = s * (a.m[r1][c1] * a.m[r2][c2] - a.m[r1][c2] * a.m[r2][c1]);
        }
    }
    return out;
}

} // namespace muslin
