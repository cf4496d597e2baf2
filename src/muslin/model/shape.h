#pragma once

#include "muslin/math/vec.h"
#include "muslin/model/animated.h"

#include <variant>
#include <vector>

namespace muslin {

// What a pinned particle is held to: a point (three directions), a curve (two), a surface (one),
// or its own start in chosen directions [BW98 2.4, 5.1].

struct PointShape {}; ///< each particle at its own starting place
struct DirectionsShape {
    std::vector<Vec3>
        directions; ///< 1 to 3, made orthonormal: the start's offset along these is kept
};
struct LineShape {
    Vec3 point, direction;
};
struct CircleShape {
    Vec3 center, normal;
    double radius = 1; ///< [m]
};
struct PlaneShape {
    Vec3 point, normal;
};
struct SphereShape {
    Vec3 center;
    double radius = 1; ///< [m]
};
struct CylinderShape {
    Vec3 point, axis;
    double radius = 1; ///< [m]
};

using Shape = std::variant<PointShape, DirectionsShape, LineShape, CircleShape, PlaneShape,
                           SphereShape, CylinderShape>;

/// A rigid motion over time, from where things stand at t = 0: rotated about `pivot` by `rotation`
/// (degrees about x, then y, then z), then moved by `translation`.
struct Motion {
    Animated<Vec3> translation{Vec3{0, 0, 0}}; ///< [m]
    Animated<Vec3> rotation{Vec3{0, 0, 0}};    ///< [degrees]
    Vec3 pivot = {0, 0, 0};                    ///< [m]

    bool is_constant() const { return translation.is_constant() && rotation.is_constant(); }
    Vec3 apply(double time, const Vec3& point) const;    ///< a point of the moved thing
    Vec3 turn(double time, const Vec3& direction) const; ///< a direction of it
    Vec3 undo(double time, const Vec3& place) const;     ///< the point that is then at `place`
};

} // namespace muslin
