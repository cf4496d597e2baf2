#pragma once

#include <cmath>

// The public face lives in muslin::api, so that its types and those of the engine behind it, which
// are called alike, are different ones in one program. A program writes muslin::Scene.
namespace muslin::api {}
namespace muslin {
#ifndef MUSLIN_LIBRARY // defined where the library itself is built
using namespace api;
#endif
} // namespace muslin

namespace muslin::api {

/// A point or direction of a pattern, in metres unless something else is said.
struct Vec2 {
    double x = 0, y = 0;
};

/// A point or direction in space; y is up. In metres unless something else is said.
struct Vec3 {
    double x = 0, y = 0, z = 0;
};

inline Vec2 operator+(const Vec2& a, const Vec2& b) {
    return {a.x + b.x, a.y + b.y};
}
inline Vec2 operator-(const Vec2& a, const Vec2& b) {
    return {a.x - b.x, a.y - b.y};
}
inline Vec2 operator*(double s, const Vec2& a) {
    return {s * a.x, s * a.y};
}
inline Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator-(const Vec3& a) {
    return {-a.x, -a.y, -a.z};
}
inline Vec3 operator*(double s, const Vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const Vec3& a, const Vec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double norm(const Vec3& a) {
    return std::sqrt(dot(a, a));
}

/// A 3x3 matrix by its rows: the product with a vector has the components x . v, y . v, z . v.
struct Mat3 {
    Vec3 x = {}, y = {}, z = {};
};

inline Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Mat3 operator*(double s, const Mat3& a) {
    return {s * a.x, s * a.y, s * a.z};
}
/// a b^T.
inline Mat3 outer(const Vec3& a, const Vec3& b) {
    return {a.x * b, a.y * b, a.z * b};
}
/// s times the identity.
inline Mat3 diagonal(double s) {
    return {{s, 0, 0}, {0, s, 0}, {0, 0, s}};
}

} // namespace muslin::api
