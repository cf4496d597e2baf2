// Sections of cloth cut along an outline.
#include "muslin/pattern/plain_panel.h"
#include "muslin/mesh/mesh_builder.h"
#include "muslin/pattern/outline_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace muslin {
namespace {

/// Pieces of a side may be so much shorter or longer than `edge`: beyond, triangles are slivers.
constexpr double shortest = 0.5, longest = 1.45;

/// A side: points of the outline in a row, ends included.
struct Side {
    std::string name;
    std::vector<Vec2> points;
    int count = 0; ///< of edges

    double length() const {
        double sum = 0;
        for (std::size_t i = 1; i < points.size(); ++i)
            sum += norm(points[i] - points[i - 1]);
        return sum;
    }
    /// The point that a part of the length lies before.
    Vec2 at(double part) const {
        double left = part * length();
        for (std::size_t i = 1; i < points.size(); ++i) {
            const Vec2 way = points[i] - points[i - 1];
            const double piece = norm(way);
            if (left <= piece)
                return points[i - 1] + (left / piece) * way;
            left -= piece;
        }
        return points.back();
    }
};

double doubled_area(const std::vector<Vec2>& points) {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i)
        sum += cross(points[i], points[(i + 1) % points.size()]);
    return sum;
}

/// Whether the segments a b and c d cross or touch.
bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const auto side = [](const Vec2& p, const Vec2& q, const Vec2& r) {
        const double s = cross(q - p, r - p);
        return s > 0 ? 1 : s < 0 ? -1 : 0;
    };
    const auto between = [](const Vec2& p, const Vec2& q, const Vec2& r) {
        return std::min(p.x, q.x) <= r.x && r.x <= std::max(p.x, q.x) &&
               std::min(p.y, q.y) <= r.y && r.y <= std::max(p.y, q.y);
    };
    const int o1 = side(a, b, c), o2 = side(a, b, d), o3 = side(c, d, a), o4 = side(c, d, b);
    if (o1 != o2 && o3 != o4)
        return true;
    return (o1 == 0 && between(a, b, c)) || (o2 == 0 && between(a, b, d)) ||
           (o3 == 0 && between(c, d, a)) || (o4 == 0 && between(c, d, b));
}

void check_outline(const std::vector<Vec2>& points) {
    const std::size_t n = points.size();
    require(n >= 3, "outline", "three points or more", n);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 &a = points[i], &b = points[(i + 1) % n];
        if (!(norm(b - a) > 1e-6))
            reject("outline", "points that lie apart",
                   fmt::format("point {} on that before it", (i + 1) % n));
        for (std::size_t j = i + 2; j < n; ++j)
            if ((j + 1) % n != i && meet(a, b, points[j], points[(j + 1) % n]))
                reject("outline", "a line that does not cross itself",
                       fmt::format("the sides from points {} and {} meet", i, j));
    }
}

/// The sides in turn, counter-clockwise, the first from the outline's first corner on.
std::vector<Side> find_sides(const PanelSettings& s) {
    const std::size_t n = s.outline.size();
    std::vector<std::string> names = s.sides;
    if (names.empty())
        for (std::size_t i = 0; i < n; ++i)
            names.push_back(fmt::format("side{}", i));
    require(names.size() == n, "sides", "a name for the side from each point of the outline",
            names.size());
    std::size_t first = 0;
    while (first < n && names[first] == names[(first + n - 1) % n])
        ++first;
    require(first < n, "sides", "two different sides or more", "one");
    std::vector<Side> out;
    std::set<std::string> seen;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = (first + k) % n;
        if (k == 0 || names[i] != out.back().name) {
            if (!seen.insert(names[i]).second)
                reject("sides", "points of one side in a row", "'" + names[i] + "' twice");
            out.push_back({names[i], {s.outline[i]}, 0});
        }
        out.back().points.push_back(s.outline[(i + 1) % n]);
    }
    return out;
}

void set_counts(const PanelSettings& s, std::vector<Side>& sides) {
    require(s.counts.size() <= sides.size(), "counts", "at most one number for each side",
            s.counts.size());
    for (std::size_t i = 0; i < sides.size(); ++i) {
        const double pieces = sides[i].length() / s.edge;
        const int given = i < s.counts.size() ? s.counts[i] : 0;
        sides[i].count = given > 0 ? given : std::max(1, static_cast<int>(std::lround(pieces)));
        if (given > 0 && (pieces / given > longest || pieces / given < shortest))
            reject("counts",
                   fmt::format("from {} to {} edges along side '{}', which is {:.4g} m long",
                               static_cast<int>(std::ceil(pieces / longest)),
                               std::max(1, static_cast<int>(pieces / shortest)), sides[i].name,
                               sides[i].length()),
                   fmt::format("{}", given));
    }
}

} // namespace

PolygonMesh make_panel(const PanelSettings& s) {
    require_length("edge", s.edge);
    require(std::abs(s.roll) < 360, "roll", "less than a whole turn, 360 degrees", s.roll);
    check_outline(s.outline);
    std::vector<Side> sides = find_sides(s);
    set_counts(s, sides);
    if (doubled_area(s.outline) < 0) {
        std::reverse(sides.begin(), sides.end());
        for (Side& side : sides)
            std::reverse(side.points.begin(), side.points.end());
    }
    std::vector<Vec2> corners;
    std::vector<std::size_t> begins;
    for (const Side& side : sides) {
        begins.push_back(corners.size());
        for (int k = 0; k < side.count; ++k)
            corners.push_back(side.at(static_cast<double>(k) / side.count));
    }
    const OutlineMesh flat = mesh_outline(corners, s.edge);

    double low = corners[0].x, high = low;
    for (const Vec2& p : corners) {
        low = std::min(low, p.x);
        high = std::max(high, p.x);
    }
    const double middle = (low + high) / 2, turn = s.roll * std::numbers::pi / 180;
    PolygonMesh mesh;
    for (const Vec2& p : flat.points) {
        Vec3 place = {p.x, 0, 0.0 - p.y};
        if (turn != 0) {
            const double radius = (high - low) / turn, angle = (p.x - middle) / radius;
            place.x = middle + radius * std::sin(angle);
            place.y = -radius * (1 - std::cos(angle));
        }
        mesh.positions.push_back(place);
        mesh.texcoords.push_back(p);
    }
    for (const auto& [a, b, c] : flat.triangles)
        add_sheet_triangle(mesh, a, b, c);
    for (std::size_t i = 0; i < sides.size(); ++i) {
        std::vector<double>& map = mesh.vertex_maps[sides[i].name];
        map.assign(mesh.positions.size(), 0);
        for (int k = 0; k <= sides[i].count; ++k)
            map[flat.corners[(begins[i] + static_cast<std::size_t>(k)) % corners.size()]] = 1;
    }
    return mesh;
}

} // namespace muslin
