#include "muslin/collision/detect/swept_boxes.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

bool has_corner(const std::array<int, 3>& triangle, int point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

} // namespace

OwnedEdges::OwnedEdges(const Surfaces& surfaces) : place_(surfaces.edges.size()) {
    edges_.reserve(surfaces.edges.size());
    for (std::size_t t = 0; t < surfaces.triangles.size(); ++t) {
        first_.push_back(static_cast<int>(edges_.size()));
        for (int k = 0; k < 3; ++k) {
            if (!(surfaces.owned[t] >> (3 + k) & 1))
                continue;
            const int e = surfaces.triangle_edges[t][k];
            place_[e] = static_cast<int>(edges_.size());
            edges_.push_back({e, surfaces.edges[e]});
        }
    }
    first_.push_back(static_cast<int>(edges_.size()));
}

SweptBoxes::SweptBoxes(const Surfaces& surfaces) : surfaces_(surfaces), owned_(surfaces) {}

bool SweptBoxes::set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, double margin) {
    begin_ = begin;
    end_.assign(end.begin(), end.end());
    margin_ = margin;
    points_.resize(surfaces_.point_count());
    edges_.resize(surfaces_.edges.size());
    triangles_.resize(surfaces_.triangles.size());
    // Bodies that never move keep their boxes.
    const bool bodies_too = surfaces_.bodies_move() || bodies_margin_ != margin;
    bodies_margin_ = margin;
    const std::size_t points = bodies_too ? points_.size() : surfaces_.particle_count();
    parallel_for(points, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            points_[i] = Box::around(begin[i], end[i]);
            points_[i].grow(surfaces_.half_thickness[i] + margin);
        }
    });
    const std::size_t edges = bodies_too ? edges_.size() : surfaces_.cloth_edge_count();
    parallel_for(edges, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t e = from; e < to; ++e) {
            set_edge_box(static_cast<int>(e));
        }
    });
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    const std::size_t triangles = bodies_too ? triangles_.size() : cloth;
    parallel_for(triangles, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
            set_triangle_box(static_cast<int>(t));
        }
    });
    return bodies_too;
}

void SweptBoxes::set_edge_box(int e) {
    const auto [a, b] = surfaces_.edges[e];
    Box& box = edges_[owned_.place(e)];
    const auto& half = surfaces_.half_thickness;
    if (half[a] == half[b]) {
        box = points_[a];
        box.merge(points_[b]);
    } else { // at a seam of thick and thin cloth
        box = Box::around(begin_[a], end_[a], begin_[b], end_[b]);
        box.grow(surfaces_.edge_half_thickness[e] + margin_);
    }
}

void SweptBoxes::set_triangle_box(int t) {
    Box& box = triangles_[t];
    const auto& [a, b, c] = surfaces_.triangles[t];
    const auto& half = surfaces_.half_thickness;
    if (half[a] == half[b] && half[b] == half[c]) {
        box = edges_[owned_.place(surfaces_.triangle_edges[t][0])];
        box.merge(points_[c]);
    } else {
        box = Box::around(begin_[a], end_[a], begin_[b], end_[b], begin_[c], end_[c]);
        box.grow(surfaces_.triangle_half_thickness[t] + margin_);
    }
}

void SweptBoxes::update_triangle(int t) {
    for (int e : surfaces_.triangle_edges[t])
        set_edge_box(e);
    set_triangle_box(t);
}

bool SweptBoxes::move_strayed_points(std::span<const Vec3> end,
                                     std::vector<std::uint8_t>& strayed) {
    const std::size_t particles = surfaces_.particle_count();
    strayed.resize(particles);
    const auto mark = [&](std::size_t from, std::size_t to) {
        int marked = 0;
        for (std::size_t i = from; i < to; ++i) {
            const Vec3 off = end[i] - end_[i];
            strayed[i] = dot(off, off) > margin_ * margin_;
            if (!strayed[i])
                continue;
            ++marked;
            end_[i] = end[i];
            points_[i] = Box::around(begin_[i], end[i]);
            points_[i].grow(surfaces_.half_thickness[i] + margin_);
        }
        return marked;
    };
    return parallel_sum<int>(particles, grain, strayed_counts_, mark) > 0;
}

// Whether the direction between the middles keeps two features further apart than they need to be
// looked at. Along a fixed direction the gap is the least of functions linear in time: what it is
// at begin and end, it is in between at least. Neighbours in a smooth cloth, most of what the boxes
// let through, go here.
template <std::size_t N, std::size_t M>
bool SweptBoxes::stay_apart(const std::array<int, N>& a, const std::array<int, M>& b,
                            double thickness) const {
    const auto middle = [&](const auto& points, std::span<const Vec3> at) {
        Vec3 sum = {0, 0, 0};
        for (int p : points)
            sum += at[p];
        return (1.0 / static_cast<double>(points.size())) * sum;
    };
    const Vec3 axis = middle(a, end_) - middle(b, end_);
    const double needed = (thickness + 2 * margin_) * norm(axis);
    const auto gap = [&](std::span<const Vec3> at) {
        double low = dot(axis, at[a[0]]), high = dot(axis, at[b[0]]);
        for (std::size_t k = 1; k < N; ++k)
            low = std::min(low, dot(axis, at[a[k]]));
        for (std::size_t k = 1; k < M; ++k)
            high = std::max(high, dot(axis, at[b[k]]));
        return low - high;
    };
    return gap(end_) > needed && gap(begin_) > needed;
}

void SweptBoxes::pair_triangles(int a, int b, Candidates& out) const {
    const auto vertices_of = [&](int from, int face) {
        const unsigned owned = surfaces_.owned[from] & 7u;
        for (int k = 0; owned >> k != 0; ++k) {
            const int v = surfaces_.triangles[from][k];
            if ((owned >> k & 1) && points_[v].overlaps(triangles_[face]) &&
                !has_corner(surfaces_.triangles[face], v) &&
                !stay_apart(std::array{v}, surfaces_.triangles[face],
                            surfaces_.half_thickness[v] + surfaces_.triangle_half_thickness[face]))
                out.vertex_face.push_back({v, face});
        }
    };
    vertices_of(a, b);
    vertices_of(b, a);
    pair_edges(a, b, out);
}

void SweptBoxes::pair_edges(int a, int b, Candidates& out) const {
    const auto& half = surfaces_.edge_half_thickness;
    for (int i = owned_.begin(a); i < owned_.end(a); ++i) {
        const Box& box = edges_[i];
        if (!box.overlaps(triangles_[b]))
            continue;
        const auto& [e, e_points] = owned_[i];
        const auto [e0, e1] = e_points;
        for (int j = owned_.begin(b); j < owned_.end(b); ++j) {
            const auto& [f, f_points] = owned_[j];
            const auto [f0, f1] = f_points;
            // One branch: which of the five it is that parts them cannot be foretold.
            if ((e0 == f0) | (e0 == f1) | (e1 == f0) | (e1 == f1) | !box.overlaps(edges_[j]))
                continue;
            if (!stay_apart(e_points, f_points, half[e] + half[f]))
                out.edge_edge.push_back({std::min(e, f), std::max(e, f)});
        }
    }
}

} // namespace muslin
