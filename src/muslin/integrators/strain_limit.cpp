#include "muslin/integrators/strain_limit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {

StrainLimit::StrainLimit(const Model& model, const StrainLimitSettings& settings)
    : settings_(settings), edges_(edge_springs(model)) {
    for (const double m : model.mass)
        inverse_mass_.push_back(1 / m);
    std::vector<int> corners;
    for (const Link& e : edges_)
        corners.insert(corners.end(), e.particles.begin(), e.particles.end());
    batches_ = ElementBatches(corners, 2, model.particle_count());
    allowed_.resize(edges_.size());
    violations_.resize(edges_.size() / ElementBatches::batch_size + 1);
}

void StrainLimit::set_mobility(const Filter& filter) {
    held_.assign(inverse_mass_.size(), -1);
    projections_ = filter.projection;
    for (std::size_t k = 0; k < filter.particles.size(); ++k)
        held_[filter.particles[k]] = static_cast<int>(k);
}

// The limits, and where an edge is beyond one already a length between it and the limit.
void StrainLimit::set_limits(std::span<const Vec3> x, double h) {
    const double kept = std::max(0.0, 1 - h / settings_.recovery);
    parallel_for(edges_.size(), 1024, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            const Link& e = edges_[k];
            const double length = norm(x[e.particles[1]] - x[e.particles[0]]);
            const double least = (1 - settings_.compression) * e.rest;
            const double greatest = (1 + settings_.extension) * e.rest;
            allowed_[k] = {least + kept * std::min(0.0, length - least),
                           greatest + kept * std::max(0.0, length - greatest), 0};
        }
    });
}

int StrainLimit::modify(std::span<const Vec3> positions, double h, const Filter& filter,
                        std::span<Vec3> velocities) {
    set_mobility(filter);
    set_limits(positions, h);
    const double size = std::sqrt(static_cast<double>(inverse_mass_.size()));
    const double best =
        settings_.relaxation > 0 ? settings_.relaxation : 2 / (1 + std::numbers::pi / size);
    int sweeps = 0;
    while (sweeps < settings_.max_sweeps) {
        const bool calm = 4 * sweeps >= 3 * settings_.max_sweeps;
        ++sweeps;
        if (sweep(h, calm ? 1 : best, positions, velocities) <= settings_.tolerance)
            break;
    }
    return sweeps;
}

// One pass over the edges; returns by how much a limit was passed at worst before it.
double StrainLimit::sweep(double h, double relaxation, std::span<const Vec3> x, std::span<Vec3> v) {
    const auto free_part = [&](int p, const Vec3& n) {
        return held_[p] < 0 ? n : projections_[held_[p]] * n;
    };
    std::fill(violations_.begin(), violations_.end(), 0);
    batches_.for_each([&](int first, int last) {
        double worst = 0;
        for (int k = first; k < last; ++k) {
            const auto& [a, b] = edges_[k].particles;
            Allowed& allowed = allowed_[k];
            const Vec3 edge = (x[b] + h * v[b]) - (x[a] + h * v[a]);
            const double squared = dot(edge, edge);
            if (squared == 0 ||
                (allowed.impulse == 0 && squared <= allowed.greatest * allowed.greatest &&
                 squared >= allowed.least * allowed.least))
                continue;
            const double length = std::sqrt(squared);
            const Vec3 n = (1 / length) * edge;
            const Vec3 na = inverse_mass_[a] * free_part(a, n);
            const Vec3 nb = inverse_mass_[b] * free_part(b, n);
            const double mobility = dot(n, na) + dot(n, nb);
            if (mobility <= 1e-12 * (inverse_mass_[a] + inverse_mass_[b]))
                continue; // both ends are held: the pins ask for what the limit forbids
            const double over = length - allowed.greatest, under = allowed.least - length;
            worst = std::max(worst, std::max(over, under) / edges_[k].rest);
            // Pulls stay pulls and pushes pushes.
            const double scale = relaxation / (h * mobility), before = allowed.impulse;
            const bool pulls = before > 0 || (before == 0 && over > 0);
            allowed.impulse = pulls ? std::max(0.0, before + scale * over)
                                    : std::min(0.0, before - scale * under);
            const double impulse = allowed.impulse - before;
            v[a] += impulse * na;
            v[b] -= impulse * nb;
        }
        violations_[first / ElementBatches::batch_size] = worst;
    });
    return *std::max_element(violations_.begin(), violations_.end());
}

StrainLimit::Strain StrainLimit::strain(std::span<const Vec3> x) const {
    Strain out;
    for (const Link& e : edges_) {
        const double s = norm(x[e.particles[1]] - x[e.particles[0]]) / e.rest - 1;
        out.least = std::min(out.least, s);
        out.greatest = std::max(out.greatest, s);
    }
    return out;
}

} // namespace muslin
