#pragma once

#include "muslin/kernels/shear_bw.h"
#include "muslin/kernels/stretch_bw.h"

namespace muslin {

/// What stretch and shear of a triangle come to, not written out as matrices: every product and
/// every block of a system follows from a few directions.
template <class T>
struct InPlaneDirections {
    StretchResponse<T> u, v;
    ShearResponse<T> shear;
};

/// A vector in the space of (w_u, w_v).
template <class T>
struct InPlaneVector {
    Vec3T<T> u, v;
};

/// [N m].
template <class T>
MUSLIN_HD inline InPlaneVector<T> in_plane_force(const InPlaneDirections<T>& r,
                                                 const Deformation<T>& d) {
    return {-(r.u.pull * r.u.direction + r.shear.pull * d.w_v),
            -(r.v.pull * r.v.direction + r.shear.pull * d.w_u)};
}

/// The stiffness times d.
template <class T>
MUSLIN_HD inline InPlaneVector<T> stiffness_product(const InPlaneDirections<T>& r,
                                                    const InPlaneVector<T>& d) {
    const auto thread = [](const StretchResponse<T>& s, const Vec3T<T>& x) {
        return s.across * x + ((s.along - s.across) * dot(s.direction, x)) * s.direction;
    };
    const ShearResponse<T>& q = r.shear;
    const Vec3T<T> sum = d.u + d.v, difference = d.u - d.v;
    const T s = dot(q.s, sum), t = dot(q.t, difference);
    const Vec3T<T> of_sum =
        q.free_sum * sum + ((q.coupled.a - q.free_sum) * s + q.coupled.b * t) * q.s;
    const Vec3T<T> of_difference = q.free_difference * difference +
                                   (q.coupled.b * s + (q.coupled.c - q.free_difference) * t) * q.t;
    return {thread(r.u, d.u) + of_sum + of_difference, thread(r.v, d.v) + of_sum - of_difference};
}

/// A symmetric 3x3 matrix by its upper half, row by row.
template <class T>
struct Symmetric3 {
    T m[6];
};

/// Where the entries of a Symmetric3 stand. A value, since device code reads no static arrays.
struct UpperHalf {
    int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
    int diagonal[3] = {0, 3, 5};
};

/// h^2 K + h D of a triangle, taken apart: the block of corners (i, j) is
///   a_i a_j uu + b_i b_j vv + (a_i b_j + b_i a_j) even + (a_i b_j - b_i a_j) odd,
/// with odd the matrix of the cross product with a vector.
template <class T>
struct InPlaneSystem {
    Symmetric3<T> uu, vv, even;
    Vec3T<T> odd;
};

template <class T>
MUSLIN_HD inline InPlaneSystem<T> in_plane_system(const InPlaneDirections<T>& r, const T& h) {
    const ShearResponse<T>& q = r.shear;
    const T hh = h * h;
    // Factors of the products of directions.
    const T nn_u = hh * (r.u.along - r.u.across) + h * r.u.damping;
    const T nn_v = hh * (r.v.along - r.v.across) + h * r.v.damping;
    const T ss = hh * (q.coupled.a - q.free_sum) + h * q.damping.a;
    const T tt = hh * (q.coupled.c - q.free_difference) + h * q.damping.c;
    const T st = hh * q.coupled.b + h * q.damping.b;
    const T free_both = hh * (q.free_sum + q.free_difference);
    const T free_u = hh * r.u.across + free_both, free_v = hh * r.v.across + free_both;
    const T free_even = hh * (q.free_sum - q.free_difference);

    const Vec3T<T> nu = nn_u * r.u.direction, nv = nn_v * r.v.direction;
    const Vec3T<T> ps = ss * q.s, pt = tt * q.t, cross_s = st * q.s;
    InPlaneSystem<T> out;
    constexpr UpperHalf upper;
    for (int k = 0; k < 6; ++k) {
        const int i = upper.row[k], j = upper.column[k];
        const T of_s = ps[i] * q.s[j], of_t = pt[i] * q.t[j];
        const T plain = of_s + of_t, crossed = cross_s[i] * q.t[j] + cross_s[j] * q.t[i];
        out.uu.m[k] = nu[i] * r.u.direction[j] + (plain + crossed);
        out.vv.m[k] = nv[i] * r.v.direction[j] + (plain - crossed);
        out.even.m[k] = of_s - of_t;
    }
    for (int k : upper.diagonal) {
        out.uu.m[k] = out.uu.m[k] + free_u;
        out.vv.m[k] = out.vv.m[k] + free_v;
        out.even.m[k] = out.even.m[k] + free_even;
    }
    // t s^T - s t^T is the cross product with s x t.
    out.odd = cross(cross_s, q.t);
    return out;
}

/// The block of corners i and j from their weights: column by column.
template <class T>
MUSLIN_HD inline void in_plane_block(const InPlaneSystem<T>& system, const T& a_i, const T& b_i,
                                     const T& a_j, const T& b_j, T* out) {
    const T aa = a_i * a_j, bb = b_i * b_j, ab = a_i * b_j, ba = b_i * a_j;
    const T mixed = ab + ba;
    const Vec3T<T> odd = (ab - ba) * system.odd;
    constexpr UpperHalf upper;
    for (int k = 0; k < 6; ++k) {
        const int r = upper.row[k], c = upper.column[k];
        const T even = aa * system.uu.m[k] + bb * system.vv.m[k] + mixed * system.even.m[k];
        out[3 * c + r] = out[3 * r + c] = even;
    }
    // The matrix of odd x: rows (0, -z, y), (z, 0, -x), (-y, x, 0).
    out[3 * 0 + 1] = out[3 * 0 + 1] + odd.z;
    out[3 * 1 + 0] = out[3 * 1 + 0] - odd.z;
    out[3 * 2 + 0] = out[3 * 2 + 0] + odd.y;
    out[3 * 0 + 2] = out[3 * 0 + 2] - odd.y;
    out[3 * 1 + 2] = out[3 * 1 + 2] + odd.x;
    out[3 * 2 + 1] = out[3 * 2 + 1] - odd.x;
}

} // namespace muslin
