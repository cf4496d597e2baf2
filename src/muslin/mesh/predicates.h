#pragma once

#include "muslin/math/vec.h"

#include <array>

namespace muslin {

// Exact answers to geometric questions about points as they are stored: the sign is that of the
// real number, not of its rounding. (Coordinates are taken to be 0 or between 1e-90 and 1e90.)

/// +1 where d lies below the plane of a, b, c (from where the three run clockwise), -1 where above,
/// 0 on it: the sign of (a - d) . ((b - d) x (c - d)).
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// +1 where a, b, c run counter-clockwise, -1 clockwise, 0 in a line.
int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);

/// Whether the closed segments p q and a b have a point in common.
bool segments_meet(const Vec2& p, const Vec2& q, const Vec2& a, const Vec2& b);

/// Whether the closed segment p q and the closed triangle a b c have a point in common. A triangle
/// without area has none with anything: its edges speak for it.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                            const Vec3& c);

/// The corners of a triangle, where they are stored.
using Corners = std::array<const Vec3*, 3>;

/// Whether two closed triangles have a point in common; touching counts.
bool triangles_meet(const Corners& a, const Corners& b);

/// Whether two closed triangles that share their corner 0 have another point in common.
bool triangles_meet_beyond_corner(const Corners& a, const Corners& b);

} // namespace muslin
