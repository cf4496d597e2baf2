#include "muslin/forces/stretch_shear.h"

#include "muslin/forces/packing.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace muslin {
namespace {

// Solves are handed threads that buckle at these strains or later, the first of a step and those
// that refine it: softer ones overshoot, and would keep cloth from coming to rest.
constexpr double first_handed_strain = 0.02, later_handed_strain = 0.004;

} // namespace

StretchShearForce::StretchShearForce(const Model& model, double strain_limit,
                                     Compression compression)
    : model_(model), strain_limit_(strain_limit), buckles_(compression == Compression::buckling),
      triangles_(static_cast<int>(model.dynamics.triangles.size())) {
    const DynamicsLayer& layer = model.dynamics;
    elements_.resize((triangles_ + 3) / 4);
    for (int t = 0; t < triangles_; ++t)
        corners_.insert(corners_.end(), layer.triangles[t].begin(), layer.triangles[t].end());
    batches_ = ElementBatches(corners_, 3, model.particle_count());

    for (int k = 0; k < 4 * static_cast<int>(elements_.size()); ++k) {
        const int t = std::min(k, triangles_ - 1), l = k % 4;
        Element& e = elements_[k / 4];
        const auto& p = layer.pattern[t];
        const Material& m = model.cloths[layer.triangle_cloth[t]].material;
        const TriangleRest rest = triangle_rest(p[0], p[1], p[2]);
        e.area.set(l, rest.area);
        e.stretch_u.set(l, m.stretch_u);
        e.stretch_v.set(l, m.stretch_v);
        e.shear.set(l, m.shear);
        e.stretch_damping.set(l, m.stretch_damping);
        e.shear_damping.set(l, m.shear_damping);
        e.rest_u.set(l, 1);
        e.rest_v.set(l, 1);
        // The edge of an equilateral triangle of the same area: how far apart its vertices are.
        const double edge = std::sqrt(4 / std::numbers::sqrt3 * rest.area);
        const auto set_buckling = [&](double stiffness, double rigidity,
                                      ThreadBuckling<Pack4>& to) {
            const ThreadBuckling<double> p0 = thread_buckling(stiffness, rigidity, edge);
            to.critical.set(l, p0.critical);
            to.after.set(l, p0.after);
            to.closed.set(l, p0.closed);
        };
        set_buckling(m.stretch_u, m.bend_u, e.buckling_u);
        set_buckling(m.stretch_v, m.bend_v, e.buckling_v);
        for (int i = 0; i < 3; ++i) {
            e.a[i].set(l, rest.a[i]);
            e.b[i].set(l, rest.b[i]);
            e.particle[i][l] = layer.triangles[t][i];
        }
    }
    prepare(0);
}

void StretchShearForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    append_triangle_pairs(model_.dynamics.triangles, pairs);
}

void StretchShearForce::bind(const BlockMatrix& matrix) {
    rows_ = RowAssembly(matrix, {this});
}

void StretchShearForce::prepare(double time) {
    // Later entries win where regions overlap.
    for (const RestStretch& r : model_.rest_stretches) {
        const double b_u = r.b_u.at(time), b_v = r.b_v.at(time);
        for (int t : r.triangles) {
            elements_[t / 4].rest_u.set(t % 4, b_u);
            elements_[t / 4].rest_v.set(t % 4, b_v);
        }
    }
}

// Inline, as is what follows: a library's own functions are not unless they say so.
[[gnu::always_inline]] inline Deformation<Pack4>
StretchShearForce::deformation(const Element& e, const Kinematics& at) {
    const Vec3T<Pack4> x[3] = {gather(at.positions, e.particle[0]),
                               gather(at.positions, e.particle[1]),
                               gather(at.positions, e.particle[2])};
    const Vec3T<Pack4> v[3] = {gather(at.velocities, e.particle[0]),
                               gather(at.velocities, e.particle[1]),
                               gather(at.velocities, e.particle[2])};
    return membrane_deformation<Pack4>(e, x, v);
}

[[gnu::always_inline]] inline MembraneLaw<Pack4> StretchShearForce::law(int iteration) const {
    return {buckles_, strain_limit_ != no_limit, Pack4(1 + strain_limit_),
            Pack4(iteration == 0 ? first_handed_strain : later_handed_strain)};
}

// Not inline: most triangles have none.
StretchExcess<Pack4> StretchShearForce::excess(const Element& e, const Vec3T<Pack4>& w,
                                               const Pack4& stiffness, const Pack4& rest) const {
    return stretch_excess(e.area, w, stiffness, rest, law(0));
}

[[gnu::always_inline]] inline InPlaneDirections<Pack4>
StretchShearForce::respond(const Element& e, const Deformation<Pack4>& d, int iteration) const {
    InPlaneDirections<Pack4> r = membrane_response<Pack4>(e, d, law(iteration));
    if (strain_limit_ == no_limit)
        return r;
    add_excess(d.w_u, d.rate_u, excess(e, d.w_u, e.stretch_u, e.rest_u), r.u);
    add_excess(d.w_v, d.rate_v, excess(e, d.w_v, e.stretch_v, e.rest_v), r.v);
    return r;
}

ThreadBuckling<double> lane_of(const ThreadBuckling<Pack4>& p, int l) {
    return {p.critical[l], p.after[l], p.closed[l]};
}

// Of the threads of both directions, without their limit [J].
double StretchShearForce::thread_energies(const Element& e, const Deformation<Pack4>& d,
                                          int lanes) const {
    if (!buckles_)
        return sum_lanes(stretch_energy(d.w_u, StretchParameters<Pack4>{e.area, e.stretch_u,
                                                                        Pack4(0), e.rest_u}) +
                             stretch_energy(d.w_v, StretchParameters<Pack4>{e.area, e.stretch_v,
                                                                            Pack4(0), e.rest_v}),
                         lanes);
    const Pack4 u = norm(d.w_u) - e.rest_u, v = norm(d.w_v) - e.rest_v;
    double sum = 0;
    for (int l = 0; l < lanes; ++l)
        sum += e.area[l] * (thread_energy(u[l], e.stretch_u[l], lane_of(e.buckling_u, l)) +
                            thread_energy(v[l], e.stretch_v[l], lane_of(e.buckling_v, l)));
    return sum;
}

double StretchShearForce::energy(std::span<const Vec3> positions) const {
    return parallel_sum<double>(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            const Deformation<Pack4> d = deformation(e, {positions, positions});
            const int n = lanes(static_cast<int>(k));
            sum += thread_energies(e, d, n);
            sum += sum_lanes(shear_energy(d, ShearParameters<Pack4>{e.area, e.shear, Pack4(0)}), n);
            for (const auto& [w, beyond] :
                 {std::pair{d.w_u, excess(e, d.w_u, e.stretch_u, e.rest_u)},
                  std::pair{d.w_v, excess(e, d.w_v, e.stretch_v, e.rest_v)}})
                if (beyond.any)
                    sum += sum_lanes(stretch_energy(w, beyond.parameters), n);
        }
        return sum;
    });
}

void StretchShearForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const Deformation<Pack4> d = deformation(e, at);
            const InPlaneVector<Pack4> force = in_plane_force(respond(e, d, 0), d);
            for (int i = 0; i < 3; ++i)
                scatter_add(e.a[i] * force.u + e.b[i] * force.v, e.particle[i], lanes(k), f);
        }
    });
}

void StretchShearForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                       std::span<Vec3> f, BlockMatrix& a) const {
    rows_.add(at, step, f, a);
}

void StretchShearForce::record(std::span<const int> packs, const Kinematics& at,
                               const Linearisation& step, double* out) const {
    const Pack4 h(step.h);
    for (int k : packs) {
        const Element& e = elements_[k];
        const Deformation<Pack4> d = deformation(e, at);
        const InPlaneDirections<Pack4> r = respond(e, d, step.iteration);

        Pack4 entry[record_size(Form::blocks)];
        const InPlaneSystem<Pack4> system = in_plane_system(r, h);
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            in_plane_block(system, e.a[i], e.b[i], e.a[j], e.b[j], entry + 9 * i);
        }
        // The force extrapolated by the displacement.
        const Vec3T<Pack4> d0 = gather(step.displacement, e.particle[0]);
        const Vec3T<Pack4> d1 = gather(step.displacement, e.particle[1]) - d0;
        const Vec3T<Pack4> d2 = gather(step.displacement, e.particle[2]) - d0;
        const InPlaneVector<Pack4> force = in_plane_force(r, d);
        const InPlaneVector<Pack4> lost =
            stiffness_product(r, {e.a[1] * d1 + e.a[2] * d2, e.b[1] * d1 + e.b[2] * d2});
        for (int i = 0; i < 3; ++i) {
            const Vec3T<Pack4> f = e.a[i] * (force.u - lost.u) + e.b[i] * (force.v - lost.v);
            entry[27 + 3 * i] = f.x;
            entry[28 + 3 * i] = f.y;
            entry[29 + 3 * i] = f.z;
        }
        out = store_records(entry, out);
    }
}

void StretchShearForce::cache_damping(const Kinematics& at) {
    dashpots_.resize(elements_.size());
    parallel_for(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            const Deformation<Pack4> d = deformation(e, at);
            const Pack4 along = sqrt(e.area * e.stretch_damping);
            const Pack4 across = sqrt(e.area * e.shear_damping);
            const Pack4 tiny(1e-12);
            dashpots_[k] = {(along / maximum(norm(d.w_u), tiny)) * d.w_u,
                            (along / maximum(norm(d.w_v), tiny)) * d.w_v, across * d.w_v,
                            across * d.w_u};
        }
    });
}

void StretchShearForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const Dashpots& c = dashpots_[k];
            const Vec3T<Pack4> w0 = gather(w, e.particle[0]);
            const Vec3T<Pack4> w1 = gather(w, e.particle[1]) - w0;
            const Vec3T<Pack4> w2 = gather(w, e.particle[2]) - w0;
            const Vec3T<Pack4> rate_u = e.a[1] * w1 + e.a[2] * w2;
            const Vec3T<Pack4> rate_v = e.b[1] * w1 + e.b[2] * w2;
            const Pack4 shear = dot(c.shear_u, rate_u) + dot(c.shear_v, rate_v);
            const Vec3T<Pack4> fu = dot(c.u, rate_u) * c.u + shear * c.shear_u;
            const Vec3T<Pack4> fv = dot(c.v, rate_v) * c.v + shear * c.shear_v;
            for (int i = 0; i < 3; ++i)
                scatter_add(-(e.a[i] * fu + e.b[i] * fv), e.particle[i], lanes(k), f);
        }
    });
}

double StretchShearForce::largest_stretch_change(std::span<const Vec3> from,
                                                 std::span<const Vec3> to) const {
    return parallel_largest(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        double worst = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            const Deformation<Pack4> a = deformation(e, {from, from});
            const Deformation<Pack4> b = deformation(e, {to, to});
            // Threads that buckle shorten by large amounts without much force.
            const auto length = [&](const Vec3T<Pack4>& w, const Pack4& rest) {
                return buckles_ ? maximum(norm(w), rest) : norm(w);
            };
            const Pack4 u = abs(length(b.w_u, e.rest_u) - length(a.w_u, e.rest_u));
            const Pack4 v = abs(length(b.w_v, e.rest_v) - length(a.w_v, e.rest_v));
            for (int l = 0; l < 4; ++l) {
                // Written so that a value that is not a number counts as infinite.
                if (!(u[l] <= worst))
                    worst = std::isfinite(u[l]) ? u[l] : std::numeric_limits<double>::infinity();
                if (!(v[l] <= worst))
                    worst = std::isfinite(v[l]) ? v[l] : std::numeric_limits<double>::infinity();
            }
        }
        return worst;
    });
}

} // namespace muslin
