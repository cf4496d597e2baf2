#pragma once

#include "muslin/forces/in_plane.h"
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

/// Adds the force and the matrices handed to the solver. With g = (w_v, w_u) the gradient of C,
/// tau the stress and J the exchange of the u and v halves,
///   exact    minus d force / d w = area [k g g^T + tau J + k_d g (rate_v, rate_u)^T]
///   handed                       = area PSD[k g g^T + tau J]
///   damping                      = area k_d g g^T.
/// Declared differences: the negative eigenvalues of the symmetric part, and the unsymmetric
/// k_d term [BW98 4.5]. The projection is in closed form: J is +1 on sums (a, a) and -1 on
/// differences (a, -a), and g g^T couples just one direction of each, which leaves a 2x2 problem.
template <class T>
MUSLIN_HD inline void add_shear(const Deformation<T>& d, const ShearParameters<T>& p,
                                InPlaneResponse<T>& out) {
    const T zero(0), half(0.5), one(1), tiny(1e-12);
    const T tau = shear_stress(d, p);
    out.force_u -= (p.area * tau) * d.w_v;
    out.force_v -= (p.area * tau) * d.w_u;

    // g = (w_v, w_u) in the basis of sums (u + v)/sqrt 2 and differences (u - v)/sqrt 2.
    const Vec3T<T> sum = d.w_u + d.w_v, difference = d.w_v - d.w_u;
    const T sum_length = maximum(norm(sum), tiny);
    const T difference_length = maximum(norm(difference), tiny);
    const Vec3T<T> s = (one / sum_length) * sum, t = (one / difference_length) * difference;
    const T k = half * p.stiffness;
    const Symmetric2<T> coupled = project_psd(
        Symmetric2<T>{k * sum_length * sum_length + tau, k * sum_length * difference_length,
                      k * difference_length * difference_length - tau});
    const T free_sum = maximum(tau, zero), free_difference = maximum(-tau, zero);

    const T scale = half * p.area;
    const Mat3T<T> ss =
        scale * (Mat3T<T>::diagonal(free_sum) + (coupled.a - free_sum) * outer(s, s));
    const Mat3T<T> tt =
        scale * (Mat3T<T>::diagonal(free_difference) + (coupled.c - free_difference) * outer(t, t));
    // Back to the halves: u = (sum + difference)/sqrt 2, v = (sum - difference)/sqrt 2.
    const Mat3T<T> st = (scale * coupled.b) * outer(s, t), ts = transpose(st);
    out.stiffness_uu += (ss + tt) + (st + ts);
    out.stiffness_vv += (ss + tt) - (st + ts);
    out.stiffness_uv += (ss - tt) - (st - ts);

    const T kd = p.area * p.damping;
    out.damping_uu += kd * outer(d.w_v, d.w_v);
    out.damping_uv += kd * outer(d.w_v, d.w_u);
    out.damping_vv += kd * outer(d.w_u, d.w_u);
}

/// minus d (force_u, force_v) / d (w_u, w_v), all terms, as four blocks [row half][column half].
struct ShearExactStiffness {
    Mat3 block[2][2];
};
MUSLIN_HD inline ShearExactStiffness shear_exact_stiffness(const Deformation<double>& d,
                                                           const ShearParameters<double>& p) {
    const double tau = shear_stress(d, p);
    const Vec3 g[2] = {d.w_v, d.w_u}, rate[2] = {d.rate_v, d.rate_u};
    ShearExactStiffness out;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            out.block[i][j] = (p.area * p.stiffness) * outer(g[i], g[j]) +
                              (p.area * p.damping) * outer(g[i], rate[j]);
            if (i != j)
                out.block[i][j] += Mat3::diagonal(p.area * tau);
        }
    return out;
}

} // namespace muslin
