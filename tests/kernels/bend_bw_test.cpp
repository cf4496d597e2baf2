// Bending of one hinge [BW98 4.3, 4.5]: E = k/2 (theta - theta_0)^2, and damping by (11).
#include "muslin/kernels/bend_bw.h"

#include "kernels/samples.h"

namespace muslin::test {
namespace {

constexpr int samples = 3000;

BendParameters<double> random_parameters(Random& random) {
    return {std::pow(10.0, random.uniform(-6, -3)), std::pow(10.0, random.uniform(-8, -5)),
            random.uniform(-1, 1)};
}
BendState<double> state(const Vec3 (&x)[4]) {
    return bend_state(x[0], x[1], x[2], x[3]);
}

Eigen::VectorXd forces(const Vec3 (&x)[4], const Vec3 (&v)[4], const BendParameters<double>& p) {
    const BendState<double> s = state(x);
    const double moment = bend_moment(s, v[0], v[1], v[2], v[3], p);
    return -moment * flat(std::span<const Vec3>(s.gradient));
}
Eigen::VectorXd forces(const Eigen::VectorXd& x, const Eigen::VectorXd& v,
                       const BendParameters<double>& p) {
    Vec3 at[4], moving[4];
    for (int i = 0; i < 4; ++i) {
        at[i] = vec3(x.segment<3>(3 * i));
        moving[i] = vec3(v.segment<3>(3 * i));
    }
    return forces(at, moving, p);
}
Eigen::MatrixXd matrix12(const BendHessian<double>& h) {
    Eigen::MatrixXd out(12, 12);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            out.block<3, 3>(3 * i, 3 * j) = eigen(h.block[i][j]);
    return out;
}

TEST(BendBw, AngleIsThatOfTheTextAndOfTheConstruction) {
    Random random(1);
    Worst text("text", 1e-12), construction("construction", 1e-12);
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random, 179.9);
        const double angle = state(h.x).angle;
        text.add(std::abs(angle - paper_angle(h.flat_x())));
        construction.add(std::abs(angle - h.angle));
        // The two triangles take turns: the same hinge, the same angle.
        const double swapped = bend_state(h.x[1], h.x[0], h.x[3], h.x[2]).angle;
        text.add(std::abs(angle - swapped));
    }
}

TEST(BendBw, ForceIsMinusTheGradientOfTheEnergy) {
    Random random(2);
    Worst gradient_error("gradient", 1e-9), force("force", 1e-8);
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        const auto p = random_parameters(random);
        const Eigen::VectorXd x = h.flat_x();
        const double step = 1e-3 * h.altitude;
        const BendState<double> s = state(h.x);
        const Eigen::VectorXd g = flat(std::span<const Vec3>(s.gradient));
        gradient_error.add(relative_difference(g, gradient(paper_angle, x, step)));
        const auto energy = [&](const Eigen::VectorXd& y) {
            const double bent = paper_angle(y) - p.rest_angle;
            return 0.5 * p.stiffness * bent * bent;
        };
        force.add(relative_difference(forces(x, Eigen::VectorXd::Zero(12), p),
                                      -gradient(energy, x, step),
                                      1e-2 * p.stiffness * g.lpNorm<Eigen::Infinity>()));
    }
}

TEST(BendBw, DampingFollowsFromTheCondition) {
    Random random(3);
    Worst force("force", 1e-8), power("power", 1e-12);
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        auto p = random_parameters(random);
        p.stiffness = 0;
        const Eigen::VectorXd x = h.flat_x(), v = h.flat_v();
        const Eigen::VectorXd g = gradient(paper_angle, x, 1e-3 * h.altitude);
        const Eigen::VectorXd f = forces(x, v, p);
        const double scale = p.damping * g.squaredNorm() * v.norm();
        force.add((f + p.damping * g.dot(v) * g).norm() / scale);
        EXPECT_LE(f.dot(v), 1e-14 * scale * v.norm());
        const double rate = flat(std::span<const Vec3>(state(h.x).gradient)).dot(v);
        power.add(std::abs(f.dot(v) + p.damping * rate * rate) / (scale * v.norm()));
    }
}

TEST(BendBw, ExactStiffnessIsTheDerivativeOfTheForce) {
    Random random(4);
    Worst hessian("hessian", 1e-8), stiffness("stiffness", 1e-7), damping("damping", 1e-10);
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        const auto p = random_parameters(random);
        const Eigen::VectorXd x = h.flat_x(), v = h.flat_v();
        const double step = 1e-3 * h.altitude;
        const Eigen::MatrixXd second = matrix12(bend_hessian(h.x[0], h.x[1], h.x[2], h.x[3]));
        const auto gradients = [&](const Eigen::VectorXd& y) -> Eigen::VectorXd {
            const BendState<double> s = bend_state(vec3(y.segment<3>(0)), vec3(y.segment<3>(3)),
                                                   vec3(y.segment<3>(6)), vec3(y.segment<3>(9)));
            return flat(std::span<const Vec3>(s.gradient));
        };
        hessian.add(relative_difference(second, jacobian(gradients, x, step)));
        hessian.add(relative_difference(second, second.transpose().eval()));
        const Eigen::MatrixXd by_x =
            jacobian([&](const Eigen::VectorXd& y) { return forces(y, v, p); }, x, step);
        const Eigen::MatrixXd by_v =
            jacobian([&](const Eigen::VectorXd& y) { return forces(x, y, p); }, v, v.norm());
        stiffness.add(relative_difference(matrix12(bend_exact_stiffness(h.x, h.v, p)), -by_x));
        const Eigen::VectorXd g = gradients(x);
        damping.add(relative_difference((p.damping * g * g.transpose()).eval(), -by_v,
                                        1e-3 * p.damping * g.squaredNorm()));
    }
}

// What the solver gets is k g g^T: the exact matrix less the moment times the second derivative of
// the angle, which is indefinite, and less the unsymmetric term of (12).
TEST(BendBw, TheExactMatrixIsTheSolversPlusTheDeclaredTerms) {
    Random random(5);
    Worst declared("declared", 1e-13);
    int indefinite = 0;
    for (int k = 0; k < samples; ++k) {
        const HingeSample h = random_hinge(random);
        const auto p = random_parameters(random);
        const BendState<double> s = state(h.x);
        const Eigen::VectorXd g = flat(std::span<const Vec3>(s.gradient)), v = h.flat_v();
        const Eigen::MatrixXd second = matrix12(bend_hessian(h.x[0], h.x[1], h.x[2], h.x[3]));
        const double moment = p.stiffness * (s.angle - p.rest_angle) + p.damping * g.dot(v);
        const Eigen::MatrixXd exact = matrix12(bend_exact_stiffness(h.x, h.v, p));
        const Eigen::MatrixXd geometric = moment * second;
        const Eigen::MatrixXd unsymmetric = p.damping * g * (second * v).transpose();
        const double size = std::max({exact.cwiseAbs().maxCoeff(), geometric.cwiseAbs().maxCoeff(),
                                      unsymmetric.cwiseAbs().maxCoeff()});
        declared.add(relative_difference((p.stiffness * g * g.transpose()).eval(),
                                         (exact - geometric - unsymmetric).eval(), size));
        const Eigen::MatrixXd symmetric = 0.5 * (second + second.transpose());
        indefinite += smallest_eigenvalue(symmetric) < -1e-3 * second.norm() &&
                              smallest_eigenvalue(-symmetric) < -1e-3 * second.norm()
                          ? 1
                          : 0;
    }
    EXPECT_EQ(indefinite, samples);
}

TEST(BendBw, InternalForcesHaveNoNetForceOrTorqueAndTheAngleIgnoresRigidMotion) {
    Random random(6);
    Worst net("net force", 1e-12), torque("net torque", 1e-11), rate("rate", 1e-12),
        turned("turned", 1e-12);
    for (int k = 0; k < samples; ++k) {
        HingeSample h = random_hinge(random);
        const auto p = random_parameters(random);
        const Balance b = balance(h.x, unflat(forces(h.flat_x(), h.flat_v(), p)));
        net.add(b.force);
        torque.add(b.torque);

        const RigidMotion motion = random_rigid_motion(random);
        for (int i = 0; i < 4; ++i)
            h.v[i] = motion.at(h.x[i]);
        const BendState<double> s = state(h.x);
        const double moment =
            bend_moment(s, h.v[0], h.v[1], h.v[2], h.v[3], BendParameters<double>{0, 1, 0});
        rate.add(std::abs(moment) * h.altitude / (norm(motion.linear) + norm(motion.angular)));

        const Mat3 r = random.rotation();
        const Vec3 shift = random.vec();
        Vec3 moved[4];
        for (int i = 0; i < 4; ++i)
            moved[i] = r * h.x[i] + shift;
        turned.add(std::abs(state(moved).angle - s.angle));
    }
}

TEST(BendBw, IsFiniteForATriangleWithoutArea) {
    const Vec3 x[4] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.5, -1, 0}};
    const BendState<double> s = state(x);
    EXPECT_TRUE(std::isfinite(s.angle));
    for (const Vec3& g : s.gradient)
        EXPECT_TRUE(is_finite(g));
    const Vec3 point[4] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    for (const Vec3& g : state(point).gradient)
        EXPECT_TRUE(is_finite(g));
}

// Names: bend_u is against curvature along u, whose fold lines run along v. The paper weighs its
// k_u by the (Delta u)^2 of the edge, so its k_u is our bend_v.
TEST(BendBw, DirectionalRigidityIsThePapersWithTheNamesExchanged) {
    Random random(7);
    EXPECT_DOUBLE_EQ(directional_rigidity(3.0, 5.0, {0, 0.1}), 3); // the edge runs along v
    EXPECT_DOUBLE_EQ(directional_rigidity(3.0, 5.0, {0.1, 0}), 5);
    for (int k = 0; k < 200; ++k) {
        const double bend_u = random.uniform(1, 9), bend_v = random.uniform(1, 9);
        const Vec2 e = {random.uniform(-1, 1), random.uniform(-1, 1)};
        const double k_u = bend_v, k_v = bend_u;
        const double paper = (k_u * e.x * e.x + k_v * e.y * e.y) / (e.x * e.x + e.y * e.y);
        EXPECT_NEAR(directional_rigidity(bend_u, bend_v, e), paper, 1e-14 * paper);
        EXPECT_NEAR(directional_rigidity(bend_u, bend_u, e), bend_u, 1e-14 * bend_u);
    }
}

TEST(BendBw, FourAtATimeIsTheSameAsOne) {
    Random random(8);
    Worst worst("lanes", 1e-13);
    for (int k = 0; k < samples / 4; ++k) {
        Vec3T<Pack4> x[4], v[4];
        BendParameters<Pack4> p;
        HingeSample hinges[4];
        BendParameters<double> parameters[4];
        for (int l = 0; l < 4; ++l) {
            hinges[l] = random_hinge(random, 150);
            parameters[l] = random_parameters(random);
            for (int i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c) {
                    x[i][c].set(l, hinges[l].x[i][c]);
                    v[i][c].set(l, hinges[l].v[i][c]);
                }
            p.stiffness.set(l, parameters[l].stiffness);
            p.damping.set(l, parameters[l].damping);
            p.rest_angle.set(l, parameters[l].rest_angle);
        }
        const BendState<Pack4> four = bend_state(x[0], x[1], x[2], x[3]);
        const Pack4 moment = bend_moment(four, v[0], v[1], v[2], v[3], p);
        for (int l = 0; l < 4; ++l) {
            const HingeSample& h = hinges[l];
            const BendState<double> one = state(h.x);
            double size = 0;
            for (const Vec3& g : one.gradient)
                size = std::max(size, norm(g));
            worst.add(std::abs(four.angle[l] - one.angle));
            for (int i = 0; i < 4; ++i)
                for (int c = 0; c < 3; ++c)
                    worst.add(std::abs(four.gradient[i][c][l] - one.gradient[i][c]) / size);
            const double single = bend_moment(one, h.v[0], h.v[1], h.v[2], h.v[3], parameters[l]);
            const double moment_size =
                parameters[l].stiffness + parameters[l].damping * size * h.flat_v().norm();
            worst.add(std::abs(moment[l] - single) / moment_size);
        }
    }
}

} // namespace
} // namespace muslin::test
