#include "muslin/collision/detect/solid_faces.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

Vec3 unit_or(const Vec3& v, const Vec3& fallback) {
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : fallback;
}

double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(norm(cross(a, b)), dot(a, b));
}

} // namespace

void SolidFaces::set_positions(std::span<const Vec3> points) {
    points_.assign(points.begin(), points.end());
    const int first = surfaces_.cloth_triangle_count(), count = surfaces_.body_triangle_count();
    face_normals_.resize(count);
    edge_normals_.assign(surfaces_.edges.size() - surfaces_.cloth_edge_count(), {0, 0, 0});
    point_normals_.assign(surfaces_.point_count() - surfaces_.particle_count(), {0, 0, 0});
    for (int f = 0; f < count; ++f) {
        const auto& corners = surfaces_.triangles[first + f];
        const Vec3 x[3] = {points[corners[0]], points[corners[1]], points[corners[2]]};
        const Vec3 n = unit_or(cross(x[1] - x[0], x[2] - x[0]), {0, 0, 0});
        face_normals_[f] = n;
        for (int k = 0; k < 3; ++k) {
            edge_normals_[surfaces_.triangle_edges[first + f][k] - surfaces_.cloth_edge_count()] +=
                n;
            point_normals_[corners[k] - surfaces_.particle_count()] +=
                angle_between(x[(k + 1) % 3] - x[k], x[(k + 2) % 3] - x[k]) * n;
        }
    }
}

Vec3 SolidFaces::outward(const FacePoint& place) const {
    const Vec3& n = normal(place.face);
    const auto& corners = surfaces_.triangles[place.face];
    const auto of_edge = [&](int k) {
        const int edge = surfaces_.triangle_edges[place.face][k] - surfaces_.cloth_edge_count();
        return unit_or(edge_normals_[edge], n);
    };
    const auto of_corner = [&](int k) {
        return unit_or(point_normals_[corners[k] - surfaces_.particle_count()], n);
    };
    switch (place.region) {
    case FaceRegion::vertex0:
        return of_corner(0);
    case FaceRegion::vertex1:
        return of_corner(1);
    case FaceRegion::vertex2:
        return of_corner(2);
    case FaceRegion::edge01:
        return of_edge(0);
    case FaceRegion::edge12:
        return of_edge(1);
    case FaceRegion::edge20:
        return of_edge(2);
    case FaceRegion::interior:
        break;
    }
    return n;
}

Vec3 SolidFaces::position(const FacePoint& place) const {
    const auto& [a, b, c] = surfaces_.triangles[place.face];
    return place.weights.x * points_[a] + place.weights.y * points_[b] +
           place.weights.z * points_[c];
}

NearestFace SolidFaces::nearest(const Vec3& x, std::span<const int> faces) const {
    NearestFace best;
    double squared = HUGE_VAL;
    for (const int face : faces) {
        if (dot(normal(face), normal(face)) == 0)
            continue;
        const auto& [a, b, c] = surfaces_.triangles[face];
        const auto d = vertex_face_distance(x, points_[a], points_[b], points_[c]);
        if (d.squared < squared) {
            squared = d.squared;
            best.place = {face, d.weights, d.region};
        }
    }
    if (best.place.face < 0)
        return best;
    const Vec3 offset = x - position(best.place), out = outward(best.place);
    const double distance = std::sqrt(squared);
    const bool inside = dot(offset, out) < 0;
    best.distance = inside ? -distance : distance;
    // Outside an edge or a corner the way out is straight to the point; inside, and on the surface
    // itself, the pseudonormal.
    best.normal = inside || best.place.region == FaceRegion::interior ? out : unit_or(offset, out);
    return best;
}

SolidFaces::Frame SolidFaces::frame(int face) const {
    const auto& corners = surfaces_.triangles[face];
    const Vec3& n = normal(face);
    const Vec3 along = unit_or(points_[corners[1]] - points_[corners[0]], {1, 0, 0});
    return {along, cross(n, along), n};
}

Vec3 SolidFaces::to_frame(int face, const Vec3& offset) const {
    const Frame f = frame(face);
    return {dot(f.along, offset), dot(f.across, offset), dot(f.normal, offset)};
}

Vec3 SolidFaces::from_frame(int face, const Vec3& local) const {
    const Frame f = frame(face);
    return local.x * f.along + local.y * f.across + local.z * f.normal;
}

} // namespace muslin
