#include "muslin/mesh/penetration.h"

#include "muslin/base/parallel.h"
#include "muslin/mesh/box_tree.h"
#include "muslin/mesh/predicates.h"

#include <cmath>
#include <numeric>
#include <optional>

namespace muslin {
namespace {

using judging::Box;
using judging::box_of;
using judging::BoxTree;
using Triangle = std::array<int, 3>;

constexpr std::size_t grain = 256; // points per parallel range

int sign(double x) {
    return (x > 0) - (x < 0);
}

bool before(const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

// Seen along x.
Vec2 seen(const Vec3& p) {
    return {p.y, p.z};
}

/// On which side of a -> b the point (p.x + e, p.y + e^2) lies for every small enough e > 0: never
/// on the line, unless a and b are one. Triangles that share an edge so agree on which of them a
/// ray through it hits [Edelsbrunner, Mücke 1990].
int side_of(const Vec2& a, const Vec2& b, const Vec2& p) {
    if (const int side = orient2d(a, b, p); side != 0)
        return side;
    return a.y != b.y ? sign(a.y - b.y) : sign(b.x - a.x);
}

/// Whether a point lies on a closed triangle that has an area.
bool is_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    if (orient3d(a, b, c, p) != 0)
        return false;
    for (int axis = 0; axis < 3; ++axis) {
        const auto drop = [axis](const Vec3& v) {
            return Vec2{v[(axis + 1) % 3], v[(axis + 2) % 3]};
        };
        const int turn = orient2d(drop(a), drop(b), drop(c));
        if (turn != 0) // seen along this axis it has an area
            return turn * orient2d(drop(a), drop(b), drop(p)) >= 0 &&
                   turn * orient2d(drop(b), drop(c), drop(p)) >= 0 &&
                   turn * orient2d(drop(c), drop(a), drop(p)) >= 0;
    }
    return false;
}

double squared_distance(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 ab = b - a, ap = p - a;
    const double length2 = dot(ab, ab);
    const double s = length2 > 0 ? std::clamp(dot(ap, ab) / length2, 0.0, 1.0) : 0.0;
    const Vec3 d = ap - s * ab;
    return dot(d, d);
}

/// From a point to a triangle: to its plane where the foot lies in it, else to its edges.
double squared_distance(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = cross(b - a, c - a);
    const double area2 = dot(normal, normal);
    if (area2 > 0 && dot(cross(b - a, p - a), normal) >= 0 &&
        dot(cross(c - b, p - b), normal) >= 0 && dot(cross(a - c, p - c), normal) >= 0) {
        const double height = dot(p - a, normal);
        return height * height / area2;
    }
    return std::min(
        {squared_distance(p, a, b), squared_distance(p, b, c), squared_distance(p, c, a)});
}

/// A closed surface ready for questions: triangles sorted into the cells of a grid seen along x,
/// so that a ray along x meets those of one cell, and where distances are asked for a tree for the
/// nearest.
class Enclosure {
public:
    enum class Tells { inside, distances };
    explicit Enclosure(const TriangleView& surface, Tells tells = Tells::distances)
        : surface_(surface) {
        for (const Triangle& t : surface.triangles)
            bounds_.include(box_of(surface, t));
        if (surface.triangles.empty())
            return;
        if (tells == Tells::distances)
            tree_.emplace(surface);
        cells_ = std::clamp(static_cast<int>(std::sqrt(double(surface.triangles.size()))), 1, 512);
        const Vec3 size = bounds_.high - bounds_.low;
        cells_per_y_ = size.y > 0 ? cells_ / size.y : 0;
        cells_per_z_ = size.z > 0 ? cells_ / size.z : 0;
        sort_triangles();
    }

    bool contains(const Vec3& p) const {
        return bounds_.overlaps({p, p}) && winding(p) != 0 && !is_on_surface(p);
    }

    /// To the nearest triangle; `guess` is one that may be near, and becomes the nearest.
    double distance(const Vec3& p, int& guess) const {
        double best = squared_distance_to(p, guess);
        tree_->approach(p, best, [&](int t, double& bound) {
            const double d = squared_distance_to(p, t);
            if (d < bound) {
                bound = d;
                guess = t;
            }
        });
        return std::sqrt(best);
    }

private:
    static int clamped_cell(double at, int cells) {
        return static_cast<int>(std::clamp(at, 0.0, double(cells - 1)));
    }
    int cell_y(double y) const { return clamped_cell((y - bounds_.low.y) * cells_per_y_, cells_); }
    int cell_z(double z) const { return clamped_cell((z - bounds_.low.z) * cells_per_z_, cells_); }

    template <class Visit>
    void visit_cells(const Triangle& t, Visit&& visit) const {
        const Box box = box_of(surface_, t);
        for (int z = cell_z(box.low.z); z <= cell_z(box.high.z); ++z)
            for (int y = cell_y(box.low.y); y <= cell_y(box.high.y); ++y)
                visit(static_cast<std::size_t>(z) * cells_ + y);
    }

    void sort_triangles() {
        begin_.assign(static_cast<std::size_t>(cells_) * cells_ + 1, 0);
        for (const Triangle& t : surface_.triangles)
            visit_cells(t, [&](std::size_t cell) { ++begin_[cell + 1]; });
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        in_cell_.resize(begin_.back());
        std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t t = 0; t < surface_.triangles.size(); ++t)
            visit_cells(surface_.triangles[t],
                        [&](std::size_t cell) { in_cell_[next[cell]++] = static_cast<int>(t); });
    }

    std::size_t cell_of(const Vec3& p) const {
        return static_cast<std::size_t>(cell_z(p.z)) * cells_ + cell_y(p.y);
    }

    /// How often the surface winds around the point: the triangles that a ray towards +x leaves
    /// through less those that it enters by. On the surface, either side's.
    int winding(const Vec3& p) const {
        const std::size_t cell = cell_of(p);
        int total = 0;
        for (std::size_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
            const Triangle& t = surface_.triangles[in_cell_[i]];
            const Vec3 &a = surface_.positions[t[0]], &b = surface_.positions[t[1]],
                       &c = surface_.positions[t[2]];
            if (std::max({a.x, b.x, c.x}) < p.x || std::max({a.y, b.y, c.y}) < p.y ||
                std::min({a.y, b.y, c.y}) > p.y || std::max({a.z, b.z, c.z}) < p.z ||
                std::min({a.z, b.z, c.z}) > p.z)
                continue; // cheaper than the exact tests, which would say the same
            const Vec2 q = seen(p);
            const int facing = side_of(seen(a), seen(b), q);
            if (facing == 0 || side_of(seen(b), seen(c), q) != facing ||
                side_of(seen(c), seen(a), q) != facing)
                continue;
            if (orient3d(a, b, c, p) == facing)
                total += facing;
        }
        return total;
    }

    bool is_on_surface(const Vec3& p) const {
        const std::size_t cell = cell_of(p);
        for (std::size_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
            const Triangle& t = surface_.triangles[in_cell_[i]];
            if (box_of(surface_, t).overlaps({p, p}) &&
                is_on_triangle(p, surface_.positions[t[0]], surface_.positions[t[1]],
                               surface_.positions[t[2]]))
                return true;
        }
        return false;
    }

    double squared_distance_to(const Vec3& p, int triangle) const {
        const Triangle& t = surface_.triangles[triangle];
        return squared_distance(p, surface_.positions[t[0]], surface_.positions[t[1]],
                                surface_.positions[t[2]]);
    }

    TriangleView surface_;
    std::optional<BoxTree> tree_;
    Box bounds_ = Box::empty();
    int cells_ = 0; // along y, and along z
    double cells_per_y_ = 0, cells_per_z_ = 0;
    std::vector<std::size_t> begin_; // of each cell in in_cell_
    std::vector<int> in_cell_;
};

} // namespace

std::vector<int> weld_places(std::span<const Vec3> positions) {
    std::vector<int> order(positions.size()), out(positions.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return before(positions[a], positions[b]); });
    int number = -1;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || before(positions[order[i - 1]], positions[order[i]]))
            ++number;
        out[order[i]] = number;
    }
    return out;
}

bool is_closed(const TriangleView& surface) {
    if (surface.triangles.empty())
        return false;
    const std::vector<int> vertex = weld_places(surface.positions);
    struct Run {
        int low, high, direction;
    };
    std::vector<Run> runs;
    runs.reserve(3 * surface.triangles.size());
    for (const Triangle& t : surface.triangles)
        for (int k = 0; k < 3; ++k) {
            const int a = vertex[t[k]], b = vertex[t[(k + 1) % 3]];
            if (a != b)
                runs.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        return a.low != b.low ? a.low < b.low : a.high < b.high;
    });
    int balance = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        balance += runs[i].direction;
        const bool last = i + 1 == runs.size() || runs[i + 1].low != runs[i].low ||
                          runs[i + 1].high != runs[i].high;
        if (last && balance != 0)
            return false;
    }
    return true;
}

Penetration find_penetration(std::span<const Vec3> points, const TriangleView& surface,
                             std::span<const std::uint8_t> passed) {
    const Enclosure enclosure(surface);
    Partials<Penetration> partials;
    partials.resize((points.size() + grain - 1) / grain);
    parallel_for(points.size(), grain, [&](std::size_t begin, std::size_t end) {
        Penetration found;
        int near = 0;
        for (std::size_t i = begin; i < end; ++i) {
            if (!enclosure.contains(points[i]))
                continue;
            const double depth = enclosure.distance(points[i], near);
            if (!passed.empty() && passed[near]) {
                ++found.passed_over;
                continue;
            }
            ++found.inside;
            if (found.deepest < 0 || depth > found.depth) {
                found.deepest = static_cast<int>(i);
                found.depth = depth;
            }
        }
        partials[begin / grain] = found;
    });
    Penetration total;
    for (std::size_t i = 0; i < (points.size() + grain - 1) / grain; ++i) {
        const Penetration& part = partials[i];
        total.inside += part.inside;
        total.passed_over += part.passed_over;
        if (part.deepest >= 0 && (total.deepest < 0 || part.depth > total.depth)) {
            total.deepest = part.deepest;
            total.depth = part.depth;
        }
    }
    return total;
}

std::vector<int> find_inside(std::span<const Vec3> points, const TriangleView& surface) {
    const Enclosure enclosure(surface, Enclosure::Tells::inside);
    std::vector<char> inside(points.size());
    parallel_for(points.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            inside[i] = enclosure.contains(points[i]);
    });
    std::vector<int> out;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (inside[i])
            out.push_back(static_cast<int>(i));
    return out;
}

std::vector<int> nearest_triangles(std::span<const Vec3> points, const TriangleView& surface,
                                   double reach) {
    const BoxTree tree(surface);
    std::vector<int> out(points.size(), -1);
    parallel_for(points.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            double bound = reach * reach;
            tree.approach(points[i], bound, [&](int t, double& limit) {
                const Triangle& c = surface.triangles[t];
                const double d = squared_distance(points[i], surface.positions[c[0]],
                                                  surface.positions[c[1]], surface.positions[c[2]]);
                if (d < limit) {
                    limit = d;
                    out[i] = t;
                }
            });
        }
    });
    return out;
}

std::vector<double> surface_distances(std::span<const Vec3> points, const TriangleView& surface) {
    const bool closed = is_closed(surface);
    const Enclosure enclosure(surface);
    std::vector<double> out(points.size(), std::numeric_limits<double>::infinity());
    if (surface.triangles.empty())
        return out;
    parallel_for(points.size(), grain, [&](std::size_t begin, std::size_t end) {
        int near = 0;
        for (std::size_t i = begin; i < end; ++i) {
            out[i] = enclosure.distance(points[i], near);
            if (closed && enclosure.contains(points[i]))
                out[i] = -out[i];
        }
    });
    return out;
}

} // namespace muslin
