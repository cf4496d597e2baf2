#include "muslin/pattern/outline_mesh.h"

#include "muslin/mesh/mesh_builder.h"
#include "muslin/pattern/delaunay.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace muslin {
namespace {

constexpr int smoothing_passes = 10;
// Inner vertices keep this part of an edge from the outline. Above one half the circle over every
// side of the outline is empty, and so the side is one of the Delaunay triangulation.
constexpr double clearance = 0.65;

/// The lattice of integers on which the mesher works.
class Lattice {
public:
    Lattice(std::span<const Vec2> corners, double edge) {
        Vec2 high = corners[0];
        low_ = corners[0];
        for (const Vec2& p : corners) {
            low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        size_ = high - low_;
        unit_ = std::max(edge / (1 << 23), std::max(size_.x, size_.y) / (1 << 28));
    }
    const Vec2& low() const { return low_; }
    const Vec2& size() const { return size_; }
    LatticePoint to(const Vec2& p) const {
        return {static_cast<std::int32_t>(std::lround((p.x - low_.x) / unit_)),
                static_cast<std::int32_t>(std::lround((p.y - low_.y) / unit_))};
    }
    Vec2 from(LatticePoint p) const { return low_ + Vec2{unit_ * p.x, unit_ * p.y}; }
    double area(double square_metres) const { return square_metres / (unit_ * unit_); }

private:
    Vec2 low_, size_;
    double unit_;
};

bool is_inside(const Vec2& p, std::span<const Vec2> polygon) {
    bool inside = false;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec2 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            inside = !inside;
    }
    return inside;
}

double distance_to_outline(const Vec2& p, std::span<const Vec2> polygon) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < polygon.size(); ++i)
        least =
            std::min(least, distance_to_segment(p, polygon[i], polygon[(i + 1) % polygon.size()]));
    return least;
}

void add_outline(std::span<const Vec2> corners, double edge, OutlineMesh& out) {
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
        const int steps = std::max(1, static_cast<int>(std::lround(norm(b - a) / edge)));
        out.corners.push_back(static_cast<int>(out.points.size()));
        for (int k = 0; k < steps; ++k)
            out.points.push_back(a + (static_cast<double>(k) / steps) * (b - a));
    }
    out.outline = static_cast<int>(out.points.size());
}

/// Rows of a hexagonal filling.
void add_filling(std::span<const Vec2> corners, const Lattice& lattice, double edge,
                 OutlineMesh& out) {
    const double height = edge * 0.8660254037844386;
    const int rows = static_cast<int>(lattice.size().y / height);
    const int columns = static_cast<int>(lattice.size().x / edge) + 1;
    // Centred, so that a polygon that is its own mirror image is filled like one.
    const Vec2 middle = lattice.low() + 0.5 * lattice.size();
    for (int r = 0; r <= rows; ++r)
        for (int c = 0; c <= columns; ++c) {
            const Vec2 p = {middle.x + edge * (c - 0.5 * columns + (r % 2 == 0 ? 0.0 : 0.5)),
                            middle.y + height * (r - 0.5 * rows)};
            if (is_inside(p, corners) && distance_to_outline(p, corners) >= clearance * edge)
                out.points.push_back(p);
        }
}

/// Whether every piece of the outline is an edge of a triangle.
bool keeps_outline(const OutlineMesh& mesh) {
    std::set<std::array<int, 2>> edges;
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            edges.insert({t[k], t[(k + 1) % 3]});
    for (int i = 0; i < mesh.outline; ++i)
        if (!edges.contains({i, (i + 1) % mesh.outline}))
            return false;
    return true;
}

} // namespace

double distance_to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 along = b - a;
    const double s = std::clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0);
    return norm(p - (a + s * along));
}

OutlineMesh mesh_outline(std::span<const Vec2> corners, double edge) {
    require_length("edge", edge);
    OutlineMesh out;
    const Lattice lattice(corners, edge);
    require_size("edge", lattice.size().x * lattice.size().y / (0.8 * edge * edge));
    add_outline(corners, edge, out);
    add_filling(corners, lattice, edge, out);
    std::vector<LatticePoint> points;
    for (const Vec2& p : out.points)
        points.push_back(lattice.to(p));
    Delaunay mesh(std::move(points));
    for (int pass = 0; pass < smoothing_passes; ++pass)
        smooth(mesh, out.outline);
    for (std::size_t i = static_cast<std::size_t>(out.outline); i < out.points.size(); ++i)
        out.points[i] = lattice.from(mesh.points()[i]);
    // What lies in the hull but not in the polygon goes, and so do slivers along a straight side
    // whose vertices the lattice has rounded.
    const double sliver = lattice.area(1e-3 * edge * edge);
    for (const auto& t : mesh.triangles()) {
        const Vec2 &a = out.points[t[0]], &b = out.points[t[1]], &c = out.points[t[2]];
        const auto doubled =
            doubled_area(mesh.points()[t[0]], mesh.points()[t[1]], mesh.points()[t[2]]);
        if (static_cast<double>(doubled) > sliver && is_inside((1.0 / 3) * (a + b + c), corners))
            out.triangles.push_back(t);
    }
    for (auto& t : out.triangles) // flips leave no trace of their order
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(out.triangles.begin(), out.triangles.end());
    if (!keeps_outline(out))
        reject("edge", "edges short enough for the outline's details", fmt::format("{}", edge));
    return out;
}

} // namespace muslin
