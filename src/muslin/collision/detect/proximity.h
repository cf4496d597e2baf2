#pragma once

#include "muslin/collision/detect/contact.h"

#include <cstdint>

namespace muslin {

/// What kind of features are near each other [Volino95 4.2].
enum class ProximityKind : std::uint8_t {
    vertex_triangle, ///< first: a point, second: a triangle
    edge_edge,       ///< first and second: edges, first < second
    vertex_edge,     ///< first: a point, second: an edge
    vertex_vertex,   ///< first and second: points, first < second
};

/// Two features closer than a threshold [Volino95 4.2]: what pushes. Of the features around a
/// close place each pair stands for a different closest pair of points: one in the inside of a
/// triangle, two in the inside of edges, and the marginal kinds for what is nearest at an end.
///
/// `contact` has the two closest points and the direction from the second to the first. The
/// marginal kinds use fewer than four points: the others have weight zero and repeat a point.
struct Proximity {
    ProximityKind kind = ProximityKind::vertex_triangle;
    double distance = 0; ///< between the closest points [m]
    Contact contact;

    /// One number per pair, increasing in the order of kind, first, second.
    std::uint64_t pair() const {
        return std::uint64_t(kind) << 62 | std::uint64_t(std::uint32_t(contact.first)) << 31 |
               std::uint32_t(contact.second);
    }
};

/// An edge that passes through a triangle: two surfaces are crossing there [Volino95 4.2].
struct Interference {
    int edge, triangle; ///< of Surfaces
};

} // namespace muslin
