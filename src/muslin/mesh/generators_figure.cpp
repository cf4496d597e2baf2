// A human-like figure of few triangles.
#include "muslin/mesh/generators.h"
#include "muslin/mesh/mesh_builder.h"

#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace muslin {
namespace {

/// An ellipse across a tube: its middle and its two half axes [m]. Tubes run so that the cross
/// product of the axes points to their end.
struct Ring {
    Vec3 middle, first, second;
};

void add_face(PolygonMesh& mesh, int a, int b, int c) {
    for (const int v : {a, b, c})
        mesh.corner_vertex.push_back(v);
    mesh.face_begin.push_back(static_cast<int>(mesh.corner_vertex.size()));
}

/// A closed tube through the rings from tip to tip: 2 segments triangles for each ring.
void add_tube(PolygonMesh& mesh, const Vec3& begin, std::span<const Ring> rings, const Vec3& end,
              int segments) {
    const int first = static_cast<int>(mesh.positions.size());
    mesh.positions.push_back(begin);
    for (const Ring& ring : rings)
        for (int k = 0; k < segments; ++k) {
            const double angle = 2 * std::numbers::pi * k / segments;
            mesh.positions.push_back(ring.middle + std::cos(angle) * ring.first +
                                     std::sin(angle) * ring.second);
        }
    const int last = static_cast<int>(mesh.positions.size());
    mesh.positions.push_back(end);
    const auto vertex = [&](std::size_t ring, int k) {
        return first + 1 + static_cast<int>(ring) * segments + k % segments;
    };
    for (int k = 0; k < segments; ++k)
        add_face(mesh, first, vertex(0, k + 1), vertex(0, k));
    for (std::size_t r = 0; r + 1 < rings.size(); ++r)
        for (int k = 0; k < segments; ++k) {
            add_face(mesh, vertex(r, k), vertex(r, k + 1), vertex(r + 1, k + 1));
            add_face(mesh, vertex(r, k), vertex(r + 1, k + 1), vertex(r + 1, k));
        }
    for (int k = 0; k < segments; ++k)
        add_face(mesh, vertex(rings.size() - 1, k), vertex(rings.size() - 1, k + 1), last);
}

// All in parts of the height: 8 rings of 8, 128 triangles.
void add_torso(PolygonMesh& mesh, double height) {
    struct Level {
        double y, width, depth; ///< half of each
    };
    constexpr std::array<Level, 8> levels = {{{0.480, 0.080, 0.056},   // below the hips
                                              {0.530, 0.100, 0.068},   // hips
                                              {0.620, 0.078, 0.054},   // waist
                                              {0.730, 0.094, 0.066},   // chest
                                              {0.808, 0.106, 0.050},   // shoulders
                                              {0.848, 0.034, 0.034},   // neck
                                              {0.900, 0.046, 0.056},   // head
                                              {0.960, 0.046, 0.056}}}; // head
    std::vector<Ring> rings;
    for (const Level& level : levels)
        rings.push_back(
            {{0, height * level.y, 0}, {0, 0, height * level.depth}, {height * level.width, 0, 0}});
    add_tube(mesh, {0, 0.46 * height, 0}, rings, {0, height, 0}, 8);
}

// 3 rings of 6, 36 triangles.
void add_arm(PolygonMesh& mesh, const FigureSettings& s, double side) {
    struct Level {
        double along, radius;
    };
    constexpr std::array<Level, 3> levels = {{{0.000, 0.034}, {0.165, 0.027}, {0.320, 0.019}}};
    const double angle = s.arm_angle * std::numbers::pi / 180;
    const Vec3 way = {side * std::cos(angle), -std::sin(angle), 0};
    FigureSettings arm = s;
    arm.part = side > 0 ? FigurePart::left_arm : FigurePart::right_arm;
    const Vec3 shoulder = figure_shoulder(arm);
    const Vec3 across = cross(Vec3{0, 0, 1}, way);
    std::vector<Ring> rings;
    for (const Level& level : levels)
        rings.push_back({shoulder + (s.height * level.along) * way,
                         (s.height * level.radius) * across,
                         {0, 0, s.height * level.radius}});
    add_tube(mesh, shoulder - (0.02 * s.height) * way, rings, shoulder + (0.375 * s.height) * way,
             6);
}

} // namespace

Vec3 figure_shoulder(const FigureSettings& s) {
    if (s.part == FigurePart::left_arm)
        return {0.094 * s.height, 0.79 * s.height, 0};
    if (s.part == FigurePart::right_arm)
        return {-0.094 * s.height, 0.79 * s.height, 0};
    return {0, 0, 0};
}

PolygonMesh make_figure(const FigureSettings& s) {
    require_length("height", s.height);
    require(s.arm_angle >= -90 && s.arm_angle <= 80, "arm_angle",
            "from -90 degrees, up, to 80 degrees, down", s.arm_angle);
    PolygonMesh mesh;
    if (s.part == FigurePart::all || s.part == FigurePart::torso)
        add_torso(mesh, s.height);
    if (s.part == FigurePart::all || s.part == FigurePart::left_arm)
        add_arm(mesh, s, 1);
    if (s.part == FigurePart::all || s.part == FigurePart::right_arm)
        add_arm(mesh, s, -1);
    return mesh;
}

} // namespace muslin
