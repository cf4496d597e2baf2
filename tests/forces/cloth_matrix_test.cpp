// The matrix of an implicit step, M + h D + h^2 K with all forces, and its solution by the modified
// conjugate gradient method against dense Cholesky factorisation [BW98 (15), 5.3].
#include "forces/cloth.h"
#include "linalg/problems.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/stretch_shear.h"

namespace muslin::test {
namespace {

constexpr Preconditioner all[] = {Preconditioner::diagonal, Preconditioner::block_jacobi,
                                  Preconditioner::multilevel};

/// A crumpled, moving sheet and the system of equation (15) for it.
struct ClothProblem {
    Sheet sheet;
    BlockMatrix a;
    std::vector<Vec3> b;

    ClothProblem(int vertices, double h, unsigned seed) : sheet(irregular_sheet(vertices, seed)) {
        Random random(seed);
        sheet.conditions.air.linear_drag = 0.5;
        StretchShearForce in_plane(sheet.model);
        BendForce bend(sheet.model);
        AirDragForce air(sheet.model);
        air.set_conditions(sheet.conditions);
        GravityForce gravity(sheet.model);
        gravity.set_conditions(sheet.conditions);
        LinearisedForce* forces[] = {&in_plane, &bend, &air, &gravity};
        std::vector<std::array<int, 2>> pairs;
        for (LinearisedForce* f : forces)
            f->append_pairs(pairs);
        a.set_pattern(sheet.particles(), pairs);
        a.reset(sheet.model.mass);
        const std::vector<Vec3> x = crumpled(sheet, random, 0.1),
                                v = random.vecs(sheet.particles(), 1);
        std::vector<Vec3> d = v;
        for (Vec3& p : d)
            p *= h; // f0 + h df/dx v0
        b.assign(sheet.particles(), {0, 0, 0});
        for (LinearisedForce* f : forces) {
            f->bind(a);
            f->add_linearised({x, v}, {h, d}, b, a);
        }
        a.mirror_pairs();
        for (Vec3& f : b)
            f *= h;
    }
};

TEST(ClothMatrix, IsSymmetricAndPositiveDefinite) {
    for (double h : {1e-3, 0.02, 0.2}) {
        const ClothProblem p(60, h, 1);
        const Eigen::MatrixXd a = dense(p.a);
        EXPECT_LT(relative_difference(a.transpose().eval(), a), 1e-15);
        double lightest = 1e9;
        for (double m : p.sheet.model.mass)
            lightest = std::min(lightest, m);
        // K and D are positive semi-definite, so no eigenvalue is below the smallest mass.
        EXPECT_GT(smallest_eigenvalue(a), lightest * (1 - 1e-6) - 1e-14 * a.cwiseAbs().maxCoeff());
    }
}

TEST(ClothMatrix, ConjugateGradientsMatchCholesky) {
    Worst error("solution", 1e-9);
    for (Preconditioner preconditioner : all)
        for (double h : {1e-3, 0.02}) {
            const ClothProblem p(300, h, 2);
            const Eigen::VectorXd exact = solve(dense(p.a), flat(p.b));
            std::vector<Vec3> x = still(p.sheet);
            const PcgReport report = Pcg().solve(p.a, p.b, {}, tight(preconditioner), x);
            EXPECT_EQ(report.status, PcgReport::Status::converged);
            error.add(relative_difference(flat(x), exact));
        }
}

TEST(ClothMatrix, ConstrainedConjugateGradientsMatchTheReducedProblem) {
    Worst solution("solution", 1e-9), kept("kept", 1e-13);
    for (Preconditioner preconditioner : all) {
        const ClothProblem p(100, 0.02, 3);
        Random random(4);
        const Constrained c(random, p.sheet.particles());
        const Eigen::MatrixXd a = dense(p.a);
        const Eigen::VectorXd b = flat(p.b), z = flat(c.z);
        const Eigen::VectorXd exact =
            z + c.free * solve(c.free.transpose() * a * c.free, c.free.transpose() * (b - a * z));
        std::vector<Vec3> x = c.z;
        const PcgReport report = Pcg().solve(p.a, p.b, c.filter, tight(preconditioner), x);
        EXPECT_EQ(report.status, PcgReport::Status::converged);
        solution.add(relative_difference(flat(x), exact));
        kept.add((c.held * (flat(x) - z)).lpNorm<Eigen::Infinity>());
        // The constraint forces of 5.4 act in held directions alone.
        const Eigen::VectorXd e = a * flat(x) - b;
        EXPECT_LT((e - c.held * e).norm(), 1e-9 * e.norm());
    }
}

} // namespace
} // namespace muslin::test
