#include "muslin/collision/detect/detector.h"

#include <algorithm>

namespace muslin {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

Detector::Detector(const Surfaces& surfaces, Scope scope)
    : surfaces_(surfaces), scope_(scope), boxes_(surfaces) {}

void Detector::leave_out_smooth(std::span<const std::array<Vec2, 3>> pattern, double edge) {
    smooth_.emplace(surfaces_, pattern, edge);
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
    boxes_.forget_bodies(); // their boxes are not known
}

void Detector::set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, double margin) {
    const bool bodies_too = boxes_.set_motion(begin, end, margin);
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    const std::span<const Box> boxes = boxes_.triangles();
    cloth_.follow(boxes.first(cloth));
    if (bodies_too && surfaces_.body_triangle_count() > 0)
        bodies_.follow(boxes.subspan(cloth));
    if (smooth_)
        smooth_->set_motion(begin, end, cloth_);
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
            boxes_.pair_triangles(a, b, chunks_[chunk]);
    };
    if (smooth_)
        cloth_.visit_self_pairs(
            pair, [&](std::size_t i, std::size_t j) { return smooth_->hold_leaves(i, j); });
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
        boxes_.pair_triangles(a, first + b, chunks_[chunk]);
    });
    collect(out);
}

void Detector::move_ends(std::span<const Vec3> end, Candidates& candidates) {
    const std::size_t strays = strays_.find(surfaces_, end, boxes_, smooth_ ? &*smooth_ : nullptr);
    if (strays == 0)
        return;
    const std::size_t cloth = surfaces_.cloth_triangle_count();
    // Where most have strayed a new search is quicker.
    if (2 * strays > cloth) {
        set_motion(boxes_.begin(), end, boxes_.margin());
        find_self(candidates);
        append_body(candidates);
        return;
    }
    // Pairs that strays take part in are found anew.
    const auto met_by = [&](int first, int second) {
        return strays_.contain(first) || strays_.contain(second);
    };
    std::erase_if(candidates.vertex_face, [&](const FeaturePair& pair) {
        return met_by(surfaces_.triangle_of_point(pair.first), pair.second);
    });
    std::erase_if(candidates.edge_edge, [&](const FeaturePair& pair) {
        return met_by(surfaces_.triangle_of_edge(pair.first),
                      surfaces_.triangle_of_edge(pair.second));
    });
    cloth_.refit(boxes_.triangles().first(cloth));
    const BoxTree& stray_tree = strays_.build_tree(boxes_.triangles());
    if (scope_ == Scope::all) {
        clear_chunks(cloth_.chunk_count());
        cloth_.visit_pairs(stray_tree, [&](std::size_t chunk, int a, int stray) {
            const int b = strays_[stray];
            if ((!strays_.contain(a) || a < b) && !stay_smooth(a, b))
                boxes_.pair_triangles(a, b, chunks_[chunk]);
        });
        collect(candidates);
    }
    if (surfaces_.body_triangle_count() == 0)
        return;
    clear_chunks(stray_tree.chunk_count());
    const int first = static_cast<int>(cloth);
    stray_tree.visit_pairs(bodies_, [&](std::size_t chunk, int stray, int b) {
        boxes_.pair_triangles(strays_[stray], first + b, chunks_[chunk]);
    });
    collect(candidates);
}

} // namespace muslin
