#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/contact.h"

#include <span>
#include <vector>

namespace muslin {

/// The smooth surfaces of which triangles are samples, wherever they meet at less than `sharp`: the
/// normal and the curvature at a contact. Cloth that slides over edges and facets one by one is
/// held back by each; a surface lets it pass.
class SurfaceShape {
public:
    explicit SurfaceShape(const Surfaces& surfaces) : surfaces_(surfaces), adjacency_(surfaces) {}

    /// For the positions of all points at the start of a step; they must outlive the calls below.
    void place(std::span<const Vec3> points);

    /// The normal of the smooth surface there, to the side of the contact's own; the contact's own
    /// where there is no such surface. That of a body where one takes part, else the mean of both
    /// edges, or that of the face.
    Vec3 normal(const Contact& contact);
    /// How the normal of the body there turns with a slide of the first feature along the second:
    /// dn = K u [1/m]. Zero between cloths.
    Mat3 curvature(const Contact& contact);
    /// Whether two edges face each other across one of their own triangles: then something else is
    /// nearer than the two, and their normal leans away from that of the surface.
    bool leans(const Contact& contact) const;

    /// The angle from which on two triangles meet at an edge of the surface [rad].
    static constexpr double sharp = 0.6;

private:
    struct Facet {
        Mat3 bend;   ///< its share of the bends of its edges, across them [m]
        Vec3 normal; ///< unit length; zero where there is none
        double area; ///< [m^2]
        bool known = false;
    };
    const Facet& facet(int triangle);
    Vec3 area_vector(int triangle) const;
    Mat3 hinge(int edge) const;
    Vec3 feature_normal(const Contact& contact, int from, int to);
    bool leans_over(int edge, const Vec3& direction) const;

    const Surfaces& surfaces_;
    Adjacency adjacency_;
    std::span<const Vec3> points_;
    std::vector<Facet> facets_; ///< of all triangles, set where they are asked for
    std::vector<int> asked_;    ///< those that are known
};

} // namespace muslin
