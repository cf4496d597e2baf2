// Bending by half the angle [Bridson03 4]: the printed formulas against the kernel, and the whole
// cloth with rest angles against differences.
#include "muslin/kernels/bend_bridson.h"

#include "forces/cloth.h"
#include "muslin/forces/bend.h"

namespace muslin::test {
namespace {

constexpr int samples = 3000;

/// The mode u, |E| and |N1| + |N2| as printed, for vertices in the paper's order 1, 2, 3, 4: the
/// apexes, then the edge from 3 to 4.
struct PaperMode {
    Eigen::VectorXd u{12};
    double edge, normals, sine; ///< sine: of theta/2, by the root with the sign of sin theta
};
PaperMode paper_mode(const Eigen::Vector3d& x1, const Eigen::Vector3d& x2,
                     const Eigen::Vector3d& x3, const Eigen::Vector3d& x4) {
    const Eigen::Vector3d n1 = (x1 - x3).cross(x1 - x4), n2 = (x2 - x4).cross(x2 - x3);
    const Eigen::Vector3d e = x4 - x3;
    const Eigen::Vector3d m1 = n1 / n1.squaredNorm(), m2 = n2 / n2.squaredNorm();
    PaperMode out;
    out.u << e.norm() * m1, e.norm() * m2,
        (x1 - x4).dot(e) / e.norm() * m1 + (x2 - x4).dot(e) / e.norm() * m2,
        -(x1 - x3).dot(e) / e.norm() * m1 - (x2 - x3).dot(e) / e.norm() * m2;
    out.edge = e.norm();
    out.normals = n1.norm() + n2.norm();
    const Eigen::Vector3d a = n1.normalized(), b = n2.normalized();
    const double sign = a.cross(b).dot(e) < 0 ? -1 : 1;
    out.sine = sign * std::sqrt(std::max(0.0, (1 - a.dot(b)) / 2));
    return out;
}
/// Our hinge has the edge 0 -> 1 and the apexes 2 and 3. Triangle (x0, x1, x2) has the normal of
/// the paper's N1 with 3 = x0, 4 = x1, 1 = x2, and 2 = x3.
PaperMode paper_mode(const Eigen::VectorXd& x) {
    return paper_mode(x.segment<3>(6), x.segment<3>(9), x.segment<3>(0), x.segment<3>(3));
}
/// From the paper's order of vertices to ours.
Eigen::VectorXd reordered(const Eigen::VectorXd& u) {
    Eigen::VectorXd out(12);
    out << u.segment<3>(6), u.segment<3>(9), u.segment<3>(0), u.segment<3>(3);
    return out;
}

HingeState<double> state(const Vec3 (&x)[4]) {
    return hinge_state(x[0], x[1], x[2], x[3]);
}

TEST(BendBridson, HalfAnglesLoseNoDigits) {
    for (double angle : {0.0, 1e-200, 1e-12, 1e-8, 1e-3, 0.5, 1.5, 1.6, 3.0, 3.14159, 3.1415926535})
        for (const double sign : {-1.0, 1.0})
            for (const double scale : {1e-9, 1.0, 1e5}) {
                const double theta = sign * angle;
                const auto h = half_angle(scale * std::cos(theta), scale * std::sin(theta));
                EXPECT_NEAR(h.sine, std::sin(theta / 2), 4e-16 * std::abs(std::sin(theta / 2)));
                EXPECT_NEAR(h.cosine, std::cos(theta / 2), 1e-15);
            }
}

TEST(BendBridson, ThePrintedModeIsMinusTheGradientOfTheAngle) {
    Random random(1);
    Worst mode("mode", 1e-12), rate("rate", 1e-12), sine("sine", 1e-7);
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        const PaperMode paper = paper_mode(h.flat_x());
        const HingeState<double> s = state(h.x);
        const Eigen::VectorXd gradient = flat(std::span<const Vec3>(s.gradient));
        mode.add((reordered(paper.u) + gradient).norm() / gradient.norm());
        // As printed, dtheta/dt = sum of u . v. It is minus that: the angle of the paper's own
        // normals shows it.
        const double printed = reordered(paper.u).dot(h.flat_v());
        const double step = 1e-4 * h.altitude / h.flat_v().norm();
        const double measured = (paper_angle(h.flat_x() + step * h.flat_v()) -
                                 paper_angle(h.flat_x() - step * h.flat_v())) /
                                (2 * step);
        EXPECT_NEAR(measured, -printed, 1e-5 * gradient.norm() * h.flat_v().norm());
        rate.add(std::abs(s.rate(h.v) + printed) / (gradient.norm() * h.flat_v().norm()));
        sine.add(std::abs(paper.sine - half_angle(s.scaled_cosine, s.scaled_sine).sine));
    }
}

TEST(BendBridson, TheForceIsThePrintedOneWithFourTimesTheRigidity) {
    Random random(2);
    Worst force("force", 1e-7); // the printed sine loses half of the digits
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        const double rigidity = std::pow(10.0, random.uniform(-6, -3));
        const double rest = random.uniform(-2, 2);
        const PaperMode paper = paper_mode(h.flat_x());
        const Eigen::VectorXd printed = 4 * rigidity * paper.edge * paper.edge / paper.normals *
                                        (paper.sine - std::sin(rest / 2)) * reordered(paper.u);
        const HingeState<double> s = state(h.x);
        const double stiffness = rigidity * paper.edge * paper.edge / (0.5 * paper.normals);
        const double moment =
            bridson_moment(half_angle(s.scaled_cosine, s.scaled_sine),
                           HalfAngleParameters<double>{stiffness, std::sin(rest / 2), 0})
                .moment;
        const Eigen::VectorXd ours = -moment * flat(std::span<const Vec3>(s.gradient));
        const double scale = stiffness * flat(std::span<const Vec3>(s.gradient)).norm();
        force.add((ours - printed).norm() / scale);
    }
}

TEST(BendBridson, NoWorkOnTheOtherElevenModes) {
    Random random(3);
    Worst work("work", 1e-12), net("net force and torque", 1e-12);
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        const HingeState<double> s = state(h.x);
        Vec3 f[4];
        double largest = 0;
        for (int i = 0; i < 4; ++i) {
            f[i] = s.gradient[i];
            largest = std::max(largest, norm(f[i]));
        }
        const Balance b = balance(h.x, f);
        net.add(b.force);
        net.add(b.torque);
        const Vec3 e = normalized(h.x[1] - h.x[0]);
        // The in-plane motions of both apexes and the stretch of the edge; the rigid ones are in
        // the balance.
        for (const int apex : {2, 3}) {
            work.add(std::abs(dot(f[apex], e)) / largest);
            work.add(std::abs(dot(f[apex], normalized(h.x[apex] - h.x[0]))) / largest);
        }
        work.add(std::abs(dot(f[1] - f[0], e)) / largest);
    }
}

TEST(BendBridson, TheMomentIsTheSlopeOfTheEnergyAndItsStiffnessThatOfTheMoment) {
    Random random(4);
    Worst slope("moment", 1e-8), second("stiffness", 1e-8);
    for (int k = 0; k < samples; ++k) {
        const double angle = random.uniform(-3.1, 3.1), rest = random.uniform(-2, 2);
        const double stiffening = k % 2 == 0 ? 0 : random.uniform(0, 3);
        const auto energy = [&](double a) { return bridson_energy(a, rest, 1.0, stiffening); };
        const auto moment = [&](double a) {
            return bridson_moment(half_angle(std::cos(a), std::sin(a)),
                                  HalfAngleParameters<double>{1, std::sin(rest / 2), stiffening});
        };
        const double h = 1e-4;
        const auto difference = [&](const auto& f) {
            return (8 * (f(angle + h) - f(angle - h)) - (f(angle + 2 * h) - f(angle - 2 * h))) /
                   (12 * h);
        };
        if (std::abs(angle) > 3.1 - 3 * h)
            continue;
        slope.add(std::abs(moment(angle).moment - difference(energy)));
        const double exact = difference([&](double a) { return moment(a).moment; });
        second.add(std::abs(moment(angle).stiffness - std::max(exact, 0.0)));
        EXPECT_GE(moment(angle).stiffness, 0);
    }
    EXPECT_NEAR(bridson_energy(0.3, 0.3, 1.0, 2.0), 0, 1e-15);
    EXPECT_NEAR(bridson_moment(half_angle(std::cos(0.3), std::sin(0.3)),
                               HalfAngleParameters<double>{1, std::sin(0.15), 2})
                    .moment,
                0, 1e-15);
}

// --------------------------------------------------------------- the whole cloth

Sheet creased_sheet(Random& random) {
    Material material = test_material();
    material.bend_stiffening = 0.7;
    material.bend_rate_stiffening = 0.02;
    Sheet sheet = irregular_sheet(90, 1, material);
    for (std::size_t h = 0; h < sheet.model.dynamics.hinges.size(); ++h)
        sheet.model.dynamics.rest_angles.push_back(random.uniform(-1, 1));
    return sheet;
}

TEST(BendBridson, ForcesOfACreasedSheetAreMinusTheGradientOfItsEnergy) {
    Random random(5);
    const Sheet sheet = creased_sheet(random);
    for (const BendLaw law : {BendLaw::half_angle, BendLaw::angle}) {
        const BendForce force(sheet.model, law);
        const std::vector<Vec3> x = crumpled(sheet, random, 0.1);
        const auto f = flat(force_at(force, x, still(sheet)));
        const Eigen::VectorXd expected = -gradient(
            [&](const Eigen::VectorXd& y) { return force.energy(unflat(y)); }, flat(x), 1e-6);
        EXPECT_LT((f - expected).norm(), 1e-7 * f.norm()) << force.name();
        EXPECT_GT(f.norm(), 0);
    }
}

TEST(BendBridson, TheSolversMatricesAreSemiDefiniteAndExactInDamping) {
    Random random(6);
    const Sheet sheet = creased_sheet(random);
    BendForce force(sheet.model, BendLaw::half_angle);
    const std::vector<Vec3> x = crumpled(sheet, random, 0.1);
    std::vector<Vec3> v;
    for (std::size_t i = 0; i < x.size(); ++i)
        v.push_back(random.vec(0.3));
    const SolverMatrices m = solver_matrices(force, x, v);
    const Eigen::MatrixXd damping = difference_damping(force, x, v, 1e-3);
    EXPECT_LT((m.damping - damping).norm(), 1e-6 * damping.norm());
    for (const Eigen::MatrixXd* matrix : {&m.stiffness, &m.damping}) {
        const Eigen::VectorXd values = eigenvalues(*matrix);
        EXPECT_GT(values.minCoeff(), -1e-10 * values.maxCoeff());
    }
}

TEST(BendBridson, ACreasedSheetRestsInItsCreases) {
    Random random(7);
    Sheet sheet = creased_sheet(random);
    std::vector<Vec3> x = crumpled(sheet, random, 0.1);
    for (std::size_t h = 0; h < sheet.model.dynamics.hinges.size(); ++h) {
        const auto& v = sheet.model.dynamics.hinges[h].v;
        sheet.model.dynamics.rest_angles[h] = bend_state(x[v[0]], x[v[1]], x[v[2]], x[v[3]]).angle;
    }
    for (const BendLaw law : {BendLaw::half_angle, BendLaw::angle}) {
        const BendForce force(sheet.model, law);
        const double at_rest = flat(force_at(force, x, still(sheet))).norm();
        const double flat_sheet = flat(force_at(force, sheet.positions(), still(sheet))).norm();
        EXPECT_LT(at_rest, 1e-12 * flat_sheet) << force.name();
        EXPECT_NEAR(force.energy(x), 0, 1e-15);
    }
}

} // namespace
} // namespace muslin::test
