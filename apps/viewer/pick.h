#pragma once

#include "muslin/render/camera.h"

#include <array>
#include <optional>
#include <span>

namespace muslin::viewer {

/// A part of the window in pixels, from its top left corner.
struct Rectangle {
    double x = 0, y = 0, width = 1, height = 1;
    bool contains(double px, double py) const {
        return px >= x && py >= y && px < x + width && py < y + height;
    }
};

/// A half line; the direction has length one.
struct Ray {
    Vec3 origin, direction;
};

/// Through the pixel of a picture that the camera draws into the rectangle.
Ray ray_through(const Camera& camera, const Rectangle& view, double x, double y);

/// Where a point is drawn [pixels]; nothing for a point behind the eye.
std::optional<Vec2> project(const Camera& camera, const Rectangle& view, const Vec3& point);

struct Hit {
    double distance = 0; ///< along the ray [m]
    int triangle = -1;
    int corner = 0; ///< of the triangle, the one nearest to the hit
    Vec3 point{};   ///< [m]
};

/// Where the ray meets a triangle from either side, as its distance and the weights of the corners.
struct TriangleHit {
    double distance;
    Vec3 weights;
};
std::optional<TriangleHit> intersect(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c);

/// The first triangle that the ray meets.
std::optional<Hit> pick(const Ray& ray, std::span<const Vec3> positions,
                        std::span<const std::array<int, 3>> triangles);

/// Where the ray meets the plane through `point` that faces the camera; nothing where the plane is
/// behind the eye. This is where a thing goes that is dragged by the mouse.
std::optional<Vec3> drag_point(const Camera& camera, const Ray& ray, const Vec3& point);

} // namespace muslin::viewer
