#pragma once

// A0: the energy of a patch of 0.4 m laid on a cylinder (docs/validation.md).

#include "muslin/forces/bend.h"
#include "muslin/kernels/bend_arc.h"
#include "muslin/kernels/bend_bridson.h"
#include "muslin/scene/build_scene.h"
#include "validation/scene_run.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace muslin::validation {

/// Meshes M1, M3 and M4 with edges of 10 mm, as a scene writes them.
inline std::string patch_m1() {
    return fmt::format("{{ type = \"lattice\", width = 0.4, depth = {}, rows = 46 }}",
                       46 * 0.005 * std::sqrt(3.0));
}
inline std::string patch_m3(int seed) {
    return fmt::format(
        "{{ type = \"irregular\", width = 0.4, depth = 0.4, vertices = 1900, seed = {} }}", seed);
}
inline std::string patch_m4() {
    return "{ type = \"grid\", width = 0.4, depth = 0.4, resolution = 41, diagonals = \"one\" }";
}

/// The rigidity that a patch shows, as a multiple of D = 1e-4 N m: least and greatest over radii
/// and axes of A0.
struct Shown {
    double least = 1e9, greatest = 0;
};
inline Shown patch(const std::string& mesh, double side, BendLaw law) {
    const BuiltScene built = build_scene(scene(fmt::format(R"(
        [[cloth]]
        mesh = {}
        material = {{ base = "cotton", bend_u = 1e-4, bend_v = 1e-4 }}
    )",
                                                           mesh)));
    Shown out;
    for (const double radius : {0.5, 1.0, 2.0})
        for (const double axis : {0.0, 30.0, 45.0, 90.0, 135.0}) {
            const Vec2 across = {-std::sin(axis * std::numbers::pi / 180),
                                 std::cos(axis * std::numbers::pi / 180)};
            const auto roll = [&](const Vec3& p) {
                const double s = (across.x * p.x + across.y * p.z) / radius;
                const double along = across.y * p.x - across.x * p.z;
                return Vec3{along, radius * (1 - std::cos(s)), radius * std::sin(s)};
            };
            double energy = 0;
            for (const Hinge& h : built.model.dynamics.hinges) {
                const Vec3* x[4];
                for (int i = 0; i < 4; ++i)
                    x[i] = &built.start.positions[h.v[i]];
                // A window instead of a box: it cuts no period of a lattice, and no half triangle
                // of the sides counts.
                const Vec3 middle = 0.5 * (*x[0] + *x[1]);
                const double window = std::pow(std::cos(std::numbers::pi / side * middle.x) *
                                                   std::cos(std::numbers::pi / side * middle.z),
                                               2);
                if (std::max(std::abs(middle.x), std::abs(middle.z)) > 0.5 * side)
                    continue;
                const double k = hinge_stiffness(built.model, h).stiffness;
                const double angle =
                    bend_state(roll(*x[0]), roll(*x[1]), roll(*x[2]), roll(*x[3])).angle;
                const HingeArc arc = hinge_arc(built.model, h);
                energy += window * (law == BendLaw::angle ? 0.5 * k * angle * angle
                                    : law == BendLaw::half_angle
                                        ? bridson_energy(angle, 0.0, k, 0.0)
                                        : arc_energy(angle, {arc.stiffness, 0, arc.limit}));
            }
            const double ratio = energy / (0.25 * side * side) * 2 * radius * radius / 1e-4;
            out.least = std::min(out.least, ratio);
            out.greatest = std::max(out.greatest, ratio);
        }
    return out;
}

} // namespace muslin::validation
