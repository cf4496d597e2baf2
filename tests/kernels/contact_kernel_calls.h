#pragma once

#include "muslin/kernels/conservative_advancement.h"
#include "muslin/kernels/contact_friction.h"
#include "muslin/kernels/contact_pair.h"
#include "muslin/kernels/contact_pressure.h"
#include "muslin/kernels/contact_spring.h"
#include "muslin/kernels/forecast.h"
#include "muslin/kernels/meetings.h"
#include "muslin/kernels/sweep.h"
#include "muslin/kernels/vertex_crossing.h"

// The same of kernels of contact and of geometry: see force_kernel_calls.h.
namespace muslin::test {

template <class T, class In, class Out>
MUSLIN_HD void call_distances(In& in, Out& out) {
    PairCorners<T> x;
    for (Vec3T<T>& p : x)
        p = in.point();
    out.kernel("closest_on_edge");
    out.add(closest_on_edge(x[0], x[1], x[2]));
    const VertexFaceDistanceT<T> face = vertex_face_distance(x[0], x[1], x[2], x[3]);
    out.kernel("vertex_face_distance");
    out.add(face.squared, face.weights);
    const EdgeEdgeDistanceT<T> edge = edge_edge_distance(x[0], x[1], x[2], x[3]);
    out.kernel("edge_edge_distance");
    out.add(edge.squared, edge.s, edge.t);
    for (const bool edges : {false, true}) {
        const ClosestPair<T> closest = closest_pair(x, edges);
        out.kernel("closest_pair");
        out.add(closest.weights[0], closest.weights[1], closest.weights[2], closest.distance);
        out.kernel("gap_along, between_middles");
        out.add(gap_along(x, edges, in.unit()), between_middles(x, edges));
    }
}

/// A vertex that passes through a face, or an edge that passes another: `begin` is above `end`.
template <class T, class In>
MUSLIN_HD void passing_pair(In& in, bool edges, PairCorners<T>& begin, PairCorners<T>& end) {
    const T s = T(0.03);
    if (edges)
        begin = {Vec3T<T>{-s, T(0), T(0)}, {s, T(0), T(0)}, {T(0), T(0), -s}, {T(0), T(0), s}};
    else
        begin = {Vec3T<T>{T(0), T(0), T(0)}, {s, T(0), s}, {-s, T(0), s}, {T(0), T(0), -s}};
    for (int k = 0; k < 4; ++k) {
        begin[k] += in.vector(0.002);
        end[k] = begin[k] + in.vector(0.002);
    }
    for (int k = 0; k < (edges ? 2 : 1); ++k) {
        begin[k].y = begin[k].y + in.number(0.005, 0.02);
        end[k].y = end[k].y - in.number(0.005, 0.02);
    }
}

template <class T, class In, class Out>
MUSLIN_HD void call_motions(In& in, Out& out) {
    const ContinuousSettingsT<T> settings = {T(0), T(1e-4), T(1e-5), 128};
    for (const bool edges : {false, true}) {
        PairCorners<T> begin, end;
        passing_pair<T>(in, edges, begin, end);
        const std::optional<ImpactT<T>> impact = edges ? advance_to_impact<4>(begin, end, settings)
                                                       : advance_to_impact<3>(begin, end, settings);
        out.kernel("advance_to_impact", 1e-4 / 0.01); // as near as the tolerance
        out.add(impact ? impact->time : T(0), impact ? impact->a : T(0));
        const std::array<T, 4> weights =
            impact_weights(impact ? *impact : ImpactT<T>{T(0), T(0), T(0)}, edges);
        const Vec3T<T> apart = pair_difference(weights, begin);
        out.kernel("impact_weights, pair_difference", 1e-4 / 0.01);
        out.add(apart);
        out.kernel("impact_normal", 1e-4 / 0.01);
        out.add(impact_normal(begin, end, edges, impact ? impact->time : T(0), apart,
                              apart - pair_difference(weights, end), T(1e-3)));
        const std::optional<Vec3T<T>> direction = direction_of(apart, T(1e-9));
        out.kernel("direction_of", 1e-4 / 0.01);
        out.add(direction ? *direction : Vec3T<T>{T(0), T(1), T(0)});
    }
    PairCorners<T> begin, end;
    passing_pair<T>(in, false, begin, end);
    const std::optional<Sweep<T>> sweep =
        point_triangle_sweep(begin[0], end[0], begin[1], begin[2], begin[3]);
    out.kernel("point_triangle_sweep");
    out.add(sweep ? sweep->t : T(0), sweep ? sweep->u : T(0), sweep ? sweep->v : T(0));
    const Vec3T<T> before[4] = {begin[0], begin[1], begin[2], begin[3]};
    const Vec3T<T> after[4] = {end[0], end[1], end[2], end[3]};
    const std::optional<VertexCrossingT<T>> crossing = vertex_crossing(before, after);
    out.kernel("vertex_crossing");
    out.add(crossing ? crossing->time : T(0), crossing ? crossing->weights : before[0]);
    const TrianglePointsT<T> first = {begin[1], begin[2], begin[3]};
    const TrianglePointsT<T> second = {begin[0], end[0], end[1]};
    T sum(0);
    visit_meetings(first, second, in.unit(), [&](const MeetingT<T>& m) { sum = sum + m.way; });
    out.kernel("visit_meetings");
    out.add(sum);
    const T way = way_past(first, second, in.unit());
    out.kernel("way_past");
    out.add(way > T(-1e3) ? way : T(0));
}

template <class T, class In, class Out>
MUSLIN_HD void call_pressure_and_friction(In& in, Out& out) {
    const PressedLayers<T> layers = {in.number(1e-3, 3e-3), in.number(1e-5, 1e-3)};
    const T softness(200), h = T(0.01);
    out.kernel("part_left, gap_under");
    out.add(part_left(in.number(0, 1e-3), layers), gap_under(in.number(0, 1), layers, softness));
    out.kernel("pressure_energy");
    out.add(pressure_energy(in.number(1e-4, 9e-4), layers, softness));
    const PressureTangent<T> tangent = pressure_tangent(in.number(1e-4, 9e-4), layers, softness);
    out.kernel("pressure_tangent");
    out.add(tangent.stiffness, tangent.target);

    ContactStart<T> start;
    start.area = layers.area;
    start.mass = in.number(1e-5, 1e-4);
    start.gap = in.number(1e-4, 1e-3);
    start.offset = in.vector(1e-4);
    start.curvature = Mat3T<T>::diagonal(in.number(-20, 20));
    start.body_velocity = in.vector(1);
    const Vec3T<T> normal = in.unit(), velocity = in.vector(1);
    ContactPlane<T> plane = {normal, start.gap};
    follow_surface(start, normal, velocity, h, plane);
    out.kernel("follow_surface");
    out.add(plane.normal, plane.still_gap);
    PressureState<T> pressure;
    pressure.target = tangent.target;
    pressure.stiffness = tangent.stiffness;
    const T gap = gap_ahead(plane, velocity, h);
    pressure.force = lasting_force(pressure, start.mass, gap, in.number(-1, 1), h);
    out.kernel("gap_ahead, lasting_force");
    out.add(gap, pressure.force);
    FrictionState<T> friction;
    friction.slip = in.number(0, 1);
    const CoulombLaw<T> law = {T(1e-4), T(10)};
    const FrictionSolve<T> solve = {h, false, T(1), start.mass, in.number(0.1, 0.5)};
    const Vec3T<T> slip = tangential(velocity, plane.normal);
    out.kernel("speed_ahead, slides_on");
    out.add(speed_ahead(friction, norm(slip)), T(slides_on(friction, pressure, slip, law, solve)));
    FrictionState<T> same = friction;
    choose_friction(pressure, slip, law, solve, friction);
    count_speeding(pressure, norm(slip), same);
    set_friction(pressure, slides_on(same, pressure, slip, law, solve), slip, norm(slip), law,
                 solve, same);
    out.kernel("count_speeding, set_friction");
    out.add(same.limit, same.drag, same.way);
    out.kernel("choose_friction");
    out.add(friction.limit, friction.drag, friction.way);
    out.kernel("contact_force");
    out.add(contact_force(plane, pressure, friction, velocity, h));
    out.kernel("contact_matrix");
    out.add(contact_matrix(plane, pressure, friction, h));
    out.kernel("unbalanced_friction");
    out.add(unbalanced_friction(friction, plane, pressure, T(0.3), velocity));
}

template <class T, class In, class Out>
MUSLIN_HD void call_other_contact(In& in, Out& out) {
    const ContactSpringT<T> s = {{0, 1, 2, 3},     {T(1), T(-1), T(0), T(0)}, in.unit(),
                                 T(1e-3),          in.number(10, 100),        in.number(0.1, 1),
                                 in.number(0.1, 1)};
    const Vec3T<T> gap = in.vector(1e-3), slip = in.vector(1);
    out.kernel("contact_spring_force");
    out.add(contact_spring_force(s, gap, slip));
    out.kernel("contact_spring_stiffness, contact_spring_damping");
    out.add(contact_spring_stiffness(s), contact_spring_damping(s));
    out.kernel("contact_spring_energy");
    out.add(contact_spring_energy(s, gap));
    out.kernel("slowed_by_friction");
    out.add(slowed_by_friction(slip, in.number(0, 1), in.number(-1, 1)));
    const ForecastT<T> met =
        forecast(slip, {in.number(-0.01, 0.01), in.unit(), in.vector(1), T(0.3)}, T(0.01),
                 in.number(0.01, 0.1));
    out.kernel("forecast");
    out.add(met.velocity, met.push);
    const ForecastT<T> held = hold_pinched(
        slip, {in.number(-0.01, 0.01), in.unit(), in.vector(1), in.number(0, 0.01), T(0.3)},
        T(0.01), in.number(0.01, 0.1));
    out.kernel("hold_pinched");
    out.add(held.velocity, held.push);
}

} // namespace muslin::test
