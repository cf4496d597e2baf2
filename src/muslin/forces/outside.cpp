#include "muslin/forces/outside.h"

#include "muslin/forces/packing.h"
#include "muslin/kernels/pull.h"

namespace muslin {

double GravityForce::energy(std::span<const Vec3> positions) const {
    return parallel_sum<double>(positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum -= heavy_mass(i) * dot(conditions_->gravity, positions[i]);
        return sum;
    });
}

void GravityForce::add_force(const Kinematics&, std::span<Vec3> f) const {
    for (std::size_t i = 0; i < f.size(); ++i)
        f[i] += heavy_mass(i) * conditions_->gravity;
}

AirDragForce::AirDragForce(const Model& model)
    : triangles_(static_cast<int>(model.dynamics.triangles.size())),
      elements_((triangles_ + 3) / 4) {
    std::vector<int> corners;
    for (const auto& t : model.dynamics.triangles)
        corners.insert(corners.end(), t.begin(), t.end());
    batches_ = ElementBatches(corners, 3, model.particle_count());
    for (int k = 0; k < 4 * static_cast<int>(elements_.size()); ++k)
        for (int i = 0; i < 3; ++i)
            elements_[k / 4].particle[i][k % 4] =
                model.dynamics.triangles[std::min(k, triangles_ - 1)][i];
}

void AirDragForce::bind(const BlockMatrix& matrix) {
    for (Element& e : elements_)
        for (int i = 0; i < 3; ++i)
            for (int l = 0; l < 4; ++l)
                e.slot[i][l] = matrix.slot(e.particle[i][l], e.particle[i][l]);
}

void AirDragForce::set_conditions(const Conditions& conditions) {
    conditions_ = &conditions;
    prepare(time_);
}

void AirDragForce::prepare(double time) {
    time_ = time;
    uniform_ = conditions_->air.wind.is_uniform() && !conditions_->air.field;
    if (uniform_)
        wind_ = conditions_->air.wind.at(time);
}

// Asks a wind field once for all triangles, before any of them responds: it is a program's, and may
// not be asked by several threads at once.
void AirDragForce::find_field(const Kinematics& at) const {
    winds_.clear();
    if (!conditions_->air.field)
        return;
    middles_.resize(4 * elements_.size());
    winds_.resize(middles_.size());
    parallel_for(elements_.size(), 128, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            for (int l = 0; l < 4; ++l) {
                const auto& p = elements_[k].particle;
                middles_[4 * k + l] = (1.0 / 3) * (at.positions[p[0][l]] + at.positions[p[1][l]] +
                                                   at.positions[p[2][l]]);
            }
    });
    conditions_->air.field->find(time_, std::span(middles_).first(triangles_),
                                 std::span(winds_).first(triangles_));
}

AirDragResponse<Pack4> AirDragForce::respond(const Element& e, const Kinematics& at) const {
    Vec3T<Pack4> x[3], v[3], wind = {wind_.x, wind_.y, wind_.z};
    for (int i = 0; i < 3; ++i) {
        x[i] = gather(at.positions, e.particle[i]);
        v[i] = gather(at.velocities, e.particle[i]);
    }
    if (!uniform_) {
        const Vec3T<Pack4> middle = Pack4(1.0 / 3) * (x[0] + x[1] + x[2]);
        const Vec3* given = winds_.empty() ? nullptr : &winds_[4 * (&e - elements_.data())];
        for (int l = 0; l < 4; ++l) {
            const Vec3 here = given ? given[l]
                                    : conditions_->air.wind.at_place(
                                          time_, {middle.x[l], middle.y[l], middle.z[l]});
            wind.x.set(l, here.x);
            wind.y.set(l, here.y);
            wind.z.set(l, here.z);
        }
    }
    return air_drag<Pack4>(x, v, wind,
                           {conditions_->air.linear_drag, conditions_->air.quadratic_drag});
}

void AirDragForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    find_field(at);
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const Vec3T<Pack4> force = respond(e, at).force;
            for (const auto& particle : e.particle)
                scatter_add(force, particle, lanes(k), f);
        }
    });
}

void AirDragForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                  std::span<Vec3> f, BlockMatrix& a) const {
    find_field(at);
    const Pack4 corners_h(3 * step.h);
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const Element& e = elements_[k];
            const AirDragResponse<Pack4> r = respond(e, at);
            const Mat3T<Pack4> block = (corners_h * r.damping) * outer(r.normal, r.normal);
            for (int i = 0; i < 3; ++i) {
                scatter_add(r.force, e.particle[i], lanes(k), f);
                a.add_packed(e.slot[i], lanes(k), block);
            }
        }
    });
}

void AirDragForce::cache_damping(const Kinematics& at) {
    find_field(at);
    dashpots_.resize(elements_.size());
    parallel_for(elements_.size(), 128, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const AirDragResponse<Pack4> r = respond(elements_[k], at);
            dashpots_[k] = sqrt(r.damping) * r.normal;
        }
    });
}

void AirDragForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first / 4; 4 * k < last; ++k) {
            const auto& p = elements_[k].particle;
            const Vec3T<Pack4> sum = gather(w, p[0]) + gather(w, p[1]) + gather(w, p[2]);
            const Vec3T<Pack4> force = -dot(dashpots_[k], sum) * dashpots_[k];
            for (const auto& particle : p)
                scatter_add(force, particle, lanes(k), f);
        }
    });
}

OutsideForce::OutsideForce(const Model& model) : model_(model) {
    for (const Load& load : model.loads) {
        double mass = 0;
        for (int p : load.particles)
            mass += model.mass[p];
        load_mass_.push_back(mass);
    }
}

double OutsideForce::energy(std::span<const Vec3> positions) const {
    double sum = 0;
    for (const Pull& pull : conditions_->pulls)
        if (pull.window.contains(time_))
            for (int p : pull.particles)
                sum += pull_energy(positions[p] - pull.target.at(time_), pull.stiffness,
                                   pull.max_force);
    return sum;
}

void OutsideForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    for (const Pull& pull : conditions_->pulls)
        if (pull.window.contains(time_))
            for (int p : pull.particles) {
                const Vec3 offset = pull.target.at(time_) - at.positions[p];
                f[p] += secant_stiffness(offset, pull.stiffness, pull.max_force) * offset -
                        pull.damping * at.velocities[p];
            }
    for (std::size_t k = 0; k < model_.loads.size(); ++k) {
        const Load& load = model_.loads[k];
        if (load.window.contains(time_))
            for (int p : load.particles)
                f[p] += (model_.mass[p] / load_mass_[k]) * load.force.at(time_);
    }
}

void OutsideForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                  std::span<Vec3> f, BlockMatrix& a) const {
    add_force(at, f);
    for (const Pull& pull : conditions_->pulls)
        if (pull.window.contains(time_))
            for (int p : pull.particles) {
                const double k = secant_stiffness(pull.target.at(time_) - at.positions[p],
                                                  pull.stiffness, pull.max_force);
                f[p] -= k * step.displacement[p];
                a.add_diagonal(p, Mat3::diagonal(step.h * (step.h * k + pull.damping)));
            }
}

void OutsideForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    for (const Pull& pull : conditions_->pulls)
        if (pull.window.contains(time_))
            for (const int p : pull.particles)
                f[p] -= pull.damping * w[p];
}

} // namespace muslin
