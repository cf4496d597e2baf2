#pragma once

#include "linalg/dense.h"
#include "muslin/kernels/in_plane.h"

#include <functional>
#include <numbers>

// Random elements for the kernels' tests, finite differences, and the paper's conditions written
// again from its text, so that no kernel is its own judge.
namespace muslin::test {

constexpr double degree = std::numbers::pi / 180;

// What takes the compiler long is compiled once: support/differences.cpp.

/// The derivative of f at x by all coordinates: central differences of five points, whose error is
/// of the fourth power of the step.
Eigen::MatrixXd jacobian(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f,
                         Eigen::VectorXd x, double step);
/// The gradient of a scalar function.
Eigen::VectorXd gradient(const std::function<double(const Eigen::VectorXd&)>& f,
                         const Eigen::VectorXd& x, double step);

/// A triangle in its pattern, in space and in motion.
struct TriangleSample {
    Vec2 pattern[3];
    Vec3 x[3], v[3];
    double altitude; ///< the smallest in the pattern [m]: the scale for differences

    TriangleRest rest() const { return triangle_rest(pattern[0], pattern[1], pattern[2]); }
    Deformation<double> deformation() const { return deformation(x, v); }
    Deformation<double> deformation(const Vec3 (&at)[3], const Vec3 (&moving)[3]) const {
        const TriangleRest r = rest();
        Deformation<double> d = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
        for (int i = 0; i < 3; ++i) {
            d.w_u += r.a[i] * at[i];
            d.w_v += r.b[i] * at[i];
            d.rate_u += r.a[i] * moving[i];
            d.rate_v += r.b[i] * moving[i];
        }
        return d;
    }
    Eigen::VectorXd flat_x() const { return flat(std::span<const Vec3>(x)); }
    Eigen::VectorXd flat_v() const { return flat(std::span<const Vec3>(v)); }
};

/// Edges of millimetres to decimetres, corners from 5 to 170 degrees, either orientation; stretched
/// or compressed to between 0.3 and 2.5, sheared by up to 65 degrees, anywhere in space.
inline TriangleSample random_triangle(Random& random) {
    TriangleSample s;
    const double edge = std::pow(10.0, random.uniform(-2.5, -1));
    const double foot = random.uniform(-1, 2), height = random.uniform(0.15, 1.2);
    const double turn = random.uniform(0, 2 * std::numbers::pi), flip = random.sign();
    const Vec2 corners[3] = {{0, 0}, {edge, 0}, {foot * edge, flip * height * edge}};
    const Vec2 place = {random.uniform(-1, 1), random.uniform(-1, 1)};
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec2 p = corners[i];
        s.pattern[i] = place + Vec2{std::cos(turn) * p.x - std::sin(turn) * p.y,
                                    std::sin(turn) * p.x + std::cos(turn) * p.y};
        longest = std::max(longest, norm(corners[(i + 1) % 3] - corners[i]));
    }
    s.altitude = 2 * s.rest().area / longest;
    const Mat3 r = random.rotation();
    const double stretch_u = random.uniform(0.3, 2.5), stretch_v = random.uniform(0.3, 2.5);
    const double shear = random.uniform(-65, 65) * degree;
    const Vec3 w_u = r * Vec3{stretch_u, 0, 0};
    const Vec3 w_v = stretch_v * (r * Vec3{std::sin(shear), std::cos(shear), 0});
    const Vec3 rate_u = random.vec(20), rate_v = random.vec(20);
    const Vec3 shift = random.vec(), drift = random.vec();
    for (int i = 0; i < 3; ++i) {
        const Vec2 p = s.pattern[i] - place;
        s.x[i] = shift + p.x * w_u + p.y * w_v;
        s.v[i] = drift + p.x * rate_u + p.y * rate_v;
    }
    return s;
}

/// |w_u|, |w_v| and w_u . w_v of a triangle, by (9) as printed: (dx1 dx2) (du1 du2; dv1 dv2)^-1.
Eigen::Vector3d paper_measures(const Vec2 (&pattern)[3], const Eigen::VectorXd& x);
inline double pattern_area(const Vec2 (&p)[3]) {
    return 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
}

/// Four particles about an edge.
struct HingeSample {
    Vec3 x[4], v[4];
    double angle;    ///< by construction
    double altitude; ///< the smallest of the two over the edge [m]

    Eigen::VectorXd flat_x() const { return flat(std::span<const Vec3>(x)); }
    Eigen::VectorXd flat_v() const { return flat(std::span<const Vec3>(v)); }
};

/// Folded by up to `most` degrees either way; apexes may lie far beyond the edge's ends.
inline HingeSample random_hinge(Random& random, double most = 170) {
    HingeSample s;
    const double edge = std::pow(10.0, random.uniform(-2.5, -1));
    const double h1 = edge * random.uniform(0.2, 1.5), h2 = edge * random.uniform(0.2, 1.5);
    const double f1 = edge * random.uniform(-1, 2), f2 = edge * random.uniform(-1, 2);
    s.angle = random.uniform(-most, most) * degree;
    s.altitude = std::min({h1, h2, edge});
    const Vec3 place[4] = {{0, 0, 0},
                           {edge, 0, 0},
                           {f1, h1, 0},
                           {f2, -h2 * std::cos(s.angle), -h2 * std::sin(s.angle)}};
    const Mat3 r = random.rotation();
    const Vec3 shift = random.vec();
    for (int i = 0; i < 4; ++i) {
        s.x[i] = shift + r * place[i];
        s.v[i] = random.vec(10 * edge);
    }
    return s;
}

/// theta of [BW98 4.3]: sin theta = (n1 x n2) . e, cos theta = n1 . n2, with unit normals.
double paper_angle(const Eigen::VectorXd& x);

/// A velocity field of a rigid body.
struct RigidMotion {
    Vec3 linear, angular;
    Vec3 at(const Vec3& x) const { return linear + cross(angular, x); }
};
inline RigidMotion random_rigid_motion(Random& random) {
    return {random.vec(3), random.vec(10)};
}

/// The largest component of the sum of forces against the largest force, and of the sum of torques
/// about the first particle against the largest force times the extent.
struct Balance {
    double force = 0, torque = 0;
};
inline Balance balance(std::span<const Vec3> x, std::span<const Vec3> f) {
    Vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    double largest = 0, extent = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += f[i];
        moment += cross(x[i] - x[0], f[i]);
        largest = std::max(largest, norm(f[i]));
        extent = std::max(extent, norm(x[i] - x[0]));
    }
    if (largest == 0)
        return {};
    return {norm(sum) / largest, norm(moment) / (largest * extent)};
}

} // namespace muslin::test
