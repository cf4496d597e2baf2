#pragma once

#include "muslin/kernels/in_plane.h"
#include "muslin/math/symmetric.h"

namespace muslin {

/// Shear [BW98 4.3]: C = sqrt(area) w_u . w_v, E = k/2 C^2. (sqrt(area) for the reason given in
/// stretch_bw.h: k is then the shear stiffness of the fabric in N/m.)
template <class T>
struct ShearParameters {
    T area;      ///< [m^2]
    T stiffness; ///< k [N/m]
    T damping;   ///< k_d [N s/m]
};

/// Shear stress [N/m]: k C + k_d dC/dt with C = w_u . w_v.
template <class T>
MUSLIN_HD inline T shear_stress(const Deformation<T>& d, const ShearParameters<T>& p) {
    return p.stiffness * dot(d.w_u, d.w_v) +
           p.damping * (dot(d.rate_u, d.w_v) + dot(d.w_u, d.rate_v));
}

/// Energy [J].
template <class T>
MUSLIN_HD inline T shear_energy(const Deformation<T>& d, const ShearParameters<T>& p) {
    const T c = dot(d.w_u, d.w_v);
    return T(0.5) * p.stiffness * p.area * c * c;
}

/// The force and the matrices handed to the solver. With g = (w_v, w_u) the gradient of C, tau the
/// stress and J the exchange of the u and v halves,
///   exact    minus d force / d w = area [k g g^T + tau J + k_d g (rate_v, rate_u)^T]
///   handed                       = area PSD[k g g^T + tau J]
///   damping                      = area k_d g g^T.
/// Declared differences: the negative eigenvalues of the symmetric part, and the unsymmetric
/// k_d term [BW98 4.5]. The projection is in closed form: J is +1 on sums (a, a) and -1 on
/// differences (a, -a), and g g^T couples just one direction of each, which leaves a 2x2 problem.
///
/// Matrices are given on sums and differences: with those of the halves, ss and tt, and st between
/// them, uu = ss + tt + (st + ts), vv = ss + tt - (st + ts), uv = ss - tt - (st - ts). ss has
/// coupled.a along s and free_sum across it, tt coupled.c and free_difference, st is
/// coupled.b s t^T; the damping has no part across.
template <class T>
struct ShearResponse {
    T pull;                      ///< the force is -pull g [N m]
    Vec3T<T> s, t;               ///< directions of w_u + w_v and of w_v - w_u
    T free_sum, free_difference; ///< [N m]
    Symmetric2<T> coupled;       ///< [N m]
    Symmetric2<T> damping;       ///< [N m s]
};

template <class T>
MUSLIN_HD inline ShearResponse<T> shear_response(const Deformation<T>& d,
                                                 const ShearParameters<T>& p) {
    const T zero(0), half(0.5), one(1), tiny = T(1e-12);
    const T tau = shear_stress(d, p);
    // g = (w_v, w_u) in the basis of sums (u + v)/sqrt 2 and differences (u - v)/sqrt 2.
    const Vec3T<T> sum = d.w_u + d.w_v, difference = d.w_v - d.w_u;
    const T a = maximum(norm(sum), tiny), c = maximum(norm(difference), tiny);
    const Symmetric2<T> gg = {half * a * a, half * a * c, half * c * c};
    const T k = p.stiffness;
    const Symmetric2<T> coupled =
        project_psd(Symmetric2<T>{k * gg.a + tau, k * gg.b, k * gg.c - tau});
    // Back to the halves: u = (sum + difference)/sqrt 2, v = (sum - difference)/sqrt 2.
    const T scale = half * p.area, kd = scale * p.damping;
    return {p.area * tau,
            (one / a) * sum,
            (one / c) * difference,
            scale * maximum(tau, zero),
            scale * maximum(-tau, zero),
            {scale * coupled.a, scale * coupled.b, scale * coupled.c},
            {kd * gg.a, kd * gg.b, kd * gg.c}};
}

/// For tests: adds the force and the matrices, written out.
template <class T>
MUSLIN_HD inline void add_shear(const Deformation<T>& d, const ShearParameters<T>& p,
                                InPlaneResponse<T>& out) {
    const ShearResponse<T> r = shear_response(d, p);
    out.force_u -= r.pull * d.w_v;
    out.force_v -= r.pull * d.w_u;
    const auto add = [&](const Symmetric2<T>& coupled, const T& free_sum, const T& free_difference,
                         Mat3T<T>& uu, Mat3T<T>& uv, Mat3T<T>& vv) {
        const Mat3T<T> ss = Mat3T<T>::diagonal(free_sum) + (coupled.a - free_sum) * outer(r.s, r.s);
        const Mat3T<T> tt =
            Mat3T<T>::diagonal(free_difference) + (coupled.c - free_difference) * outer(r.t, r.t);
        const Mat3T<T> st = coupled.b * outer(r.s, r.t), ts = transpose(st);
        uu += (ss + tt) + (st + ts);
        vv += (ss + tt) - (st + ts);
        uv += (ss - tt) - (st - ts);
    };
    const T zero(0);
    add(r.coupled, r.free_sum, r.free_difference, out.stiffness_uu, out.stiffness_uv,
        out.stiffness_vv);
    add(r.damping, zero, zero, out.damping_uu, out.damping_uv, out.damping_vv);
}

/// For tests: minus d (force_u, force_v) / d (w_u, w_v), all terms, by [row half][column half].
template <class T>
struct ShearExactStiffness {
    Mat3T<T> block[2][2];
};
template <class T>
MUSLIN_HD inline ShearExactStiffness<T> shear_exact_stiffness(const Deformation<T>& d,
                                                              const ShearParameters<T>& p) {
    const T tau = shear_stress(d, p);
    const Vec3T<T> g[2] = {d.w_v, d.w_u}, rate[2] = {d.rate_v, d.rate_u};
    ShearExactStiffness<T> out;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            out.block[i][j] = (p.area * p.stiffness) * outer(g[i], g[j]) +
                              (p.area * p.damping) * outer(g[i], rate[j]);
            if (i != j)
                out.block[i][j] += Mat3T<T>::diagonal(p.area * tau);
        }
    return out;
}

} // namespace muslin
