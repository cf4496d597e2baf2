#include "viewer/pick.h"

#include <cmath>
#include <numbers>

namespace muslin::viewer {
namespace {

double tangent(const Camera& camera) {
    return std::tan(camera.vertical_fov * std::numbers::pi / 360);
}

} // namespace

Ray ray_through(const Camera& camera, const Rectangle& view, double x, double y) {
    const CameraBasis basis = camera_basis(camera);
    const double half = tangent(camera), aspect = view.width / view.height;
    const double right = (2 * (x - view.x) / view.width - 1) * half * aspect;
    const double up = (1 - 2 * (y - view.y) / view.height) * half;
    return {camera.eye, normalized(right * basis.right + up * basis.up - basis.back)};
}

std::optional<Vec2> project(const Camera& camera, const Rectangle& view, const Vec3& point) {
    const CameraBasis basis = camera_basis(camera);
    const Vec3 d = point - camera.eye;
    const double depth = -dot(d, basis.back);
    if (!(depth > 0))
        return std::nullopt;
    const double half = tangent(camera) * depth, aspect = view.width / view.height;
    return Vec2{view.x + 0.5 * view.width * (1 + dot(d, basis.right) / (half * aspect)),
                view.y + 0.5 * view.height * (1 - dot(d, basis.up) / half)};
}

// [Moeller, Trumbore: Fast, minimum storage ray/triangle intersection, 1997]
std::optional<TriangleHit> intersect(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, p = cross(ray.direction, ac);
    const double volume = dot(ab, p);
    if (volume == 0)
        return std::nullopt;
    const Vec3 s = ray.origin - a, q = cross(s, ab);
    const double v = dot(s, p) / volume, w = dot(ray.direction, q) / volume;
    const double distance = dot(ac, q) / volume;
    if (!(v >= 0 && w >= 0 && v + w <= 1 && distance > 0))
        return std::nullopt;
    return TriangleHit{distance, {1 - v - w, v, w}};
}

std::optional<Hit> pick(const Ray& ray, std::span<const Vec3> positions,
                        std::span<const std::array<int, 3>> triangles) {
    std::optional<Hit> best;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [i, j, k] = triangles[t];
        const auto hit = intersect(ray, positions[i], positions[j], positions[k]);
        if (!hit || (best && hit->distance >= best->distance))
            continue;
        const Vec3 point = ray.origin + hit->distance * ray.direction;
        int corner = 0;
        for (int n = 1; n < 3; ++n)
            if (norm(positions[triangles[t][n]] - point) <
                norm(positions[triangles[t][corner]] - point))
                corner = n;
        best = Hit{hit->distance, static_cast<int>(t), corner, point};
    }
    return best;
}

std::optional<Vec3> drag_point(const Camera& camera, const Ray& ray, const Vec3& point) {
    const Vec3 back = camera_basis(camera).back;
    const double along = dot(ray.direction, back);
    if (along == 0)
        return std::nullopt;
    const double distance = dot(point - ray.origin, back) / along;
    if (!(distance > 0) || !std::isfinite(distance))
        return std::nullopt;
    return ray.origin + distance * ray.direction;
}

} // namespace muslin::viewer
