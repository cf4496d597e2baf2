#include "muslin/forces/bend_shape.h"

#include "muslin/forces/bend_shape_fit.h"
#include "muslin/forces/packing.h"
#include "muslin/kernels/bend_shape.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

BendElements fitted_elements(const Model& model) {
    const BendTopology topology(model);
    std::vector<ClothBending> cloths;
    for (int c = 0; c < static_cast<int>(model.cloths.size()); ++c)
        cloths.push_back(fit_bending(topology, c).bending);
    return bend_elements(topology, cloths);
}

Pack4 gather(const double* values, const int (&index)[4]) {
    return Pack4::Native{values[index[0]], values[index[1]], values[index[2]], values[index[3]]};
}

// Four elements where their particles are.
[[gnu::always_inline]] inline HingeState<Pack4> gather_hinges(const int (&particle)[4][4],
                                                              std::span<const Vec3> x) {
    return hinge_state(gather(x, particle[0]), gather(x, particle[1]), gather(x, particle[2]),
                       gather(x, particle[3]));
}

Pack4 rate_of(const HingeState<Pack4>& s, const int (&particle)[4][4], std::span<const Vec3> v) {
    Pack4 rate(0);
    for (int i = 0; i < 4; ++i)
        rate = rate + dot(s.gradient[i], gather(v, particle[i]));
    return rate;
}

} // namespace

BendShapeForce::BendShapeForce(const Model& model) {
    const BendElements from = fitted_elements(model);
    count_ = static_cast<int>(from.particles.size());
    elements_.resize((count_ + 3) / 4);
    if (!from.couplings.empty())
        couplings_.resize(elements_.size());
    bends_.resize(4 * elements_.size());
    for (const auto& v : from.particles)
        corners_.insert(corners_.end(), v.begin(), v.end());
    batches_ = ElementBatches(corners_, 4, model.particle_count());
    for (int k = 0; k < 4 * static_cast<int>(elements_.size()); ++k)
        set_element(from, k, std::min(k, count_ - 1));
}

void BendShapeForce::set_element(const BendElements& from, int place, int at) {
    Element& e = elements_[place / 4];
    const int l = place % 4;
    for (int i = 0; i < 4; ++i)
        e.particle[i][l] = from.particles[at][i];
    e.stiffness.set(l, from.stiffness[at]);
    double handed = from.stiffness[at];
    if (!from.couplings.empty())
        for (const BendElements::Coupling& coupling : from.couplings[at])
            handed += std::abs(coupling.stiffness);
    e.handed.set(l, handed);
    e.damping.set(l, from.damping[at]);
    e.rest.set(l, from.rest[at]);
    if (couplings_.empty())
        return;
    for (int k = 0; k < 4; ++k) {
        couplings_[place / 4].stiffness[k].set(l, from.couplings[at][k].stiffness);
        couplings_[place / 4].element[k][l] = from.couplings[at][k].element;
    }
}

inline Pack4 BendShapeForce::bent(const Element& e, std::span<const Vec3> x) const {
    return hinge_bend(gather_hinges(e.particle, x), e.rest);
}

void BendShapeForce::find_bends(std::span<const Vec3> x) const {
    parallel_for(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            store4(bent(elements_[k], x), bends_.data() + 4 * k);
    });
}

// B b of four elements, from the bends of all.
inline Pack4 BendShapeForce::elastic_moment(std::size_t pack) const {
    Pack4 moment = elements_[pack].stiffness * load4(bends_.data() + 4 * pack);
    if (!couplings_.empty())
        for (int k = 0; k < 4; ++k)
            moment = moment + couplings_[pack].stiffness[k] *
                                  gather(bends_.data(), couplings_[pack].element[k]);
    return moment;
}

void BendShapeForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    for (std::size_t e = 0; e < corners_.size(); e += 4)
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j)
                pairs.push_back({corners_[e + i], corners_[e + j]});
}

void BendShapeForce::bind(const BlockMatrix& matrix) {
    rows_ = RowAssembly(matrix, {this});
}

double BendShapeForce::energy(std::span<const Vec3> x) const {
    find_bends(x);
    return parallel_sum<double>(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k)
            sum +=
                sum_lanes(Pack4(0.5) * load4(bends_.data() + 4 * k) * elastic_moment(k), lanes(k));
        return sum;
    });
}

void BendShapeForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    find_bends(at.positions);
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const HingeState<Pack4> s = gather_hinges(e.particle, at.positions);
            const Pack4 moment =
                elastic_moment(k) + e.damping * rate_of(s, e.particle, at.velocities);
            for (int i = 0; i < 4; ++i)
                scatter_add(-moment * s.gradient[i], e.particle[i], lanes(k), f);
        }
    });
}

void BendShapeForce::corner_forces(std::span<const int> elements, const Kinematics& at,
                                   std::span<Vec3> out) const {
    const auto bend_of = [&](int element) {
        const Element& e = elements_[element / 4];
        const int l = element % 4;
        const auto x = [&](int i) { return at.positions[e.particle[i][l]]; };
        return bend_state(x(0), x(1), x(2), x(3)).angle - e.rest[l];
    };
    parallel_for(elements.size(), 64, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const int element = elements[k], l = element % 4;
            const Element& e = elements_[element / 4];
            Vec3 x[4], v[4];
            for (int i = 0; i < 4; ++i) {
                x[i] = at.positions[e.particle[i][l]];
                v[i] = at.velocities[e.particle[i][l]];
            }
            const HingeState<double> s = hinge_state(x[0], x[1], x[2], x[3]);
            double moment = e.stiffness[l] * bend_of(element) + e.damping[l] * s.rate(v);
            for (int c = 0; c < 4 && !couplings_.empty(); ++c)
                if (const Couplings& all = couplings_[element / 4]; all.stiffness[c][l] != 0)
                    moment += all.stiffness[c][l] * bend_of(all.element[c][l]);
            for (int i = 0; i < 4; ++i)
                out[4 * element + i] = -moment * s.gradient[i];
        }
    });
}

void BendShapeForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                    std::span<Vec3> f, BlockMatrix& a) const {
    rows_.add(at, step, f, a);
}

void BendShapeForce::prepare_records(const Kinematics& at) const {
    find_bends(at.positions);
}

void BendShapeForce::record(std::span<const int> packs, const Kinematics& at,
                            const Linearisation& step, double* out) const {
    const Pack4 h(step.h), zero(0);
    for (int k : packs) {
        const Element& e = elements_[k];
        const HingeState<Pack4> s = gather_hinges(e.particle, at.positions);
        // The moment extrapolated by the displacement, by what the solver gets of the stiffness.
        const Pack4 turn = rate_of(s, e.particle, step.displacement);
        const HingeSystem<Pack4> system =
            hinge_system(elastic_moment(k), e.damping * rate_of(s, e.particle, at.velocities),
                         e.handed * turn, e.damping, e.handed, h);
        Pack4 entry[record_size(Form::gradients)] = {
            s.gradient[0].x, s.gradient[0].y, s.gradient[0].z, system.scale,
            s.gradient[1].x, s.gradient[1].y, s.gradient[1].z, -system.moment,
            s.gradient[2].x, s.gradient[2].y, s.gradient[2].z, zero,
            s.gradient[3].x, s.gradient[3].y, s.gradient[3].z, zero};
        out = store_records(entry, out);
    }
}

void BendShapeForce::cache_damping(const Kinematics& at) {
    dashpots_.resize(elements_.size());
    parallel_for(elements_.size(), 256, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const HingeState<Pack4> s = gather_hinges(elements_[k].particle, at.positions);
            const Pack4 root = sqrt(elements_[k].damping);
            for (int i = 0; i < 4; ++i)
                dashpots_[k].gradient[i] = root * s.gradient[i];
        }
    });
}

void BendShapeForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
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
