// Springs along the edges of cloth, and the damping that every force hands to solvers without a
// matrix [Bridson03 3].
#include "muslin/forces/edge_springs.h"

#include "forces/cloth.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/bend_volino.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/strain_rosette.h"
#include "muslin/forces/stretch_shear.h"

namespace muslin::test {
namespace {

TEST(EdgeSprings, ForceIsMinusTheGradientOfTheEnergyAndBalanced) {
    Random random(1);
    const Sheet sheet = irregular_sheet(90);
    const EdgeSpringForce force(sheet.model);
    const std::vector<Vec3> x = crumpled(sheet, random);
    const std::vector<Vec3> f = force_at(force, x, still(sheet));
    const Eigen::VectorXd expected =
        -gradient([&](const Eigen::VectorXd& y) { return force.energy(unflat(y)); }, flat(x), 1e-6);
    EXPECT_LT((flat(f) - expected).norm(), 1e-7 * expected.norm());
    EXPECT_LT(balance(x, f).force, 1e-12);
    EXPECT_LT(balance(x, f).torque, 1e-12);
    const auto rigid = moving_rigidly(x, random);
    EXPECT_LT((flat(force_at(force, x, rigid)) - flat(f)).norm(), 1e-9 * flat(f).norm());
    EXPECT_LT(flat(force_at(force, sheet.positions(), still(sheet))).norm(), 1e-9);
}

TEST(EdgeSprings, TheSolversMatricesAreExactButForBuckling) {
    Random random(2);
    const Sheet sheet = irregular_sheet(60);
    EdgeSpringForce force(sheet.model);
    // Every edge stretched, so that nothing is left out.
    std::vector<Vec3> x;
    for (const Vec3& p : sheet.positions())
        x.push_back(1.2 * p + random.vec(1e-3));
    const SolverMatrices m = solver_matrices(force, x, still(sheet));
    const Eigen::MatrixXd stiffness = difference_stiffness(force, x, still(sheet), 1e-6);
    EXPECT_LT((m.stiffness - stiffness).norm(), 1e-6 * stiffness.norm());
    const SolverMatrices crumpled_m = solver_matrices(force, crumpled(sheet, random), still(sheet));
    const Eigen::VectorXd values = eigenvalues(crumpled_m.stiffness);
    EXPECT_GT(values.minCoeff(), -1e-10 * values.maxCoeff());
}

// A lattice of near-equilateral triangles, stretched along x and left free across: tension per
// width Y times the strain, narrowing by a third of it; at two resolutions.
TEST(EdgeSprings, ALatticeStretchesAsItsFabricDoes) {
    Material material = test_material();
    material.stretch_u = material.stretch_v = 1000;
    for (const int rows : {10, 20}) {
        LatticeSettings lattice;
        lattice.width = 0.6;
        lattice.depth = 0.4;
        lattice.rows = rows;
        const Sheet sheet = make_sheet(make_lattice(lattice), material);
        const EdgeSpringForce force(sheet.model);
        // Energy per area of a homogeneous strain (e, -e / 3): 1/2 Y e^2 for a Poisson ratio of
        // 1/3, and least there.
        const auto energy = [&](double along, double across) {
            std::vector<Vec3> x;
            for (const Vec3& p : sheet.positions())
                x.push_back({(1 + along) * p.x, 0, (1 + across) * p.z});
            return force.energy(x) / (0.5 * 1000 * along * along * sheet.area());
        };
        const double e = 1e-3;
        EXPECT_NEAR(energy(e, -e / 3), 1, 0.04) << rows << " rows";
        EXPECT_GT(energy(e, -0.45 * e), energy(e, -e / 3));
        EXPECT_GT(energy(e, -0.22 * e), energy(e, -e / 3));
    }
}

// f -= D w of every force is the D that it gives the implicit step.
TEST(Damping, WithoutAMatrixIsThatOfTheMatrix) {
    Random random(3);
    Sheet sheet = irregular_sheet(60);
    sheet.model.cloths[0].material.bend_rate_stiffening = 0.05;
    sheet.conditions.air.linear_drag = 0.7;
    sheet.conditions.air.quadratic_drag = 0.5;
    sheet.conditions.pulls.push_back({{3, 5, 8}, Animated<Vec3>(Vec3{1, 2, 3}), 10, 0.2, {}});
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<EdgeSpringForce>(sheet.model));
    forces.push_back(std::make_unique<StretchShearForce>(sheet.model));
    forces.push_back(std::make_unique<BendForce>(sheet.model, BendLaw::angle));
    forces.push_back(std::make_unique<BendForce>(sheet.model, BendLaw::half_angle));
    forces.push_back(std::make_unique<StrainRosetteForce>(sheet.model));
    forces.push_back(std::make_unique<BendVolinoForce>(sheet.model));
    forces.push_back(std::make_unique<GravityForce>(sheet.model));
    forces.push_back(std::make_unique<AirDragForce>(sheet.model));
    forces.push_back(std::make_unique<OutsideForce>(sheet.model));
    for (const auto& force : forces)
        force->set_conditions(sheet.conditions);
    const std::vector<Vec3> x = crumpled(sheet, random);
    std::vector<Vec3> v, w;
    for (std::size_t i = 0; i < x.size(); ++i) {
        v.push_back(random.vec(0.5));
        w.push_back(random.vec(1));
    }
    for (const auto& force : forces) {
        if (force->name() == "air_drag") // its matrix is lumped: exact where all move alike
            w.assign(x.size(), Vec3{0.3, -0.8, 0.5});
        const Eigen::VectorXd expected = -solver_matrices(*force, x, v).damping * flat(w);
        DampedForce* damped = force->capabilities().damped;
        EXPECT_EQ(damped != nullptr, expected.norm() > 0) << force->name();
        if (!damped)
            continue;
        damped->cache_damping({x, v});
        std::vector<Vec3> f(x.size(), Vec3{0, 0, 0});
        damped->add_damping(w, f);
        EXPECT_LT((flat(f) - expected).norm(), 1e-9 * expected.norm() + 1e-15) << force->name();
    }
}

} // namespace
} // namespace muslin::test
