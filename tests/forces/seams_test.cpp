// Joints that draw their particles together [Ohta95, Deformation process]: the law, what keeps
// momentum, and the matrices that integrators get.
#include "muslin/forces/seams.h"

#include "forces/cloth.h"

#include <cmath>

namespace muslin::test {
namespace {

constexpr double stiffness = 40, damping = 0.3, max_force = 2, meet = 0.002;

/// A sheet with joints of two, three and four particles.
struct Sewn {
    Sheet sheet = irregular_sheet(40, 3);

    explicit Sewn(double limit = max_force) {
        Seam seam;
        seam.joints = {{0, 7}, {2, 9, 30}, {3, 11, 22, 35}};
        seam.stiffness = stiffness;
        seam.damping = damping;
        seam.max_force = limit;
        seam.meet_distance = meet;
        sheet.model.seams = {seam};
    }
    /// Scales the joints to a width, r [m].
    void set_widths(std::vector<Vec3>& x, double width) const {
        for (const auto& joint : sheet.model.seams[0].joints) {
            Vec3 middle = {0, 0, 0};
            for (const int p : joint)
                middle += (1.0 / static_cast<double>(joint.size())) * x[p];
            double squared = 0;
            for (const int p : joint)
                squared += dot(x[p] - middle, x[p] - middle);
            for (const int p : joint)
                x[p] = middle + (width / std::sqrt(squared)) * (x[p] - middle);
        }
    }
};

std::vector<Vec3> random_velocities(const Sheet& sheet, Random& random) {
    std::vector<Vec3> out;
    for (int i = 0; i < sheet.particles(); ++i)
        out.push_back(random.vec());
    return out;
}

TEST(Seams, PullGrowsToItsLimitAndTheEnergyIsItsIntegral) {
    EXPECT_DOUBLE_EQ(seam_pull(0.01, stiffness, max_force).secant, stiffness);
    EXPECT_DOUBLE_EQ(seam_pull(1.0, stiffness, max_force).secant, max_force);
    double work = 0, before = 0;
    for (int i = 1; i <= 4000; ++i) {
        const double r = 0.2 * i / 4000, middle = r - 0.1 / 4000;
        work += seam_pull(middle, stiffness, max_force).secant * middle * (0.2 / 4000);
        const double energy = seam_pull(r, stiffness, max_force).energy;
        EXPECT_GT(energy, before);
        before = energy;
    }
    EXPECT_NEAR(before, work, 1e-9);
}

TEST(Seams, ForceIsTheSlopeOfTheEnergyAndNeverAboveTheLimit) {
    const Sewn sewn;
    Random random(1);
    SeamForce force(sewn.sheet.model);
    for (double width : {0.01, 0.3}) {
        std::vector<Vec3> x = crumpled(sewn.sheet, random);
        sewn.set_widths(x, width);
        const std::vector<Vec3> f = force_at(force, x, still(sewn.sheet));
        for (const auto& joint : sewn.sheet.model.seams[0].joints)
            for (const int p : joint) {
                EXPECT_LE(norm(f[p]),
                          std::sqrt(0.5 * static_cast<double>(joint.size())) * max_force);
                for (int c = 0; c < 3; ++c) {
                    std::vector<Vec3> ahead = x, back = x;
                    ahead[p][c] += 1e-6;
                    back[p][c] -= 1e-6;
                    EXPECT_NEAR(f[p][c], (force.energy(back) - force.energy(ahead)) / 2e-6, 1e-6);
                }
            }
    }
}

TEST(Seams, NoNetForceAndNoMomentOfThePull) {
    const Sewn sewn;
    Random random(2);
    SeamForce force(sewn.sheet.model);
    for (double width : {0.001, 0.01, 0.3}) {
        std::vector<Vec3> x = crumpled(sewn.sheet, random);
        sewn.set_widths(x, width);
        for (const bool moving : {false, true}) {
            const std::vector<Vec3> v =
                moving ? random_velocities(sewn.sheet, random) : still(sewn.sheet);
            const std::vector<Vec3> f = force_at(force, x, v);
            Vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
            double size = 0;
            for (std::size_t i = 0; i < f.size(); ++i) {
                sum += f[i];
                moment += cross(x[i], f[i]);
                size += norm(f[i]);
            }
            EXPECT_GT(size, 0);
            EXPECT_LT(norm(sum), 1e-12 * size);
            // Near their meeting all differences of velocity are damped: c r v of moment at most.
            const double grip = seam_grip(width, 10 * meet);
            EXPECT_LT(norm(moment), 1e-12 * size + (moving ? 6 * damping * grip * width : 0));
        }
    }
}

TEST(Seams, TurningFreelyFarApartAndHeldNear) {
    const Sewn sewn;
    Random random(3);
    SeamForce force(sewn.sheet.model);
    std::vector<Vec3> x = crumpled(sewn.sheet, random);
    sewn.set_widths(x, 3);
    const std::vector<Vec3> v = moving_rigidly(x, random);
    const std::vector<Vec3> moving = force_at(force, x, v),
                            resting = force_at(force, x, still(sewn.sheet));
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_LT(norm(moving[i] - resting[i]), 1e-3 * max_force);
    sewn.set_widths(x, 0);
    const std::vector<Vec3> apart = random_velocities(sewn.sheet, random);
    double power = 0;
    const std::vector<Vec3> drag = force_at(force, x, apart);
    for (std::size_t i = 0; i < x.size(); ++i)
        power += dot(drag[i], apart[i]);
    EXPECT_LT(power, -0.1 * damping);
}

// Declared: beyond the limit the solver's stiffness is the secant, which is never less; the change
// of the damping with the places is left out.
TEST(Seams, MatricesAreThoseOfTheForce) {
    const Sewn sewn;
    Random random(4);
    SeamForce force(sewn.sheet.model);
    std::vector<Vec3> x = crumpled(sewn.sheet, random);
    for (double width : {0.02, 0.2}) {
        sewn.set_widths(x, width);
        const std::vector<Vec3> v = random_velocities(sewn.sheet, random);
        const SolverMatrices got = solver_matrices(force, x, v);
        const Eigen::MatrixXd exact = difference_stiffness(force, x, still(sewn.sheet), 1e-6);
        const bool limited = stiffness * width > std::sqrt(2) * max_force;
        if (!limited)
            EXPECT_LT((got.stiffness - exact).norm(), 1e-5 * exact.norm());
        else
            EXPECT_GT(smallest_eigenvalue(got.stiffness - exact), -1e-5 * exact.norm());
        EXPECT_LT((got.damping - difference_damping(force, x, v, 1e-3)).norm(),
                  1e-7 * got.damping.norm());
        for (const Eigen::MatrixXd& m : {got.stiffness, got.damping}) {
            EXPECT_LT((m - m.transpose()).norm(), 1e-12 * m.norm());
            EXPECT_GT(smallest_eigenvalue(m), -1e-12 * m.norm());
        }
        // The same damping for integrators without a matrix.
        force.cache_damping({x, v});
        std::vector<Vec3> f = still(sewn.sheet);
        force.add_damping(v, f);
        EXPECT_LT((flat(f) + got.damping * flat(v)).norm(), 1e-12 * flat(f).norm());
    }
}

TEST(Seams, LinearisedForceGoesOnAlongTheDisplacement) {
    const Sewn sewn;
    Random random(5);
    SeamForce force(sewn.sheet.model);
    std::vector<Vec3> x = crumpled(sewn.sheet, random);
    sewn.set_widths(x, 0.02);
    const std::vector<Vec3> v = random_velocities(sewn.sheet, random);
    std::vector<Vec3> d;
    for (int i = 0; i < sewn.sheet.particles(); ++i)
        d.push_back(random.vec(1e-3));
    const Linearised step = linearise(force, x, v, 0.01, d);
    const Eigen::VectorXd expected =
        flat(force_at(force, x, v)) - solver_matrices(force, x, v).stiffness * flat(d);
    EXPECT_LT((step.force - expected).norm(), 1e-12 * expected.norm());
}

TEST(Seams, NothingBeforeTheWindowAndAllOfItAfterTheRamp) {
    Sewn sewn;
    Seam& seam = sewn.sheet.model.seams[0];
    seam.window = {1, 5};
    seam.ramp = 2;
    Random random(6);
    SeamForce force(sewn.sheet.model);
    std::vector<Vec3> x = crumpled(sewn.sheet, random);
    sewn.set_widths(x, 1);
    const auto pull_at = [&](double time) {
        force.prepare(time);
        return norm(force_at(force, x, still(sewn.sheet))[0]);
    };
    const double whole = pull_at(3);
    EXPECT_NEAR(whole, max_force / std::sqrt(2), 1e-12); // two particles share it
    EXPECT_EQ(pull_at(0.99), 0);
    EXPECT_NEAR(pull_at(2), whole / 2, 1e-12);
    EXPECT_EQ(pull_at(4.9), whole);
    EXPECT_EQ(pull_at(5), 0);
}

TEST(Seams, BoundsTheEigenvalueThatAJointMayReach) {
    const Sewn sewn;
    SeamForce force(sewn.sheet.model);
    Random random(7);
    std::vector<Vec3> x = crumpled(sewn.sheet, random);
    sewn.set_widths(x, 0.001);
    Eigen::MatrixXd k = solver_matrices(force, x, still(sewn.sheet)).stiffness;
    for (int i = 0; i < sewn.sheet.particles(); ++i)
        for (int c = 0; c < 3; ++c) {
            const double root = 1 / std::sqrt(sewn.sheet.model.mass[i]);
            k.row(3 * i + c) *= root;
            k.col(3 * i + c) *= root;
        }
    const double most = eigenvalues(k).maxCoeff();
    EXPECT_LE(most, force.added_eigenvalue() * (1 + 1e-9));
    EXPECT_GT(most, 0.3 * force.added_eigenvalue());
}

} // namespace
} // namespace muslin::test
