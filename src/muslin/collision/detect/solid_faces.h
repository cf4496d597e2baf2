#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/kernels/distance.h"
#include "muslin/model/contact_history.h"

#include <span>
#include <vector>

namespace muslin {

/// The place nearest to a point, and on which side of the surface that point is.
struct NearestFace {
    FacePoint place;
    double distance = 0; ///< signed: negative inside [m]
    Vec3 normal;         ///< the way out from the place, unit length
};

/// The faces of the bodies with their orientation [BW98 2.1]. A place on an edge or a corner faces
/// along the pseudonormal, the sum of its faces' normals weighed by their angles there: its sign
/// tells inside from outside at every place of a closed surface [Baerentzen and Aanaes 2005].
class SolidFaces {
public:
    explicit SolidFaces(const Surfaces& surfaces) : surfaces_(surfaces) {}

    /// Takes the places of all points (those of Surfaces).
    void set_positions(std::span<const Vec3> points);

    /// Of a face [unit length]; zero for a face without area.
    const Vec3& normal(int face) const {
        return face_normals_[face - surfaces_.cloth_triangle_count()];
    }
    /// The pseudonormal at a place, unit length.
    Vec3 outward(const FacePoint& place) const;
    Vec3 position(const FacePoint& place) const;

    /// Of some faces the place nearest to x; face -1 if all of them are without area.
    NearestFace nearest(const Vec3& x, std::span<const int> faces) const;

    /// Writes an offset in directions that turn with a face, and back.
    Vec3 to_frame(int face, const Vec3& offset) const;
    Vec3 from_frame(int face, const Vec3& local) const;

private:
    struct Frame {
        Vec3 along, across, normal;
    };
    Frame frame(int face) const;

    const Surfaces& surfaces_;
    std::vector<Vec3> points_;
    std::vector<Vec3> face_normals_, edge_normals_, point_normals_; ///< of bodies alone
};

} // namespace muslin
