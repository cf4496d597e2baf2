#include "muslin/collision/detect/closeness.h"

#include "muslin/kernels/crossing.h"
#include "muslin/kernels/distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace muslin {
namespace {

// Whether a step along `way` goes nearer to what lies at -away. What is level to rounding does not:
// a pair too many is better than a close place without one.
bool goes_nearer(const Vec3& away, const Vec3& way) {
    return dot(away, way) < -1e-9 * norm(away) * norm(way);
}

} // namespace

Vec3 Closeness::normal_of(int triangle, std::span<const Vec3> at) const {
    const auto& [a, b, c] = surfaces_.triangles[triangle];
    return cross(at[b] - at[a], at[c] - at[a]);
}

// Whether an edge at the vertex goes nearer to the place from which `away` leads to it.
bool Closeness::leads_nearer(int vertex, const Vec3& away, std::span<const Vec3> at) const {
    for (int e : adjacency_.point_edges[vertex]) {
        const auto [a, b] = surfaces_.edges[e];
        if (goes_nearer(away, at[a == vertex ? b : a] - at[vertex]))
            return true;
    }
    return false;
}

// Distance, normal and what the pair's first points say of it, for points and weights that are set.
bool Closeness::fill_contact(ProximityKind kind, double thickness, const Vec3& fallback,
                             std::span<const Vec3> at, Proximity& out) const {
    out.kind = kind;
    Contact& c = out.contact;
    c.edges = kind == ProximityKind::edge_edge;
    c.thickness = thickness;
    c.friction = surfaces_.friction_between(c.points[0], c.points[c.edges ? 2 : 1]);
    const Vec3 apart = c.difference(at);
    const double length = norm(apart);
    if (length > 1e-9 * thickness)
        c.normal = (1 / length) * apart;
    else if (const double l = norm(fallback); l > 0)
        c.normal = (1 / l) * fallback;
    else
        c.normal = {0, 1, 0}; // features without extent that touch: any direction separates
    return true;
}

bool Closeness::vertex_triangle(int v, int t, std::span<const Vec3> at, double margin,
                                Proximity& out) const {
    const auto& [a, b, c] = surfaces_.triangles[t];
    if (surfaces_.share_point(std::array{v}, surfaces_.triangles[t]))
        return false;
    const VertexFaceDistance d = vertex_face_distance(at[v], at[a], at[b], at[c]);
    const double thickness = surfaces_.half_thickness[v] + surfaces_.triangle_half_thickness[t];
    out.distance = std::sqrt(d.squared);
    if (d.region != FaceRegion::interior || !(out.distance < thickness + margin))
        return false;
    out.contact.first = v;
    out.contact.second = t;
    out.contact.points = {v, a, b, c};
    out.contact.weights = {1, -d.weights.x, -d.weights.y, -d.weights.z};
    return fill_contact(ProximityKind::vertex_triangle, thickness, normal_of(t, at), at, out);
}

bool Closeness::edge_edge(int e, int f, std::span<const Vec3> at, double margin,
                          Proximity& out) const {
    const auto [a, b] = surfaces_.edges[e];
    const auto [c, d] = surfaces_.edges[f];
    if (surfaces_.share_point(surfaces_.edges[e], surfaces_.edges[f]))
        return false;
    const EdgeEdgeDistance near = edge_edge_distance(at[a], at[b], at[c], at[d]);
    const double thickness = surfaces_.edge_half_thickness[e] + surfaces_.edge_half_thickness[f];
    out.distance = std::sqrt(near.squared);
    if (!near.s_interior || !near.t_interior || !(out.distance < thickness + margin))
        return false;
    out.contact.first = e;
    out.contact.second = f;
    out.contact.points = {a, b, c, d};
    out.contact.weights = {1 - near.s, near.s, near.t - 1, -near.t};
    return fill_contact(ProximityKind::edge_edge, thickness, cross(at[b] - at[a], at[d] - at[c]),
                        at, out);
}

bool Closeness::vertex_edge(int v, int e, std::span<const Vec3> at, double margin,
                            Proximity& out) const {
    const auto [a, b] = surfaces_.edges[e];
    if (surfaces_.share_point(std::array{v}, surfaces_.edges[e]))
        return false;
    const double t = closest_on_edge(at[v], at[a], at[b]);
    const Vec3 on_edge = at[a] + t * (at[b] - at[a]);
    const Vec3 away = at[v] - on_edge;
    const double thickness = surfaces_.half_thickness[v] + surfaces_.edge_half_thickness[e];
    out.distance = norm(away);
    if (!(t > 0 && t < 1) || !(out.distance < thickness + margin))
        return false;
    for (int triangle : adjacency_.edge_triangles[e])
        for (int apex : surfaces_.triangles[triangle])
            if (apex != a && apex != b && goes_nearer(-away, at[apex] - on_edge))
                return false;
    if (leads_nearer(v, away, at))
        return false;
    out.contact.first = v;
    out.contact.second = e;
    out.contact.points = {v, a, b, b};
    out.contact.weights = {1, t - 1, -t, 0};
    return fill_contact(ProximityKind::vertex_edge, thickness,
                        normal_of(surfaces_.triangle_of_edge(e), at), at, out);
}

bool Closeness::vertex_vertex(int v, int w, std::span<const Vec3> at, double margin,
                              Proximity& out) const {
    const Vec3 away = at[v] - at[w];
    const double thickness = surfaces_.thickness(v, w);
    out.distance = norm(away);
    if (v == w || !(out.distance < thickness + margin) || leads_nearer(v, away, at) ||
        leads_nearer(w, -away, at))
        return false;
    out.contact.first = v;
    out.contact.second = w;
    out.contact.points = {v, w, w, w};
    out.contact.weights = {1, -1, 0, 0};
    return fill_contact(ProximityKind::vertex_vertex, thickness,
                        normal_of(surfaces_.triangle_of_point(w), at), at, out);
}

bool Closeness::of_kind(ProximityKind kind, int first, int second, std::span<const Vec3> at,
                        double margin, Proximity& out) const {
    switch (kind) {
    case ProximityKind::vertex_triangle:
        return vertex_triangle(first, second, at, margin, out);
    case ProximityKind::edge_edge:
        return edge_edge(first, second, at, margin, out);
    case ProximityKind::vertex_edge:
        return vertex_edge(first, second, at, margin, out);
    case ProximityKind::vertex_vertex:
        return vertex_vertex(first, second, at, margin, out);
    }
    return false;
}

double Closeness::clearance(ProximityKind kind, int first, int second,
                            std::span<const Vec3> at) const {
    constexpr double never = std::numeric_limits<double>::infinity();
    const auto& half = surfaces_.half_thickness;
    switch (kind) {
    case ProximityKind::vertex_triangle: {
        const auto& [a, b, c] = surfaces_.triangles[second];
        if (surfaces_.share_point(std::array{first}, surfaces_.triangles[second]))
            return never;
        return std::sqrt(vertex_face_distance(at[first], at[a], at[b], at[c]).squared) -
               (half[first] + surfaces_.triangle_half_thickness[second]);
    }
    case ProximityKind::edge_edge: {
        const auto [a, b] = surfaces_.edges[first];
        const auto [c, d] = surfaces_.edges[second];
        if (surfaces_.share_point(surfaces_.edges[first], surfaces_.edges[second]))
            return never;
        return std::sqrt(edge_edge_distance(at[a], at[b], at[c], at[d]).squared) -
               (surfaces_.edge_half_thickness[first] + surfaces_.edge_half_thickness[second]);
    }
    case ProximityKind::vertex_edge: {
        const auto [a, b] = surfaces_.edges[second];
        if (surfaces_.share_point(std::array{first}, surfaces_.edges[second]))
            return never;
        const double t = closest_on_edge(at[first], at[a], at[b]);
        return norm(at[first] - (at[a] + t * (at[b] - at[a]))) -
               (half[first] + surfaces_.edge_half_thickness[second]);
    }
    case ProximityKind::vertex_vertex:
        if (first == second)
            return never;
        break;
    }
    return norm(at[first] - at[second]) - (half[first] + half[second]);
}

double Closeness::clearance(const Interference& pair, std::span<const Vec3> at) const {
    const auto [p, q] = surfaces_.edges[pair.edge];
    const auto& corners = surfaces_.triangles[pair.triangle];
    const auto& [a, b, c] = corners;
    if (surfaces_.share_point(surfaces_.edges[pair.edge], corners))
        return std::numeric_limits<double>::infinity();
    // Of the slabs across the axes and across the triangle, the one that holds them furthest apart.
    const auto apart = [](double p0, double p1, double t0, double t1, double t2) {
        const auto [p_low, p_high] = std::minmax(p0, p1);
        const auto [t_low, t_high] = std::minmax({t0, t1, t2});
        return std::max(p_low - t_high, t_low - p_high);
    };
    const auto& [e, f] = std::tie(at[p], at[q]);
    const auto& [u, v, w] = std::tie(at[a], at[b], at[c]);
    double most = std::max({0.0, apart(e.x, f.x, u.x, v.x, w.x), apart(e.y, f.y, u.y, v.y, w.y),
                            apart(e.z, f.z, u.z, v.z, w.z)});
    const Vec3 normal = cross(v - u, w - u);
    if (const double size = norm(normal); size > 0)
        most = std::max(most, apart(dot(normal, e - u), dot(normal, f - u), 0, 0, 0) / size);
    return most;
}

bool Closeness::interferes(const Interference& pair, std::span<const Vec3> at) const {
    const auto& edge = surfaces_.edges[pair.edge];
    const auto& triangle = surfaces_.triangles[pair.triangle];
    return !surfaces_.share_point(edge, triangle) &&
           segment_crosses_triangle(at[edge[0]], at[edge[1]], at[triangle[0]], at[triangle[1]],
                                    at[triangle[2]]);
}

} // namespace muslin
