#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/scalar.h"
#include "muslin/math/vec.h"

namespace muslin {

/// Bending of a hinge by the angle condition C = theta [BW98 4.3]: E = k/2 (theta - theta_0)^2.
///
/// The hinge has the shared edge x0 -> x1, the third vertex x2 of the triangle (x0, x1, x2) and
/// x3 of (x1, x0, x3). theta is zero when flat, sin theta = (n1 x n2) . e, cos theta = n1 . n2.
/// k [N m] is the fabric's flexural rigidity D times |e|^2 / (A1 + A2) of the rest shape, which
/// makes a mesh of equilateral triangles bend as a sheet of rigidity D, whatever their size.
template <class T>
struct BendParameters {
    T stiffness;  ///< k [N m]
    T damping;    ///< k_d [N m s]
    T rest_angle; ///< theta_0 [rad]
};

/// The shape of a hinge, from which any law of bending follows.
template <class T>
struct HingeState {
    T scaled_cosine, scaled_sine; ///< of theta, both times the product of the normals' lengths
    Vec3T<T> gradient[4];         ///< d theta / d x_i [1/m]

    /// d theta / dt [rad/s] from the velocities of the four vertices.
    MUSLIN_HD T rate(const Vec3T<T> (&v)[4]) const {
        return dot(gradient[0], v[0]) + dot(gradient[1], v[1]) + dot(gradient[2], v[2]) +
               dot(gradient[3], v[3]);
    }
};

template <class T>
MUSLIN_HD inline HingeState<T> hinge_state(const Vec3T<T>& x0, const Vec3T<T>& x1,
                                           const Vec3T<T>& x2, const Vec3T<T>& x3) {
    using std::sqrt;
    const T one(1), tiny = tiny_square<T>();
    const Vec3T<T> e = x1 - x0;
    const Vec3T<T> n1 = cross(e, x2 - x0), n2 = cross(x3 - x0, e); // twice the areas, one side
    const T length = sqrt(maximum(dot(e, e), tiny));
    const T inverse_length = one / length;
    HingeState<T> s;
    s.scaled_sine = dot(cross(n1, n2), e) * inverse_length;
    s.scaled_cosine = dot(n1, n2);
    const Vec3T<T> m1 = (one / maximum(dot(n1, n1), tiny)) * n1;
    const Vec3T<T> m2 = (one / maximum(dot(n2, n2), tiny)) * n2;
    s.gradient[2] = -length * m1;
    s.gradient[3] = -length * m2;
    s.gradient[0] =
        -(dot(x2 - x1, e) * inverse_length) * m1 - (dot(x3 - x1, e) * inverse_length) * m2;
    s.gradient[1] =
        (dot(x2 - x0, e) * inverse_length) * m1 + (dot(x3 - x0, e) * inverse_length) * m2;
    return s;
}

template <class T>
struct BendState {
    T angle;              ///< theta [rad], in (-pi, pi]
    Vec3T<T> gradient[4]; ///< d theta / d x_i [1/m]
};

template <class T>
MUSLIN_HD inline BendState<T> bend_state(const Vec3T<T>& x0, const Vec3T<T>& x1, const Vec3T<T>& x2,
                                         const Vec3T<T>& x3) {
    using std::atan2;
    const HingeState<T> h = hinge_state(x0, x1, x2, x3);
    return {atan2(h.scaled_sine, h.scaled_cosine),
            {h.gradient[0], h.gradient[1], h.gradient[2], h.gradient[3]}};
}

/// Moment [N m]: k (theta - theta_0) + k_d d theta / dt. The force on vertex i is
/// -moment gradient[i]. The matrices handed to the solver are stiffness k g g^T and damping
/// k_d g g^T, both positive semi-definite. Declared differences from the exact Jacobian
/// (bend_exact_stiffness): moment d2 theta / dx2, which is indefinite, and the unsymmetric part
/// of (12), k_d g (d (d theta / dt) / dx)^T.
template <class T>
MUSLIN_HD inline T bend_moment(const BendState<T>& s, const Vec3T<T>& v0, const Vec3T<T>& v1,
                               const Vec3T<T>& v2, const Vec3T<T>& v3, const BendParameters<T>& p) {
    const T rate = dot(s.gradient[0], v0) + dot(s.gradient[1], v1) + dot(s.gradient[2], v2) +
                   dot(s.gradient[3], v3);
    return p.stiffness * (s.angle - p.rest_angle) + p.damping * rate;
}

/// d2 theta / d x_i d x_j as blocks [i][j].
template <class T>
struct BendHessian {
    Mat3T<T> block[4][4];
};

/// The exact second derivative. Each gradient is alpha_i1 m1 + alpha_i2 m2 with m = n / |n|^2, so
/// its derivative is m (d alpha / dx)^T + alpha dm/dx for each triangle.
template <class T>
MUSLIN_HD inline BendHessian<T> bend_hessian(const Vec3T<T>& x0, const Vec3T<T>& x1,
                                             const Vec3T<T>& x2, const Vec3T<T>& x3) {
    const Vec3T<T> e = x1 - x0;
    const T length = norm(e);
    const Vec3T<T> unit = (T(1) / length) * e;
    const Mat3T<T> across = (T(1) / length) * (Mat3T<T>::identity() - outer(unit, unit));
    const Vec3T<T> apex[2] = {x2, x3};
    const Vec3T<T> normal[2] = {cross(e, x2 - x0), cross(x3 - x0, e)};
    BendHessian<T> h;
    for (auto& row : h.block)
        for (auto& b : row)
            b = Mat3T<T>::zero();
    for (int side = 0; side < 2; ++side) {
        const int a = 2 + side; // the apex's number among the four vertices
        const Vec3T<T> p = apex[side], n = normal[side];
        const T nn = dot(n, n);
        const Vec3T<T> m = (T(1) / nn) * n;
        // The normal turns as the cross product of a vertex's motion with the opposite edge.
        const T sign = T(side == 0 ? 1 : -1);
        Vec3T<T> opposite[4] = {sign * (x1 - p), sign * (p - x0), {0, 0, 0}, {0, 0, 0}};
        opposite[a] = sign * (x0 - x1);
        const Mat3T<T> shrink = (T(1) / nn) * (Mat3T<T>::identity() - (T(2) / nn) * outer(n, n));
        // gradient_i = alpha_i m: the edge's ends and the apex.
        const int vertex[3] = {0, 1, a};
        const T alpha[3] = {-dot(p - x1, unit), dot(p - x0, unit), -length};
        Vec3T<T> d_alpha[3][4] = {};
        const Vec3T<T> turn1 = across * (p - x1), turn0 = across * (p - x0);
        d_alpha[0][0] = turn1;
        d_alpha[0][1] = unit - turn1;
        d_alpha[0][a] = -unit;
        d_alpha[1][0] = -unit - turn0;
        d_alpha[1][1] = turn0;
        d_alpha[1][a] = unit;
        d_alpha[2][0] = unit;
        d_alpha[2][1] = -unit;
        for (int j : vertex) {
            const Mat3T<T> dm = shrink * (T(-1) * cross_matrix(opposite[j]));
            for (int i = 0; i < 3; ++i)
                h.block[vertex[i]][j] += outer(m, d_alpha[i][j]) + alpha[i] * dm;
        }
    }
    return h;
}

/// For tests: minus d force / d x, all terms, as blocks [i][j]; v are the four velocities.
template <class T>
MUSLIN_HD inline BendHessian<T> bend_exact_stiffness(const Vec3T<T> (&x)[4], const Vec3T<T> (&v)[4],
                                                     const BendParameters<T>& p) {
    const BendState<T> s = bend_state(x[0], x[1], x[2], x[3]);
    const T moment = bend_moment(s, v[0], v[1], v[2], v[3], p);
    const BendHessian<T> h = bend_hessian(x[0], x[1], x[2], x[3]);
    BendHessian<T> out;
    for (int j = 0; j < 4; ++j) {
        Vec3T<T> rate_gradient = {0, 0, 0}; // d (d theta / dt) / d x_j
        for (int i = 0; i < 4; ++i)
            rate_gradient += transpose(h.block[i][j]) * v[i];
        for (int i = 0; i < 4; ++i)
            out.block[i][j] = p.stiffness * outer(s.gradient[i], s.gradient[j]) +
                              p.damping * outer(s.gradient[i], rate_gradient) +
                              moment * h.block[i][j];
    }
    return out;
}

/// Flexural rigidity seen by an edge of pattern direction `edge`, from those against curvature
/// along u and along v. An edge that runs along v is the fold line of curvature along u.
/// The paper weighs k_u by (Delta u)^2 of the edge [BW98 4.3], so its k_u is bend_v here and its
/// k_v is bend_u: we name the direction in which the cloth curves, as fabric tests do.
template <class T>
MUSLIN_HD inline T directional_rigidity(T bend_u, T bend_v, const Vec2T<T>& edge) {
    return (bend_u * edge.y * edge.y + bend_v * edge.x * edge.x) / dot(edge, edge);
}

} // namespace muslin
