#pragma once

#include "muslin/math/pack.h"
#include "muslin/math/scalar.h"
#include "muslin/math/vec.h"

namespace muslin {

// The strain and stress of one triangle as an isotropic sheet [Volino95 3.1, 3.3].
//
// The edges are strain gauges: three lengths give the strain of the triangle. By (1) of the paper,
// on unit elongations, they do so for small strains. Squared lengths do so for any, because
//     lambda(theta)^2 = C_u cos^2 + C_v sin^2 + 2 C_uv sin cos
// holds exactly; C = (w_u . w_u, w_v . w_v, w_u . w_v) in the space of in_plane.h. The unit
// elongations of the two directions that stay at right angles are lambda_i - 1: the strain that
// Hooke's law gets is U - I with U = sqrt(C). It agrees with (1) to first order, and a homogeneous
// deformation, however large, gives every triangle the same strain.

/// The eigenvalues of ((a, q), (q, b)), the first the greater, and the angle to the first's
/// direction.
template <class T>
struct Principal {
    T first, second;
    T cosine, sine;
};

template <class T>
MUSLIN_HD inline Principal<T> principal(const T& a, const T& b, const T& q) {
    using std::sqrt;
    const T half(0.5), one(1), zero(0), tiny = tiny_length<T>();
    const T mean = half * (a + b), d = half * (a - b);
    const T radius = sqrt(d * d + q * q);
    // Of twice the angle; all directions are alike where the radius is nothing.
    const auto distinct = radius > tiny;
    const T inverse = one / maximum(radius, tiny);
    const T cosine2 = select(distinct, d * inverse, one);
    const T sine2 = select(distinct, q * inverse, zero);
    const auto near = cosine2 > zero;
    const T longer = sqrt(half * (one + select(near, cosine2, -cosine2)));
    const T shorter = half * sine2 / longer;
    const T sign = select(sine2 < zero, -one, one);
    return {mean + radius, mean - radius, select(near, longer, sign * shorter),
            select(near, shorter, sign * longer)};
}

/// How a triangle is stretched: by lambda_i along two directions at right angles, which lie at
/// (cosine, sine) and (-sine, cosine) of the pattern and at along[i] in space.
template <class T>
struct SheetStretch {
    T length[2];       ///< lambda_1 >= lambda_2
    T cosine, sine;    ///< of the pattern
    Vec3T<T> along[2]; ///< of length 1
    T part[2];         ///< 2 lambda_i / (lambda_1 + lambda_2): see rates
};

template <class T>
MUSLIN_HD inline SheetStretch<T> sheet_stretch(const Vec3T<T>& w_u, const Vec3T<T>& w_v) {
    using std::sqrt;
    const T zero(0), one(1), two(2), tiny = T(1e-12);
    const Principal<T> p = principal(dot(w_u, w_u), dot(w_v, w_v), dot(w_u, w_v));
    SheetStretch<T> s;
    s.length[0] = sqrt(p.first);
    s.length[1] = sqrt(maximum(p.second, zero));
    s.cosine = p.cosine;
    s.sine = p.sine;
    s.along[0] = (one / maximum(s.length[0], tiny)) * (p.cosine * w_u + p.sine * w_v);
    s.along[1] = (one / maximum(s.length[1], tiny)) * (p.cosine * w_v - p.sine * w_u);
    const T inverse = two / maximum(s.length[0] + s.length[1], tiny);
    s.part[0] = inverse * s.length[0];
    s.part[1] = inverse * s.length[1];
    return s;
}

/// A strain, its rate, or a stress: components of a symmetric tensor. `shear` is gamma (twice the
/// off-diagonal component) of a strain, and tau (the component itself) of a stress.
template <class T>
struct InPlaneTensor {
    T first, second, shear;
};

/// Strain in the frame that is turned by the angle.
template <class T>
MUSLIN_HD inline InPlaneTensor<T> turned_strain(const InPlaneTensor<T>& e, const T& cosine,
                                                const T& sine) {
    const T cc = cosine * cosine, ss = sine * sine, cs = cosine * sine;
    return {cc * e.first + ss * e.second + cs * e.shear,
            ss * e.first + cc * e.second - cs * e.shear,
            T(2) * cs * (e.second - e.first) + (cc - ss) * e.shear};
}

/// The rate at which the strain changes in the frame of the principal stretch, from the rates of
/// w_u and w_v; none in rigid motion.
template <class T>
MUSLIN_HD inline InPlaneTensor<T> strain_rate(const SheetStretch<T>& s, const Vec3T<T>& rate_u,
                                              const Vec3T<T>& rate_v) {
    const Vec3T<T> first = s.cosine * rate_u + s.sine * rate_v;
    const Vec3T<T> second = s.cosine * rate_v - s.sine * rate_u;
    return {dot(s.along[0], first), dot(s.along[1], second),
            s.part[0] * dot(s.along[0], second) + s.part[1] * dot(s.along[1], first)};
}

/// An isotropic sheet.
template <class T>
struct SheetParameters {
    T stiffness; ///< E T [N/m]
    T poisson;   ///< nu
    T soft;      ///< part of E that resists compression and small extension
    T slack;     ///< extension up to which the rest of E does nothing
};

/// Hooke's law in plane stress [Volino95 (2), (3)]: stress times thickness [N/m], for Young's
/// modulus times thickness in `stiffness`.
template <class T>
MUSLIN_HD inline InPlaneTensor<T> hooke(const InPlaneTensor<T>& e, const T& stiffness,
                                        const T& poisson) {
    const T one(1), two(2);
    const T plane = stiffness / (one - poisson * poisson);
    return {plane * (e.first + poisson * e.second), plane * (e.second + poisson * e.first),
            stiffness / (two * (one + poisson)) * e.shear};
}

/// Energy [J/m^2], stress [N/m] and its derivative of a sheet with the principal strains e1 >= e2,
/// in their frame: the derivative's part of shear is that of turning the frame.
template <class T>
struct SheetResponse {
    T energy;
    T stress[2];
    T h11, h12, h22, shear;
};

/// The variable Young modulus of [Volino95 3.1]: a part `soft` of the sheet is Hooke's; the rest
/// does nothing but pull, and only on what exceeds `slack`. Where it would have to push it wrinkles
/// instead, in one direction or in both: the relaxed energy of Pipkin (1986), The relaxed energy
/// density for isotropic elastic membranes. The law has an energy, convex in the strain; a strip
/// that is pulled has E and nu for any `soft`.
template <class T>
MUSLIN_HD inline SheetResponse<T> sheet_response(const T& e1, const T& e2,
                                                 const SheetParameters<T>& p) {
    const T zero(0), half(0.5), one(1), two(2), tiny = tiny_length<T>();
    const T nu = p.poisson, firm = one - p.soft;
    const T plane = p.stiffness / (one - nu * nu);
    const T shear = p.stiffness / (two * (one + nu));
    const T x1 = e1 - p.slack, x2 = e2 - p.slack;
    const auto pulls = x1 > zero;
    const auto taut = x2 + nu * x1 > zero; // in both directions, if it pulls
    // The relaxed part: taut in both directions, wrinkled across the first, or slack.
    const T full = firm * plane, single = firm * p.stiffness;
    const auto pick = [&](const T& both, const T& one_way) {
        return select(pulls, select(taut, both, one_way), zero);
    };
    SheetResponse<T> r;
    r.energy =
        half * p.soft * plane * (e1 * e1 + e2 * e2 + two * nu * e1 * e2) +
        pick(half * full * (x1 * x1 + x2 * x2 + two * nu * x1 * x2), half * single * x1 * x1);
    r.stress[0] = p.soft * plane * (e1 + nu * e2) + pick(full * (x1 + nu * x2), single * x1);
    r.stress[1] = p.soft * plane * (e2 + nu * e1) + pick(full * (x2 + nu * x1), zero);
    r.h11 = p.soft * plane + pick(full, single);
    r.h22 = p.soft * plane + pick(full, zero);
    r.h12 = p.soft * plane * nu + pick(full * nu, zero);
    // (s1 - s2) / (2 (e1 - e2)), which for Hooke is G.
    r.shear = p.soft * shear + pick(firm * shear, half * single * x1 / maximum(x1 - x2, tiny));
    return r;
}

/// Stress [N/m] and its derivative by the strain (first, second, shear) in the frame of the
/// principal stretch.
template <class T>
struct SheetStress {
    InPlaneTensor<T> stress;
    T h11, h12, h22, h13, h23, h33;
};

/// Of a sheet whose rest shape is that of its pattern.
template <class T>
MUSLIN_HD inline SheetStress<T> sheet_stress(const SheetStretch<T>& s,
                                             const SheetParameters<T>& p) {
    const T one(1), zero(0);
    const SheetResponse<T> r = sheet_response(s.length[0] - one, s.length[1] - one, p);
    return {{r.stress[0], r.stress[1], zero}, r.h11, r.h12, r.h22, zero, zero, r.shear};
}

/// The elastic strain where the strain `rest` of the pattern is that of the unloaded sheet, in the
/// frame of the principal stretch.
template <class T>
MUSLIN_HD inline InPlaneTensor<T> elastic_strain(const SheetStretch<T>& s,
                                                 const InPlaneTensor<T>& rest) {
    const T one(1);
    const InPlaneTensor<T> r = turned_strain(rest, s.cosine, s.sine);
    return {s.length[0] - one - r.first, s.length[1] - one - r.second, -r.shear};
}

template <class T>
MUSLIN_HD inline SheetStress<T> sheet_stress(const SheetStretch<T>& s, const InPlaneTensor<T>& rest,
                                             const SheetParameters<T>& p) {
    const T half(0.5), two(2);
    const InPlaneTensor<T> e = elastic_strain(s, rest);
    const Principal<T> own = principal(e.first, e.second, half * e.shear);
    const SheetResponse<T> r = sheet_response(own.first, own.second, p);
    // Back from the strain's own frame: the rows by which it reads (first, second, shear).
    const T cc = own.cosine * own.cosine, ss = own.sine * own.sine, cs = own.cosine * own.sine;
    const T a1[3] = {cc, ss, cs}, a2[3] = {ss, cc, -cs}, a3[3] = {-two * cs, two * cs, cc - ss};
    const auto h = [&](int i, int j) {
        return r.h11 * a1[i] * a1[j] + r.h22 * a2[i] * a2[j] +
               r.h12 * (a1[i] * a2[j] + a2[i] * a1[j]) + r.shear * a3[i] * a3[j];
    };
    return {{cc * r.stress[0] + ss * r.stress[1], ss * r.stress[0] + cc * r.stress[1],
             cs * (r.stress[0] - r.stress[1])},
            h(0, 0),
            h(0, 1),
            h(1, 1),
            h(0, 2),
            h(1, 2),
            h(2, 2)};
}

/// Energy per area of the pattern [J/m^2].
template <class T>
MUSLIN_HD inline T sheet_energy(const SheetStretch<T>& s, const InPlaneTensor<T>& rest,
                                const SheetParameters<T>& p) {
    const InPlaneTensor<T> e = elastic_strain(s, rest);
    const Principal<T> own = principal(e.first, e.second, T(0.5) * e.shear);
    return sheet_response(own.first, own.second, p).energy;
}

/// The rest strain after `factor` of it was left by relaxation and the elastic strain gave way:
/// its principal values stay within +-yield [Volino95 3.4]. All in the pattern's frame.
template <class T>
MUSLIN_HD inline InPlaneTensor<T> yielded(const InPlaneTensor<T>& strain,
                                          const InPlaneTensor<T>& rest, const T& factor,
                                          const T& yield) {
    const InPlaneTensor<T> left = {factor * rest.first, factor * rest.second, factor * rest.shear};
    const InPlaneTensor<T> e = {strain.first - left.first, strain.second - left.second,
                                strain.shear - left.shear};
    const Principal<T> p = principal(e.first, e.second, T(0.5) * e.shear);
    const T over1 = p.first - maximum(minimum(p.first, yield), -yield);
    const T over2 = p.second - maximum(minimum(p.second, yield), -yield);
    const T cc = p.cosine * p.cosine, ss = p.sine * p.sine, cs = p.cosine * p.sine;
    return {left.first + cc * over1 + ss * over2, left.second + ss * over1 + cc * over2,
            left.shear + 2 * cs * (over1 - over2)};
}

} // namespace muslin
