// Bodies, closed or open.
#include "muslin/mesh/generators.h"
#include "muslin/mesh/mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace muslin {
namespace {

/// Directions around y, counter-clockwise seen from above: longitude grows eastward.
struct Around {
    /// `shift` turns the ring by a part of a segment.
    explicit Around(int segments, double shift = 0) {
        for (int k = 0; k < segments; ++k) {
            const double angle = 2 * std::numbers::pi * (k + shift) / segments;
            direction.push_back({std::cos(angle), 0, 0 - std::sin(angle)});
        }
    }
    std::vector<Vec3> direction;
};

/// Joins two rings of vertices, one above the other, outward. The texture rows have one more
/// entry than the rings: the seam is there twice. Quads are cut from the lower ring's first vertex
/// to the upper ring's second, or the other way with `falling`.
void add_band(PolygonMesh& mesh, int segments, int lower, int upper, int lower_uv, int upper_uv,
              bool falling = false) {
    for (int k = 0; k < segments; ++k) {
        const int next = (k + 1) % segments;
        if (falling) {
            add_triangle(mesh, {lower + k, lower + next, upper + k},
                         {lower_uv + k, lower_uv + k + 1, upper_uv + k});
            add_triangle(mesh, {lower + next, upper + next, upper + k},
                         {lower_uv + k + 1, upper_uv + k + 1, upper_uv + k});
            continue;
        }
        add_triangle(mesh, {lower + k, lower + next, upper + next},
                     {lower_uv + k, lower_uv + k + 1, upper_uv + k + 1});
        add_triangle(mesh, {lower + k, upper + next, upper + k},
                     {lower_uv + k, upper_uv + k + 1, upper_uv + k});
    }
}

/// One side of a box: the square of lattice points origin + i right + j up, 0 <= i, j <= n, seen
/// from outside, in the lattice of n^3 cells that fills the box.
struct BoxSide {
    std::array<int, 3> origin, right, up;
};

constexpr std::array<BoxSide, 6> box_sides = {{
    {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},  // +z
    {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}}, // -z
    {{1, 0, 1}, {0, 0, -1}, {0, 1, 0}}, // +x
    {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}},  // -x
    {{0, 1, 1}, {1, 0, 0}, {0, 0, -1}}, // +y
    {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}},  // -y
}};

std::array<int, 3> box_point(const BoxSide& side, int n, int i, int j) {
    std::array<int, 3> p;
    for (int k = 0; k < 3; ++k)
        p[k] = n * side.origin[k] + i * side.right[k] + j * side.up[k];
    return p;
}

std::int64_t box_code(const std::array<int, 3>& p, int n) {
    return (static_cast<std::int64_t>(p[1]) * (n + 1) + p[2]) * (n + 1) + p[0];
}

/// The codes of the lattice points on the surface, sorted: a vertex is its place in the list.
std::vector<std::int64_t> box_surface(int n) {
    std::vector<std::int64_t> codes;
    for (const BoxSide& side : box_sides)
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i)
                codes.push_back(box_code(box_point(side, n, i, j), n));
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    return codes;
}

double along(const Vec3& size, const std::array<int, 3>& axis) {
    return std::abs(size.x * axis[0] + size.y * axis[1] + size.z * axis[2]);
}

void add_box_side(PolygonMesh& mesh, const BoxSide& side, const Vec3& size, int n,
                  const std::vector<std::int64_t>& codes) {
    const int uv = static_cast<int>(mesh.texcoords.size());
    const double width = along(size, side.right), height = along(size, side.up);
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
            mesh.texcoords.push_back({width * i / n, height * j / n});
    const auto vertex = [&](int i, int j) {
        const auto code = box_code(box_point(side, n, i, j), n);
        return static_cast<int>(std::lower_bound(codes.begin(), codes.end(), code) - codes.begin());
    };
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            const std::array<int, 4> q = {vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1),
                                          vertex(i, j + 1)};
            const int low = uv + j * (n + 1) + i;
            const std::array<int, 4> t = {low, low + 1, low + n + 2, low + n + 1};
            const int s = (i + j) % 2; // alternating diagonals
            add_triangle(mesh, {q[s], q[s + 1], q[s + 2]}, {t[s], t[s + 1], t[s + 2]});
            add_triangle(mesh, {q[s], q[s + 2], q[(s + 3) % 4]}, {t[s], t[s + 2], t[(s + 3) % 4]});
        }
    }
}

/// Closes a ring with a fan around a new vertex in its middle, facing up or down.
void add_cap(PolygonMesh& mesh, const Around& around, double radius, int ring, double y, bool up) {
    const int segments = static_cast<int>(around.direction.size());
    const int middle = static_cast<int>(mesh.positions.size());
    const int uv = static_cast<int>(mesh.texcoords.size());
    mesh.positions.push_back({0, y, 0});
    mesh.texcoords.push_back({0, 0});
    for (const Vec3& d : around.direction)
        mesh.texcoords.push_back({radius * d.x, (up ? -radius : radius) * d.z});
    for (int k = 0; k < segments; ++k) {
        const int a = up ? k : (k + 1) % segments, b = up ? (k + 1) % segments : k;
        add_triangle(mesh, {middle, ring + a, ring + b}, {uv, uv + 1 + a, uv + 1 + b});
    }
}

/// Twice the area that a profile and the axis enclose, positive where that lies on its left.
double profile_area(const std::vector<Vec2>& profile) {
    double area = 0;
    for (std::size_t i = 0; i + 1 < profile.size(); ++i)
        area += cross(profile[i], profile[i + 1]);
    return area;
}

bool same(const Vec2& a, const Vec2& b) {
    return a.x == b.x && a.y == b.y;
}

void require_profile(const std::vector<Vec2>& profile, bool ring) {
    if (profile.size() < (ring ? 4u : 2u))
        reject("profile", ring ? "at least three different points" : "at least two points",
               fmt::format("{}", ring ? profile.size() - 1 : profile.size()));
    for (std::size_t i = 0; i < profile.size(); ++i) {
        const bool end = !ring && (i == 0 || i + 1 == profile.size());
        require(std::isfinite(profile[i].y) && profile[i].x <= 1e6 &&
                    (end ? profile[i].x >= 0 : profile[i].x > 0),
                "profile", end ? "radii of 0 or more" : "radii above 0 but at the ends",
                profile[i].x);
        if (i > 0 && same(profile[i], profile[i - 1]))
            reject("profile", "points that differ from those before them",
                   fmt::format("({}, {}) twice", profile[i].x, profile[i].y));
    }
    if (!ring && profile.size() == 2 && profile[0].x == 0 && profile[1].x == 0)
        reject("profile", "a point off the axis", "none");
}

} // namespace

PolygonMesh make_revolution(const RevolutionSettings& settings) {
    std::vector<Vec2> profile = settings.profile;
    const int segments = settings.segments;
    const bool ring = profile.size() > 1 && same(profile.front(), profile.back());
    require_profile(profile, ring);
    require_count("segments", segments, 3);
    require_size("segments", static_cast<double>(profile.size()) * segments);
    const bool solid = profile.front().x == 0 && profile.back().x == 0;
    if ((ring || solid) && profile_area(profile) < 0)
        std::reverse(profile.begin(), profile.end());

    PolygonMesh mesh;
    const Around around(segments);
    double widest = 0, along = 0;
    for (const Vec2& p : profile)
        widest = std::max(widest, p.x);
    std::vector<int> first; // vertex of each point
    for (std::size_t i = 0; i < profile.size(); ++i) {
        const auto [radius, y] = profile[i];
        const bool last_of_ring = ring && i + 1 == profile.size();
        first.push_back(last_of_ring ? 0 : static_cast<int>(mesh.positions.size()));
        if (i > 0)
            along += norm(profile[i] - profile[i - 1]);
        for (int k = 0; k <= segments; ++k)
            mesh.texcoords.push_back({2 * std::numbers::pi * widest * k / segments, along});
        if (last_of_ring)
            continue;
        if (radius == 0)
            mesh.positions.push_back({0, y, 0});
        else
            for (const Vec3& d : around.direction)
                mesh.positions.push_back(radius * d + Vec3{0, y, 0});
    }
    for (std::size_t i = 0; i + 1 < profile.size(); ++i) {
        const int lower = first[i], upper = first[i + 1];
        const int lower_uv = static_cast<int>(i) * (segments + 1),
                  upper_uv = lower_uv + segments + 1;
        if (profile[i].x > 0 && profile[i + 1].x > 0) {
            add_band(mesh, segments, lower, upper, lower_uv, upper_uv);
            continue;
        }
        for (int k = 0; k < segments; ++k) {
            const int next = (k + 1) % segments;
            if (profile[i].x == 0)
                add_triangle(mesh, {lower, upper + next, upper + k},
                             {lower_uv + k, upper_uv + k + 1, upper_uv + k});
            else
                add_triangle(mesh, {lower + k, lower + next, upper},
                             {lower_uv + k, lower_uv + k + 1, upper_uv + k});
        }
    }
    return mesh;
}

PolygonMesh make_sphere(const SphereSettings& settings) {
    const int rings = settings.rings, segments = settings.segments;
    const double radius = settings.radius, pi = std::numbers::pi;
    require_length("radius", radius);
    require_count("rings", rings, 2);
    require_count("segments", segments, 3);
    require_size("rings", static_cast<double>(rings) * segments);

    PolygonMesh mesh;
    const Around around(segments);
    mesh.positions.push_back({0, -radius, 0});
    for (int r = 1; r < rings; ++r) {
        const double latitude = pi * r / rings - pi / 2;
        for (const Vec3& d : around.direction)
            mesh.positions.push_back(radius *
                                     (std::cos(latitude) * d + Vec3{0, std::sin(latitude), 0}));
        for (int k = 0; k <= segments; ++k)
            mesh.texcoords.push_back({radius * 2 * pi * k / segments, radius * latitude});
    }
    const int top = static_cast<int>(mesh.positions.size());
    mesh.positions.push_back({0, radius, 0});
    // A pole has every longitude: each of its triangles takes the middle of its own.
    const int poles = static_cast<int>(mesh.texcoords.size());
    for (const double latitude : {-pi / 2, pi / 2})
        for (int k = 0; k < segments; ++k)
            mesh.texcoords.push_back({radius * 2 * pi * (k + 0.5) / segments, radius * latitude});

    const int last_uv = (rings - 2) * (segments + 1);
    for (int k = 0; k < segments; ++k)
        add_triangle(mesh, {0, 1 + (k + 1) % segments, 1 + k}, {poles + k, k + 1, k});
    for (int r = 0; r + 2 < rings; ++r)
        add_band(mesh, segments, 1 + r * segments, 1 + (r + 1) * segments, r * (segments + 1),
                 (r + 1) * (segments + 1));
    for (int k = 0; k < segments; ++k)
        add_triangle(mesh, {top, top - segments + k, top - segments + (k + 1) % segments},
                     {poles + segments + k, last_uv + k, last_uv + k + 1});
    return mesh;
}

PolygonMesh make_cylinder(const CylinderSettings& settings) {
    const int segments = settings.segments, bands = settings.bands;
    const double radius = settings.radius, height = settings.height;
    require_length("radius", radius);
    require_length("height", height);
    require_count("segments", segments, 3);
    require_count("bands", bands, 1);
    require_size("bands", static_cast<double>(bands) * segments);

    PolygonMesh mesh;
    const Around around(segments), between(segments, 0.5);
    // Chords, not arcs: the rolled out pattern then has exactly the lengths of the facets.
    const double chord = 2 * radius * std::sin(std::numbers::pi / segments);
    for (int b = 0; b <= bands; ++b) {
        const bool shifted = settings.staggered && b % 2 == 1;
        const double y = height * (static_cast<double>(b) / bands - 0.5);
        for (const Vec3& d : (shifted ? between : around).direction)
            mesh.positions.push_back(radius * d + Vec3{0, y, 0});
        for (int k = 0; k <= segments; ++k)
            mesh.texcoords.push_back({chord * (k + (shifted ? 0.5 : 0.0)), y});
    }
    for (int b = 0; b < bands; ++b)
        add_band(mesh, segments, b * segments, (b + 1) * segments, b * (segments + 1),
                 (b + 1) * (segments + 1), settings.staggered && b % 2 == 0);
    if (settings.capped) {
        add_cap(mesh, around, radius, 0, -height / 2, false);
        add_cap(mesh, settings.staggered && bands % 2 == 1 ? between : around, radius,
                bands * segments, height / 2, true);
    }
    return mesh;
}

PolygonMesh make_box(const BoxSettings& settings) {
    const int n = settings.divisions;
    require_length("size.x", settings.size.x);
    require_length("size.y", settings.size.y);
    require_length("size.z", settings.size.z);
    require_count("divisions", n, 1);
    require_size("divisions", 6.0 * n * n);

    PolygonMesh mesh;
    const auto codes = box_surface(n);
    for (const std::int64_t code : codes) {
        const auto at = [n](std::int64_t i, double length) {
            return length * (static_cast<double>(i) / n - 0.5);
        };
        mesh.positions.push_back({at(code % (n + 1), settings.size.x),
                                  at(code / (n + 1) / (n + 1), settings.size.y),
                                  at(code / (n + 1) % (n + 1), settings.size.z)});
    }
    for (const BoxSide& side : box_sides)
        add_box_side(mesh, side, settings.size, n, codes);
    return mesh;
}

} // namespace muslin
