#include "muslin/forces/outside.h"

namespace muslin {

double GravityForce::energy(std::span<const Vec3> positions) const {
    return parallel_sum<double>(positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i)
            sum -= heavy_mass(i) * dot(model_.gravity, positions[i]);
        return sum;
    });
}

void GravityForce::add_force(const Kinematics&, std::span<Vec3> f) const {
    for (std::size_t i = 0; i < f.size(); ++i)
        f[i] += heavy_mass(i) * model_.gravity;
}

AirDragForce::AirDragForce(const Model& model) : model_(model) {
    std::vector<int> corners;
    for (const auto& t : model.dynamics.triangles)
        corners.insert(corners.end(), t.begin(), t.end());
    batches_ = ElementBatches(corners, 3, model.particle_count());
    prepare(0);
}

void AirDragForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    append_triangle_pairs(model_.dynamics.triangles, pairs);
}

void AirDragForce::bind(const BlockMatrix& matrix) {
    slots_.resize(model_.dynamics.triangles.size());
    for (std::size_t t = 0; t < slots_.size(); ++t)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                slots_[t][i][j] =
                    matrix.slot(model_.dynamics.triangles[t][i], model_.dynamics.triangles[t][j]);
}

void AirDragForce::prepare(double time) {
    time_ = time;
    uniform_ = model_.air.wind.is_uniform();
    if (uniform_)
        wind_ = model_.air.wind.at(time);
}

AirDragResponse<double> AirDragForce::respond(int t, const Kinematics& at) const {
    const auto& [i, j, k] = model_.dynamics.triangles[t];
    const Vec3 x[3] = {at.positions[i], at.positions[j], at.positions[k]};
    const Vec3 v[3] = {at.velocities[i], at.velocities[j], at.velocities[k]};
    const Vec3 wind =
        uniform_ ? wind_ : model_.air.wind.at_place(time_, (1.0 / 3) * (x[0] + x[1] + x[2]));
    return air_drag(x, v, wind, {model_.air.linear_drag, model_.air.quadratic_drag});
}

void AirDragForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int t = first; t < last; ++t) {
            const Vec3 force = respond(t, at).force;
            for (int i : model_.dynamics.triangles[t])
                f[i] += force;
        }
    });
}

void AirDragForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                  std::span<Vec3> f, BlockMatrix& a) const {
    batches_.for_each([&](int first, int last) {
        for (int t = first; t < last; ++t) {
            const AirDragResponse<double> r = respond(t, at);
            const Mat3 block = (step.h * r.damping) * outer(r.normal, r.normal);
            for (int i = 0; i < 3; ++i) {
                f[model_.dynamics.triangles[t][i]] += r.force;
                for (int j = 0; j < 3; ++j)
                    a.add(slots_[t][i][j], block);
            }
        }
    });
}

void AirDragForce::cache_damping(const Kinematics& at) {
    dashpots_.resize(model_.dynamics.triangles.size());
    parallel_for(dashpots_.size(), 512, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            const AirDragResponse<double> r = respond(static_cast<int>(t), at);
            dashpots_[t] = std::sqrt(r.damping) * r.normal;
        }
    });
}

void AirDragForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int t = first; t < last; ++t) {
            const auto& [i, j, k] = model_.dynamics.triangles[t];
            const Vec3 force = dot(dashpots_[t], w[i] + w[j] + w[k]) * dashpots_[t];
            for (const int p : model_.dynamics.triangles[t])
                f[p] -= force;
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

namespace {

// The stiffness with which a pull at this offset from its point acts [N/m]: below its own where the
// force has reached its limit. There the exact derivative has nothing along the offset; what is
// added keeps the matrix positive definite and a step from overshooting.
double secant_stiffness(const Pull& pull, const Vec3& offset) {
    const double distance = norm(offset);
    return pull.stiffness * distance > pull.max_force ? pull.max_force / distance : pull.stiffness;
}

} // namespace

double OutsideForce::energy(std::span<const Vec3> positions) const {
    double sum = 0;
    for (const Pull& pull : model_.pulls)
        if (pull.window.contains(time_))
            for (int p : pull.particles) {
                const Vec3 d = positions[p] - pull.target.at(time_);
                const double distance = norm(d), limit = pull.max_force;
                sum += pull.stiffness * distance > limit
                           ? limit * (distance - 0.5 * limit / pull.stiffness)
                           : 0.5 * pull.stiffness * dot(d, d);
            }
    return sum;
}

void OutsideForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    for (const Pull& pull : model_.pulls)
        if (pull.window.contains(time_))
            for (int p : pull.particles) {
                const Vec3 offset = pull.target.at(time_) - at.positions[p];
                f[p] += secant_stiffness(pull, offset) * offset - pull.damping * at.velocities[p];
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
    for (const Pull& pull : model_.pulls)
        if (pull.window.contains(time_))
            for (int p : pull.particles) {
                const double k = secant_stiffness(pull, pull.target.at(time_) - at.positions[p]);
                f[p] -= k * step.displacement[p];
                a.add_diagonal(p, Mat3::diagonal(step.h * (step.h * k + pull.damping)));
            }
}

void OutsideForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    for (const Pull& pull : model_.pulls)
        if (pull.window.contains(time_))
            for (const int p : pull.particles)
                f[p] -= pull.damping * w[p];
}

} // namespace muslin
