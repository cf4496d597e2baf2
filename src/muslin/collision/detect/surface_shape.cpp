#include "muslin/collision/detect/surface_shape.h"

#include <cmath>

namespace muslin {
namespace {

// The sine by which the normal of two edges may lean into a triangle of theirs: as much as the
// triangles of a mesh that resolves a curve (ten edges to a radius) turn at an edge, twice.
constexpr double most_lean = 0.2;

const double aligned = std::cos(SurfaceShape::sharp);

Vec3 unit_or_zero(const Vec3& a) {
    const double length = norm(a);
    return length > 0 ? (1 / length) * a : Vec3{0, 0, 0};
}

} // namespace

void SurfaceShape::place(std::span<const Vec3> points) {
    points_ = points;
    facets_.resize(surfaces_.triangles.size());
    for (const int t : asked_)
        facets_[t].known = false;
    asked_.clear();
}

Vec3 SurfaceShape::normal(const Contact& contact) {
    const int second = contact.edges ? 2 : 1;
    const bool of_bodies[] = {!surfaces_.is_cloth(contact.points[0]),
                              !surfaces_.is_cloth(contact.points[second])};
    const bool cloths = !of_bodies[0] && !of_bodies[1];
    Vec3 sum = {0, 0, 0};
    if (of_bodies[0] || (cloths && contact.edges))
        sum += feature_normal(contact, 0, second);
    if (of_bodies[1] || cloths)
        sum += feature_normal(contact, second, 4);
    const double length = norm(sum);
    return length > 0 ? (1 / length) * sum : contact.normal;
}

// The mean over the points of a feature of the triangles around each that face as the contact does,
// in the contact's direction: bodies and cloths are oriented either way. Zero where there are none.
Vec3 SurfaceShape::feature_normal(const Contact& contact, int from, int to) {
    Vec3 sum = {0, 0, 0};
    for (int k = from; k < to; ++k) {
        Vec3 around = {0, 0, 0};
        for (const int t : adjacency_.point_triangles[contact.points[k]]) {
            const Facet& f = facet(t);
            const double along = dot(f.normal, contact.normal);
            if (std::abs(along) >= aligned)
                around += (along > 0 ? f.area : -f.area) * f.normal;
        }
        sum += std::abs(contact.weights[k]) * unit_or_zero(around);
    }
    return unit_or_zero(sum);
}

// The mean over the triangles around the contact that face as it does: those beyond an edge of the
// body are of another surface.
Mat3 SurfaceShape::curvature(const Contact& contact) {
    Mat3 bend = Mat3::zero();
    double area = 0;
    for (int k = 0; k < 4; ++k) {
        if (surfaces_.is_cloth(contact.points[k]))
            continue;
        for (const int t : adjacency_.point_triangles[contact.points[k]]) {
            const Facet& f = facet(t);
            if (std::abs(dot(f.normal, contact.normal)) < aligned)
                continue;
            const double weight = std::abs(contact.weights[k]);
            bend += weight * f.bend;
            area += weight * f.area;
        }
    }
    return area > 0 ? (1 / area) * bend : Mat3::zero();
}

bool SurfaceShape::leans(const Contact& contact) const {
    return contact.edges && (leans_over(contact.first, -contact.normal) ||
                             leans_over(contact.second, contact.normal));
}

// Whether what lies in this direction from the edge is nearer to one of its triangles.
bool SurfaceShape::leans_over(int edge, const Vec3& direction) const {
    const auto& [p, q] = surfaces_.edges[edge];
    const Vec3 along = unit_or_zero(points_[q] - points_[p]);
    for (const int t : adjacency_.edge_triangles[edge])
        for (const int v : surfaces_.triangles[t]) {
            if (v == p || v == q)
                continue;
            const Vec3 inwards = tangential(points_[v] - points_[p], along);
            if (dot(inwards, direction) > most_lean * norm(inwards))
                return true;
        }
    return false;
}

// After Cohen-Steiner and Morvan 2003: the bend of each edge, over half of its length for each of
// its triangles, across it.
const SurfaceShape::Facet& SurfaceShape::facet(int triangle) {
    Facet& out = facets_[triangle];
    if (out.known)
        return out;
    asked_.push_back(triangle);
    const Vec3 twice = area_vector(triangle);
    out.known = true;
    out.area = 0.5 * norm(twice);
    out.normal = unit_or_zero(twice);
    out.bend = Mat3::zero();
    // Where cloth curves is not asked.
    if (triangle >= surfaces_.cloth_triangle_count())
        for (const int e : surfaces_.triangle_edges[triangle])
            out.bend += hinge(e);
    return out;
}

Vec3 SurfaceShape::area_vector(int triangle) const {
    const auto& [a, b, c] = surfaces_.triangles[triangle];
    return cross(points_[b] - points_[a], points_[c] - points_[a]);
}

// Half of the length of an edge times its bend, across it in the plane between its triangles [m].
// Positive where the surface is convex as its triangles are oriented.
Mat3 SurfaceShape::hinge(int edge) const {
    const auto sides = adjacency_.edge_triangles[edge];
    if (sides.size() != 2)
        return Mat3::zero();
    const Vec3 first = area_vector(sides[0]), second = area_vector(sides[1]);
    const auto& [p, q] = surfaces_.edges[edge];
    const Vec3 along = points_[q] - points_[p];
    const double length = norm(along);
    if (length == 0 || norm(first) == 0 || norm(second) == 0)
        return Mat3::zero();
    const double bend = std::atan2(norm(cross(first, second)), dot(first, second));
    if (bend >= sharp)
        return Mat3::zero();
    const Vec3 middle = normalized(first) + normalized(second);
    const Vec3 across = (1 / (length * norm(middle))) * cross(middle, along);
    // Convex where the second triangle's normal leans to its own side of the edge.
    const auto& [a, b, c] = surfaces_.triangles[sides[1]];
    const Vec3 centre = (1.0 / 3) * (points_[a] + points_[b] + points_[c]);
    const double side = dot(across, centre - points_[p]);
    const double lean = dot(across, normalized(second) - normalized(first));
    return (0.5 * length * (side * lean > 0 ? bend : -bend)) * outer(across, across);
}

} // namespace muslin
