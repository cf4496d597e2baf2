// Furniture: prisms that stand and lie on each other.
#include "muslin/mesh/generators.h"
#include "muslin/mesh/mesh_builder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

/// The corners of a regular polygon around the origin in (x, z), counter-clockwise seen from above,
/// stretched to the given width and depth, a side towards +x.
std::vector<Vec2> polygon(int sides, double width, double depth) {
    std::vector<Vec2> out;
    Vec2 most = {0, 0};
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / sides;
        out.push_back({std::cos(angle), -std::sin(angle)});
        most = {std::max(most.x, std::abs(out[k].x)), std::max(most.y, std::abs(out[k].y))};
    }
    for (Vec2& p : out)
        p = {0.5 * width * (p.x / most.x), 0.5 * depth * (p.y / most.y)};
    return out;
}

/// The half axes of the ellipse that touches the sides of such a polygon from inside.
Vec2 inner_axes(int sides, double width, double depth) {
    const std::vector<Vec2> unit = polygon(sides, 2, 2);
    const double inner = std::cos(std::numbers::pi / sides);
    Vec2 axes = {0, 0};
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / sides;
        if (std::abs(std::cos(angle)) > 1e-6)
            axes.x = 0.5 * width * inner * unit[k].x / std::cos(angle);
        if (std::abs(std::sin(angle)) > 1e-6)
            axes.y = -0.5 * depth * inner * unit[k].y / std::sin(angle);
    }
    return axes;
}

/// A closed prism on an outline from `low` to `high`: 4 n - 4 triangles.
void add_prism(PolygonMesh& mesh, const std::vector<Vec2>& outline, const Vec2& center, double low,
               double high) {
    const int n = static_cast<int>(outline.size());
    const int first = static_cast<int>(mesh.positions.size());
    for (const double y : {low, high})
        for (const Vec2& p : outline)
            mesh.positions.push_back({center.x + p.x, y, center.y + p.y});
    const auto add = [&](int a, int b, int c) {
        for (const int v : {a, b, c})
            mesh.corner_vertex.push_back(first + v);
        mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
    };
    for (int k = 0; k < n; ++k) {
        const int next = (k + 1) % n;
        add(k, next, n + next);
        add(k, n + next, n + k);
    }
    for (int k = 1; k + 1 < n; ++k) {
        add(0, k + 1, k);
        add(n, n + k, n + k + 1);
    }
}

void require_slab(double width, double depth, double height, double thickness) {
    require_length("width", width);
    require_length("depth", depth);
    require_length("height", height);
    require_length("thickness", thickness);
    require(thickness < height, "thickness", "less than the height", thickness);
}

void require_legs(double width, double depth, double leg_size) {
    require_length("leg_size", leg_size);
    require(leg_size <= 0.25 * std::min(width, depth), "leg_size",
            "at most a quarter of width and depth", leg_size);
}

} // namespace

PolygonMesh make_table(const TableSettings& s) {
    require_slab(s.width, s.depth, s.height, s.thickness);
    require(s.sides >= 3 && s.sides <= 1000, "sides", "a number from 3 to 1000", s.sides);
    require(s.legs >= 0 && s.legs <= 100, "legs", "a number from 0 to 100", s.legs);
    require(s.leg_sides >= 3 && s.leg_sides <= 1000, "leg_sides", "a number from 3 to 1000",
            s.leg_sides);
    PolygonMesh mesh;
    const std::vector<Vec2> top = polygon(s.sides, s.width, s.depth);
    add_prism(mesh, top, {0, 0}, s.height - s.thickness, s.height);
    if (s.legs == 0)
        return mesh;
    require_legs(s.width, s.depth, s.leg_size);
    const std::vector<Vec2> leg = polygon(s.leg_sides, s.leg_size, s.leg_size);
    const Vec2 axes = inner_axes(s.sides, s.width, s.depth);
    const Vec2 inset = {1 - 2 * s.leg_size / s.width, 1 - 2 * s.leg_size / s.depth};
    for (int k = 0; k < s.legs; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / s.legs;
        Vec2 at = {axes.x * std::cos(angle), -axes.y * std::sin(angle)};
        if (s.legs == 1)
            at = {0, 0};
        else if (s.legs == s.sides && s.sides > 3) // sharper corners have no room
            at = top[k];
        // Into the top, so that no face of a leg lies in a face of it.
        add_prism(mesh, leg, {inset.x * at.x, inset.y * at.y}, 0, s.height - 0.5 * s.thickness);
    }
    return mesh;
}

PolygonMesh make_chair(const ChairSettings& s) {
    require_slab(s.width, s.depth, s.height, s.thickness);
    require_legs(s.width, s.depth, s.leg_size);
    require(s.thickness <= 0.25 * std::min(s.width, s.depth), "thickness",
            "at most a quarter of width and depth", s.thickness);
    require(s.back >= 0 && s.back <= 1e6, "back", "a length of 0 or more, up to 1e6 [m]", s.back);
    PolygonMesh mesh = make_table({.width = s.width,
                                   .depth = s.depth,
                                   .height = s.height,
                                   .thickness = s.thickness,
                                   .leg_size = s.leg_size});
    if (s.back == 0)
        return mesh;
    // A little inside the seat's sides, for the same reason.
    const double inset = 0.125 * s.thickness;
    add_prism(mesh, polygon(4, s.width - 2 * inset, s.thickness),
              {0, inset + 0.5 * (s.thickness - s.depth)}, s.height - 0.5 * s.thickness,
              s.height + s.back);
    return mesh;
}

} // namespace muslin
