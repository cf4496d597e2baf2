#include "muslin/forces/springs.h"

#include "muslin/base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace muslin {
namespace {

// The derivatives of the user's formula by d, with s = (d - l) / l.
SpringPull<double> formula_pull(const Link& link, const Expression& formula, double length) {
    using Second = Dual<Dual<double>>;
    const auto grow = [](double value, double slope) {
        return Second(Dual<double>(value, slope), Dual<double>(slope, 0));
    };
    const std::array<Second, 4> variables = {grow(length, 1), Second(link.rest),
                                             grow((length - link.rest) / link.rest, 1 / link.rest),
                                             Second(link.stiffness)};
    const Second e = formula.evaluate(std::span<const Second>(variables));
    return {e.value.value, e.value.slope, e.slope.slope};
}

bool is_finite(const SpringPull<double>& p) {
    return std::isfinite(p.energy) && std::isfinite(p.pull) && std::isfinite(p.slope);
}

void check_at_rest(const Link& link, const Potential& potential) {
    const SpringPull<double> at_rest = link_pull(link, potential, link.rest);
    if (!is_finite(at_rest))
        throw InputError({{},
                          "potential",
                          "a formula with a value, a force and a stiffness at rest",
                          fmt::format("{}, {} and {} from \"{}\" at d = l = {} m, k = {} N/m",
                                      at_rest.energy, at_rest.pull, at_rest.slope,
                                      potential.formula ? potential.formula->text() : "", link.rest,
                                      link.stiffness),
                          {}});
}

} // namespace

SpringPull<double> link_pull(const Link& link, const Potential& potential, double length) {
    switch (potential.law) {
    case Potential::Law::exponential:
        return exponential_spring(length, link.stiffness, link.rest, potential.sharpness);
    case Potential::Law::formula:
        return formula_pull(link, *potential.formula, length);
    case Potential::Law::quadratic:
        break;
    }
    if (length >= link.allowed)
        return elongated_spring(length, link.stiffness, link.rest, link.allowed,
                                link.law == ElongationLaw::allowed ? link.allowed : link.rest);
    return quadratic_spring(length, link.stiffness, link.rest);
}

LinkForce::LinkForce(std::string_view name, ForceKind kind, std::vector<Link> links,
                     std::vector<Potential> potentials, int particles)
    : name_(name), kind_(kind), links_(std::move(links)), potentials_(std::move(potentials)) {
    if (potentials_.empty())
        potentials_.emplace_back();
    always_defined_ = std::all_of(potentials_.begin(), potentials_.end(), [](const Potential& p) {
        return p.law == Potential::Law::quadratic;
    });
    for (const Link& link : links_) {
        corners_.insert(corners_.end(), link.particles.begin(), link.particles.end());
        if (potentials_[link.potential].law == Potential::Law::formula)
            check_at_rest(link, potentials_[link.potential]);
    }
    batches_ = ElementBatches(corners_, 2, particles);
}

void LinkForce::append_pairs(std::vector<std::array<int, 2>>& pairs) const {
    for (const Link& link : links_)
        pairs.push_back(link.particles);
}

void LinkForce::bind(const BlockMatrix& matrix) {
    slots_.resize(links_.size());
    for (std::size_t k = 0; k < links_.size(); ++k)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                slots_[k][i][j] = matrix.slot(links_[k].particles[i], links_[k].particles[j]);
}

double LinkForce::energy(std::span<const Vec3> x) const {
    return parallel_sum<double>(links_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t k = begin; k < end; ++k)
            sum += pull(links_[k], state(links_[k], x).length).energy;
        return sum;
    });
}

Vec3 LinkForce::force(const Link& link, const Kinematics& at) const {
    const auto& [a, b] = link.particles;
    const SpringState<double> s = state(link, at.positions);
    const double rate = dot(s.direction, at.velocities[b] - at.velocities[a]);
    return (pull(link, s.length).pull + link.damping * rate) * s.direction;
}

void LinkForce::add_force(const Kinematics& at, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const Vec3 drawn = force(links_[k], at);
            f[links_[k].particles[0]] += drawn;
            f[links_[k].particles[1]] -= drawn;
        }
    });
}

void LinkForce::corner_forces(std::span<const int> elements, const Kinematics& at,
                              std::span<Vec3> out) const {
    parallel_for(elements.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Vec3 drawn = force(links_[elements[k]], at);
            out[2 * elements[k]] = drawn;
            out[2 * elements[k] + 1] = -drawn;
        }
    });
}

void LinkForce::add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                               BlockMatrix& m) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const Link& link = links_[k];
            const auto& [a, b] = link.particles;
            const SpringState<double> s = state(link, at.positions);
            const SpringPull<double> p = pull(link, s.length);
            const Mat3 stiffness = spring_stiffness(s, p.pull, p.slope);
            const double rate = dot(s.direction, at.velocities[b] - at.velocities[a]);
            const Vec3 drawn = (p.pull + link.damping * rate) * s.direction +
                               stiffness * (step.displacement[b] - step.displacement[a]);
            f[a] += drawn;
            f[b] -= drawn;
            const Mat3 block = (step.h * step.h) * stiffness +
                               (step.h * link.damping) * outer(s.direction, s.direction);
            m.add(slots_[k][0][0], block);
            m.add(slots_[k][1][1], block);
            m.add_pair(slots_[k][0][1], slots_[k][1][0], -1.0 * block);
        }
    });
}

void LinkForce::cache_damping(const Kinematics& at) {
    directions_.resize(links_.size());
    parallel_for(links_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
            directions_[k] =
                std::sqrt(links_[k].damping) * state(links_[k], at.positions).direction;
    });
}

void LinkForce::add_damping(std::span<const Vec3> w, std::span<Vec3> f) const {
    batches_.for_each([&](int first, int last) {
        for (int k = first; k < last; ++k) {
            const auto& [a, b] = links_[k].particles;
            const Vec3 drawn = dot(directions_[k], w[b] - w[a]) * directions_[k];
            f[a] += drawn;
            f[b] -= drawn;
        }
    });
}

bool LinkForce::is_defined(std::span<const Vec3> x) const {
    return always_defined_ || std::all_of(links_.begin(), links_.end(), [&](const Link& link) {
               return is_finite(pull(link, state(link, x).length));
           });
}

double LinkForce::largest_stretch_change(std::span<const Vec3> from,
                                         std::span<const Vec3> to) const {
    double worst = 0;
    for (const Link& link : links_) {
        const double change =
            std::abs(state(link, to).length - state(link, from).length) / link.rest;
        // Written so that a value that is not a number counts as infinite.
        if (!(change <= worst))
            worst = std::isfinite(change) ? change : std::numeric_limits<double>::infinity();
    }
    return worst;
}

SuperimposedLinkForce::SuperimposedLinkForce(const Model& model)
    : LinkForce("links", ForceKind::in_plane, model.dynamics.links, model.dynamics.potentials,
                model.particle_count()) {}

} // namespace muslin
