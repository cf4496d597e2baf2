// The damping solve of the mixed schemes against a dense one.
#include "muslin/integrators/damping_solve.h"

#include "linalg/dense.h"

#include <gtest/gtest.h>

namespace muslin::test {
namespace {

/// A row of particles, each with a dashpot to the next: D is known.
class Dashpots final : public Force, public DampedForce {
public:
    explicit Dashpots(double c) : c_(c) {}
    std::string_view name() const override { return "dashpots"; }
    ForceKind kind() const override { return ForceKind::in_plane; }
    ForceCapabilities capabilities() override { return {.damped = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        add_damping(at.velocities, f);
    }
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override {
        for (std::size_t i = 0; i + 1 < f.size(); ++i) {
            const Vec3 pull = c_ * (w[i + 1] - w[i]);
            f[i] += pull;
            f[i + 1] -= pull;
        }
    }

private:
    double c_;
};

TEST(DampingSolve, IsThatOfADenseSolver) {
    constexpr int n = 12, held = 4;
    constexpr double h = 0.02, c = 7;
    Random random(1);
    Model model;
    for (int i = 0; i < n; ++i)
        model.mass.push_back(random.uniform(0.5, 2));
    Dashpots dashpots(c);
    Force* const forces[] = {&dashpots};
    DampingSolve solve(model, forces, 1e-13, 200);
    ConstraintSet constraints;
    ParticleConstraint pin;
    pin.particle = held;
    pin.count = 3;
    pin.direction[0] = {1, 0, 0};
    pin.direction[1] = {0, 1, 0};
    pin.direction[2] = {0, 0, 1};
    constraints.add(pin);
    constraints.merge_by_particle();
    Filter filter;
    constraints.make_filter(filter);
    std::vector<Vec3> x(n, {0, 0, 0}), v = x, f;
    for (int i = 0; i < n; ++i)
        f.push_back(random.vec());
    solve.linearise({x, v});
    StepReport report;
    solve.solve(h, f, filter, report);
    EXPECT_EQ(report.solves, 1);
    EXPECT_LE(report.cg_iterations, n + 2);

    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n), b(n, 3);
    for (int i = 0; i < n; ++i) {
        a(i, i) += model.mass[i];
        for (int k = 0; k < 3; ++k)
            b(i, k) = h * f[i][k];
        if (i + 1 == n)
            continue;
        for (const int j : {i, i + 1})
            for (const int k : {i, i + 1})
                a(j, k) += (j == k ? h : -h) * c;
    }
    Eigen::MatrixXd free = a, right = b;
    free.row(held).setZero();
    free(held, held) = 1;
    right.row(held).setZero();
    const Eigen::MatrixXd expected = free.fullPivLu().solve(right);
    const Eigen::MatrixXd force = (a * expected - b) / h; // that holds the particle
    std::vector<Vec3> holding;
    solve.find_constraint_forces(h, constraints, holding);
    ASSERT_EQ(holding.size(), 1u);
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < n; ++i)
            EXPECT_NEAR(solve.change()[i][k], expected(i, k), 1e-11);
        EXPECT_NEAR(holding[0][k], force(held, k), 1e-9);
    }
}

} // namespace
} // namespace muslin::test
