#include "muslin/integrators/strain_limit.h"

#include <algorithm>
#include <cmath>

namespace muslin {

StrainLimit::StrainLimit(const Model& model, const StrainLimitSettings& settings)
    : settings_(settings), edges_(edge_springs(model)) {
    for (const double m : model.mass)
        inverse_mass_.push_back(1 / m);
    std::vector<int> corners;
    for (const EdgeSpring& e : edges_)
        corners.insert(corners.end(), e.particles.begin(), e.particles.end());
    batches_ = ElementBatches(corners, 2, model.particle_count());
    violations_.resize(edges_.size() / ElementBatches::batch_size + 1);
}

void StrainLimit::set_mobility(const Filter& filter) {
    held_.assign(inverse_mass_.size(), -1);
    projections_ = filter.projection;
    for (std::size_t k = 0; k < filter.particles.size(); ++k)
        held_[filter.particles[k]] = static_cast<int>(k);
}

int StrainLimit::modify(std::span<const Vec3> positions, double h, const Filter& filter,
                        std::span<Vec3> velocities) {
    set_mobility(filter);
    int sweeps = 0;
    while (sweeps < settings_.max_sweeps) {
        ++sweeps;
        if (sweep(h, positions, velocities) <= settings_.tolerance)
            break;
    }
    return sweeps;
}

// One pass over the edges; returns by how much a limit was passed at worst before it.
double StrainLimit::sweep(double h, std::span<const Vec3> x, std::span<Vec3> v) {
    const auto free_part = [&](int p, const Vec3& n) {
        return held_[p] < 0 ? n : projections_[held_[p]] * n;
    };
    std::fill(violations_.begin(), violations_.end(), 0);
    batches_.for_each([&](int first, int last) {
        double worst = 0;
        for (int k = first; k < last; ++k) {
            const EdgeSpring& e = edges_[k];
            const auto& [a, b] = e.particles;
            const Vec3 edge = (x[b] + h * v[b]) - (x[a] + h * v[a]);
            const double length = norm(edge);
            const double wanted = std::clamp(length, (1 - settings_.compression) * e.rest,
                                             (1 + settings_.extension) * e.rest);
            if (length == wanted || length == 0)
                continue;
            const Vec3 n = (1 / length) * edge;
            const Vec3 na = inverse_mass_[a] * free_part(a, n);
            const Vec3 nb = inverse_mass_[b] * free_part(b, n);
            const double mobility = dot(n, na) + dot(n, nb);
            if (mobility <= 1e-12 * (inverse_mass_[a] + inverse_mass_[b]))
                continue; // both ends are held: the pins ask for what the limit forbids
            worst = std::max(worst, std::abs(length - wanted) / e.rest);
            const double impulse = (length - wanted) / (h * mobility);
            v[a] += impulse * na;
            v[b] -= impulse * nb;
        }
        violations_[first / ElementBatches::batch_size] = worst;
    });
    return *std::max_element(violations_.begin(), violations_.end());
}

StrainLimit::Strain StrainLimit::strain(std::span<const Vec3> x) const {
    Strain out;
    for (const EdgeSpring& e : edges_) {
        const double s = norm(x[e.particles[1]] - x[e.particles[0]]) / e.rest - 1;
        out.least = std::min(out.least, s);
        out.greatest = std::max(out.greatest, s);
    }
    return out;
}

} // namespace muslin
