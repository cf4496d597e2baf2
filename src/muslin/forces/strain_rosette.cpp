#include "muslin/forces/strain_rosette.h"

#include "muslin/forces/packing.h"
#include "muslin/kernels/in_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace muslin {

StrainRosetteForce::StrainRosetteForce(const Model& model)
    : model_(model), triangles_(static_cast<int>(model.dynamics.triangles.size())),
      rests_(!model.rest_stretches.empty()) {
    const DynamicsLayer& layer = model.dynamics;
    for (const Cloth& cloth : model.cloths) {
        const Material& m = cloth.material;
        yields_ = yields_ || std::isfinite(m.yield_stretch);
        relaxes_ = relaxes_ || (std::isfinite(m.yield_stretch) && std::isfinite(m.relaxation_time));
    }
    for (const auto& corners : layer.triangles)
        corners_.insert(corners_.end(), corners.begin(), corners.end());
    batches_ = ElementBatches(corners_, 3, model.particle_count());
    elements_.resize((triangles_ + 3) / 4);
    for (int k = 0; k < 4 * static_cast<int>(elements_.size()); ++k) {
        const int t = std::min(k, triangles_ - 1), l = k % 4;
        Element& e = elements_[k / 4];
        const auto& p = layer.pattern[t];
        const Material& m = model.cloths[layer.triangle_cloth[t]].material;
        const TriangleRest rest = triangle_rest(p[0], p[1], p[2]);
        e.area.set(l, rest.area);
        e.sheet.stiffness.set(l, sheet_stiffness(m));
        e.sheet.poisson.set(l, m.poisson);
        e.sheet.soft.set(l, m.compression_stiffness);
        e.sheet.slack.set(l, m.soft_extension);
        e.damping.set(l, m.stretch_damping);
        e.given = e.kept = {Pack4(0), Pack4(0), Pack4(0)};
        for (int i = 0; i < 3; ++i) {
            e.a[i].set(l, rest.a[i]);
            e.b[i].set(l, rest.b[i]);
            e.particle[i][l] = layer.triangles[t][i];
        }
    }
    prepare(0);
}

void StrainRosetteForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    append_triangle_pairs(model_.dynamics.triangles, pairs);
}

void StrainRosetteForce::bind(const BlockMatrix& matrix) {
    slots_.resize(elements_.size());
    for (std::size_t k = 0; k < elements_.size(); ++k)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                for (int l = 0; l < 4; ++l)
                    slots_[k].slot[i][j][l] =
                        matrix.slot(elements_[k].particle[i][l], elements_[k].particle[j][l]);
}

void StrainRosetteForce::prepare(double time) {
    // Later entries win where regions overlap.
    for (const RestStretch& r : model_.rest_stretches) {
        const double b_u = r.b_u.at(time), b_v = r.b_v.at(time);
        for (int t : r.triangles) {
            elements_[t / 4].given.first.set(t % 4, b_u - 1);
            elements_[t / 4].given.second.set(t % 4, b_v - 1);
        }
    }
    if (relaxes_ && !kept_.empty() && time != set_time_)
        set_kept(time);
}

StrainRosetteForce::Gradients StrainRosetteForce::gradients(const Element& e,
                                                            std::span<const Vec3> values) {
    const Vec3T<Pack4> x0 = gather(values, e.particle[0]);
    const Vec3T<Pack4> x1 = gather(values, e.particle[1]) - x0;
    const Vec3T<Pack4> x2 = gather(values, e.particle[2]) - x0;
    return {e.a[1] * x1 + e.a[2] * x2, e.b[1] * x1 + e.b[2] * x2};
}

StrainRosetteForce::Turned StrainRosetteForce::turned_weights(const Element& e,
                                                              const SheetStretch<Pack4>& s) {
    Turned t;
    for (int i = 0; i < 3; ++i) {
        t.first[i] = s.cosine * e.a[i] + s.sine * e.b[i];
        t.second[i] = s.cosine * e.b[i] - s.sine * e.a[i];
    }
    return t;
}

InPlaneTensor<Pack4> StrainRosetteForce::rest(const Element& e) const {
    return {e.given.first + e.kept.first, e.given.second + e.kept.second,
            e.given.shear + e.kept.shear};
}

SheetStress<Pack4> StrainRosetteForce::elastic(const Element& e,
                                               const SheetStretch<Pack4>& s) const {
    return rests_ ? sheet_stress(s, rest(e), e.sheet) : sheet_stress(s, e.sheet);
}

double StrainRosetteForce::energy(std::span<const Vec3> positions) const {
    return parallel_sum<double>(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            const Gradients w = gradients(e, positions);
            sum += sum_lanes(e.area * sheet_energy(sheet_stretch(w.u, w.v), rest(e), e.sheet),
                             lanes(static_cast<int>(k)));
        }
        return sum;
    });
}

void StrainRosetteForce::forces(const Element& e, const Kinematics& at,
                                Vec3T<Pack4> (&out)[3]) const {
    const Gradients w = gradients(e, at.positions), rate = gradients(e, at.velocities);
    const SheetStretch<Pack4> s = sheet_stretch(w.u, w.v);
    const InPlaneTensor<Pack4> pull = elastic(e, s).stress;
    const InPlaneTensor<Pack4> drag =
        hooke(strain_rate(s, rate.u, rate.v), e.damping, e.sheet.poisson);
    const Pack4 shear = pull.shear + drag.shear;
    const Vec3T<Pack4> p1 =
        (pull.first + drag.first) * s.along[0] + (shear * s.part[1]) * s.along[1];
    const Vec3T<Pack4> p2 =
        (pull.second + drag.second) * s.along[1] + (shear * s.part[0]) * s.along[0];
    const Turned weight = turned_weights(e, s);
    for (int i = 0; i < 3; ++i)
        out[i] = -((e.area * weight.first[i]) * p1 + (e.area * weight.second[i]) * p2);
}

void StrainRosetteForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            Vec3T<Pack4> force[3];
            forces(elements_[k], at, force);
            for (int i = 0; i < 3; ++i)
                scatter_add(force[i], elements_[k].particle[i], lanes(k), f);
        }
    });
}

void StrainRosetteForce::copy_lane(int triangle, int lane, Element& out) const {
    const Element& e = elements_[triangle / 4];
    const int l = triangle % 4;
    const auto copy = [&](const Pack4& from, Pack4& to) { to.set(lane, from[l]); };
    const auto copy_tensor = [&](const InPlaneTensor<Pack4>& from, InPlaneTensor<Pack4>& to) {
        copy(from.first, to.first);
        copy(from.second, to.second);
        copy(from.shear, to.shear);
    };
    copy(e.area, out.area);
    copy(e.sheet.stiffness, out.sheet.stiffness);
    copy(e.sheet.poisson, out.sheet.poisson);
    copy(e.sheet.soft, out.sheet.soft);
    copy(e.sheet.slack, out.sheet.slack);
    copy(e.damping, out.damping);
    copy_tensor(e.given, out.given);
    copy_tensor(e.kept, out.kept);
    for (int i = 0; i < 3; ++i) {
        copy(e.a[i], out.a[i]);
        copy(e.b[i], out.b[i]);
        out.particle[i][lane] = e.particle[i][l];
    }
}

void StrainRosetteForce::corner_forces(std::span<const int> elements, const Kinematics& at,
                                       std::span<Vec3> out) const {
    const std::size_t count = elements.size();
    parallel_for((count + 3) / 4, 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const int n = static_cast<int>(std::min<std::size_t>(4, count - 4 * k));
            Element four;
            for (int l = 0; l < 4; ++l)
                copy_lane(elements[4 * k + std::min(l, n - 1)], l, four);
            Vec3T<Pack4> force[3];
            forces(four, at, force);
            for (int l = 0; l < n; ++l)
                for (int i = 0; i < 3; ++i)
                    out[3 * elements[4 * k + l] + i] = {force[i].x[l], force[i].y[l],
                                                        force[i].z[l]};
        }
    });
}

// With m_i the directions of the principal stretch in space and N their normal, K in the frame of
// the principal stretch is: the stress's derivative on (m1.w1, m2.w2, m1.w2 + m2.w1); half of
// (s1 + s2) / (lambda_1 + lambda_2) on m1.w2 - m2.w1; s_i / lambda_i on N.w_i. Without a rest
// strain that is the exact Jacobian (the modes of an isotropic energy of singular values); the last
// two count where they are not negative: compression wants to buckle.
StrainRosetteForce::Linear StrainRosetteForce::linearised(const Element& e,
                                                          const SheetStretch<Pack4>& s,
                                                          const Kinematics& at,
                                                          const Linearisation& step) const {
    const Pack4 h(step.h), hh(step.h * step.h), zero(0), half(0.5), one(1), two(2), least(1e-3);
    const Gradients rate = gradients(e, at.velocities), d = gradients(e, step.displacement);
    const SheetStress<Pack4> pull = elastic(e, s);
    const InPlaneTensor<Pack4> drag =
        hooke(strain_rate(s, rate.u, rate.v), e.damping, e.sheet.poisson);
    const Vec3T<Pack4>&m1 = s.along[0], &m2 = s.along[1];
    const Vec3T<Pack4> normal = cross(m1, m2);
    const Pack4 s1 = pull.stress.first, s2 = pull.stress.second;
    const Pack4 turn = half * maximum(s1 + s2, zero) / maximum(s.length[0] + s.length[1], least);
    const Pack4 out1 = maximum(s1, zero) / maximum(s.length[0], least);
    const Pack4 out2 = maximum(s2, zero) / maximum(s.length[1], least);

    Linear r;
    // The force, extrapolated by the displacement.
    const Vec3T<Pack4> d1 = s.cosine * d.u + s.sine * d.v, d2 = s.cosine * d.v - s.sine * d.u;
    const Pack4 e1 = dot(m1, d1), e2 = dot(m2, d2), x12 = dot(m1, d2), x21 = dot(m2, d1);
    const Pack4 g = x12 + x21, twist = turn * (x12 - x21);
    const Pack4 shear = pull.stress.shear + drag.shear;
    const Pack4 more = pull.h13 * e1 + pull.h23 * e2 + pull.h33 * g;
    const Pack4 along1 = s1 + drag.first + pull.h11 * e1 + pull.h12 * e2 + pull.h13 * g;
    const Pack4 along2 = s2 + drag.second + pull.h12 * e1 + pull.h22 * e2 + pull.h23 * g;
    r.p1 =
        along1 * m1 + (shear * s.part[1] + more - twist) * m2 + (out1 * dot(normal, d1)) * normal;
    r.p2 =
        along2 * m2 + (shear * s.part[0] + more + twist) * m1 + (out2 * dot(normal, d2)) * normal;

    const Pack4 nu = e.sheet.poisson;
    const Pack4 viscous = h * e.damping / (one - nu * nu);
    const Pack4 viscous_shear = h * e.damping / (two * (one + nu));
    const Pack4 h13 = hh * pull.h13, h23 = hh * pull.h23, h33 = hh * pull.h33, t = hh * turn;
    const Mat3T<Pack4> m11 = outer(m1, m1), m12 = outer(m1, m2), m22 = outer(m2, m2),
                       m21 = transpose(m12), across = outer(normal, normal);
    r.k11 = (hh * pull.h11 + viscous) * m11 + h13 * (m12 + m21) +
            (h33 + t + viscous_shear * s.part[1] * s.part[1]) * m22 + (hh * out1) * across;
    r.k22 = (hh * pull.h22 + viscous) * m22 + h23 * (m12 + m21) +
            (h33 + t + viscous_shear * s.part[0] * s.part[0]) * m11 + (hh * out2) * across;
    r.k12 = (hh * pull.h12 + viscous * nu) * m12 + h13 * m11 + h23 * m22 +
            (h33 - t + viscous_shear * s.part[0] * s.part[1]) * m21;
    return r;
}

void StrainRosetteForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                        std::span<Vec3> f, BlockMatrix& a) const {
    batches_.for_each([&](int begin, int end) {
        for (int k = begin / 4; 4 * k < end; ++k) {
            const Element& e = elements_[k];
            const int n = lanes(k);
            const Gradients w = gradients(e, at.positions);
            const SheetStretch<Pack4> s = sheet_stretch(w.u, w.v);
            const Linear r = linearised(e, s, at, step);
            const Mat3T<Pack4> k21 = transpose(r.k12);
            const Turned weight = turned_weights(e, s);
            for (int i = 0; i < 3; ++i) {
                const Pack4 fi = e.area * weight.first[i], si = e.area * weight.second[i];
                scatter_add(-(fi * r.p1 + si * r.p2), e.particle[i], n, f);
                for (int j = i; j < 3; ++j) {
                    const Pack4 fj = weight.first[j], sj = weight.second[j];
                    const Mat3T<Pack4> block =
                        (fi * fj) * r.k11 + (fi * sj) * r.k12 + (si * fj) * k21 + (si * sj) * r.k22;
                    if (i == j)
                        a.add_packed(slots_[k].slot[i][i], n, block);
                    else
                        a.add_pair_packed(slots_[k].slot[i][j], slots_[k].slot[j][i], n, block);
                }
            }
        }
    });
}

void StrainRosetteForce::cache_damping(const Kinematics& at) {
    dashpots_.resize(elements_.size());
    const Pack4 one(1), two(2);
    parallel_for(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Element& e = elements_[k];
            const Gradients w = gradients(e, at.positions);
            const SheetStretch<Pack4> s = sheet_stretch(w.u, w.v);
            // Growth, difference and shear: nu couples the first two elongations alone.
            const Pack4 damping = e.area * e.damping / two;
            const Pack4 growth = sqrt(damping / (one - e.sheet.poisson));
            const Pack4 change = sqrt(damping / (one + e.sheet.poisson));
            const Vec3T<Pack4> first = s.along[0], second = s.along[1];
            const Vec3T<Pack4> u1 = s.cosine * first, v1 = s.sine * first;
            const Vec3T<Pack4> u2 = -s.sine * second, v2 = s.cosine * second;
            Dashpots& c = dashpots_[k];
            c.u[0] = growth * (u1 + u2);
            c.v[0] = growth * (v1 + v2);
            c.u[1] = change * (u1 - u2);
            c.v[1] = change * (v1 - v2);
            const Vec3T<Pack4> on1 = s.part[1] * second, on2 = s.part[0] * first;
            c.u[2] = change * (s.cosine * on1 - s.sine * on2);
            c.v[2] = change * (s.sine * on1 + s.cosine * on2);
        }
    });
}

void StrainRosetteForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const Dashpots& c = dashpots_[k];
            const Gradients rate = gradients(e, w);
            Vec3T<Pack4> fu = {Pack4(0), Pack4(0), Pack4(0)}, fv = fu;
            for (int i = 0; i < 3; ++i) {
                const Pack4 speed = dot(c.u[i], rate.u) + dot(c.v[i], rate.v);
                fu += speed * c.u[i];
                fv += speed * c.v[i];
            }
            for (int i = 0; i < 3; ++i)
                scatter_add(-(e.a[i] * fu + e.b[i] * fv), e.particle[i], lanes(k), f);
        }
    });
}

double StrainRosetteForce::largest_stretch_change(std::span<const Vec3> from,
                                                  std::span<const Vec3> to) const {
    return parallel_largest(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        double worst = 0;
        for (std::size_t k = begin; k < end; ++k) {
            const Gradients a = gradients(elements_[k], from), b = gradients(elements_[k], to);
            const SheetStretch<Pack4> before = sheet_stretch(a.u, a.v),
                                      after = sheet_stretch(b.u, b.v);
            for (int i = 0; i < 2; ++i) {
                const Pack4 change = abs(after.length[i] - before.length[i]);
                for (int l = 0; l < 4; ++l)
                    // Written so that a value that is not a number counts as infinite.
                    if (!(change[l] <= worst))
                        worst = std::isfinite(change[l]) ? change[l]
                                                         : std::numeric_limits<double>::infinity();
            }
        }
        return worst;
    });
}

namespace {

// The strain U - I of a triangle in the frame of its pattern.
InPlaneTensor<double> pattern_strain(const TriangleRest& rest, const Vec3& x0, const Vec3& x1,
                                     const Vec3& x2) {
    const Vec3 d1 = x1 - x0, d2 = x2 - x0;
    const SheetStretch<double> s =
        sheet_stretch(rest.a[1] * d1 + rest.a[2] * d2, rest.b[1] * d1 + rest.b[2] * d2);
    return turned_strain<double>({s.length[0] - 1, s.length[1] - 1, 0}, s.cosine, -s.sine);
}

} // namespace

void StrainRosetteForce::recall(const State& begin) {
    if (!yields_)
        return;
    const std::vector<Vec3>& kept = begin.strain_history.triangles;
    if (!kept.empty() && static_cast<int>(kept.size()) != triangles_)
        throw std::logic_error("the strain history is that of another cloth");
    const bool nothing = kept.empty() && kept_.empty();
    kept_.assign(kept.begin(), kept.end());
    kept_time_ = begin.time;
    rests_ = !kept.empty() || !model_.rest_stretches.empty();
    if (!nothing)
        set_kept(begin.time);
}

// What is left of the rest strain at a time of the step: as remember has it at the step's end, or
// positions would be a step behind.
void StrainRosetteForce::set_kept(double time) {
    set_time_ = time;
    const double passed = std::max(0.0, time - kept_time_);
    parallel_for(elements_.size(), 256, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k)
            for (int l = 0; l < 4; ++l) {
                const std::size_t t = std::min<std::size_t>(4 * k + l, triangles_ - 1);
                Vec3 strain = {0, 0, 0};
                if (!kept_.empty())
                    strain = std::exp(-passed / material(t).relaxation_time) * kept_[t];
                elements_[k].kept.first.set(l, strain.x);
                elements_[k].kept.second.set(l, strain.y);
                elements_[k].kept.shear.set(l, strain.z);
            }
    });
}

// The strain without what the rest stretches of the model ask for.
InPlaneTensor<double> StrainRosetteForce::strain(int t, std::span<const Vec3> x) const {
    const auto& p = model_.dynamics.pattern[t];
    const auto& v = model_.dynamics.triangles[t];
    const InPlaneTensor<double> all =
        pattern_strain(triangle_rest(p[0], p[1], p[2]), x[v[0]], x[v[1]], x[v[2]]);
    const InPlaneTensor<Pack4>& given = elements_[t / 4].given;
    return {all.first - given.first[t % 4], all.second - given.second[t % 4], all.shear};
}

bool StrainRosetteForce::any_yields(std::span<const Vec3> x) const {
    return parallel_sum<int>(triangles_, 1024, [&](std::size_t first, std::size_t last) {
               int count = 0;
               for (std::size_t t = first; t < last; ++t) {
                   const double most = material(t).yield_stretch;
                   if (!std::isfinite(most))
                       continue;
                   const InPlaneTensor<double> e = strain(static_cast<int>(t), x);
                   const Principal<double> p = principal(e.first, e.second, 0.5 * e.shear);
                   count += p.first > most || p.second < -most;
               }
               return count;
           }) > 0;
}

void StrainRosetteForce::remember(double h, State& end) const {
    std::vector<Vec3>& kept = end.strain_history.triangles;
    if (!yields_ || (kept.empty() && !any_yields(end.positions)))
        return;
    kept.resize(triangles_, {0, 0, 0});
    parallel_for(triangles_, 512, [&](std::size_t first, std::size_t last) {
        for (std::size_t t = first; t < last; ++t) {
            const Material& m = material(t);
            if (!std::isfinite(m.yield_stretch))
                continue;
            // Relaxation first: what is held beyond yield stays there.
            const InPlaneTensor<double> now = yielded(
                strain(static_cast<int>(t), end.positions), {kept[t].x, kept[t].y, kept[t].z},
                std::exp(-h / m.relaxation_time), m.yield_stretch);
            kept[t] = {now.first, now.second, now.shear};
        }
    });
}

} // namespace muslin
