#pragma once

// A strip of cloth for the bending protocols of docs/validation.md: twice as wide as long, so that
// a model of hinges shows its rigidity D, clamped by whole rows of vertices.

#include "muslin/kernels/bend_bw.h"
#include "validation/scene_run.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace muslin::validation {

/// M1: a lattice with edges across the strip; M2: along it; M3: irregular; M4: squares with one
/// diagonal; then the other meshes that Muslin makes: squares with alternating diagonals or with
/// both, and a panel.
enum class StripMesh { m1, m2, m3, m4, alternating, crossed, panel };

struct Strip {
    StripMesh mesh = StripMesh::m1;
    int rows = 40;       ///< along the free part
    double length = 0.2; ///< of the free part [m]
    double width = 0.4;
    double rigidity = 1e-3;               ///< D along the strip [N m]
    double across = 1;                    ///< the rigidity across it, as a multiple of D
    double stretch = 1e4;                 ///< Y [N/m]
    double density = 0.2;                 ///< [kg/m^2]
    Vec3 gravity = {0, -9.81, 0};         ///< [m/s^2]
    double drag = 0;                      ///< of the air [N s/m^3]
    bool clamped = true;                  ///< at the end of lowest z, with more rows behind it
    bool turned = false;                  ///< the mesh by 90 degrees: u runs along the strip, not v
    std::string recipe = "bw98";          ///< for all that is not set here
    std::string bending = "bend_bridson"; ///< empty: that of the recipe
    std::string more = {};                ///< of the scene

    double row() const { return length / rows; }
    /// What lies behind the free part [m].
    double behind() const { return !clamped ? 0 : is_irregular() ? 2 * row() : row(); }
    bool is_irregular() const { return mesh == StripMesh::m3 || mesh == StripMesh::panel; }
    /// Whether rows of vertices run across it. Lattices have them in one of two directions.
    bool has_rows() const {
        return !is_irregular() && mesh != (turned ? StripMesh::m1 : StripMesh::m2);
    }
};

inline std::string mesh_text(const Strip& s) {
    const double row = s.row(), root = std::sqrt(3.0);
    double width = s.width, depth = s.length + s.behind();
    if (s.turned)
        std::swap(width, depth);
    const auto lattice = [&](bool along_z) {
        return fmt::format("{{ type = \"lattice\", width = {}, depth = {}, rows = {}, "
                           "along_z = {} }}",
                           width, depth,
                           std::lround(s.turned != along_z ? 2 / root * s.width / row
                                                           : (s.length + s.behind()) / row),
                           along_z);
    };
    const auto grid = [&](const char* diagonals) {
        return fmt::format("{{ type = \"grid\", width = {}, depth = {}, columns = {}, rows = {}, "
                           "diagonals = \"{}\" }}",
                           width, depth, std::lround(width / row) + 1, std::lround(depth / row) + 1,
                           diagonals);
    };
    switch (s.mesh) {
    case StripMesh::m1:
        return lattice(false);
    case StripMesh::m2:
        return lattice(true);
    case StripMesh::m3:
        return fmt::format("{{ type = \"irregular\", width = {}, depth = {}, vertices = {} }}",
                           width, depth,
                           std::lround((width / row * root / 2 + 1) * (depth / row + 1)));
    case StripMesh::m4:
        return grid("one");
    case StripMesh::alternating:
        return grid("alternating");
    case StripMesh::crossed:
        return grid("crossed");
    case StripMesh::panel:
        return fmt::format("{{ type = \"panel\", edge = {2}, outline = [[-{0}, -{1}], [{0}, -{1}], "
                           "[{0}, {1}], [-{0}, {1}]] }}",
                           0.5 * width, 0.5 * depth, 2 / root * row); // edges of M1
    }
    return {};
}

/// The strip lies in the plane y = 0, its free part from z = 0 to z = length.
inline SceneDescription describe(const Strip& s) {
    const double across = s.across * s.rigidity;
    std::string text = fmt::format(
        R"(
        {}
        parts.contact = "none"
        [world]
        gravity = [{}, {}, {}]
        drag_coefficient = 0
        linear_drag = {}
        [[cloth]]
        name = "strip"
        mesh = {}
        position = [0, 0, {}]
        rotation = [0, {}, 0]
        [cloth.material]
        base = "cotton"
        density = {}
        stretch_u = {}
        stretch_v = {}
        shear = {}
        bend_u = {}
        bend_v = {}
        bend_damping = 0
        stretch_damping = 0
        shear_damping = 0
    )",
        s.bending.empty() ? "" : fmt::format("parts.bending = \"{}\"", s.bending), s.gravity.x,
        s.gravity.y, s.gravity.z, s.drag, mesh_text(s), 0.5 * (s.length - s.behind()),
        s.turned ? 90 : 0, s.density, s.stretch, s.stretch, 0.5 * s.stretch,
        s.turned ? s.rigidity : across, s.turned ? across : s.rigidity);
    if (s.clamped)
        text += fmt::format(R"(
        [[pin]]
        name = "clamp"
        cloth = "strip"
        box = {{ min = [-1, -1, -1], max = [1, 1, {}] }}
    )",
                            1e-3 * s.row());
    return scene(text + s.more, s.recipe);
}

/// Large implicit steps, whose own damping brings the strip to rest soon; smaller ones where the
/// strip would stretch. At rest nothing is left of the steps.
inline std::string to_rest_settings(double step) {
    return fmt::format(R"(
        [time]
        frame_rate = {}
        stretch_change_limit = 0.02
        min_step = 1e-7
        [solver]
        tolerance = 1e-4
        newton_iterations = 2
        linearise_at = "predicted"
    )",
                       1 / step);
}

/// Where a strip held by rows of vertices is clamped in effect [m]: the place from which as much
/// can bend as if a clamp were there. A hinge bends if one of its four vertices is free. On rows
/// across the strip the place is half a row behind the free part.
inline double counted_clamp(const Simulation& at_start, const Strip& s) {
    const std::vector<Vec3>& x = at_start.state().positions;
    // What each hinge gives to the strip's rigidity, times a length; less beside the middle, since
    // the sides have triangles of other shapes.
    struct Share {
        double z, value;
        bool bends;
    };
    std::vector<Share> shares;
    for (const Hinge& h : at_start.model().dynamics.hinges) {
        Vec3 p[4];
        bool bends = false;
        for (int i = 0; i < 4; ++i) {
            p[i] = x[h.v[i]];
            bends = bends || p[i].z > 1e-3 * s.row();
        }
        const Vec3 middle = 0.5 * (p[0] + p[1]), e = p[1] - p[0];
        const double window = std::cos(std::numbers::pi * middle.x / s.width);
        const double area = 0.5 * (norm(cross(e, p[2] - p[0])) + norm(cross(e, p[3] - p[0])));
        const double curvature = 1e-3 / s.row();
        for (Vec3& q : p)
            q.y = 0.5 * curvature * q.z * q.z;
        const double turn = bend_state(p[0], p[1], p[2], p[3]).angle / curvature;
        shares.push_back({middle.z, window * window * dot(e, e) / area * turn * turn, bends});
    }
    const auto sum = [&](double from, double to) {
        double total = 0;
        for (const Share& share : shares)
            if (share.bends && share.z >= from && share.z < to)
                total += share.value;
        return total;
    };
    // Means over where a count ends, since hinges lie in rows.
    double per_length = 0, clamp = 0;
    constexpr int samples = 64;
    for (int k = 0; k < samples; ++k) {
        const double in = (3 + 2.0 * k / samples) * s.row();
        per_length += sum(in, s.length - in) / (s.length - 2 * in) / samples;
    }
    for (int k = 0; k < samples; ++k) {
        const double z = (0.25 * s.rows + 4.0 * k / samples) * s.row();
        clamp += (z - sum(-1, z) / per_length) / samples;
    }
    return clamp;
}

/// The same, exactly where rows run across the strip: half of their distance behind the last one
/// held. Crossed squares have rows of middles between.
inline double effective_clamp(const Simulation& at_start, const Strip& s) {
    if (!s.has_rows())
        return counted_clamp(at_start, s);
    return (s.mesh == StripMesh::crossed ? -0.25 : -0.5) * s.row();
}

/// The mean place of the vertices that began in a box, and how far apart their heights are.
struct Place {
    Vec3 mean = {0, 0, 0};
    double spread = 0;
};
inline Place place_of(const Simulation& simulation, Vec3 low, Vec3 high) {
    const std::vector<Vec3> x = simulation.positions("strip");
    const auto& start = simulation.model().cloths[0].surface.mesh.positions;
    Place out;
    double least = 1e9, most = -1e9;
    int count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3& p = start[i];
        if (p.x < low.x || p.x > high.x || p.z < low.z || p.z > high.z)
            continue;
        out.mean += x[i];
        least = std::min(least, x[i].y);
        most = std::max(most, x[i].y);
        ++count;
    }
    out.mean *= 1.0 / count;
    out.spread = most - least;
    return out;
}

} // namespace muslin::validation
