#include "muslin/mesh/ear_clipping.h"

#include <algorithm>

namespace muslin {
namespace {

/// The shape of a triangle: 1 when equilateral, 0 without area, negative when clockwise.
double shape(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 p = b - a, q = c - b, r = a - c;
    const double edges = dot(p, p) + dot(q, q) + dot(r, r);
    return edges > 0 ? 3.4641016151377544 * cross(p, q) / edges : 0;
}

std::vector<std::array<int, 3>> cut_quad(std::span<const Vec2> p) {
    const double across_02 = std::min(shape(p[0], p[1], p[2]), shape(p[0], p[2], p[3]));
    const double across_13 = std::min(shape(p[0], p[1], p[3]), shape(p[1], p[2], p[3]));
    // The margin keeps a grid of squares in one pattern when its coordinates carry rounding.
    if (across_13 > across_02 + 1e-6)
        return {{0, 1, 3}, {1, 2, 3}};
    return {{0, 1, 2}, {0, 2, 3}};
}

/// Clips the best-shaped ear first, which avoids most of the slivers that the first ear found
/// would leave. O(n^2): an ear's neighbours alone can gain or lose the property.
class EarClipper {
public:
    explicit EarClipper(std::span<const Vec2> polygon)
        : polygon_(polygon), before_(polygon.size()), after_(polygon.size()),
          score_(polygon.size()) {
        const int n = static_cast<int>(polygon.size());
        Vec2 low = polygon[0], high = polygon[0];
        for (int i = 0; i < n; ++i) {
            before_[i] = (i + n - 1) % n;
            after_[i] = (i + 1) % n;
            low = {std::min(low.x, polygon[i].x), std::min(low.y, polygon[i].y)};
            high = {std::max(high.x, polygon[i].x), std::max(high.y, polygon[i].y)};
        }
        tolerance_ = 1e-12 * dot(high - low, high - low);
        for (int i = 0; i < n; ++i)
            score_[i] = score(i);
    }

    std::vector<std::array<int, 3>> run() {
        std::vector<std::array<int, 3>> triangles;
        std::size_t left = polygon_.size();
        for (; left > 3; --left) {
            const int ear = best();
            triangles.push_back({before_[ear], ear, after_[ear]});
            remove(ear);
        }
        triangles.push_back({before_[start_], start_, after_[start_]});
        return triangles;
    }

private:
    /// The corner to clip; in a polygon without ears (it crosses itself) the least bad.
    int best() const {
        int chosen = start_;
        for (int i = after_[start_]; i != start_; i = after_[i])
            if (score_[i] > score_[chosen])
                chosen = i;
        return chosen;
    }

    void remove(int i) {
        after_[before_[i]] = after_[i];
        before_[after_[i]] = before_[i];
        start_ = after_[i];
        score_[before_[i]] = score(before_[i]);
        score_[after_[i]] = score(after_[i]);
    }

    /// The shape of the ear at a corner, 1 to 0; below 0 where it is none.
    double score(int i) const {
        const Vec2 &a = polygon_[before_[i]], &b = polygon_[i], &c = polygon_[after_[i]];
        const double quality = shape(a, b, c);
        return quality > 0 && is_blocked(i) ? quality - 2 : quality;
    }

    /// Whether another corner lies in the closed triangle at corner i. Corners at the same place as
    /// one of the triangle's do not count: polygons with holes touch themselves along a slit.
    bool is_blocked(int i) const {
        const Vec2 &a = polygon_[before_[i]], &b = polygon_[i], &c = polygon_[after_[i]];
        for (int j = after_[after_[i]]; j != before_[i]; j = after_[j]) {
            const Vec2& p = polygon_[j];
            if (same(p, a) || same(p, b) || same(p, c))
                continue;
            if (cross(b - a, p - a) >= -tolerance_ && cross(c - b, p - b) >= -tolerance_ &&
                cross(a - c, p - c) >= -tolerance_)
                return true;
        }
        return false;
    }

    static bool same(const Vec2& p, const Vec2& q) { return p.x == q.x && p.y == q.y; }

    std::span<const Vec2> polygon_;
    std::vector<int> before_, after_; ///< the ring of corners not yet clipped
    std::vector<double> score_;
    double tolerance_ = 0; ///< twice an area [m^2] that rounding could make of nothing
    int start_ = 0;        ///< any corner of the ring
};

} // namespace

std::vector<std::array<int, 3>> cut_polygon(std::span<const Vec2> polygon) {
    if (polygon.size() == 3)
        return {{0, 1, 2}};
    if (polygon.size() == 4)
        return cut_quad(polygon);
    return EarClipper(polygon).run();
}

} // namespace muslin
