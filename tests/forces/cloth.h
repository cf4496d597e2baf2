#pragma once

#include "kernels/samples.h"
#include "muslin/forces/capabilities.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

// Sheets of cloth for the tests of assembled forces.
namespace muslin::test {

struct Sheet {
    Model model;
    State rest; ///< flat in the plane y = 0, not moving
    Conditions conditions = {};

    int particles() const { return model.particle_count(); }
    std::span<const Vec3> positions() const { return rest.positions; }
    /// The pattern coordinates of every particle of a sheet without seams.
    std::vector<Vec2> pattern() const {
        std::vector<Vec2> out(particles());
        for (std::size_t t = 0; t < model.dynamics.triangles.size(); ++t)
            for (int i = 0; i < 3; ++i)
                out[model.dynamics.triangles[t][i]] = model.dynamics.pattern[t][i];
        return out;
    }
    double area() const {
        double sum = 0;
        for (const auto& p : model.dynamics.pattern)
            sum += 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
        return sum;
    }
};

/// No two numbers alike, so that one taken for another shows.
inline Material test_material() {
    Material m;
    m.density = 0.2;
    m.stretch_u = 3000;
    m.stretch_v = 700;
    m.shear = 90;
    m.bend_u = 3e-4;
    m.bend_v = 1.1e-4;
    m.stretch_damping = 7;
    m.shear_damping = 2;
    m.bend_damping = 5e-6;
    return m;
}

inline Sheet make_sheet(PolygonMesh mesh, const Material& material = test_material()) {
    ClothInput cloth;
    cloth.name = "sheet";
    cloth.mesh = std::move(mesh);
    cloth.material = material;
    Sheet sheet;
    sheet.model = build_model({cloth}, {}, sheet.rest);
    return sheet;
}
inline Sheet irregular_sheet(int vertices, unsigned seed = 1,
                             const Material& material = test_material()) {
    return make_sheet(
        make_irregular(
            {.width = 0.6, .depth = 0.4, .vertices = vertices, .seed = seed, .jitter = 0.4}),
        material);
}

/// Turns the pattern of a mesh by `angle`: the fabric's grain then lies at that angle to the mesh.
inline PolygonMesh turned_pattern(PolygonMesh mesh, double angle) {
    for (Vec2& p : mesh.texcoords)
        p = {std::cos(angle) * p.x - std::sin(angle) * p.y,
             std::sin(angle) * p.x + std::cos(angle) * p.y};
    return mesh;
}

inline double mean_edge(const Sheet& sheet) {
    double sum = 0;
    for (const auto& p : sheet.model.dynamics.pattern)
        sum += norm(p[1] - p[0]);
    return sum / static_cast<double>(sheet.model.dynamics.pattern.size());
}

/// Where a sheet could be in a simulation: folded, stretched, with noise in every vertex.
inline std::vector<Vec3> crumpled(const Sheet& sheet, Random& random, double noise = 0.15) {
    const Mat3 r = random.rotation();
    const Vec3 shift = random.vec();
    std::vector<Vec3> out;
    for (const Vec3& x : sheet.positions()) {
        const Vec3 folded = {1.05 * x.x, 0.08 * std::sin(12 * x.x + 7 * x.z), 0.95 * x.z};
        out.push_back(shift + r * (folded + random.vec(noise * mean_edge(sheet))));
    }
    return out;
}
inline std::vector<Vec3> placed(const Sheet& sheet, Random& random) {
    const Mat3 r = random.rotation();
    const Vec3 shift = random.vec();
    std::vector<Vec3> out;
    for (const Vec3& x : sheet.positions())
        out.push_back(shift + r * x);
    return out;
}
inline std::vector<Vec3> moving_rigidly(std::span<const Vec3> x, Random& random) {
    const RigidMotion motion = random_rigid_motion(random);
    std::vector<Vec3> out;
    for (const Vec3& p : x)
        out.push_back(motion.at(p));
    return out;
}
inline std::vector<Vec3> still(const Sheet& sheet) {
    return std::vector<Vec3>(sheet.particles(), {0, 0, 0});
}

inline std::vector<Vec3> force_at(const Force& force, std::span<const Vec3> x,
                                  std::span<const Vec3> v) {
    std::vector<Vec3> f(x.size(), {0, 0, 0});
    force.add_force({x, v}, f);
    return f;
}

/// What a force gives an implicit step.
struct Linearised {
    Eigen::MatrixXd matrix;
    Eigen::VectorXd force;
};
Linearised linearise(Force& force, std::span<const Vec3> x, std::span<const Vec3> v, double h,
                     std::span<const Vec3> displacement);

/// K and D, taken apart again from the matrices h^2 K + h D of two step sizes.
struct SolverMatrices {
    Eigen::MatrixXd stiffness, damping;
};
SolverMatrices solver_matrices(Force& force, std::span<const Vec3> x, std::span<const Vec3> v);

/// minus d force / d x and minus d force / d v of the whole sheet, by differences.
Eigen::MatrixXd difference_stiffness(const Force& force, std::span<const Vec3> x,
                                     std::span<const Vec3> v, double step);
Eigen::MatrixXd difference_damping(const Force& force, std::span<const Vec3> x,
                                   std::span<const Vec3> v, double step);

} // namespace muslin::test
