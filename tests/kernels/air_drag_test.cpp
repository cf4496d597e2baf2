// Air drag of one triangle [BW98 4.4]: "formulated on a per-triangle basis, and opposes velocities
// along the triangle's normal direction".
#include "muslin/kernels/air_drag.h"

#include "kernels/samples.h"

namespace muslin::test {
namespace {

constexpr int samples = 3000;

struct Case {
    TriangleSample triangle;
    Vec3 wind;
    AirDragParameters<double> p;

    explicit Case(Random& random) : triangle(random_triangle(random)), wind(random.vec(5)) {
        p = {random.uniform(0, 2), random.uniform(0, 2)};
        for (Vec3& v : triangle.v)
            v = random.vec(5);
    }
    Eigen::VectorXd force(const Eigen::VectorXd& x, const Eigen::VectorXd& v) const {
        Vec3 at[3], moving[3];
        for (int i = 0; i < 3; ++i) {
            at[i] = vec3(x.segment<3>(3 * i));
            moving[i] = vec3(v.segment<3>(3 * i));
        }
        return eigen(air_drag(at, moving, wind, p).force);
    }
    AirDragResponse<double> respond() const { return air_drag(triangle.x, triangle.v, wind, p); }
    Vec3 flow() const { // of the triangle's middle against the air
        return (1.0 / 3) * (triangle.v[0] + triangle.v[1] + triangle.v[2]) - wind;
    }
    Vec3 area_vector() const {
        return 0.5 * cross(triangle.x[1] - triangle.x[0], triangle.x[2] - triangle.x[0]);
    }
};

TEST(AirDrag, IsPressureTimesAreaAlongTheNormalAgainstTheMotion) {
    Random random(1);
    Worst worst("force", 1e-13);
    for (int k = 0; k < samples; ++k) {
        const Case c(random);
        const Vec3 a = c.area_vector(), n = normalized(a);
        const double area = norm(a), s = dot(c.flow(), n);
        const Vec3 total = -(area * (c.p.linear * s + c.p.quadratic * std::abs(s) * s)) * n;
        const AirDragResponse<double> r = c.respond();
        const double size = area * 20;
        worst.add(norm(3.0 * r.force - total) / size);
        EXPECT_LE(dot(r.force, c.flow()), 0); // never drives the cloth against the air
        // Turned over, the triangle feels the same.
        const Vec3 x[3] = {c.triangle.x[0], c.triangle.x[2], c.triangle.x[1]};
        const Vec3 v[3] = {c.triangle.v[0], c.triangle.v[2], c.triangle.v[1]};
        worst.add(norm(air_drag(x, v, c.wind, c.p).force - r.force) / size);
    }
}

TEST(AirDrag, ExactDerivativesAreThoseOfTheForce) {
    Random random(2);
    Worst by_x("stiffness", 1e-7), by_v("damping", 1e-9);
    for (int k = 0; k < samples; ++k) {
        const Case c(random);
        const double speed = std::abs(dot(c.flow(), normalized(c.area_vector())));
        if (speed < 0.05) // |s| s has a corner at s = 0: differences must not straddle it
            continue;
        const Eigen::VectorXd x = c.triangle.flat_x(), v = c.triangle.flat_v();
        double shortest = 1;
        for (int i = 0; i < 3; ++i)
            shortest = std::min(shortest, 2 * norm(c.area_vector()) /
                                              norm(c.triangle.x[(i + 1) % 3] - c.triangle.x[i]));
        const Eigen::MatrixXd dx =
            jacobian([&](const Eigen::VectorXd& y) { return c.force(y, v); }, x, 5e-4 * shortest);
        const Eigen::MatrixXd dv =
            jacobian([&](const Eigen::VectorXd& y) { return c.force(x, y); }, v, 1e-2);
        Eigen::MatrixXd exact(3, 9), damping(3, 9);
        const auto s = air_drag_exact_stiffness(c.triangle.x, c.triangle.v, c.wind, c.p);
        const AirDragResponse<double> r = c.respond();
        for (int j = 0; j < 3; ++j) {
            exact.block<3, 3>(0, 3 * j) = eigen(s.block[j]);
            damping.block<3, 3>(0, 3 * j) = r.damping * eigen(outer(r.normal, r.normal));
        }
        by_x.add(relative_difference(exact, -dx));
        by_v.add(relative_difference(damping, -dv));
        EXPECT_GE(r.damping, 0);
    }
}

// Declared: the position derivative is not handed to the solver because it is not symmetric.
TEST(AirDrag, ThePositionDerivativeIsUnsymmetric) {
    Random random(3);
    int unsymmetric = 0;
    for (int k = 0; k < 300; ++k) {
        const Case c(random);
        const auto s = air_drag_exact_stiffness(c.triangle.x, c.triangle.v, c.wind, c.p);
        Eigen::MatrixXd whole(9, 9);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                whole.block<3, 3>(3 * i, 3 * j) = eigen(s.block[j]);
        unsymmetric += (whole - whole.transpose()).norm() > 0.1 * whole.norm() ? 1 : 0;
    }
    EXPECT_GT(unsymmetric, 290);
}

TEST(AirDrag, FeelsNeitherSlidingNorAirThatMovesAlong) {
    Random random(4);
    for (int k = 0; k < 300; ++k) {
        Case c(random);
        const Vec3 n = normalized(c.area_vector());
        const Vec3 along = random.vec(5), slide = along - dot(along, n) * n;
        for (Vec3& v : c.triangle.v)
            v = c.wind + slide;
        EXPECT_LT(norm(c.respond().force), 1e-14 * norm(c.area_vector()) * 20);
    }
}

TEST(AirDrag, IsFiniteForATriangleWithoutArea) {
    const Vec3 x[3] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, v[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const auto r = air_drag(x, v, {0, 0, 0}, AirDragParameters<double>{1, 1});
    EXPECT_EQ(norm(r.force), 0);
    EXPECT_TRUE(std::isfinite(r.damping) && is_finite(r.normal));
}

TEST(AirDrag, FourAtATimeIsTheSameAsOne) {
    Random random(5);
    Worst worst("lanes", 1e-13);
    for (int k = 0; k < samples / 4; ++k) {
        Vec3T<Pack4> x[3], v[3], wind;
        AirDragParameters<Pack4> p;
        std::vector<Case> cases;
        for (int l = 0; l < 4; ++l) {
            cases.emplace_back(random);
            const Case& c = cases.back();
            for (int i = 0; i < 3; ++i)
                for (int m = 0; m < 3; ++m) {
                    x[i][m].set(l, c.triangle.x[i][m]);
                    v[i][m].set(l, c.triangle.v[i][m]);
                    wind[m].set(l, c.wind[m]);
                }
            p.linear.set(l, c.p.linear);
            p.quadratic.set(l, c.p.quadratic);
        }
        const AirDragResponse<Pack4> four = air_drag(x, v, wind, p);
        for (int l = 0; l < 4; ++l) {
            const AirDragResponse<double> one = cases[l].respond();
            const double size = norm(cases[l].area_vector());
            worst.add(std::abs(four.damping[l] - one.damping) / size);
            for (int m = 0; m < 3; ++m) {
                worst.add(std::abs(four.force[m][l] - one.force[m]) / (100 * size));
                worst.add(std::abs(four.normal[m][l] - one.normal[m]));
            }
        }
    }
}

} // namespace
} // namespace muslin::test
