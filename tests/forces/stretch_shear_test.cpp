// The in-plane forces of a whole irregular sheet, against the kernels and against differences.
#include "muslin/forces/stretch_shear.h"

#include "forces/cloth.h"
#include "muslin/kernels/shear_bw.h"
#include "muslin/kernels/stretch_bw.h"

#include <limits>

namespace muslin::test {
namespace {

/// One triangle's energy from the paper's measures.
double paper_energy(const Model& model, int t, std::span<const Vec3> x, double b_u = 1,
                    double b_v = 1) {
    const auto& tri = model.dynamics.triangles[t];
    const auto& p = model.dynamics.pattern[t];
    const Vec2 pattern[3] = {p[0], p[1], p[2]};
    const Vec3 at[3] = {x[tri[0]], x[tri[1]], x[tri[2]]};
    const Eigen::Vector3d m = paper_measures(pattern, flat(std::span<const Vec3>(at)));
    const Material& fabric = model.cloths[model.dynamics.triangle_cloth[t]].material;
    return 0.5 * pattern_area(pattern) *
           (fabric.stretch_u * (m[0] - b_u) * (m[0] - b_u) +
            fabric.stretch_v * (m[1] - b_v) * (m[1] - b_v) + fabric.shear * m[2] * m[2]);
}
double paper_energy(const Model& model, std::span<const Vec3> x) {
    double sum = 0;
    for (int t = 0; t < static_cast<int>(model.dynamics.triangles.size()); ++t)
        sum += paper_energy(model, t, x);
    return sum;
}

/// h^2 K + h D and the force, one triangle at a time from the kernels.
Linearised by_kernels(const Model& model, std::span<const Vec3> x, std::span<const Vec3> v,
                      double h, std::span<const Vec3> displacement) {
    const Eigen::Index n = 3 * model.particle_count();
    Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(n, n), damping = stiffness;
    Eigen::VectorXd force = Eigen::VectorXd::Zero(n);
    for (std::size_t t = 0; t < model.dynamics.triangles.size(); ++t) {
        const auto& tri = model.dynamics.triangles[t];
        const auto& p = model.dynamics.pattern[t];
        const Material& m = model.cloths[model.dynamics.triangle_cloth[t]].material;
        const TriangleRest rest = triangle_rest(p[0], p[1], p[2]);
        Deformation<double> d = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < 3; ++i) {
            d.w_u += rest.a[i] * x[tri[i]];
            d.w_v += rest.b[i] * x[tri[i]];
            d.rate_u += rest.a[i] * v[tri[i]];
            d.rate_v += rest.b[i] * v[tri[i]];
        }
        auto r = InPlaneResponse<double>::zero();
        add_stretch(d.w_u, d.rate_u, {rest.area, m.stretch_u, m.stretch_damping, 1.0}, r.force_u,
                    r.stiffness_uu, r.damping_uu);
        add_stretch(d.w_v, d.rate_v, {rest.area, m.stretch_v, m.stretch_damping, 1.0}, r.force_v,
                    r.stiffness_vv, r.damping_vv);
        add_shear(d, {rest.area, m.shear, m.shear_damping}, r);
        for (int i = 0; i < 3; ++i) {
            force.segment<3>(3 * tri[i]) += eigen(rest.a[i] * r.force_u + rest.b[i] * r.force_v);
            for (int j = 0; j < 3; ++j) {
                const auto block = [&](const Mat3& uu, const Mat3& uv, const Mat3& vv) {
                    return eigen((rest.a[i] * rest.a[j]) * uu + (rest.a[i] * rest.b[j]) * uv +
                                 (rest.b[i] * rest.a[j]) * transpose(uv) +
                                 (rest.b[i] * rest.b[j]) * vv);
                };
                stiffness.block<3, 3>(3 * tri[i], 3 * tri[j]) +=
                    block(r.stiffness_uu, r.stiffness_uv, r.stiffness_vv);
                damping.block<3, 3>(3 * tri[i], 3 * tri[j]) +=
                    block(r.damping_uu, r.damping_uv, r.damping_vv);
            }
        }
    }
    return {h * h * stiffness + h * damping, force - stiffness * flat(displacement)};
}

TEST(StretchShearForce, EnergyAndForceFollowFromTheConditions) {
    Worst energy("energy", 1e-12), force("force", 1e-8);
    for (unsigned seed = 1; seed <= 4; ++seed) {
        Random random(seed);
        const Sheet sheet = irregular_sheet(50 + static_cast<int>(seed), seed);
        const StretchShearForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random);
        const double reference = paper_energy(sheet.model, x);
        energy.add(std::abs(f.energy(x) / reference - 1));
        const Eigen::VectorXd down = -gradient(
            [&](const Eigen::VectorXd& y) { return paper_energy(sheet.model, unflat(y)); }, flat(x),
            3e-3 * mean_edge(sheet));
        force.add(relative_difference(flat(force_at(f, x, still(sheet))), down));
    }
}

// Stretched along x by a factor and crumpled a little, so that some threads pass the limit.
TEST(StretchShearForce, BeyondTheStrainLimitTheForceIsStillTheGradientOfItsEnergy) {
    constexpr double limit = 0.1;
    Worst force("force", 1e-5); // threads at the limit have a kink within the differences
    const Sheet sheet = irregular_sheet(60, 3);
    const StretchShearForce limited(sheet.model, limit), plain(sheet.model);
    Random random(5);
    const std::vector<Vec3> x = sheet.rest.positions;
    const auto stretched = [&](double factor) {
        std::vector<Vec3> y = x;
        for (Vec3& p : y)
            p.x *= factor;
        return y;
    };
    const std::vector<Vec3> within = stretched(1.05), beyond = stretched(1.3);
    EXPECT_EQ(limited.energy(within), plain.energy(within));
    EXPECT_GT(limited.energy(beyond), 3 * plain.energy(beyond));
    std::vector<Vec3> mixed = stretched(1.1);
    for (Vec3& p : mixed)
        p += random.vec(1e-3);
    for (const auto& y : {beyond, mixed}) {
        const Eigen::VectorXd down =
            -gradient([&](const Eigen::VectorXd& z) { return limited.energy(unflat(z)); }, flat(y),
                      1e-6 * mean_edge(sheet));
        force.add(relative_difference(flat(force_at(limited, y, still(sheet))), down));
    }
}

TEST(StretchShearForce, LinearisationIsTheSumOfTheKernels) {
    Worst matrix("matrix", 1e-13), force("force", 1e-12), plain("force alone", 1e-13),
        symmetric("symmetric", 1e-15);
    for (unsigned seed = 1; seed <= 4; ++seed) {
        Random random(seed);
        const Sheet sheet = irregular_sheet(60 + static_cast<int>(seed), seed);
        StretchShearForce f(sheet.model);
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 2),
                                d = random.vecs(sheet.particles(), 0.02);
        for (double h : {1e-3, 0.02}) {
            const Linearised ours = linearise(f, x, v, h, d);
            const Linearised reference = by_kernels(sheet.model, x, v, h, d);
            matrix.add(relative_difference(ours.matrix, reference.matrix));
            force.add(relative_difference(ours.force, reference.force));
            symmetric.add(relative_difference(ours.matrix.transpose().eval(), ours.matrix));
        }
        plain.add(relative_difference(linearise(f, x, v, 0.02, still(sheet)).force,
                                      flat(force_at(f, x, v))));
    }
}

TEST(StretchShearForce, TheSolversMatricesArePositiveSemiDefinite) {
    Worst stiffness("stiffness", 1e-13), damping("damping", 1e-13);
    Random random(5);
    const Sheet sheet = irregular_sheet(60, 5);
    StretchShearForce f(sheet.model);
    for (double noise : {0.0, 0.3, 0.8}) {
        const std::vector<Vec3> x = crumpled(sheet, random, noise),
                                v = random.vecs(sheet.particles(), 5);
        const SolverMatrices m = solver_matrices(f, x, v);
        stiffness.add(-smallest_eigenvalue(m.stiffness) / m.stiffness.cwiseAbs().maxCoeff());
        damping.add(-smallest_eigenvalue(m.damping) / m.damping.cwiseAbs().maxCoeff());
    }
}

// df/dv has no dropped term: exact at any state.
TEST(StretchShearForce, DampingMatrixIsTheDerivativeByVelocity) {
    Random random(6);
    const Sheet sheet = irregular_sheet(45, 6);
    StretchShearForce f(sheet.model);
    const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 2);
    Worst("damping", 1e-9)
        .add(relative_difference(solver_matrices(f, x, v).damping,
                                 difference_damping(f, x, v, 0.5)));
}

// With tension everywhere, no shear and no speed, nothing is dropped: the matrix is exact.
TEST(StretchShearForce, StiffnessIsExactWhereNothingIsDropped) {
    Random random(7);
    const Sheet sheet = irregular_sheet(45, 7);
    StretchShearForce f(sheet.model);
    const Mat3 r = random.rotation();
    std::vector<Vec3> x;
    for (const Vec3& p : sheet.positions())
        x.push_back(r * Vec3{1.3 * p.x, 0, 1.1 * p.z});
    Worst("stiffness", 1e-9)
        .add(
            relative_difference(solver_matrices(f, x, still(sheet)).stiffness,
                                difference_stiffness(f, x, still(sheet), 3e-3 * mean_edge(sheet))));
}

TEST(StretchShearForce, AFlatSheetAtRestHasNoForceAnywhereInSpace) {
    Random random(8);
    Worst force("force", 1e-12);
    const Sheet sheet = irregular_sheet(200, 8);
    const StretchShearForce f(sheet.model);
    const double unit = 3000 * mean_edge(sheet); // the force of a doubled length
    for (int k = 0; k < 10; ++k) {
        const std::vector<Vec3> x = placed(sheet, random);
        force.add(flat(force_at(f, x, still(sheet))).lpNorm<Eigen::Infinity>() / unit);
        EXPECT_LT(f.energy(x), 1e-20);
    }
}

TEST(StretchShearForce, InternalForcesBalanceAndIgnoreRigidMotion) {
    Random random(9);
    Worst net("net force", 1e-11), torque("net torque", 1e-11), energy("energy", 1e-12),
        rigid("rigid velocity", 1e-12);
    const Sheet sheet = irregular_sheet(150, 9);
    const StretchShearForce f(sheet.model);
    for (int k = 0; k < 20; ++k) {
        const std::vector<Vec3> x = crumpled(sheet, random), v = random.vecs(sheet.particles(), 3);
        const std::vector<Vec3> moving = force_at(f, x, v), elastic = force_at(f, x, still(sheet));
        const Balance b = balance(x, moving);
        net.add(b.force);
        torque.add(b.torque);
        EXPECT_LE((flat(moving) - flat(elastic)).dot(flat(v)), 0); // damping takes power

        rigid.add(
            relative_difference(flat(force_at(f, x, moving_rigidly(x, random))), flat(elastic)));
        const Mat3 r = random.rotation();
        const Vec3 shift = random.vec();
        std::vector<Vec3> turned;
        for (const Vec3& p : x)
            turned.push_back(r * p + shift);
        energy.add(std::abs(f.energy(turned) / f.energy(x) - 1));
    }
}

// b_u and b_v of a region over time [BW98 4.2], set by prepare(); outside the region they are 1.
TEST(StretchShearForce, RestStretchFollowsTime) {
    Random random(10);
    Sheet sheet = irregular_sheet(120, 10);
    const int triangles = static_cast<int>(sheet.model.dynamics.triangles.size());
    RestStretch all;
    for (int t = 0; t < triangles; ++t)
        all.triangles.push_back(t);
    all.b_u = Animated<double>({{0.0, 1.0}, {2.0, 0.6}});
    all.b_v = Animated<double>({{1.0, 1.0}, {3.0, 1.4}});
    sheet.model.rest_stretches = {all};
    StretchShearForce f(sheet.model);
    const double unit = 3000 * mean_edge(sheet);
    const Mat3 r = random.rotation();
    const struct {
        double time, b_u, b_v;
    } cases[] = {{0, 1, 1},     {1, 0.8, 1},   {1.5, 0.7, 1.1},
                 {2, 0.6, 1.2}, {9, 0.6, 1.4}, {0.5, 0.9, 1}};
    for (const auto& c : cases) {
        std::vector<Vec3> x;
        for (const Vec3& p : sheet.positions()) // u is x, v is -z
            x.push_back(r * Vec3{c.b_u * p.x, 0, c.b_v * p.z});
        f.prepare(c.time);
        EXPECT_LT(flat(force_at(f, x, still(sheet))).lpNorm<Eigen::Infinity>(), 1e-12 * unit)
            << c.time;
        EXPECT_LT(f.energy(x), 1e-20) << c.time;
        f.prepare(c.time + 0.7); // and not at another time
        if (c.time < 2) {
            EXPECT_GT(f.energy(x), 1e-3) << c.time;
        }
    }
}

TEST(StretchShearForce, RestStretchKeepsToItsTrianglesAndLaterRegionsWin) {
    Random random(11);
    Sheet sheet = irregular_sheet(70, 11);
    const int triangles = static_cast<int>(sheet.model.dynamics.triangles.size());
    RestStretch first, second;
    for (int t = 0; t < triangles; ++t) {
        if (t % 3 == 0)
            first.triangles.push_back(t);
        if (t % 6 == 0)
            second.triangles.push_back(t);
    }
    first.b_u = first.b_v = Animated<double>(0.9);
    second.b_u = Animated<double>(1.2);
    second.b_v = Animated<double>(0.7);
    sheet.model.rest_stretches = {first, second};
    StretchShearForce f(sheet.model);
    const std::vector<Vec3> x = crumpled(sheet, random);
    double reference = 0;
    for (int t = 0; t < triangles; ++t) {
        const double b_u = t % 6 == 0 ? 1.2 : (t % 3 == 0 ? 0.9 : 1);
        const double b_v = t % 6 == 0 ? 0.7 : (t % 3 == 0 ? 0.9 : 1);
        reference += paper_energy(sheet.model, t, x, b_u, b_v);
    }
    f.prepare(0);
    EXPECT_NEAR(f.energy(x), reference, 1e-12 * reference);
}

TEST(StretchShearForce, LargestStretchChangeIsThatOfTheWorstTriangle) {
    Random random(12);
    const Sheet sheet = irregular_sheet(83, 12); // not a multiple of four triangles
    const StretchShearForce f(sheet.model);
    const auto lengths = [&](int t, std::span<const Vec3> x) {
        const auto& tri = sheet.model.dynamics.triangles[t];
        const auto& p = sheet.model.dynamics.pattern[t];
        const Vec3 at[3] = {x[tri[0]], x[tri[1]], x[tri[2]]};
        return paper_measures({p[0], p[1], p[2]}, flat(std::span<const Vec3>(at)));
    };
    for (int k = 0; k < 20; ++k) {
        const std::vector<Vec3> from = crumpled(sheet, random), to = crumpled(sheet, random);
        double worst = 0;
        for (int t = 0; t < static_cast<int>(sheet.model.dynamics.triangles.size()); ++t)
            worst = std::max(worst,
                             (lengths(t, to) - lengths(t, from)).head<2>().cwiseAbs().maxCoeff());
        EXPECT_NEAR(f.largest_stretch_change(from, to), worst, 1e-12 * worst);
    }
    const std::vector<Vec3> x = crumpled(sheet, random);
    EXPECT_LT(f.largest_stretch_change(x, x), 1e-15);
    for (double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        std::vector<Vec3> broken = x;
        broken[sheet.particles() / 2].y = bad;
        EXPECT_EQ(f.largest_stretch_change(x, broken), std::numeric_limits<double>::infinity());
    }
}

} // namespace
} // namespace muslin::test
