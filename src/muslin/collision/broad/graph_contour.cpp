#include "muslin/collision/broad/graph_contour.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr std::size_t group_size = 8;

double squared_to_edge(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 ab = b - a;
    const double length = dot(ab, ab), along = dot(p - a, ab);
    const double t = along > 0 ? (along < length ? along / length : 1) : 0;
    const Vec2 off = p - (a + t * ab);
    return dot(off, off);
}

bool separates(const Vec2& a, const Vec2& b, const Vec2& p, const Vec2& q) {
    return (cross(b - a, p - a) > 0) != (cross(b - a, q - a) > 0);
}

} // namespace

bool GraphContour::notches(double& notch) const {
    notch = 1;
    const std::size_t count = corners.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2& at = corners[i];
        const Vec2 back = corners[i == 0 ? count - 1 : i - 1] - at;
        const Vec2 on = corners[i + 1 == count ? 0 : i + 1] - at;
        const double turn = cross(on, back); // > 0: the inside is the narrow side
        if (turn > 0 || dot(back, on) <= 0)
            continue;
        const double lengths = std::sqrt(dot(back, back) * dot(on, on));
        if (!(lengths > 0))
            return false;
        notch = std::min(notch, -turn / lengths);
    }
    return notch > 0;
}

bool GraphContour::clear(std::size_t e, std::size_t f, double squared) const {
    const std::size_t count = corners.size();
    if ((e + 1) % count == f || (f + 1) % count == e)
        return true; // they share a corner
    const Vec2 &a = corners[e], &b = corners[(e + 1) % count];
    const Vec2 &c = corners[f], &d = corners[(f + 1) % count];
    if (separates(a, b, c, d) && separates(c, d, a, b))
        return false;
    return squared_to_edge(a, c, d) > squared && squared_to_edge(b, c, d) > squared &&
           squared_to_edge(c, a, b) > squared && squared_to_edge(d, a, b) > squared;
}

bool GraphContour::keeps_clear(double distance, double& notch) {
    if (!notches(notch))
        return false;
    const std::size_t count = corners.size();
    edges_.clear();
    groups_.clear();
    const double grow = distance / 2;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec2 &a = corners[i], &b = corners[i + 1 == count ? 0 : i + 1];
        const Bounds box = {std::min(a.x, b.x) - grow, std::min(a.y, b.y) - grow,
                            std::max(a.x, b.x) + grow, std::max(a.y, b.y) + grow};
        edges_.push_back(box);
        if (i % group_size == 0)
            groups_.push_back(box);
        Bounds& group = groups_.back();
        group = {std::min(group.low_x, box.low_x), std::min(group.low_y, box.low_y),
                 std::max(group.high_x, box.high_x), std::max(group.high_y, box.high_y)};
    }
    const double squared = distance * distance;
    for (std::size_t g = 0; g < groups_.size(); ++g)
        for (std::size_t h = g; h < groups_.size(); ++h) {
            if (!groups_[g].overlaps(groups_[h]))
                continue;
            const std::size_t g_end = std::min(count, (g + 1) * group_size);
            const std::size_t h_end = std::min(count, (h + 1) * group_size);
            for (std::size_t e = g * group_size; e < g_end; ++e) {
                if (!edges_[e].overlaps(groups_[h]))
                    continue;
                for (std::size_t f = std::max(e + 1, h * group_size); f < h_end; ++f)
                    if (edges_[e].overlaps(edges_[f]) && !clear(e, f, squared))
                        return false;
            }
        }
    return true;
}

} // namespace muslin
