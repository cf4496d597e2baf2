#include "muslin/collision/detect/stray_triangles.h"

namespace muslin {

std::size_t StrayTriangles::find(const Surfaces& surfaces, std::span<const Vec3> end,
                                 SweptBoxes& boxes, SmoothNeighbours* smooth) {
    list_.clear();
    roughened_.clear();
    if (smooth)
        smooth->move_ends(end, roughened_);
    const bool any_points = boxes.move_strayed_points(end, strayed_points_);
    if (!any_points && roughened_.empty())
        return 0;
    is_stray_.assign(surfaces.triangles.size(), 0);
    for (int t : roughened_)
        is_stray_[t] = 1;
    for (int t = 0; t < surfaces.cloth_triangle_count(); ++t) {
        const auto& [a, b, c] = surfaces.triangles[t];
        if (strayed_points_[a] || strayed_points_[b] || strayed_points_[c]) {
            boxes.update_triangle(t);
            is_stray_[t] = 1;
        }
        if (is_stray_[t])
            list_.push_back(t);
    }
    return list_.size();
}

const BoxTree& StrayTriangles::build_tree(std::span<const Box> triangle_boxes) {
    boxes_.clear();
    for (int t : list_)
        boxes_.push_back(triangle_boxes[t]);
    tree_.build(boxes_);
    return tree_;
}

} // namespace muslin
