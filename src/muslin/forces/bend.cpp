#include "muslin/forces/bend.h"

#include "muslin/forces/packing.h"
#include "muslin/kernels/bend_arc.h"
#include "muslin/kernels/bend_bridson.h"
#include "muslin/kernels/in_plane.h"

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace muslin {

namespace {

// The rest shape of a hinge.
struct HingeRest {
    Vec2 edge[2];              ///< in each side's own pattern: on a seam the two differ
    double length_squared = 0; ///< of the edge, the mean of the two [m^2]
    double area = 0;           ///< of both triangles [m^2]
};

HingeRest hinge_rest(const DynamicsLayer& layer, const Hinge& hinge) {
    HingeRest out;
    for (int side = 0; side < 2; ++side) {
        const int t = hinge.t[side];
        const auto& p = layer.pattern[t];
        Vec2 end[2] = {p[0], p[0]};
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 2; ++k)
                if (layer.triangles[t][i] == hinge.v[k])
                    end[k] = p[i];
        out.edge[side] = end[1] - end[0];
        out.length_squared += 0.5 * dot(out.edge[side], out.edge[side]);
        out.area += triangle_rest(p[0], p[1], p[2]).area;
    }
    return out;
}

const Material& side_material(const Model& model, int triangle) {
    return model.cloths[model.dynamics.triangle_cloth[triangle]].material;
}

} // namespace

HingeStiffness hinge_stiffness(const Model& model, const Hinge& hinge) {
    const HingeRest rest = hinge_rest(model.dynamics, hinge);
    double rigidity = 0, damping = 0;
    HingeStiffness out;
    for (int side = 0; side < 2; ++side) {
        const Material& m = side_material(model, hinge.t[side]);
        rigidity += 0.5 * directional_rigidity(m.bend_u, m.bend_v, rest.edge[side]);
        damping += 0.5 * m.bend_damping;
        out.stiffening += 0.5 * m.bend_stiffening;
        out.rate_stiffening += 0.5 * m.bend_rate_stiffening;
    }
    const double shape = rest.length_squared / rest.area;
    out.stiffness = rigidity * shape;
    out.damping = damping * shape;
    return out;
}

HingeArc hinge_arc(const Model& model, const Hinge& hinge) {
    constexpr double least_radius = 5, greatest_tangent = 3; // in thicknesses; of t
    const HingeRest rest = hinge_rest(model.dynamics, hinge);
    const double shape = rest.length_squared / rest.area;
    HingeArc out;
    out.tangent_length = 0.5 * rest.area / std::sqrt(rest.length_squared);
    for (int t : hinge.t) {
        const Material& m = side_material(model, t);
        out.stiffness += 0.5 * sheet_rigidity(m) * shape;
        out.damping += 0.5 * m.bend_damping * shape;
        out.limit += 0.5 * (m.curvature_limit > 0
                                ? out.tangent_length * m.curvature_limit
                                : std::min(greatest_tangent,
                                           out.tangent_length / (least_radius * m.thickness)));
    }
    return out;
}

namespace {

// The pattern place of vertex v in triangle t.
Vec2 pattern_place(const DynamicsLayer& layer, int t, int v) {
    for (int i = 0; i < 3; ++i)
        if (layer.triangles[t][i] == v)
            return layer.pattern[t][i];
    throw std::logic_error("a hinge names a vertex that its triangle lacks");
}

// The four vertices of a hinge laid flat in the pattern of its first triangle: the second is turned
// about the shared edge, since its own pattern may be another panel's.
std::array<Vec2, 4> lay_flat(const DynamicsLayer& layer, const Hinge& hinge) {
    std::array<Vec2, 4> place;
    for (int k = 0; k < 3; ++k)
        place[k] = pattern_place(layer, hinge.t[0], hinge.v[k]);
    const Vec2 edge = place[1] - place[0];
    const Vec2 start = pattern_place(layer, hinge.t[1], hinge.v[0]);
    const Vec2 other = pattern_place(layer, hinge.t[1], hinge.v[1]) - start;
    const Vec2 apex = pattern_place(layer, hinge.t[1], hinge.v[3]) - start;
    const double along = dot(apex, other) / norm(other);
    const double across = std::abs(cross(other, apex)) / norm(other);
    const double side = cross(edge, place[2] - place[0]) > 0 ? -1 : 1;
    const Vec2 unit = (1 / norm(edge)) * edge, normal = {-unit.y, unit.x};
    place[3] = place[0] + along * unit + (side * across) * normal;
    return place;
}

} // namespace

BendCalibration bend_calibration(const Model& model, int cloth) {
    const DynamicsLayer& layer = model.dynamics;
    constexpr int directions = 24;
    double energy[directions] = {};
    double area = 0;
    for (const Hinge& hinge : layer.hinges) {
        if (layer.triangle_cloth[hinge.t[0]] != cloth || layer.triangle_cloth[hinge.t[1]] != cloth)
            continue;
        const std::array<Vec2, 4> place = lay_flat(layer, hinge);
        const Vec2 edge = place[1] - place[0];
        const double hinge_area = 0.5 * (std::abs(cross(edge, place[2] - place[0])) +
                                         std::abs(cross(edge, place[3] - place[0])));
        area += hinge_area / 3; // each triangle has three edges
        // Put the four vertices on a cylinder of small curvature and measure 1/2 k theta^2.
        const double curvature = 1e-3 / norm(edge);
        for (int d = 0; d < directions; ++d) {
            const double angle = std::numbers::pi * d / directions;
            const Vec2 along = {std::cos(angle), std::sin(angle)};
            Vec3 x[4];
            for (int k = 0; k < 4; ++k) {
                const double s = dot(along, place[k] - place[0]);
                x[k] = {place[k].x, place[k].y, 0.5 * curvature * s * s};
            }
            const double theta = bend_state(x[0], x[1], x[2], x[3]).angle / curvature;
            energy[d] += 0.5 * dot(edge, edge) / hinge_area * theta * theta;
        }
    }
    if (area == 0)
        return {};
    const auto [low, high] = std::minmax_element(std::begin(energy), std::end(energy));
    return {*low / (0.5 * area), *high / (0.5 * area)};
}

BendForce::BendForce(const Model& model, BendLaw law)
    : model_(model), law_(law), hinges_(static_cast<int>(model.dynamics.hinges.size())) {
    elements_.resize((hinges_ + 3) / 4);
    for (const Hinge& hinge : model.dynamics.hinges)
        corners_.insert(corners_.end(), hinge.v.begin(), hinge.v.end());
    batches_ = ElementBatches(corners_, 4, model.particle_count());
    for (int k = 0; k < 4 * static_cast<int>(elements_.size()); ++k) {
        set_element(k, std::min(k, hinges_ - 1));
    }
}

void BendForce::set_element(int place, int at) {
    const Hinge& hinge = model_.dynamics.hinges[at];
    const auto& rest_angles = model_.dynamics.rest_angles;
    const double rest = rest_angles.empty() ? 0 : rest_angles[at];
    Element& e = elements_[place / 4];
    const int l = place % 4;
    for (int i = 0; i < 4; ++i)
        e.particle[i][l] = hinge.v[i];
    if (law_ == BendLaw::arc) {
        const HingeArc arc = hinge_arc(model_, hinge);
        e.stiffness.set(l, arc.stiffness);
        e.damping.set(l, arc.damping);
        e.rest.set(l, arc_tangent(half_angle(std::cos(rest), std::sin(rest)), arc.limit).value);
        e.stiffening.set(l, arc.limit);
        e.rate_stiffening.set(l, 0);
        return;
    }
    const HingeStiffness s = hinge_stiffness(model_, hinge);
    e.stiffness.set(l, s.stiffness);
    e.damping.set(l, s.damping);
    e.rest.set(l, law_ == BendLaw::angle ? rest : std::sin(0.5 * rest));
    e.stiffening.set(l, s.stiffening);
    e.rate_stiffening.set(l, s.rate_stiffening);
}

void BendForce::set_rest(int hinge, double rest) {
    for (int k = hinge; k < 4 * static_cast<int>(elements_.size()); ++k) {
        elements_[k / 4].rest.set(k % 4, rest);
        if (hinge < hinges_ - 1) // the last one is repeated
            break;
    }
}

// Four hinges as they are, and the velocities of their particles.
[[gnu::always_inline]] inline HingeState<Pack4>
gather_hinges(const int (&particle)[4][4], const Kinematics& at, Vec3T<Pack4> (&v)[4]) {
    Vec3T<Pack4> x[4];
    for (int i = 0; i < 4; ++i) {
        x[i] = gather(at.positions, particle[i]);
        v[i] = gather(at.velocities, particle[i]);
    }
    return hinge_state(x[0], x[1], x[2], x[3]);
}

// Inline: a library's own functions are not unless they say so.
[[gnu::always_inline]] inline BendForce::Response
BendForce::respond(const Element& e, const HingeState<Pack4>& s, const Vec3T<Pack4> (&v)[4]) const {
    const Pack4 rate = s.rate(v);
    if (law_ == BendLaw::angle)
        return {e.stiffness * (atan2(s.scaled_sine, s.scaled_cosine) - e.rest) + e.damping * rate,
                e.stiffness, e.damping};
    const HalfAngle<Pack4> half = half_angle(s.scaled_cosine, s.scaled_sine);
    if (law_ == BendLaw::arc) {
        const HalfAngleMoment<Pack4> elastic =
            arc_moment(half, ArcParameters<Pack4>{e.stiffness, e.rest, e.stiffening});
        return {elastic.moment + e.damping * rate, elastic.stiffness, e.damping};
    }
    const HalfAngleMoment<Pack4> elastic =
        bridson_moment(half, HalfAngleParameters<Pack4>{e.stiffness, e.rest, e.stiffening});
    // d/dr [(1 + c |r|) r] = 1 + 2 c |r|.
    const Pack4 grown = e.rate_stiffening * abs(rate);
    return {elastic.moment + e.damping * (Pack4(1) + grown) * rate, elastic.stiffness,
            e.damping * (Pack4(1) + Pack4(2) * grown)};
}

void BendForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    for (const Hinge& hinge : model_.dynamics.hinges)
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j)
                pairs.push_back({hinge.v[i], hinge.v[j]});
}

void BendForce::bind(const BlockMatrix& matrix) {
    rows_ = RowAssembly(matrix, {this});
}

double BendForce::energy(std::span<const Vec3> x) const {
    const auto& rest = model_.dynamics.rest_angles;
    return parallel_sum<double>(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            const Pack4 angle = bend_state(gather(x, e.particle[0]), gather(x, e.particle[1]),
                                           gather(x, e.particle[2]), gather(x, e.particle[3]))
                                    .angle;
            const int n = lanes(static_cast<int>(k));
            if (law_ == BendLaw::angle) {
                const Pack4 bent = angle - e.rest;
                sum += sum_lanes(Pack4(0.5) * e.stiffness * bent * bent, n);
                continue;
            }
            for (int l = 0; l < n; ++l)
                sum += law_ == BendLaw::arc
                           ? arc_energy(angle[l], {e.stiffness[l], e.rest[l], e.stiffening[l]})
                           : bridson_energy(angle[l], rest.empty() ? 0 : rest[4 * k + l],
                                            e.stiffness[l], e.stiffening[l]);
        }
        return sum;
    });
}

void BendForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            Vec3T<Pack4> v[4];
            const HingeState<Pack4> s = gather_hinges(e.particle, at, v);
            const Pack4 moment = respond(e, s, v).moment;
            for (int i = 0; i < 4; ++i)
                scatter_add(-moment * s.gradient[i], e.particle[i], lanes(k), f);
        }
    });
}

void BendForce::corner_forces(std::span<const int> elements, const Kinematics& at,
                              std::span<Vec3> out) const {
    const std::size_t count = elements.size();
    parallel_for((count + 3) / 4, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const int n = static_cast<int>(std::min<std::size_t>(4, count - 4 * k));
            Element four;
            for (int l = 0; l < 4; ++l) {
                const int hinge = elements[4 * k + std::min(l, n - 1)];
                const Element& e = elements_[hinge / 4];
                four.stiffness.set(l, e.stiffness[hinge % 4]);
                four.damping.set(l, e.damping[hinge % 4]);
                four.rest.set(l, e.rest[hinge % 4]);
                four.stiffening.set(l, e.stiffening[hinge % 4]);
                four.rate_stiffening.set(l, e.rate_stiffening[hinge % 4]);
                for (int i = 0; i < 4; ++i)
                    four.particle[i][l] = e.particle[i][hinge % 4];
            }
            Vec3T<Pack4> v[4];
            const HingeState<Pack4> s = gather_hinges(four.particle, at, v);
            const Pack4 moment = respond(four, s, v).moment;
            for (int i = 0; i < 4; ++i) {
                const Vec3T<Pack4> force = -moment * s.gradient[i];
                for (int l = 0; l < n; ++l)
                    out[4 * elements[4 * k + l] + i] = {force.x[l], force.y[l], force.z[l]};
            }
        }
    });
}

void BendForce::add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                               BlockMatrix& a) const {
    rows_.add(at, step, f, a);
}

void BendForce::record(std::span<const int> packs, const Kinematics& at, const Linearisation& step,
                       double* out) const {
    const Pack4 h(step.h), zero(0);
    for (int k : packs) {
        const Element& e = elements_[k];
        Vec3T<Pack4> v[4];
        const HingeState<Pack4> s = gather_hinges(e.particle, at, v);
        const Response response = respond(e, s, v);
        // The angle will have turned by g . d: the moment extrapolated by the displacement.
        Pack4 turn(0);
        for (int i = 0; i < 4; ++i)
            turn = turn + dot(s.gradient[i], gather(step.displacement, e.particle[i]));
        const Pack4 moment = response.moment + response.stiffness * turn;
        const Pack4 scale = h * (h * response.stiffness + response.damping);
        Pack4 entry[record_size(Form::gradients)] = {
            s.gradient[0].x, s.gradient[0].y, s.gradient[0].z, scale,
            s.gradient[1].x, s.gradient[1].y, s.gradient[1].z, -moment,
            s.gradient[2].x, s.gradient[2].y, s.gradient[2].z, zero,
            s.gradient[3].x, s.gradient[3].y, s.gradient[3].z, zero};
        out = store_records(entry, out);
    }
}

void BendForce::cache_damping(const Kinematics& at) {
    dashpots_.resize(elements_.size());
    parallel_for(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            Vec3T<Pack4> v[4];
            const HingeState<Pack4> s = gather_hinges(e.particle, at, v);
            const Pack4 root = sqrt(respond(e, s, v).damping);
            for (int i = 0; i < 4; ++i)
                dashpots_[k].gradient[i] = root * s.gradient[i];
        }
    });
}

void BendForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const Dashpot& c = dashpots_[k];
            Pack4 rate(0);
            for (int i = 0; i < 4; ++i)
                rate = rate + dot(c.gradient[i], gather(w, e.particle[i]));
            for (int i = 0; i < 4; ++i)
                scatter_add(-rate * c.gradient[i], e.particle[i], lanes(k), f);
        }
    });
}

} // namespace muslin
