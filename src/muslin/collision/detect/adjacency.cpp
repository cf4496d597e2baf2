#include "muslin/collision/detect/adjacency.h"

namespace muslin {

Adjacency::Adjacency(const Surfaces& surfaces) {
    const auto each = [](const auto& features, auto&& put) {
        for (std::size_t i = 0; i < features.size(); ++i)
            for (int at : features[i])
                put(at, static_cast<int>(i));
    };
    point_edges.build(surfaces.point_count(), [&](auto&& put) { each(surfaces.edges, put); });
    point_triangles.build(surfaces.point_count(),
                          [&](auto&& put) { each(surfaces.triangles, put); });
    edge_triangles.build(surfaces.edges.size(),
                         [&](auto&& put) { each(surfaces.triangle_edges, put); });
}

} // namespace muslin
