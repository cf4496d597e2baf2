#pragma once

#include "muslin/model/contact_history.h"

#include <cstddef>
#include <vector>

namespace muslin {

/// Pairs of features whose swept boxes overlap: the only ones that can meet.
struct Candidates {
    std::vector<FeaturePair> vertex_face;
    std::vector<FeaturePair> edge_edge;

    void clear() {
        vertex_face.clear();
        edge_edge.clear();
    }
    std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
};

} // namespace muslin
