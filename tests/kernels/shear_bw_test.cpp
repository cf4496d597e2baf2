// Shear [BW98 4.3, 4.5]: E = k/2 area (w_u . w_v)^2, and damping by (11).
#include "muslin/kernels/shear_bw.h"

#include "kernels/samples.h"

namespace muslin::test {
namespace {

constexpr int samples = 3000;

struct Case {
    TriangleSample triangle;
    ShearParameters<double> p;

    explicit Case(Random& random) : triangle(random_triangle(random)) {
        p = {triangle.rest().area, std::pow(10.0, random.uniform(0, 3)), random.uniform(0, 5)};
    }
    double condition(const Eigen::VectorXd& x) const {
        return paper_measures(triangle.pattern, x)[2];
    }
    double largest_weight() const {
        const TriangleRest r = triangle.rest();
        double largest = 0;
        for (int i = 0; i < 3; ++i)
            largest = std::max({largest, std::abs(r.a[i]), std::abs(r.b[i])});
        return largest;
    }
};

InPlaneResponse<double> respond(const Deformation<double>& d, const ShearParameters<double>& p) {
    auto out = InPlaneResponse<double>::zero();
    add_shear(d, p, out);
    return out;
}
/// Vectors and matrices over (w_u, w_v).
Eigen::VectorXd pair6(const Vec3& u, const Vec3& v) {
    const Vec3 both[2] = {u, v};
    return flat(both);
}
Eigen::MatrixXd matrix6(const Mat3& uu, const Mat3& uv, const Mat3& vu, const Mat3& vv) {
    Eigen::MatrixXd out(6, 6);
    out.block<3, 3>(0, 0) = eigen(uu);
    out.block<3, 3>(0, 3) = eigen(uv);
    out.block<3, 3>(3, 0) = eigen(vu);
    out.block<3, 3>(3, 3) = eigen(vv);
    return out;
}
Eigen::MatrixXd stiffness6(const InPlaneResponse<double>& r) {
    return matrix6(r.stiffness_uu, r.stiffness_uv, transpose(r.stiffness_uv), r.stiffness_vv);
}
Eigen::MatrixXd damping6(const InPlaneResponse<double>& r) {
    return matrix6(r.damping_uu, r.damping_uv, transpose(r.damping_uv), r.damping_vv);
}
Eigen::MatrixXd exact6(const Deformation<double>& d, const ShearParameters<double>& p) {
    const ShearExactStiffness<double> s = shear_exact_stiffness(d, p);
    return matrix6(s.block[0][0], s.block[0][1], s.block[1][0], s.block[1][1]);
}
/// J, the exchange of the two halves.
Eigen::MatrixXd exchange() {
    return matrix6(Mat3::zero(), Mat3::identity(), Mat3::identity(), Mat3::zero());
}
Eigen::VectorXd vertex_forces(const Case& c, const InPlaneResponse<double>& r) {
    const TriangleRest rest = c.triangle.rest();
    Vec3 f[3];
    for (int i = 0; i < 3; ++i)
        f[i] = rest.a[i] * r.force_u + rest.b[i] * r.force_v;
    return flat(std::span<const Vec3>(f));
}

TEST(ShearBw, EnergyAndForceFollowFromTheCondition) {
    Random random(1);
    Worst energy("energy", 1e-11), force("force", 1e-9);
    for (int k = 0; k < samples; ++k) {
        Case c(random);
        const auto e = [&](const Eigen::VectorXd& x) {
            const double shear = c.condition(x);
            return 0.5 * c.p.stiffness * pattern_area(c.triangle.pattern) * shear * shear;
        };
        const Eigen::VectorXd x = c.triangle.flat_x();
        const double scale = c.p.stiffness * c.p.area;
        Deformation<double> d = c.triangle.deformation();
        energy.add(std::abs(shear_energy(d, c.p) - e(x)) / scale);
        d.rate_u = d.rate_v = {0, 0, 0};
        force.add(relative_difference(vertex_forces(c, respond(d, c.p)),
                                      -gradient(e, x, 1e-3 * c.triangle.altitude),
                                      1e-3 * scale * c.largest_weight()));
    }
}

TEST(ShearBw, DampingFollowsFromTheCondition) {
    Random random(2);
    Worst force("force", 1e-7), power("power", 1e-11);
    for (int k = 0; k < samples; ++k) {
        Case c(random);
        c.p.stiffness = 0;
        const Eigen::VectorXd x = c.triangle.flat_x(), v = c.triangle.flat_v();
        const Eigen::VectorXd dc =
            gradient([&](const Eigen::VectorXd& y) { return c.condition(y); }, x,
                     1e-3 * c.triangle.altitude);
        const Deformation<double> d = c.triangle.deformation();
        const Eigen::VectorXd f = vertex_forces(c, respond(d, c.p));
        const double scale = c.p.damping * c.p.area * c.largest_weight();
        force.add(relative_difference(f, (-c.p.damping * c.p.area * dc.dot(v) * dc).eval(), scale));
        const double rate = dot(d.rate_u, d.w_v) + dot(d.w_u, d.rate_v);
        EXPECT_LE(f.dot(v), 1e-10 * scale);
        power.add(std::abs(f.dot(v) + c.p.damping * c.p.area * rate * rate) /
                  (c.p.damping * c.p.area * 400));
    }
}

TEST(ShearBw, ExactStiffnessAndDampingAreTheDerivativesOfTheForce) {
    Random random(3);
    Worst by_w("stiffness", 1e-9), by_rate("damping", 1e-10);
    for (int k = 0; k < samples; ++k) {
        const Case c(random);
        const Deformation<double> d = c.triangle.deformation();
        const auto force = [&](const Eigen::VectorXd& w, const Eigen::VectorXd& rate) {
            const Deformation<double> at = {vec3(w.head<3>()), vec3(w.tail<3>()),
                                            vec3(rate.head<3>()), vec3(rate.tail<3>())};
            const auto r = respond(at, c.p);
            return pair6(r.force_u, r.force_v);
        };
        const Eigen::VectorXd w = pair6(d.w_u, d.w_v), rate = pair6(d.rate_u, d.rate_v);
        const Eigen::MatrixXd dw =
            jacobian([&](const Eigen::VectorXd& y) { return force(y, rate); }, w, 1e-2);
        const Eigen::MatrixXd dr =
            jacobian([&](const Eigen::VectorXd& y) { return force(w, y); }, rate, 1);
        const auto r = respond(d, c.p);
        by_w.add(relative_difference(exact6(d, c.p), -dw));
        by_rate.add(relative_difference(damping6(r), -dr, 1e-3 * c.p.damping * c.p.area));
    }
}

// What the solver gets: without the unsymmetric term of (12), then without negative eigenvalues.
// The closed form is held to all six eigenvectors.
TEST(ShearBw, TheSolversMatrixIsTheProjectionOfTheSymmetricPart) {
    Random random(4);
    Worst projection("projection", 1e-13), eigenvalue("eigenvalue", 1e-13), half("J", 1e-13);
    double most_negative = 0;
    for (int k = 0; k < samples; ++k) {
        const Case c(random);
        const Deformation<double> d = c.triangle.deformation();
        // k g g^T + tau J, from the text of the header.
        const Eigen::VectorXd g = pair6(d.w_v, d.w_u), rates = pair6(d.rate_v, d.rate_u);
        const double tau = c.p.stiffness * dot(d.w_u, d.w_v) +
                           c.p.damping * (dot(d.rate_u, d.w_v) + dot(d.w_u, d.rate_v));
        const Eigen::MatrixXd symmetric =
            c.p.area * (c.p.stiffness * g * g.transpose() + tau * exchange());
        const Eigen::MatrixXd unsymmetric = c.p.area * c.p.damping * g * rates.transpose();
        const Eigen::MatrixXd handed = stiffness6(respond(d, c.p));
        const double size = symmetric.cwiseAbs().maxCoeff();
        half.add(relative_difference((exact6(d, c.p) - unsymmetric).eval(), symmetric,
                                     unsymmetric.cwiseAbs().maxCoeff()));
        projection.add(relative_difference(handed, clamp_eigenvalues(symmetric), size));
        eigenvalue.add(-smallest_eigenvalue(handed) / size);
        EXPECT_LE((handed - handed.transpose()).norm(), 1e-15 * size);
        most_negative = std::min(most_negative, smallest_eigenvalue(symmetric) / size);
    }
    EXPECT_LT(most_negative, -0.3); // there was something to project
}

// Where the closed form divides: w_u = w_v, w_u = -w_v, and no deformation at all.
TEST(ShearBw, TheProjectionHoldsInDegenerateConfigurations) {
    Random random(5);
    Worst projection("projection", 1e-12);
    for (int k = 0; k < 300; ++k) {
        const Vec3 w = random.vec();
        const double s = k % 3 == 0 ? 1 : (k % 3 == 1 ? -1 : 0);
        const Deformation<double> d = {w, s * w, random.vec(), random.vec()};
        const ShearParameters<double> p = {1, 1, random.uniform(0, 2)};
        const Eigen::VectorXd g = pair6(d.w_v, d.w_u);
        const Eigen::MatrixXd symmetric =
            p.stiffness * g * g.transpose() + shear_stress(d, p) * exchange();
        projection.add(
            relative_difference(stiffness6(respond(d, p)), clamp_eigenvalues(symmetric), 1.0));
    }
    const Deformation<double> nothing = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    EXPECT_EQ(stiffness6(respond(nothing, {1, 1, 1})).norm(), 0);
}

TEST(ShearBw, InternalForcesHaveNoNetForceOrTorque) {
    Random random(6);
    Worst net("net force", 1e-12), torque("net torque", 1e-11);
    for (int k = 0; k < samples; ++k) {
        const Case c(random);
        const Eigen::VectorXd f = vertex_forces(c, respond(c.triangle.deformation(), c.p));
        const Balance b = balance(c.triangle.x, unflat(f));
        net.add(b.force);
        torque.add(b.torque);
    }
}

TEST(ShearBw, ARigidMotionIsNotDamped) {
    Random random(7);
    Worst stress("stress", 1e-12);
    for (int k = 0; k < samples; ++k) {
        Case c(random);
        c.p.stiffness = 0;
        const RigidMotion motion = random_rigid_motion(random);
        for (int i = 0; i < 3; ++i)
            c.triangle.v[i] = motion.at(c.triangle.x[i]);
        const double speed = norm(motion.linear) + norm(motion.angular);
        stress.add(std::abs(shear_stress(c.triangle.deformation(), c.p)) /
                   (5 * speed * c.largest_weight()));
    }
}

// The same erratum as for stretch: C = area (w_u . w_v) as printed in 4.3.
TEST(ShearBwErratum, ScalingByTheAreaMakesStiffnessDependOnTheMesh) {
    Random random(8);
    for (int k = 0; k < 200; ++k) {
        const Case c(random);
        const Deformation<double> d = c.triangle.deformation();
        ShearParameters<double> quarter = c.p;
        quarter.area = c.p.area / 4; // each of the four parts that a refinement makes
        const double whole = shear_energy(d, c.p), refined = 4 * shear_energy(d, quarter);
        EXPECT_NEAR(refined / whole, 1, 1e-14);
        const double printed_whole = whole * c.p.area;
        const double printed_refined = refined * quarter.area;
        EXPECT_NEAR(printed_whole / printed_refined, 4, 1e-13);
    }
}

TEST(ShearBw, FourAtATimeIsTheSameAsOne) {
    Random random(9);
    Worst worst("lanes", 1e-13);
    for (int k = 0; k < samples / 4; ++k) {
        Deformation<Pack4> d;
        ShearParameters<Pack4> p;
        std::vector<Case> cases;
        for (int l = 0; l < 4; ++l) {
            cases.emplace_back(random);
            const Case& c = cases.back();
            const Deformation<double> one = c.triangle.deformation();
            for (int i = 0; i < 3; ++i) {
                d.w_u[i].set(l, one.w_u[i]);
                d.w_v[i].set(l, one.w_v[i]);
                d.rate_u[i].set(l, one.rate_u[i]);
                d.rate_v[i].set(l, one.rate_v[i]);
            }
            p.area.set(l, c.p.area);
            p.stiffness.set(l, c.p.stiffness);
            p.damping.set(l, c.p.damping);
        }
        auto four = InPlaneResponse<Pack4>::zero();
        add_shear(d, p, four);
        const Pack4 energy = shear_energy(d, p);
        for (int l = 0; l < 4; ++l) {
            const Deformation<double> at = cases[l].triangle.deformation();
            const ShearParameters<double>& q = cases[l].p;
            const auto one = respond(at, q);
            const double size = q.area * (q.stiffness + std::abs(shear_stress(at, q)));
            worst.add(std::abs(energy[l] - shear_energy(at, q)) / size);
            const auto add = [&](const Mat3T<Pack4>& a, const Mat3& b) {
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        worst.add(std::abs(a(i, j)[l] - b(i, j)) / size);
            };
            add(four.stiffness_uu, one.stiffness_uu);
            add(four.stiffness_uv, one.stiffness_uv);
            add(four.stiffness_vv, one.stiffness_vv);
            add(four.damping_uu, one.damping_uu);
            add(four.damping_uv, one.damping_uv);
            add(four.damping_vv, one.damping_vv);
            for (int i = 0; i < 3; ++i) {
                worst.add(std::abs(four.force_u[i][l] - one.force_u[i]) / size);
                worst.add(std::abs(four.force_v[i][l] - one.force_v[i]) / size);
            }
        }
    }
}

} // namespace
} // namespace muslin::test
