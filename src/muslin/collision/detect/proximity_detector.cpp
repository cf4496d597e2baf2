#include "muslin/collision/detect/proximity_detector.h"

#include "muslin/base/parallel.h"
#include "muslin/kernels/distance.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

template <class T>
void append_to(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

// Whether a squared distance is within reach, or so near to it that rounding decides.
bool within(double squared, double reach) {
    return squared <= (1 + 1e-9) * reach * reach;
}

} // namespace

void ProximityCandidates::clear() {
    vertex_triangle.clear();
    edge_edge.clear();
    vertex_edge.clear();
    vertex_vertex.clear();
    edge_triangle.clear();
}

void ProximityCandidates::append(const ProximityCandidates& other) {
    append_to(vertex_triangle, other.vertex_triangle);
    append_to(edge_edge, other.edge_edge);
    append_to(vertex_edge, other.vertex_edge);
    append_to(vertex_vertex, other.vertex_vertex);
    append_to(edge_triangle, other.edge_triangle);
}

ProximityDetector::ProximityDetector(const Surfaces& surfaces, SelfSearch search)
    : surfaces_(surfaces), adjacency_(surfaces), closeness_(surfaces, adjacency_),
      self_search_(search) {}

void ProximityDetector::set_boxes(std::span<const Vec3> positions, double margin) {
    search_.at = positions;
    search_.margin = margin;
    boxes_.points.resize(surfaces_.point_count());
    boxes_.edges.resize(surfaces_.edges.size());
    boxes_.triangles.resize(surfaces_.triangles.size());
    // Bodies that never move keep their boxes.
    const bool bodies_too = surfaces_.bodies_move() || search_.bodies_margin != margin;
    search_.bodies_margin = margin;
    const auto& s = surfaces_;
    const auto each = [&](std::size_t all, std::size_t of_cloth, auto&& set) {
        parallel_for(bodies_too ? all : of_cloth, grain, [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                set(static_cast<int>(i));
        });
    };
    const std::size_t cloth = s.cloth_triangle_count();
    each(boxes_.points.size(), s.particle_count(), [&](int i) { set_point_box(i); });
    each(boxes_.edges.size(), s.cloth_edge_count(), [&](int e) { set_edge_box(e); });
    each(boxes_.triangles.size(), cloth, [&](int t) { set_triangle_box(t); });
    if (bodies_too && s.body_triangle_count() > 0)
        bodies_.follow(std::span<const Box>(boxes_.triangles).subspan(cloth));
}

void ProximityDetector::set_point_box(int i) {
    boxes_.points[i] = Box::around(search_.at[i]);
    boxes_.points[i].grow(surfaces_.half_thickness[i] + search_.margin / 2);
}

void ProximityDetector::set_edge_box(int e) {
    const auto [a, b] = surfaces_.edges[e];
    boxes_.edges[e] = Box::around(search_.at[a], search_.at[b]);
    boxes_.edges[e].grow(surfaces_.edge_half_thickness[e] + search_.margin / 2);
}

void ProximityDetector::set_triangle_box(int t) {
    const auto& [a, b, c] = surfaces_.triangles[t];
    boxes_.triangles[t] = Box::around(search_.at[a], search_.at[b], search_.at[c]);
    boxes_.triangles[t].grow(surfaces_.triangle_half_thickness[t] + search_.margin / 2);
}

void ProximityDetector::clear_chunks(std::size_t count) {
    if (chunks_.size() < count)
        chunks_.resize(count);
    for (Chunk& chunk : chunks_) {
        chunk.found.clear();
        chunk.pairs = 0;
    }
}

std::size_t ProximityDetector::collect(ProximityCandidates& out) const {
    std::size_t pairs = 0;
    for (const Chunk& chunk : chunks_) {
        out.append(chunk.found);
        pairs += chunk.pairs;
    }
    return pairs;
}

// The vertices that triangle a owns against triangle b, and the edges and vertices that b owns.
void ProximityDetector::pair_vertices(int a, int b, ProximityCandidates& out) const {
    const auto& s = surfaces_;
    const auto& face = s.triangles[b];
    for (int k = 0; k < 3; ++k) {
        const int v = s.triangles[a][k];
        if (!(s.owned[a] >> k & 1) || !boxes_.points[v].overlaps(boxes_.triangles[b]) ||
            v == face[0] || v == face[1] || v == face[2])
            continue;
        const double half = s.half_thickness[v] + search_.margin;
        const double squared = vertex_face_distance(search_.at[v], search_.at[face[0]],
                                                    search_.at[face[1]], search_.at[face[2]])
                                   .squared;
        if (!within(squared, half + s.triangle_half_thickness[b]))
            continue; // neither are the edges and corners of the triangle
        out.vertex_triangle.push_back({v, b});
        for (int l = 0; l < 3; ++l) {
            if (!(s.owned[b] >> (3 + l) & 1))
                continue;
            const int e = s.triangle_edges[b][l];
            const auto [e0, e1] = s.edges[e];
            const Vec3 away = search_.at[v] - search_.at[e0] -
                              closest_on_edge(search_.at[v], search_.at[e0], search_.at[e1]) *
                                  (search_.at[e1] - search_.at[e0]);
            if (within(dot(away, away), half + s.edge_half_thickness[e]))
                out.vertex_edge.push_back({v, e});
        }
    }
}

void ProximityDetector::pair_edges(int a, int b, ProximityCandidates& out) const {
    const auto& s = surfaces_;
    for (int k = 0; k < 3; ++k) {
        if (!(s.owned[a] >> (3 + k) & 1))
            continue;
        const int e = s.triangle_edges[a][k];
        if (!boxes_.edges[e].overlaps(boxes_.triangles[b]))
            continue;
        const auto [e0, e1] = s.edges[e];
        for (int l = 0; l < 3; ++l) {
            if (!(s.owned[b] >> (3 + l) & 1))
                continue;
            const int f = s.triangle_edges[b][l];
            const auto [f0, f1] = s.edges[f];
            if (e0 == f0 || e0 == f1 || e1 == f0 || e1 == f1 ||
                !boxes_.edges[e].overlaps(boxes_.edges[f]))
                continue;
            const double reach =
                s.edge_half_thickness[e] + s.edge_half_thickness[f] + search_.margin;
            if (within(edge_edge_distance(search_.at[e0], search_.at[e1], search_.at[f0],
                                          search_.at[f1])
                           .squared,
                       reach))
                out.edge_edge.push_back({std::min(e, f), std::max(e, f)});
        }
    }
}

// The edges that triangle a owns against triangle b, for crossings: those whose ends the plane of b
// does not leave on one side, further away than the margin.
void ProximityDetector::pair_edges_triangle(int a, int b, ProximityCandidates& out) const {
    const auto& s = surfaces_;
    const auto& [f0, f1, f2] = s.triangles[b];
    const Vec3 normal = cross(search_.at[f1] - search_.at[f0], search_.at[f2] - search_.at[f0]);
    const double length = norm(normal);
    for (int k = 0; k < 3; ++k) {
        if (!(s.owned[a] >> (3 + k) & 1))
            continue;
        const int e = s.triangle_edges[a][k];
        const auto [p, q] = s.edges[e];
        if (p == f0 || p == f1 || p == f2 || q == f0 || q == f1 || q == f2 ||
            !boxes_.edges[e].overlaps(boxes_.triangles[b]))
            continue;
        const Vec3 to_p = search_.at[p] - search_.at[f0], to_q = search_.at[q] - search_.at[f0];
        const double slack = length * (search_.margin + 1e-12 * (norm(to_p) + norm(to_q)));
        const double p_height = dot(normal, to_p), q_height = dot(normal, to_q);
        if (std::min(p_height, q_height) <= slack && std::max(p_height, q_height) >= -slack)
            out.edge_triangle.push_back({e, b});
    }
}

// The features that triangles a and b own, of which one lies in each.
void ProximityDetector::pair_triangles(int a, int b, Chunk& out) const {
    const auto& s = surfaces_;
    ++out.pairs;
    pair_vertices(a, b, out.found);
    pair_vertices(b, a, out.found);
    pair_edges(a, b, out.found);
    pair_edges_triangle(a, b, out.found);
    pair_edges_triangle(b, a, out.found);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            const int v = s.triangles[a][k], w = s.triangles[b][l];
            if (!(s.owned[a] >> k & 1) || !(s.owned[b] >> l & 1) || v == w)
                continue;
            const Vec3 away = search_.at[v] - search_.at[w];
            if (within(dot(away, away), s.thickness(v, w) + search_.margin))
                out.found.vertex_vertex.push_back({std::min(v, w), std::max(v, w)});
        }
}

void ProximityDetector::find_self(ProximityCandidates& out) {
    out.clear();
    const auto pair = [&](std::size_t chunk, int a, int b) {
        pair_triangles(a, b, chunks_[chunk]);
    };
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    const auto boxes = std::span<const Box>(boxes_.triangles).first(cloth);
    if (self_search_ == SelfSearch::regions) {
        if (!regions_)
            regions_.emplace(std::span(surfaces_.triangles).first(cloth),
                             surfaces_.particle_count(), surfaces_.half_thickness);
        regions_->update(search_.at, boxes, search_.margin);
        clear_chunks(regions_->chunk_count());
        regions_->visit_self_pairs(pair);
    } else {
        cloth_.follow(boxes);
        clear_chunks(cloth_.chunk_count());
        cloth_.visit_self_pairs(pair);
    }
    work_.self_pairs = collect(out);
}

void ProximityDetector::append_body(ProximityCandidates& out) {
    work_.body_pairs = 0;
    if (surfaces_.body_triangle_count() == 0)
        return;
    const int first = surfaces_.cloth_triangle_count();
    if (self_search_ == SelfSearch::regions)
        cloth_.follow(std::span<const Box>(boxes_.triangles).first(first));
    clear_chunks(cloth_.chunk_count());
    cloth_.visit_pairs(bodies_, [&](std::size_t chunk, int a, int b) {
        pair_triangles(a, first + b, chunks_[chunk]);
    });
    work_.body_pairs = collect(out);
}

void ProximityDetector::find_candidates(std::span<const Vec3> positions, double margin,
                                        ProximityCandidates& out) {
    set_boxes(positions, margin);
    find_self(out);
    append_body(out);
}

void ProximityDetector::evaluate(const ProximityCandidates& candidates,
                                 std::span<const Vec3> positions, double margin,
                                 std::vector<Proximity>& near,
                                 std::vector<Interference>& crossing) {
    const std::size_t count = candidates.size();
    const std::size_t chunks = (count + grain - 1) / grain;
    if (results_.size() < chunks)
        results_.resize(chunks);
    for (Results& r : results_) {
        r.near.clear();
        r.crossing.clear();
    }
    const std::vector<FeaturePair>* lists[] = {&candidates.vertex_triangle, &candidates.edge_edge,
                                               &candidates.vertex_edge, &candidates.vertex_vertex};
    // Item i of the five lists one after the other.
    const auto look = [&](std::size_t i, Results& out) {
        Proximity found;
        for (int kind = 0; kind < 4; ++kind) {
            if (i < lists[kind]->size()) {
                const auto [first, second] = (*lists[kind])[i];
                if (closeness_.of_kind(static_cast<ProximityKind>(kind), first, second, positions,
                                       margin, found))
                    out.near.push_back(found);
                return;
            }
            i -= lists[kind]->size();
        }
        if (closeness_.interferes(candidates.edge_triangle[i], positions))
            out.crossing.push_back(candidates.edge_triangle[i]);
    };
    parallel_for(count, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            look(i, results_[from / grain]);
    });
    join(near, crossing);
}

void ProximityDetector::join(std::vector<Proximity>& near, std::vector<Interference>& crossing) {
    keys_.clear();
    near.clear();
    crossing.clear();
    for (const Results& r : results_) {
        for (const Proximity& p : r.near)
            keys_.push_back({p.pair(), &p});
        append_to(crossing, r.crossing);
    }
    std::sort(keys_.begin(), keys_.end(),
              [](const Key& a, const Key& b) { return a.pair < b.pair; });
    for (const Key& key : keys_)
        near.push_back(*key.proximity);
    std::sort(crossing.begin(), crossing.end(), [](const Interference& a, const Interference& b) {
        return a.edge != b.edge ? a.edge < b.edge : a.triangle < b.triangle;
    });
}

void ProximityDetector::find_all(std::span<const Vec3> positions, double margin,
                                 std::vector<Proximity>& near,
                                 std::vector<Interference>& crossing) {
    find_candidates(positions, margin, candidates_);
    evaluate(candidates_, positions, margin, near, crossing);
}

} // namespace muslin
