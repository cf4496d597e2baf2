#pragma once

#include "muslin/base/profile.h"
#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/triangle_pairs.h"
#include "muslin/collision/response/corrected_points.h"
#include "muslin/kernels/vertex_crossing.h"

#include <span>
#include <vector>

namespace muslin {

/// Particles that went through a triangle in a step, and the contacts by which they go back to the
/// side they came from.
class PassedVertices {
public:
    /// A particle that passed through a triangle.
    struct Passed {
        int point, triangle;
        VertexCrossing crossing;
    };

    PassedVertices(const Surfaces& surfaces, PairVolume volume)
        : surfaces_(surfaces), pairs_(surfaces, {volume, PairTest::vertices}) {}

    /// Finds the pairs of triangles of which a vertex may have passed.
    void find_pairs(const CorrectedPoints& points, Profile& profile);
    /// What passed among these pairs where points are now, by point and triangle.
    std::span<const Passed> passed_cloth(const CorrectedPoints& points);
    std::span<const Passed> passed_bodies(const CorrectedPoints& points);

    /// A contact whose gap is to become `gap` thicknesses, along a normal of the triangle.
    Contact cloth_contact(const Passed& passed, const Vec3& normal, double gap) const;
    /// Appends one for each particle that entered a body: it goes back along the mean normal of the
    /// polygons that it passed, until it is before the planes of all of them by `gap` [m]. One that
    /// left it again on the other side of an edge is not in it.
    void append_entered(std::span<const Passed> passed, const CorrectedPoints& points, double gap,
                        std::vector<Contact>& out) const;

private:
    std::span<const Passed> find_passed(std::span<const TrianglePair> pairs,
                                        const CorrectedPoints& points);

    const Surfaces& surfaces_;
    TrianglePairs pairs_;
    std::vector<TrianglePair> body_pairs_, cloth_pairs_;
    std::vector<Passed> passed_;
};

} // namespace muslin
