// Homogeneous deformation of whole sheets: on any mesh, at any resolution and with the grain at any
// angle, the response is that of the continuum.
#include "muslin/forces/stretch_shear.h"

#include "forces/cloth.h"
#include "muslin/mesh/topology.h"

namespace muslin::test {
namespace {

std::vector<PolygonMesh> meshes() {
    const double w = 0.6, d = 0.4;
    return {
        make_irregular({.width = w, .depth = d, .vertices = 90, .seed = 3, .jitter = 0.4}),
        make_irregular({.width = w, .depth = d, .vertices = 260, .seed = 4, .jitter = 0.3}),
        make_lattice({.width = w, .depth = d, .rows = 7}),
        make_lattice({.width = w, .depth = d, .rows = 7, .along_z = true}),
        make_grid({.width = w, .depth = d, .columns = 9, .rows = 5, .diagonals = Diagonals::one}),
        make_grid(
            {.width = w, .depth = d, .columns = 7, .rows = 8, .diagonals = Diagonals::crossed}),
    };
}

struct Affine {
    Vec3 u, v; ///< dx/du, dx/dv
    std::vector<Vec3> apply(const Sheet& sheet) const {
        std::vector<Vec3> x;
        for (const Vec2& p : sheet.pattern())
            x.push_back(Vec3{0.3, -0.2, 0.7} + p.x * u + p.y * v);
        return x;
    }
};

/// The nominal stress (first Piola-Kirchhoff) [N/m] of the energy per area
/// k_u/2 (|F_u| - 1)^2 + k_v/2 (|F_v| - 1)^2 + k_s/2 (F_u . F_v)^2.
Affine nominal_stress(const Material& m, const Affine& f) {
    const double shear = m.shear * dot(f.u, f.v);
    return {(m.stretch_u * (norm(f.u) - 1) / norm(f.u)) * f.u + shear * f.v,
            (m.stretch_v * (norm(f.v) - 1) / norm(f.v)) * f.v + shear * f.u};
}

// Interior vertices are in balance; each boundary vertex carries half the traction of its two
// boundary edges.
TEST(Patch, AffineDeformationIsInBalanceAndItsTractionsAreThoseOfTheContinuum) {
    Random random(1);
    Worst inside("inside", 1e-12), boundary("boundary", 1e-12), energy("energy", 1e-12);
    for (const PolygonMesh& mesh : meshes())
        for (double grain : {0.0, 23.0, 45.0, 90.0, 137.0}) {
            const Sheet sheet = make_sheet(turned_pattern(mesh, grain * degree));
            const Material& m = sheet.model.cloths[0].material;
            const StretchShearForce f(sheet.model);
            const Mat3 r = random.rotation();
            const double shear = random.uniform(-0.6, 0.6);
            const Affine a = {r * Vec3{random.uniform(0.6, 1.6), 0, 0},
                              random.uniform(0.6, 1.6) *
                                  (r * Vec3{std::sin(shear), std::cos(shear), 0})};
            const std::vector<Vec3> x = a.apply(sheet), force = force_at(f, x, still(sheet));

            const Affine p = nominal_stress(m, a);
            const std::vector<Vec2> pattern = sheet.pattern();
            std::vector<Vec3> expected = still(sheet);
            std::vector<bool> is_boundary(sheet.particles(), false);
            const auto& first = sheet.model.dynamics.pattern[0];
            const double side = cross(first[1] - first[0], first[2] - first[0]) > 0 ? 1 : -1;
            for (const auto& [i, j] :
                 build_topology(sheet.model.dynamics.triangles).boundary_edges) {
                const Vec2 e = side * (pattern[j] - pattern[i]); // outward normal: (e.y, -e.x)
                const Vec3 half = 0.5 * (e.y * p.u - e.x * p.v);
                expected[i] -= half;
                expected[j] -= half;
                is_boundary[i] = is_boundary[j] = true;
            }
            const double size = flat(expected).lpNorm<Eigen::Infinity>();
            for (int i = 0; i < sheet.particles(); ++i)
                (is_boundary[i] ? boundary : inside).add(norm(force[i] - expected[i]) / size);
            const double s_u = norm(a.u) - 1, s_v = norm(a.v) - 1, s = dot(a.u, a.v);
            const double density =
                0.5 * (m.stretch_u * s_u * s_u + m.stretch_v * s_v * s_v + m.shear * s * s);
            energy.add(std::abs(f.energy(x) / (0.24 * density) - 1));
        }
}

// P = Y (lambda - 1): energy, and the reaction of a side, which has the whole width.
TEST(Patch, UniaxialStretchIsLinearInTheStretch) {
    Worst energy("energy", 1e-12), reaction("reaction", 1e-12);
    for (const PolygonMesh& mesh : meshes()) {
        const Sheet sheet = make_sheet(mesh);
        const StretchShearForce f(sheet.model);
        const Material& m = sheet.model.cloths[0].material;
        const std::vector<Vec2> pattern = sheet.pattern();
        for (double lambda : {0.5, 0.9, 1.1, 1.7})
            for (bool along_v : {false, true}) {
                const Affine a = {{along_v ? 1 : lambda, 0, 0}, {0, along_v ? lambda : 1, 0}};
                const double y = along_v ? m.stretch_v : m.stretch_u;
                const double width = along_v ? 0.6 : 0.4, half_length = along_v ? 0.2 : 0.3;
                const std::vector<Vec3> x = a.apply(sheet), force = force_at(f, x, still(sheet));
                energy.add(
                    std::abs(f.energy(x) / (0.5 * y * (lambda - 1) * (lambda - 1) * 0.24) - 1));
                Vec3 pull = {0, 0, 0};
                for (int i = 0; i < sheet.particles(); ++i)
                    if ((along_v ? pattern[i].y : pattern[i].x) > half_length - 1e-9)
                        pull += force[i];
                const Vec3 expected =
                    (-y * (lambda - 1) * width) * (along_v ? Vec3{0, 1, 0} : Vec3{1, 0, 0});
                reaction.add(norm(pull - expected) / norm(expected));
            }
    }
}

// Erratum. With C scaled by the area, as printed in (10) and 4.3, the same stretched sheet stores
// a quarter of the energy on a mesh of four times as many triangles; with sqrt(area) the same.
TEST(PatchErratum, TheStiffnessOfAMeshDoesNotDependOnItsResolution) {
    Worst ours("ours", 1e-12), printed("printed, against the area ratio", 1e-12);
    const Affine a = {{1.2, 0.1, 0}, {0.2, 0.9, 0.1}};
    double first_ours = 0, first_printed = 0;
    for (int refinement : {1, 2, 4, 8}) {
        const Sheet sheet = make_sheet(make_grid({.width = 0.6,
                                                  .depth = 0.4,
                                                  .columns = 6 * refinement + 1,
                                                  .rows = 4 * refinement + 1}));
        const double e = StretchShearForce(sheet.model).energy(a.apply(sheet));
        const double triangle = 0.24 / static_cast<double>(sheet.model.dynamics.triangles.size());
        // All triangles have one area, so the printed energy is the same times that area.
        const double e_printed = e * triangle;
        if (refinement == 1) {
            first_ours = e;
            first_printed = e_printed;
        }
        ours.add(std::abs(e / first_ours - 1));
        printed.add(std::abs(first_printed / e_printed / (refinement * refinement) - 1));
    }
}

// Damping too: k_d is a property of the fabric, not of the mesh.
TEST(Patch, DampingPowerDoesNotDependOnTheMesh) {
    Worst power("power", 1e-12);
    const Affine a = {{1.2, 0.1, 0}, {0.2, 0.9, 0.1}}, rate = {{1, -2, 3}, {-2, 1, 2}};
    for (const PolygonMesh& mesh : meshes()) {
        Sheet sheet = make_sheet(mesh);
        const Material& m = sheet.model.cloths[0].material;
        const StretchShearForce f(sheet.model);
        const std::vector<Vec3> x = a.apply(sheet), v = rate.apply(sheet);
        const Eigen::VectorXd damping =
            flat(force_at(f, x, v)) - flat(force_at(f, x, still(sheet)));
        const double along_u = dot(a.u, rate.u) / norm(a.u), along_v = dot(a.v, rate.v) / norm(a.v);
        const double shear = dot(a.u, rate.v) + dot(a.v, rate.u);
        const double expected =
            -0.24 * (m.stretch_damping * (along_u * along_u + along_v * along_v) +
                     m.shear_damping * shear * shear);
        power.add(std::abs(damping.dot(flat(v)) / expected - 1));
    }
}

} // namespace
} // namespace muslin::test
