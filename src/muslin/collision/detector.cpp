#include "muslin/collision/detector.h"

#include "muslin/base/parallel.h"

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

// A refitted tree is rebuilt when its boxes have grown to this multiple of what a fresh one had.
constexpr double worn_out = 2.0;

bool has_corner(const std::array<int, 3>& triangle, int point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

void Detector::Tree::update(std::span<const Box> boxes) {
    if (!built) {
        tree.build(boxes);
        built = true;
        return;
    }
    tree.refit(boxes);
    if (tree.inflation() > worn_out)
        tree.build(boxes);
}

void Detector::set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, double margin) {
    const int points = surfaces_.point_count();
    point_boxes_.resize(points);
    triangle_boxes_.resize(surfaces_.triangles.size());
    // Bodies that never move keep their boxes.
    const bool skip_bodies = bodies_stand_ && !surfaces_.bodies_move() && bodies_margin_ == margin;
    const std::size_t moved_points = skip_bodies ? surfaces_.particle_count() : points;
    parallel_for(moved_points, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            Box box = Box::empty();
            box.add(begin[i]);
            box.add(end[i]);
            box.grow(surfaces_.half_thickness[i] + margin);
            point_boxes_[i] = box;
        }
    });
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    const std::size_t moved = skip_bodies ? cloth : surfaces_.triangles.size();
    parallel_for(moved, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
            const auto& [a, b, c] = surfaces_.triangles[t];
            Box box = point_boxes_[a];
            box.merge(point_boxes_[b]);
            box.merge(point_boxes_[c]);
            triangle_boxes_[t] = box;
        }
    });
    const std::span<const Box> boxes = triangle_boxes_;
    cloth_.update(boxes.first(cloth));
    if (!skip_bodies && surfaces_.body_triangle_count() > 0)
        bodies_.update(boxes.subspan(cloth));
    bodies_stand_ = true;
    bodies_margin_ = margin;
}

Box Detector::edge_box(int edge) const {
    Box box = point_boxes_[surfaces_.edges[edge][0]];
    box.merge(point_boxes_[surfaces_.edges[edge][1]]);
    return box;
}

// The features that triangles a and b own, of which one lies in each.
void Detector::pair_triangles(int a, int b, Candidates& out) const {
    const auto vertices_of = [&](int from, int face) {
        const std::uint8_t owned = surfaces_.owned[from];
        for (int k = 0; k < 3; ++k) {
            const int v = surfaces_.triangles[from][k];
            if ((owned >> k & 1) && point_boxes_[v].overlaps(triangle_boxes_[face]) &&
                !has_corner(surfaces_.triangles[face], v))
                out.vertex_face.push_back({v, face});
        }
    };
    vertices_of(a, b);
    vertices_of(b, a);
    if ((surfaces_.owned[a] >> 3) && (surfaces_.owned[b] >> 3))
        pair_edges(a, b, out);
}

void Detector::pair_edges(int a, int b, Candidates& out) const {
    for (int k = 0; k < 3; ++k) {
        if (!(surfaces_.owned[a] >> (3 + k) & 1))
            continue;
        const int e = surfaces_.triangle_edges[a][k];
        const Box box = edge_box(e);
        if (!box.overlaps(triangle_boxes_[b]))
            continue;
        const auto [e0, e1] = surfaces_.edges[e];
        for (int l = 0; l < 3; ++l) {
            if (!(surfaces_.owned[b] >> (3 + l) & 1))
                continue;
            const int f = surfaces_.triangle_edges[b][l];
            const auto [f0, f1] = surfaces_.edges[f];
            if (e0 == f0 || e0 == f1 || e1 == f0 || e1 == f1 || !box.overlaps(edge_box(f)))
                continue;
            out.edge_edge.push_back({std::min(e, f), std::max(e, f)});
        }
    }
}

void Detector::collect(Candidates& out) const {
    for (const Candidates& chunk : chunks_) {
        append(out.vertex_face, chunk.vertex_face);
        append(out.edge_edge, chunk.edge_edge);
    }
}

void Detector::find_self(Candidates& out) {
    out.clear();
    chunks_.resize(cloth_.tree.chunk_count());
    for (Candidates& chunk : chunks_)
        chunk.clear();
    cloth_.tree.visit_self_pairs(
        [&](std::size_t chunk, int a, int b) { pair_triangles(a, b, chunks_[chunk]); });
    collect(out);
}

void Detector::append_body(Candidates& out) {
    if (surfaces_.body_triangle_count() == 0)
        return;
    chunks_.resize(cloth_.tree.chunk_count());
    for (Candidates& chunk : chunks_)
        chunk.clear();
    const int first = surfaces_.cloth_triangle_count();
    cloth_.tree.visit_pairs(bodies_.tree, [&](std::size_t chunk, int a, int b) {
        pair_triangles(a, first + b, chunks_[chunk]);
    });
    collect(out);
}

} // namespace muslin
