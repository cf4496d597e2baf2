#include "muslin/collision/detect/detector.h"

#include "muslin/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t grain = 1024;

bool has_corner(const std::array<int, 3>& triangle, int point) {
    return triangle[0] == point || triangle[1] == point || triangle[2] == point;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

Detector::Detector(const Surfaces& surfaces, Scope scope)
    : surfaces_(surfaces), scope_(scope), place_(surfaces.edges.size()) {
    owned_edges_.reserve(surfaces.edges.size());
    for (std::size_t t = 0; t < surfaces.triangles.size(); ++t) {
        first_edge_.push_back(static_cast<int>(owned_edges_.size()));
        for (int k = 0; k < 3; ++k) {
            if (!(surfaces.owned[t] >> (3 + k) & 1))
                continue;
            const int e = surfaces.triangle_edges[t][k];
            place_[e] = static_cast<int>(owned_edges_.size());
            owned_edges_.push_back({e, surfaces.edges[e]});
        }
    }
    first_edge_.push_back(static_cast<int>(owned_edges_.size()));
}

void Detector::leave_out_smooth(std::span<const std::array<Vec2, 3>> pattern, double edge) {
    double thickness = 0;
    for (int p = 0; p < surfaces_.particle_count(); ++p)
        thickness = std::max(thickness, 2 * surfaces_.half_thickness[p]);
    // So that two triangles that are near each other fit into a window wherever they lie.
    const double cell = 2 * (edge + thickness) / (PatternWindows::most - 1);
    smooth_.emplace(surfaces_, pattern, cell);
}

void Detector::store(ContactHistory& history) const {
    cloth_.store(history.cloth_tree);
    bodies_.store(history.body_tree);
}

void Detector::recall(const ContactHistory& history) {
    const auto fits = [](const TreeShape& tree, int triangles) {
        return tree.count == 0 || tree.count == triangles;
    };
    require_history(fits(history.cloth_tree, surfaces_.cloth_triangle_count()) &&
                        fits(history.body_tree, surfaces_.body_triangle_count()),
                    "there are other triangles");
    cloth_.recall(history.cloth_tree);
    bodies_.recall(history.body_tree);
    bodies_margin_ = -1; // their boxes are not known
}

// Where in the pattern the leaves of the tree are.
void Detector::place_leaves() {
    if (leaf_builds_ == cloth_.builds())
        return;
    leaf_builds_ = cloth_.builds();
    leaf_ranges_.resize(cloth_.leaf_count());
    parallel_for(leaf_ranges_.size(), grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const auto leaf = cloth_.leaf(i);
            leaf_ranges_[i] = leaf[0] < 0 ? SmoothWindows::Range{} : smooth_->range(leaf[0]);
            for (std::size_t k = 1; k < leaf.size() && leaf[k] >= 0; ++k)
                leaf_ranges_[i].merge(smooth_->range(leaf[k]));
        }
    });
}

void Detector::set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, double margin) {
    begin_ = begin;
    end_.assign(end.begin(), end.end());
    margin_ = margin;
    point_boxes_.resize(surfaces_.point_count());
    edge_boxes_.resize(surfaces_.edges.size());
    triangle_boxes_.resize(surfaces_.triangles.size());
    // Bodies that never move keep their boxes.
    const bool bodies_too = surfaces_.bodies_move() || bodies_margin_ != margin;
    bodies_margin_ = margin;
    const std::size_t points = bodies_too ? point_boxes_.size() : surfaces_.particle_count();
    parallel_for(points, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            point_boxes_[i] = Box::around(begin[i], end[i]);
            point_boxes_[i].grow(surfaces_.half_thickness[i] + margin);
        }
    });
    const std::size_t edges = bodies_too ? edge_boxes_.size() : surfaces_.cloth_edge_count();
    parallel_for(edges, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t e = from; e < to; ++e) {
            set_edge_box(static_cast<int>(e));
        }
    });
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    const std::size_t triangles = bodies_too ? triangle_boxes_.size() : cloth;
    parallel_for(triangles, grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t t = from; t < to; ++t) {
            set_triangle_box(static_cast<int>(t));
        }
    });
    const std::span<const Box> boxes = triangle_boxes_;
    cloth_.follow(boxes.first(cloth));
    if (bodies_too && surfaces_.body_triangle_count() > 0)
        bodies_.follow(boxes.subspan(cloth));
    if (smooth_) {
        smooth_->set_motion(begin, end);
        place_leaves();
    }
}

void Detector::set_edge_box(int e) {
    const auto [a, b] = surfaces_.edges[e];
    Box& box = edge_boxes_[place_[e]];
    const auto& half = surfaces_.half_thickness;
    if (half[a] == half[b]) {
        box = point_boxes_[a];
        box.merge(point_boxes_[b]);
    } else { // at a seam of thick and thin cloth
        box = Box::around(begin_[a], end_[a], begin_[b], end_[b]);
        box.grow(surfaces_.edge_half_thickness[e] + margin_);
    }
}

void Detector::set_triangle_box(int t) {
    Box& box = triangle_boxes_[t];
    const auto& [a, b, c] = surfaces_.triangles[t];
    const auto& half = surfaces_.half_thickness;
    if (half[a] == half[b] && half[b] == half[c]) {
        box = edge_boxes_[place_[surfaces_.triangle_edges[t][0]]];
        box.merge(point_boxes_[c]);
    } else {
        box = Box::around(begin_[a], end_[a], begin_[b], end_[b], begin_[c], end_[c]);
        box.grow(surfaces_.triangle_half_thickness[t] + margin_);
    }
}

// Whether the direction between the middles keeps two features further apart than they need to be
// looked at. Along a fixed direction the gap is the least of functions linear in time: what it is
// at begin and end, it is in between at least. Neighbours in a smooth cloth, most of what the boxes
// let through, go here.
template <std::size_t N, std::size_t M>
bool Detector::stay_apart(const std::array<int, N>& a, const std::array<int, M>& b,
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

// The features that triangles a and b own, of which one lies in each.
void Detector::pair_triangles(int a, int b, Candidates& out) const {
    const auto vertices_of = [&](int from, int face) {
        const unsigned owned = surfaces_.owned[from] & 7u;
        for (int k = 0; owned >> k != 0; ++k) {
            const int v = surfaces_.triangles[from][k];
            if ((owned >> k & 1) && point_boxes_[v].overlaps(triangle_boxes_[face]) &&
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

void Detector::pair_edges(int a, int b, Candidates& out) const {
    const auto& half = surfaces_.edge_half_thickness;
    for (int i = first_edge_[a]; i < first_edge_[a + 1]; ++i) {
        const Box& box = edge_boxes_[i];
        if (!box.overlaps(triangle_boxes_[b]))
            continue;
        const auto& [e, e_points] = owned_edges_[i];
        const auto [e0, e1] = e_points;
        for (int j = first_edge_[b]; j < first_edge_[b + 1]; ++j) {
            const auto& [f, f_points] = owned_edges_[j];
            const auto [f0, f1] = f_points;
            // One branch: which of the five it is that parts them cannot be foretold.
            if ((e0 == f0) | (e0 == f1) | (e1 == f0) | (e1 == f1) | !box.overlaps(edge_boxes_[j]))
                continue;
            if (!stay_apart(e_points, f_points, half[e] + half[f]))
                out.edge_edge.push_back({std::min(e, f), std::max(e, f)});
        }
    }
}

void Detector::clear_chunks(std::size_t count) {
    if (chunks_.size() < count) // those that are not needed now keep their memory
        chunks_.resize(count);
    for (Candidates& chunk : chunks_)
        chunk.clear();
}

void Detector::collect(Candidates& out) const {
    for (const Candidates& chunk : chunks_) {
        append(out.vertex_face, chunk.vertex_face);
        append(out.edge_edge, chunk.edge_edge);
    }
}

void Detector::find_self(Candidates& out) {
    out.clear();
    if (scope_ == Scope::bodies)
        return;
    clear_chunks(cloth_.chunk_count());
    const auto pair = [&](std::size_t chunk, int a, int b) {
        if (!stay_smooth(a, b))
            pair_triangles(a, b, chunks_[chunk]);
    };
    if (smooth_)
        cloth_.visit_self_pairs(pair, [&](std::size_t i, std::size_t j) {
            SmoothWindows::Range both = leaf_ranges_[i];
            both.merge(leaf_ranges_[j]);
            return smooth_->hold(both);
        });
    else
        cloth_.visit_self_pairs(pair);
    collect(out);
}

void Detector::append_body(Candidates& out) {
    if (surfaces_.body_triangle_count() == 0)
        return;
    clear_chunks(cloth_.chunk_count());
    const int first = surfaces_.cloth_triangle_count();
    cloth_.visit_pairs(bodies_, [&](std::size_t chunk, int a, int b) {
        pair_triangles(a, first + b, chunks_[chunk]);
    });
    collect(out);
}

// Finds the points that have left the margin, and gives them new ends and boxes.
bool Detector::mark_stray_points(std::span<const Vec3> end) {
    const std::size_t particles = surfaces_.particle_count();
    stray_point_.resize(particles);
    const auto mark = [&](std::size_t from, std::size_t to) {
        int marked = 0;
        for (std::size_t i = from; i < to; ++i) {
            const Vec3 off = end[i] - end_[i];
            stray_point_[i] = dot(off, off) > margin_ * margin_;
            if (!stray_point_[i])
                continue;
            ++marked;
            end_[i] = end[i];
            point_boxes_[i] = Box::around(begin_[i], end[i]);
            point_boxes_[i].grow(surfaces_.half_thickness[i] + margin_);
        }
        return marked;
    };
    return parallel_sum<int>(particles, grain, stray_counts_, mark) > 0;
}

// Finds the cloth triangles that must be looked at again: of which a point has left the margin,
// which then get new boxes, or that have been left out as smooth and are not any more.
std::size_t Detector::mark_strays(std::span<const Vec3> end) {
    strays_.clear();
    roughened_.clear();
    if (smooth_)
        smooth_->move_ends(end, roughened_);
    const bool any_points = mark_stray_points(end);
    if (!any_points && roughened_.empty())
        return 0;
    stray_triangle_.assign(surfaces_.triangles.size(), 0);
    for (int t : roughened_)
        stray_triangle_[t] = 1;
    for (int t = 0; t < surfaces_.cloth_triangle_count(); ++t) {
        const auto& [a, b, c] = surfaces_.triangles[t];
        if (stray_point_[a] || stray_point_[b] || stray_point_[c]) {
            for (int e : surfaces_.triangle_edges[t])
                set_edge_box(e);
            set_triangle_box(t);
            stray_triangle_[t] = 1;
        }
        if (stray_triangle_[t])
            strays_.push_back(t);
    }
    return strays_.size();
}

void Detector::move_ends(std::span<const Vec3> end, Candidates& candidates) {
    const std::size_t strays = mark_strays(end);
    if (strays == 0)
        return;
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    // Where most have strayed a new search is quicker.
    if (2 * strays > cloth) {
        set_motion(begin_, end, margin_);
        find_self(candidates);
        append_body(candidates);
        return;
    }
    // Pairs that strays take part in are found anew.
    const auto met_by = [&](int first, int second) {
        return stray_triangle_[first] || stray_triangle_[second];
    };
    std::erase_if(candidates.vertex_face, [&](const FeaturePair& pair) {
        return met_by(surfaces_.triangle_of_point(pair.first), pair.second);
    });
    std::erase_if(candidates.edge_edge, [&](const FeaturePair& pair) {
        return met_by(surfaces_.triangle_of_edge(pair.first),
                      surfaces_.triangle_of_edge(pair.second));
    });
    cloth_.refit(std::span<const Box>(triangle_boxes_).first(cloth));
    stray_boxes_.clear();
    for (int t : strays_)
        stray_boxes_.push_back(triangle_boxes_[t]);
    stray_tree_.build(stray_boxes_);
    if (scope_ == Scope::all) {
        clear_chunks(cloth_.chunk_count());
        cloth_.visit_pairs(stray_tree_, [&](std::size_t chunk, int a, int stray) {
            const int b = strays_[stray];
            if ((!stray_triangle_[a] || a < b) && !stay_smooth(a, b))
                pair_triangles(a, b, chunks_[chunk]);
        });
        collect(candidates);
    }
    if (surfaces_.body_triangle_count() == 0)
        return;
    clear_chunks(stray_tree_.chunk_count());
    const int first = static_cast<int>(cloth);
    stray_tree_.visit_pairs(bodies_, [&](std::size_t chunk, int stray, int b) {
        pair_triangles(strays_[stray], first + b, chunks_[chunk]);
    });
    collect(candidates);
}

} // namespace muslin
