#pragma once

#include "muslin/kernels/air_drag.h"
#include "muslin/kernels/air_vertex.h"
#include "muslin/kernels/bend_arc.h"
#include "muslin/kernels/bend_shape.h"
#include "muslin/kernels/membrane.h"
#include "muslin/kernels/pull.h"
#include "muslin/kernels/rosette.h"
#include "muslin/kernels/seams.h"
#include "muslin/kernels/spring.h"
#include "muslin/kernels/sticking.h"

// Calls every kernel of forces once, for any scalar, on the host or on a device. `in` gives
// numbers, points and vectors; `out` takes results, each under the name of its kernel. Kernels that
// say that their input must not be degenerate are announced by regular().
namespace muslin::test {

template <class T, class In>
MUSLIN_HD TriangleRestT<T> rest_triangle(In& in) {
    const Vec2T<T> p0 = {in.number(-0.01, 0.01), in.number(-0.01, 0.01)};
    const Vec2T<T> p1 = {in.number(0.02, 0.04), in.number(-0.01, 0.01)};
    const Vec2T<T> p2 = {in.number(-0.01, 0.01), in.number(0.02, 0.04)};
    return triangle_rest(p0, p1, p2);
}

template <class T, class In>
MUSLIN_HD Membrane<T> some_membrane(In& in) {
    const TriangleRestT<T> rest = rest_triangle<T>(in);
    Membrane<T> m;
    m.area = rest.area;
    for (int i = 0; i < 3; ++i) {
        m.a[i] = rest.a[i];
        m.b[i] = rest.b[i];
    }
    m.stretch_u = in.number(100, 3000);
    m.stretch_v = in.number(100, 3000);
    m.shear = in.number(10, 100);
    m.stretch_damping = in.number(0.1, 5);
    m.shear_damping = in.number(0.1, 2);
    m.rest_u = in.number(0.8, 1.2);
    m.rest_v = in.number(0.8, 1.2);
    const T rigidity = in.number(1e-5, 1e-3), edge = in.number(0.01, 0.03);
    m.buckling_u = thread_buckling(m.stretch_u, rigidity, edge);
    m.buckling_v = thread_buckling(m.stretch_v, rigidity, edge);
    return m;
}

template <class T, class In, class Out>
MUSLIN_HD void call_membrane(In& in, Out& out) {
    const Membrane<T> m = some_membrane<T>(in);
    out.kernel("triangle_rest, thread_buckling");
    out.add(m.area, m.a[0], m.b[0], m.buckling_u.critical, m.buckling_u.after);
    Vec3T<T> x[3], v[3];
    in.points(x);
    in.vectors(v, 1);
    const Deformation<T> d = membrane_deformation(m, x, v);
    out.kernel("membrane_deformation");
    out.add(d.w_u, d.w_v, d.rate_u, d.rate_v);
    const MembraneLaw<T> law = {true, true, T(1.05), T(0.02)};
    InPlaneDirections<T> r = membrane_response(m, d, law);
    out.kernel("membrane_response, buckle");
    out.add(r.u.pull, r.u.along, r.u.across, r.v.pull, r.shear.pull);
    const StretchExcess<T> excess = stretch_excess(m.area, d.w_u, m.stretch_u, m.rest_u, law);
    add_excess(d.w_u, d.rate_u, excess, r.u);
    buckle(m.area, d.w_v, m.stretch_v, m.rest_v, m.buckling_v, T(0.004), r.v);
    out.kernel("stretch_excess, add_excess");
    out.add(r.u.pull, r.u.along, r.u.across, r.v.along);
    const InPlaneVector<T> force = in_plane_force(r, d);
    const InPlaneVector<T> product = stiffness_product(r, {d.rate_u, d.rate_v});
    out.kernel("in_plane_force");
    out.add(force.u, force.v);
    out.kernel("stiffness_product");
    out.add(product.u, product.v);
    T block[9];
    const InPlaneSystem<T> system = in_plane_system(r, T(0.01));
    in_plane_block(system, m.a[0], m.b[0], m.a[1], m.b[1], block);
    out.kernel("in_plane_system, in_plane_block");
    out.add(block[0], block[1], block[2], block[4], block[8]);
    const ThreadTension<T> t =
        thread_tension(in.number(-0.2, 0.1), m.stretch_u, m.buckling_u, T(0.02));
    out.kernel("thread_tension");
    out.add(t.tension, t.handed);
    out.kernel("thread_energy");
    out.add(thread_energy(in.number(-0.2, 0.1), m.stretch_u, m.buckling_u));
}

template <class T, class In, class Out>
MUSLIN_HD void call_stretch_shear(In& in, Out& out) {
    const Membrane<T> m = some_membrane<T>(in);
    Vec3T<T> x[3], v[3];
    in.points(x);
    in.vectors(v, 1);
    const Deformation<T> d = membrane_deformation(m, x, v);
    const StretchParameters<T> p = {m.area, m.stretch_u, m.stretch_damping, m.rest_u};
    const StretchState<T> s = stretch_state(d.w_u, d.rate_u, p);
    out.kernel("stretch_state");
    out.add(s.direction, s.length, s.tension);
    out.kernel("stretch_energy");
    out.add(stretch_energy(d.w_u, p));
    const StretchResponse<T> r = stretch_response(d.w_u, d.rate_u, p);
    out.kernel("stretch_response");
    out.add(r.pull, r.along, r.across, r.damping);
    InPlaneResponse<T> sum = InPlaneResponse<T>::zero();
    add_stretch(d.w_u, d.rate_u, p, sum.force_u, sum.stiffness_uu, sum.damping_uu);
    out.kernel("add_stretch");
    out.add(sum.force_u, sum.stiffness_uu, sum.damping_uu);
    out.regular("stretch_exact_stiffness");
    out.add(stretch_exact_stiffness(d.w_u, d.rate_u, p));
    const ShearParameters<T> q = {m.area, m.shear, m.shear_damping};
    out.kernel("shear_stress, shear_energy");
    out.add(shear_stress(d, q), shear_energy(d, q));
    const ShearResponse<T> shear = shear_response(d, q);
    out.kernel("shear_response");
    out.add(shear.pull, shear.free_sum, shear.free_difference, shear.coupled.a, shear.coupled.c);
    sum = InPlaneResponse<T>::zero();
    add_shear(d, q, sum);
    out.kernel("add_shear");
    out.add(sum.force_u, sum.force_v, sum.stiffness_uu, sum.stiffness_uv, sum.damping_vv);
    out.kernel("shear_exact_stiffness");
    out.add(shear_exact_stiffness(d, q).block[0][1]);
}

template <class T, class In, class Out>
MUSLIN_HD void call_hinges(In& in, Out& out) {
    Vec3T<T> x[4], v[4];
    in.points(x);
    in.vectors(v, 1);
    const HingeState<T> h = hinge_state(x[0], x[1], x[2], x[3]);
    out.kernel("hinge_state");
    out.add(h.gradient[0], h.gradient[1], h.gradient[2], h.gradient[3]);
    const BendState<T> s = bend_state(x[0], x[1], x[2], x[3]);
    out.kernel("bend_state");
    out.add(s.angle);
    const BendParameters<T> p = {in.number(1e-5, 1e-3), in.number(1e-7, 1e-5), in.number(-1, 1)};
    out.kernel("bend_moment");
    out.add(bend_moment(s, v[0], v[1], v[2], v[3], p));
    out.regular("bend_hessian");
    out.add(bend_hessian(x[0], x[1], x[2], x[3]).block[0][2]);
    out.regular("bend_exact_stiffness");
    out.add(bend_exact_stiffness(x, v, p).block[1][3]);
    out.kernel("directional_rigidity");
    out.add(directional_rigidity(p.stiffness, in.number(1e-5, 1e-3),
                                 Vec2T<T>{in.number(0.01, 0.02), in.number(-0.02, 0.02)}));
    const HalfAngle<T> half = half_angle(h.scaled_cosine, h.scaled_sine);
    out.kernel("half_angle");
    out.add(half.sine, half.cosine);
    const HalfAngleMoment<T> bridson =
        bridson_moment(half, {p.stiffness, in.number(-0.3, 0.3), in.number(0, 2)});
    out.kernel("bridson_moment");
    out.add(bridson.moment, bridson.stiffness);
    out.kernel("bridson_energy"); // a difference of terms that are as large as the stiffness
    out.add(bridson_energy(in.number(-3, 3), in.number(-1, 1), p.stiffness, in.number(0, 2)),
            4 * p.stiffness);
    const ArcParameters<T> arc = {p.stiffness, in.number(-0.3, 0.3), in.number(0.5, 2)};
    const ArcTangent<T> tangent = arc_tangent(half, arc.limit);
    out.kernel("arc_tangent");
    out.add(tangent.value, tangent.slope);
    const HalfAngleMoment<T> moment = arc_moment(half, arc);
    out.kernel("arc_moment");
    out.add(moment.moment, moment.stiffness);
    out.kernel("arc_angle");
    out.add(arc_angle(in.number(-3, 3), arc.limit));
    out.kernel("arc_energy");
    out.add(arc_energy(in.number(-3, 3), arc));
    const HingeSystem<T> system =
        hinge_system(hinge_bend(h, p.rest_angle) * p.stiffness, p.damping * h.rate(v), T(0),
                     p.damping, p.stiffness, T(0.01));
    out.kernel("hinge_bend, hinge_system");
    out.add(system.moment, system.scale);
}

template <class T, class In, class Out>
MUSLIN_HD void call_bend_rest(In& in, Out& out) {
    const Vec2T<T> start = {in.number(-0.01, 0), in.number(-0.01, 0)};
    const Vec2T<T> end = {in.number(0.02, 0.03), in.number(-0.01, 0)};
    const Vec2T<T> apex = {in.number(0, 0.01), in.number(0.02, 0.03)};
    const Vec2T<T> flat = lay_flat(start, end, apex, end, apex, start);
    out.kernel("lay_flat");
    out.add(flat.x, flat.y);
    out.kernel("curvature_by_angle");
    out.add(curvature_by_angle(end - start, in.number(1e-4, 1e-3)));
    Mat3T<T> m = Mat3T<T>::diagonal(in.number(1, 2));
    m(0, 1) = m(1, 0) = in.number(-0.5, 0.5);
    m(0, 2) = m(2, 0) = in.number(-0.5, 0.5);
    out.kernel("without_moment");
    out.add(without_moment(m, 0));
}

template <class T, class In, class Out>
MUSLIN_HD void call_sheet(In& in, Out& out) {
    const Membrane<T> m = some_membrane<T>(in);
    Vec3T<T> x[3], v[3];
    in.points(x);
    in.vectors(v, 1);
    const Deformation<T> d = membrane_deformation(m, x, v);
    const SheetStretch<T> s = sheet_stretch(d.w_u, d.w_v);
    out.kernel("sheet_stretch");
    out.add(s.length[0], s.length[1], s.along[0], s.along[1]);
    const Principal<T> p = principal(in.number(1, 2), in.number(0, 1), in.number(-1, 1));
    out.kernel("principal");
    out.add(p.first, p.second, p.cosine, p.sine);
    const SheetParameters<T> sheet = {m.stretch_u, in.number(0, 0.4), in.number(0.1, 0.9),
                                      in.number(0, 0.02)};
    const InPlaneTensor<T> rest = {in.number(-0.1, 0.1), in.number(-0.1, 0.1),
                                   in.number(-0.1, 0.1)};
    const InPlaneTensor<T> turned = turned_strain(rest, p.cosine, p.sine);
    out.kernel("turned_strain");
    out.add(turned.first, turned.second, turned.shear);
    const InPlaneTensor<T> rate = strain_rate(s, d.rate_u, d.rate_v);
    const InPlaneTensor<T> drag = hooke(rate, m.stretch_damping, sheet.poisson);
    out.kernel("strain_rate, hooke");
    out.add(drag.first, drag.second, drag.shear);
    const SheetResponse<T> r = sheet_response(in.number(0, 0.3), in.number(-0.3, 0), sheet);
    out.kernel("sheet_response");
    out.add(r.energy, r.stress[0], r.stress[1], r.h11, r.h12, r.h22, r.shear);
    const SheetStress<T> plain = sheet_stress(s, sheet), strained = sheet_stress(s, rest, sheet);
    out.kernel("sheet_stress");
    out.add(plain.stress.first, plain.stress.second, plain.h11, plain.h33);
    out.add(strained.stress.first, strained.stress.second, strained.stress.shear, strained.h12);
    const InPlaneTensor<T> elastic = elastic_strain(s, rest);
    out.kernel("elastic_strain, sheet_energy");
    out.add(elastic.first, elastic.second, elastic.shear, sheet_energy(s, rest, sheet));
    const InPlaneTensor<T> kept = yielded(elastic, rest, in.number(0.5, 1), in.number(0.01, 0.1));
    out.kernel("yielded");
    out.add(kept.first, kept.second, kept.shear);
}

template <class T, class In, class Out>
MUSLIN_HD void call_springs(In& in, Out& out) {
    Vec3T<T> x[4], v[3];
    in.points(x);
    in.vectors(v, 1);
    const SpringState<T> s = spring_state(x[0], x[1]);
    const T k = in.number(10, 1000), rest = in.number(0.01, 0.02), length = in.number(0.02, 0.04);
    const SpringPull<T> plain = quadratic_spring(s.length, k, rest);
    out.kernel("spring_state, quadratic_spring");
    out.add(s.direction, s.length, plain.energy, plain.pull, plain.slope);
    const SpringPull<T> longer = elongated_spring(length, k, rest, T(0.02), T(0.02));
    out.kernel("elongated_spring");
    out.add(longer.energy, longer.pull, longer.slope);
    const SpringPull<T> grown = exponential_spring(length, k, rest, in.number(0.5, 4));
    out.kernel("exponential_spring");
    out.add(grown.energy, grown.pull, grown.slope);
    out.kernel("spring_stiffness");
    out.add(spring_stiffness(s, plain.pull, plain.slope));
    out.kernel("secant_stiffness, pull_energy");
    out.add(secant_stiffness(x[1] - x[0], k, in.number(1, 10)),
            pull_energy(x[2] - x[0], k, in.number(1, 10)));
    const SeamPull<T> seam = seam_pull(length, k, in.number(1, 20));
    out.kernel("seam_pull, seam_grip");
    out.add(seam.secant, seam.energy, seam_grip(length, T(0.02)));
    const Vec3T<T>(&corners)[3] = {x[0], x[1], x[2]};
    const StickOffsetT<T> at = stick_offset(corners, x[3]);
    out.kernel("stick_offset");
    out.add(at.weights, at.height);
    const StickTargetT<T> target =
        stick_target(corners, {T(0.2), T(0.3), T(0.5)}, in.number(-0.01, 0.01));
    out.kernel("stick_target");
    out.add(target.place, target.by_corner[1]);
    const StickFadeT<T> fade = stick_fade(in.number(0, 1e-3), in.number(0.01, 0.05));
    out.kernel("stick_fade");
    out.add(fade.factor, fade.slope, fade.energy);
    const StickResponseT<T> stick =
        stick_response(x[3] - target.place, x[3] - target.place, {k, T(1), T(0.1)});
    out.kernel("stick_response");
    out.add(stick.elastic, stick.stiffness, stick.damping);
}

template <class T, class In, class Out>
MUSLIN_HD void call_air(In& in, Out& out) {
    Vec3T<T> x[3], v[3];
    in.points(x);
    in.vectors(v, 1);
    const Vec3T<T> wind = in.vector(5);
    const AirDragParameters<T> p = {in.number(0.1, 1), in.number(0.1, 1)};
    const AirDragResponse<T> r = air_drag(x, v, wind, p);
    out.kernel("air_drag");
    out.add(r.force, r.damping);
    out.regular("air_drag_exact_stiffness");
    out.add(air_drag_exact_stiffness(x, v, wind, p).block[1]);
    const AirVertexResponse<T> a = air_on_vertex(v[0], in.unit(), wind, p.linear, p.quadratic);
    out.kernel("air_on_vertex");
    out.add(a.force, a.dashpot);
}

} // namespace muslin::test
