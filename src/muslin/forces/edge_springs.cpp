#include "muslin/forces/edge_springs.h"

#include "muslin/forces/spring.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace muslin {
namespace {

SpringParameters<double> parameters(const EdgeSpring& s) {
    return {s.stiffness, s.damping, s.rest};
}

SpringState<double> state(const EdgeSpring& s, std::span<const Vec3> x) {
    return spring_state(x[s.particles[0]], x[s.particles[1]]);
}

} // namespace

std::vector<EdgeSpring> edge_springs(const Model& model) {
    const DynamicsLayer& layer = model.dynamics;
    // One entry for each side of an edge; sides are summed, lengths on a seam averaged.
    struct Side {
        std::array<int, 2> particles;
        double stiffness_length, damping_length, length; ///< Y A / l, and so on
    };
    std::vector<Side> sides;
    for (std::size_t t = 0; t < layer.triangles.size(); ++t) {
        const auto& p = layer.pattern[t];
        const Material& m = model.cloths[layer.triangle_cloth[t]].material;
        const double area = 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
        for (int k = 0; k < 3; ++k) {
            const int a = layer.triangles[t][k], b = layer.triangles[t][(k + 1) % 3];
            const Vec2 e = p[(k + 1) % 3] - p[k];
            const double squared = dot(e, e);
            const double along_u = e.x * e.x / squared;
            const double stiffness = m.stretch_u * along_u + m.stretch_v * (1 - along_u);
            sides.push_back({{std::min(a, b), std::max(a, b)},
                             stiffness * area / squared,
                             m.stretch_damping * area / squared,
                             std::sqrt(squared)});
        }
    }
    std::stable_sort(sides.begin(), sides.end(),
                     [](const Side& a, const Side& b) { return a.particles < b.particles; });
    std::vector<EdgeSpring> out;
    for (std::size_t i = 0; i < sides.size();) {
        EdgeSpring spring = {sides[i].particles, 0, 0, 0};
        int count = 0;
        for (; i < sides.size() && sides[i].particles == spring.particles; ++i, ++count) {
            spring.stiffness += sides[i].stiffness_length;
            spring.damping += sides[i].damping_length;
            spring.rest += sides[i].length;
        }
        spring.rest /= count;
        out.push_back(spring);
    }
    return out;
}

EdgeSpringForce::EdgeSpringForce(const Model& model) : springs_(edge_springs(model)) {
    for (const EdgeSpring& s : springs_)
        corners_.insert(corners_.end(), s.particles.begin(), s.particles.end());
    batches_ = ElementBatches(corners_, 2, model.particle_count());
}

void EdgeSpringForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    for (const EdgeSpring& s : springs_)
        pairs.push_back(s.particles);
}

void EdgeSpringForce::bind(const BlockMatrix& matrix) {
    slots_.resize(springs_.size());
    for (std::size_t k = 0; k < springs_.size(); ++k)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                slots_[k][i][j] = matrix.slot(springs_[k].particles[i], springs_[k].particles[j]);
}

double EdgeSpringForce::energy(std::span<const Vec3> x) const {
    return parallel_sum<double>(springs_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k)
            sum += spring_energy(state(springs_[k], x), parameters(springs_[k]));
        return sum;
    });
}

void EdgeSpringForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const EdgeSpring& spring = springs_[k];
            const auto& [a, b] = spring.particles;
            const SpringState<double> s = state(spring, at.positions);
            const double tension =
                spring_tension(s, at.velocities[b] - at.velocities[a], parameters(spring));
            f[a] += tension * s.direction;
            f[b] -= tension * s.direction;
        }
    });
}

void EdgeSpringForce::corner_forces(std::span<const int> elements, const Kinematics& at,
                                    std::span<Vec3> out) const {
    parallel_for(elements.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const EdgeSpring& spring = springs_[elements[k]];
            const auto& [a, b] = spring.particles;
            const SpringState<double> s = state(spring, at.positions);
            const Vec3 pull =
                spring_tension(s, at.velocities[b] - at.velocities[a], parameters(spring)) *
                s.direction;
            out[2 * elements[k]] = pull;
            out[2 * elements[k] + 1] = -pull;
        }
    });
}

void EdgeSpringForce::add_linearised(const Kinematics& at, const Linearisation& step,
                                     std::span<Vec3> f, BlockMatrix& m) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const EdgeSpring& spring = springs_[k];
            const auto& [a, b] = spring.particles;
            const SpringState<double> s = state(spring, at.positions);
            const Mat3 stiffness = spring_stiffness(s, parameters(spring));
            const double tension =
                spring_tension(s, at.velocities[b] - at.velocities[a], parameters(spring));
            const Vec3 force =
                tension * s.direction + stiffness * (step.displacement[b] - step.displacement[a]);
            f[a] += force;
            f[b] -= force;
            const Mat3 block = (step.h * step.h) * stiffness +
                               (step.h * spring.damping) * outer(s.direction, s.direction);
            m.add(slots_[k][0][0], block);
            m.add(slots_[k][1][1], block);
            m.add(slots_[k][0][1], -1.0 * block);
            m.add(slots_[k][1][0], -1.0 * block);
        }
    });
}

void EdgeSpringForce::cache_damping(const Kinematics& at) {
    directions_.resize(springs_.size());
    parallel_for(springs_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            directions_[k] =
                std::sqrt(springs_[k].damping) * state(springs_[k], at.positions).direction;
    });
}

void EdgeSpringForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const auto& [a, b] = springs_[k].particles;
            const Vec3 force = dot(directions_[k], w[b] - w[a]) * directions_[k];
            f[a] += force;
            f[b] -= force;
        }
    });
}

double EdgeSpringForce::largest_stretch_change(std::span<const Vec3> from,
                                               std::span<const Vec3> to) const {
    double worst = 0;
    for (const EdgeSpring& s : springs_) {
        const double change = std::abs(state(s, to).length - state(s, from).length) / s.rest;
        // Written so that a value that is not a number counts as infinite.
        if (!(change <= worst))
            worst = std::isfinite(change) ? change : std::numeric_limits<double>::infinity();
    }
    return worst;
}

} // namespace muslin
