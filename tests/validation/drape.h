#pragma once

// The drape of a square sheet of 0.5 m that lies on a square plate of 0.25 m, held by it, and hangs
// down all around: what a picture shows, the silhouettes, and the energies, at any resolution.

#include "validation/equilibrium.h"
#include "validation/strip.h"

#include <algorithm>

namespace muslin::validation {

/// The area covered by triangles seen along an axis [m^2], by cells of half a millimetre.
inline double silhouette(std::span<const Vec3> x, std::span<const std::array<int, 3>> triangles,
                         int axis) {
    constexpr double cell = 5e-4, reach = 0.3;
    constexpr int n = static_cast<int>(2 * reach / cell);
    std::vector<char> covered(static_cast<std::size_t>(n) * n, 0);
    const auto flat = [&](const Vec3& p) {
        const Vec2 q = axis == 0 ? Vec2{p.y, p.z} : axis == 1 ? Vec2{p.x, p.z} : Vec2{p.x, p.y};
        return Vec2{(q.x + reach) / cell, (q.y + reach) / cell};
    };
    for (const auto& t : triangles) {
        const Vec2 a = flat(x[t[0]]), b = flat(x[t[1]]), c = flat(x[t[2]]);
        const auto [x0, x1] = std::minmax({a.x, b.x, c.x});
        const auto [y0, y1] = std::minmax({a.y, b.y, c.y});
        for (int j = std::max(0, int(y0)); j <= std::min(n - 1, int(y1)); ++j)
            for (int i = std::max(0, int(x0)); i <= std::min(n - 1, int(x1)); ++i) {
                const Vec2 p = {i + 0.5, j + 0.5};
                const double u = cross(b - a, p - a), v = cross(c - b, p - b),
                             w = cross(a - c, p - c);
                if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
                    covered[static_cast<std::size_t>(j) * n + i] = 1;
            }
    }
    return cell * cell * static_cast<double>(std::count(covered.begin(), covered.end(), 1));
}

struct Drape {
    double above = 0, side = 0; ///< silhouettes from above and along z [m^2]
    double lowest = 0;          ///< corner [m]
    double elastic = 0;         ///< [J]
    double gravity = 0;         ///< of the weight, less than of the flat sheet [J]
    double speed = 0;           ///< left [m/s]
};

/// The plate ends, in effect, half a row inside the outermost held vertices, and along x, where
/// rows are shifted by half an edge, three quarters of an edge. It ends at the same place, with the
/// same kind of corners, where `rows` is 4 m - 2 and the number of edges along x 4 n - 1: 22, 26,
/// 50, 54, 82, 110. At rest by the balance of forces, or by time and drag.
inline Drape drape(int rows, const std::string& bending, bool by_damping = false) {
    const double row = 0.5 / rows, edge = 0.5 / std::round(rows * std::sqrt(0.75));
    const double held_z = 0.125 + 0.51 * row, held_x = 0.125 + 0.76 * edge;
    Simulation simulation(
        scene(fmt::format(R"(
        parts.bending = "{}"
        parts.contact = "none"
        [world]
        drag_coefficient = 0
        linear_drag = {}
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "lattice", width = 0.5, depth = 0.5, rows = {} }}
        material = {{ base = "cotton", density = 0.3, stretch_u = 2000, stretch_v = 2000, shear = 1000, bend_u = 5e-4, bend_v = 5e-4 }}
        [[pin]]
        name = "plate"
        box = {{ min = [{}, -1, {}], max = [{}, 1, {}] }}
    )",
                          bending, by_damping ? 0.5 : 0.0, rows, -held_x, -held_z, held_x, held_z) +
              to_rest_settings(0.05)));
    std::vector<char> held;
    for (const Vec3& p : simulation.state().positions)
        held.push_back(std::abs(p.x) < held_x && std::abs(p.z) < held_z);
    if (by_damping)
        run_to_rest(simulation, 1e-5, 600);
    else
        Equilibrium(simulation, held).find(1e-8, 0.01);
    const FrameReport last = simulation.advance_frame();
    const State& s = simulation.state();
    const auto& triangles = simulation.model().dynamics.triangles;
    Drape out;
    out.above = silhouette(s.positions, triangles, 1);
    out.side = silhouette(s.positions, triangles, 2);
    for (const Vec3& p : s.positions)
        out.lowest = std::min(out.lowest, p.y);
    out.elastic = last.elastic;
    out.gravity = last.gravity;
    out.speed = largest_speed(s);
    return out;
}

} // namespace muslin::validation
