// The isotropic sheet of volino95 (strain_rosette): uniaxial and shear tests give back E and nu on
// irregular meshes, a patch strained at its boundary is strained alike inside.

#include "muslin/mesh/topology.h"
#include "validation/equilibrium.h"
#include "validation/scene_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::validation;

constexpr double young = 2e6, thickness = 5e-4, poisson = 0.3, stiffness = young * thickness;

SceneDescription sheet(double width, double depth, int vertices, int seed, double nu = poisson,
                       double soft = 1) {
    return scene(fmt::format(R"(
        parts.in_plane = "strain_rosette"
        parts.bending = "bend_volino"
        parts.contact = "none"
        [world]
        gravity = [0, 0, 0]
        drag_coefficient = 0
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "irregular", width = {}, depth = {}, vertices = {}, seed = {}, jitter = 0.4 }}
        material = {{ density = 0.5, young = {}, thickness = {}, poisson = {}, compression_stiffness = {} }}
    )",
                             width, depth, vertices, seed, young, thickness, nu, soft));
}

std::vector<Vec3> elastic_forces(const Simulation& simulation, const std::vector<Vec3>& x) {
    std::vector<Vec3> f(x.size(), {0, 0, 0});
    const std::vector<Vec3> still(x.size(), {0, 0, 0});
    for (const auto& force : simulation.integrator().forces())
        if (force->name() == "strain_rosette")
            force->add_force({x, still}, f);
    return f;
}

// The force that holds the side of greatest x, per width.
Vec3 side_force(const Simulation& simulation, const std::vector<Vec3>& x, double width,
                double depth) {
    const std::vector<Vec3>& start = simulation.state().positions;
    const std::vector<Vec3> f = elastic_forces(simulation, x);
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < f.size(); ++i)
        if (start[i].x > 0.5 * width - 1e-9)
            sum -= f[i];
    return (1 / depth) * sum;
}

// The exact homogeneous deformations: what the boundary of the whole mesh carries.
TEST(Isotropic, HomogeneousDeformationsGiveBackEAndNu) {
    for (const int seed : {1, 2, 3})
        for (const double nu : {0.0, 0.3, 0.49}) {
            const Simulation simulation(sheet(0.6, 0.4, 300, seed, nu));
            const std::vector<Vec3>& rest = simulation.state().positions;
            const auto deformed = [&](double xx, double xz, double zz) {
                std::vector<Vec3> x;
                for (const Vec3& p : rest)
                    x.push_back({(1 + xx) * p.x + xz * p.z, 0, xz * p.x + (1 + zz) * p.z});
                return x;
            };
            for (const double e : {1e-4, 0.05, 0.3}) {
                const Vec3 pull = side_force(simulation, deformed(e, 0, -nu * e), 0.6, 0.4);
                EXPECT_NEAR(pull.x / (stiffness * e), 1, 1e-9);
                // Narrowed by nu, the sheet needs no force across.
                const std::vector<Vec3> x = deformed(-nu * e, 0, e);
                EXPECT_NEAR(side_force(simulation, x, 0.6, 0.4).x / (stiffness * e), 0, 1e-9);
                const Vec3 shear = side_force(simulation, deformed(0, 0.5 * e, 0), 0.6, 0.4);
                EXPECT_NEAR(shear.z / (stiffness / (2 * (1 + nu)) * e), 1, 1e-9);
            }
        }
}

struct Pulled {
    double young, poisson; ///< measured
};

// A strip between grips that hold its ends altogether, at rest: stress and strain of the middle.
Pulled pull_strip(int seed, double soft) {
    const double width = 1, depth = 0.2, e = 0.02;
    Simulation simulation(sheet(width, depth, 600, seed, poisson, soft));
    State state = simulation.state();
    const std::vector<Vec3> rest = state.positions;
    std::vector<char> held;
    for (Vec3& p : state.positions) {
        held.push_back(std::abs(p.x) > 0.5 * width - 1e-9);
        p.x *= 1 + e;
    }
    simulation.set_state(state);
    Equilibrium(simulation, held).find(1e-10, 0.01);
    const std::vector<Vec3>& x = simulation.state().positions;
    // Strain along and across, by least squares over the middle.
    double along = 0, across = 0, xx = 0, zz = 0, pull = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::abs(rest[i].x) < 0.12 * width) {
            along += (x[i].x - rest[i].x) * rest[i].x;
            across += (x[i].z - rest[i].z) * rest[i].z;
            xx += rest[i].x * rest[i].x;
            zz += rest[i].z * rest[i].z;
        }
    }
    const std::vector<Vec3> f = elastic_forces(simulation, x);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (rest[i].x > 0.5 * width - 1e-9)
            pull -= f[i].x / depth;
    return {pull / (along / xx) / thickness, -(across / zz) / (along / xx)};
}

TEST(Isotropic, APulledStripGivesBackEAndNu) {
    bool first = true;
    for (const double soft : {1.0, 0.1})
        for (const int seed : {1, 2}) {
            const Pulled p = pull_strip(seed, soft);
            EXPECT_NEAR(p.young / young, 1, 0.01) << seed << ", soft " << soft;
            EXPECT_NEAR(p.poisson / poisson, 1, 0.01) << seed << ", soft " << soft;
            write_row("isotropic", "mesh,soft,young_ratio,poisson_ratio",
                      fmt::format("{},{},{},{}", seed, soft, p.young / young, p.poisson / poisson),
                      first);
            first = false;
        }
}

// The patch test: the boundary is moved as a homogeneous strain moves it; inside, from a start that
// is not homogeneous, everything comes to the same strain. Shear is among it and gives G.
TEST(Isotropic, APatchStrainedAtItsBoundaryIsStrainedAlikeInside) {
    const double width = 0.3, depth = 0.2;
    for (const int seed : {1, 2}) {
        Simulation simulation(sheet(width, depth, 250, seed));
        State state = simulation.state();
        const std::vector<Vec3> rest = state.positions;
        std::vector<char> held(rest.size(), 0);
        for (const auto& [i, j] :
             build_topology(simulation.model().dynamics.triangles).boundary_edges)
            held[i] = held[j] = 1;
        std::vector<Vec3> exact;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const Vec3 p = rest[i];
            exact.push_back({1.03 * p.x + 0.02 * p.z, 0, 0.02 * p.x + 1.01 * p.z});
            state.positions[i] = exact[i];
            if (!held[i])
                state.positions[i] += Vec3{1e-3 * std::sin(90 * p.z), 0, 1e-3 * std::cos(70 * p.x)};
        }
        simulation.set_state(state);
        Equilibrium(simulation, held).find(1e-12, 0.01);
        double worst = 0;
        for (std::size_t i = 0; i < rest.size(); ++i)
            worst = std::max(worst, norm(simulation.state().positions[i] - exact[i]));
        EXPECT_LT(worst, 1e-6 * 0.01) << "of an edge";
        double most = 0, inside = 0;
        const std::vector<Vec3> f = elastic_forces(simulation, simulation.state().positions);
        Vec3 side = {0, 0, 0};
        for (std::size_t i = 0; i < rest.size(); ++i) {
            (held[i] ? most : inside) = std::max(held[i] ? most : inside, norm(f[i]));
            if (rest[i].x > 0.5 * width - 1e-9)
                side -= (1 / depth) * f[i];
        }
        EXPECT_LT(inside, 1e-6 * most);
        EXPECT_NEAR(side.z / (stiffness / (2 * (1 + poisson)) * 0.04), 1, 0.01) << "G";
    }
}

} // namespace
