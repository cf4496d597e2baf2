#include "muslin/levelset/velocity_extension.h"

#include "levelset/shapes.h"
#include "mesh/mesh_testing.h"

#include <gtest/gtest.h>

#include <stdexcept>

using namespace muslin;
using namespace muslin::levelset_testing;
using muslin::testing::Random;

namespace {

/// Turning, swelling and a wave, all at once [m/s].
Vec3 surface_velocity(const Vec3& p) {
    return Vec3{p.z, 0, -p.x} + 0.5 * p +
           0.2 * Vec3{std::sin(5 * p.y), std::cos(4 * p.x), std::sin(3 * p.z)};
}

std::vector<Vec3> velocities_of(const TriangleMesh& mesh) {
    std::vector<Vec3> out;
    for (const Vec3& p : mesh.positions)
        out.push_back(surface_velocity(p));
    return out;
}

/// A sphere with smooth bumps, nowhere curved by more than 1 / 0.1 m.
TriangleMesh bumpy_sphere(int rings) {
    TriangleMesh mesh = sphere(0.4, rings);
    for (Vec3& p : mesh.positions) {
        const Vec3 n = normalized(p);
        p += (0.02 * (std::sin(5 * n.x) + std::sin(5 * n.y) + std::cos(4 * n.z))) * n;
    }
    return mesh;
}

/// The largest difference between velocities on a normal and at its foot, over the largest speed.
/// Feet are places of the surface `between` vertices; steps go along the field's own normals.
double variation_along_normals(const TriangleMesh& mesh, const LevelSetSettings& settings,
                               double reach) {
    const LevelSet s = LevelSet::from_mesh(view(mesh), settings);
    const std::vector<Vec3> velocities = velocities_of(mesh);
    const VelocityExtension extension(s, view(mesh), velocities);
    Random random(9);
    double worst = 0, fastest = 0;
    for (const Vec3& v : velocities)
        fastest = std::max(fastest, norm(v));
    for (int i = 0; i < 2000; ++i) {
        const auto& t = mesh.triangles[static_cast<std::size_t>(
            random.integer(0, static_cast<std::int64_t>(mesh.triangles.size()) - 1))];
        const Vec3 foot =
            (1.0 / 3) * (mesh.positions[t[0]] + mesh.positions[t[1]] + mesh.positions[t[2]]);
        const Vec3 on = (1.0 / 3) * (velocities[t[0]] + velocities[t[1]] + velocities[t[2]]);
        for (const double way : {-1.0, 1.0}) {
            Vec3 p = foot;
            const int steps = 20;
            for (int k = 0; k < steps; ++k) // along the curve of steepest ascent
                p += (way * reach / steps) * s.sample(p).normal;
            worst = std::max(worst, norm(extension.at(p) - on));
        }
    }
    return worst / fastest;
}

} // namespace

TEST(velocity_extension, is_constant_along_normals) {
    const double of_sphere = variation_along_normals(sphere(0.4, 40), {0.02, 0.06, true}, 0.05);
    const double of_bumps = variation_along_normals(bumpy_sphere(48), {0.01, 0.04, true}, 0.03);
    std::printf("variation along normals: sphere %.2f %%, bumps %.2f %%\n", 100 * of_sphere,
                100 * of_bumps);
    EXPECT_LT(of_sphere, 0.01);
    EXPECT_LT(of_bumps, 0.01);
}

TEST(velocity_extension, a_body_that_only_moves_has_one_velocity) {
    const TriangleMesh mesh = torus(0.3, 0.12, 32, 16);
    const LevelSet s = LevelSet::from_mesh(view(mesh), {0.02, 0.06, true});
    const std::vector<Vec3> velocities(mesh.positions.size(), Vec3{1, -2, 3});
    const VelocityExtension extension(s, view(mesh), velocities);
    Random random(4);
    int within = 0, beyond = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vec3 p = random.vector(-0.6, 0.6), v = extension.at(p);
        if (std::abs(s.distance(p)) < s.band()) {
            EXPECT_LT(norm(v - Vec3{1, -2, 3}), 1e-12);
            ++within;
        } else if (s.grid().find(p).block < 0) {
            EXPECT_EQ(norm(v), 0);
            ++beyond;
        }
    }
    EXPECT_GT(within, 100);
    EXPECT_GT(beyond, 100);
}

TEST(velocity_extension, wants_nearest_triangles_and_one_velocity_each) {
    const TriangleMesh mesh = sphere(0.3, 8);
    const LevelSet without = LevelSet::from_mesh(view(mesh), {0.05, 0.1});
    const LevelSet with = LevelSet::from_mesh(view(mesh), {0.05, 0.1, true});
    const std::vector<Vec3> velocities(mesh.positions.size());
    EXPECT_THROW(VelocityExtension(without, view(mesh), velocities), std::logic_error);
    EXPECT_THROW(VelocityExtension(with, view(mesh), std::vector<Vec3>(3)), std::logic_error);
}
