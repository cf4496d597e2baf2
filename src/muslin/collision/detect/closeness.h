#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/proximity.h"

#include <span>

namespace muslin {

/// Which pairs of features are proximities [Volino95 4.2]; features that share a point never are.
/// Around a close place many features are near each other. A pair stands for it where
///
/// - vertex and triangle: the point of the triangle nearest to the vertex lies in its inside;
/// - edges: their nearest points lie in the inside of both;
/// - vertex and edge: the nearest point lies in the inside of the edge, and neither the triangles
///   at the edge nor the edges at the vertex lead nearer;
/// - two vertices: no edge of either leads nearer to the other.
///
/// So the closest points of two surfaces that do not cross are always those of one of the pairs: a
/// least distance is at a corner or in the inside of an edge or a triangle of each, and where it is
/// between an edge and a triangle, or between two triangles, it is also at an end of them.
class Closeness {
public:
    Closeness(const Surfaces& surfaces, const Adjacency& adjacency)
        : surfaces_(surfaces), adjacency_(adjacency) {}

    /// Whether the pair is a proximity closer than its thickness plus `margin` [m]. Sets all of
    /// `out` if so. Where the two touch, the normal is that of the triangle, across both edges, or
    /// that of a triangle at the second feature.
    bool vertex_triangle(int vertex, int triangle, std::span<const Vec3> at, double margin,
                         Proximity& out) const;
    bool edge_edge(int first, int second, std::span<const Vec3> at, double margin,
                   Proximity& out) const;
    bool vertex_edge(int vertex, int edge, std::span<const Vec3> at, double margin,
                     Proximity& out) const;
    bool vertex_vertex(int first, int second, std::span<const Vec3> at, double margin,
                       Proximity& out) const;
    bool of_kind(ProximityKind kind, int first, int second, std::span<const Vec3> at, double margin,
                 Proximity& out) const;

    /// By how much the distance of two features exceeds their thickness [m]; infinite where they
    /// share a point. The pair is no proximity unless this is below the margin.
    double clearance(ProximityKind kind, int first, int second, std::span<const Vec3> at) const;
    /// No more than the distance of an edge and a triangle [m]; infinite where they share a point.
    double clearance(const Interference& pair, std::span<const Vec3> at) const;

    /// Whether an edge passes through a triangle with which it shares no point; exact.
    bool interferes(const Interference& pair, std::span<const Vec3> at) const;

private:
    bool leads_nearer(int vertex, const Vec3& away, std::span<const Vec3> at) const;
    bool fill_contact(ProximityKind kind, double thickness, const Vec3& fallback,
                      std::span<const Vec3> at, Proximity& out) const;
    Vec3 normal_of(int triangle, std::span<const Vec3> at) const;

    const Surfaces& surfaces_;
    const Adjacency& adjacency_;
};

} // namespace muslin
