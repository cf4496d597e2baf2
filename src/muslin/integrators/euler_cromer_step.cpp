// The longest step of EulerCromer.
#include "muslin/integrators/euler_cromer_step.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<Force*> pointers(const std::vector<std::unique_ptr<Force>>& forces) {
    std::vector<Force*> out;
    for (const auto& force : forces)
        out.push_back(force.get());
    return out;
}

} // namespace

EulerCromerStability::EulerCromerStability(const Model& model, const EulerCromerSettings& settings,
                                           const std::vector<std::unique_ptr<Force>>& forces,
                                           const KickForces& kick_forces,
                                           std::span<const double> shortest_edges)
    : model_(model), settings_(settings), forces_(pointers(forces)),
      other_forces_(kick_forces.without_elements()), rates_(kick_forces.rates()),
      shortest_edges_(shortest_edges), all_(model, forces_), others_(model, other_forces_) {}

// With w = h omega and d = h lambda, of what is damped at the rate lambda, two evaluations give a
// scheme that is stable for w < 2 and d < 2; one needs w^2 + 2 d < 4.
double EulerCromerStability::stable_step(double rate, double damping) const {
    if (settings_.second_order_damping)
        return settings_.safety * std::min(rate > 0 ? 2 / std::sqrt(rate) : infinite,
                                           damping > 0 ? 2 / damping : infinite);
    if (!(rate > 0))
        return damping > 0 ? settings_.safety * 2 / damping : infinite;
    return settings_.safety * 4 / (damping + std::sqrt(damping * damping + 4 * rate));
}

// Acceleration does not move what pins hold.
void EulerCromerStability::find_pinned(const Conditions& conditions, double time) {
    pinned_.assign(model_.mass.size(), 0);
    for (const Pin& pin : conditions.pins)
        if (pin.window.contains(time))
            for (const int p : pin.particles)
                pinned_[p] = 1;
}

double EulerCromerStability::others_limit(const State& begin, bool fresh) {
    fresh ? others_.restart(begin) : others_.move_to(begin);
    const int iterations = fresh ? 8 : 2;
    double added = 0;
    for (Force* force : other_forces_)
        added += added_eigenvalue(*force);
    const double rate = others_.bound(iterations), damping = others_.bound_damping(iterations);
    return stable_step(rate + added, damping);
}

// The bounds of single particles are from above, by up to a half; what vibrates as a whole is
// found from below. The larger of the two holds for the fastest, and scales the others alike.
void EulerCromerStability::find_limits(const Conditions& conditions, const State& begin, bool fresh,
                                       ReducedDamping& reduced) {
    const double margin = settings_.safety * settings_.safety;
    fresh ? all_.restart(begin) : all_.move_to(begin);
    if (fresh) {
        fastest_.vibration = all_.fastest(16);
        fastest_.damping = all_.fastest_damping(8);
    }
    const int iterations = fresh ? 8 : 2;
    const double rate = all_.bound(iterations), damping = all_.bound_damping(iterations);
    if (fresh)
        scale_.vibration = scale_.damping = 0;
    // Their ratio as the frame began is the least for all of it.
    scale_.vibration =
        std::max({margin, scale_.vibration, rate > 0 ? fastest_.vibration / rate : 0});
    scale_.damping =
        std::max({settings_.safety, scale_.damping, damping > 0 ? fastest_.damping / damping : 0});
    const double scale = scale_.vibration, damping_scale = scale_.damping;
    double added = 0;
    for (Force* force : forces_)
        added += added_eigenvalue(*force);
    find_pinned(conditions, begin.time);

    const std::span<const double> rates = all_.rates(), damping_rates = all_.damping_rates();
    const std::size_t n = model_.mass.size();
    if (fresh) {
        limits_.assign(n, infinite);
        reduced.set_scale(1);
    }
    if (settings_.limit_damping)
        for (std::size_t i = 0; i < n; ++i)
            if (const double d = damping_scale * damping_rates[i]; d > 0)
                reduced.set_scale(
                    std::min(reduced.scale(),
                             0.5 * stable_step(0, d) / stable_step(scale * rates[i] + added, 0)));
    for (std::size_t i = 0; i < n; ++i) {
        const double d = settings_.limit_damping ? 0 : damping_scale * damping_rates[i];
        double limit = stable_step(scale * rates[i] + added, d);
        const double a = pinned_[i] ? 0 : norm(all_.forces_at_rest()[i]) / model_.mass[i];
        if (a > 0)
            limit =
                std::min(limit, std::sqrt(2 * settings_.acceleration_way * shortest_edges_[i] / a));
        // Down at once, up slowly: an element whose rate changes to and fro gains nothing.
        limits_[i] = std::min(limit, 1.1 * limits_[i]);
    }
    const double shortest = *std::min_element(limits_.begin(), limits_.end());
    outer_ = shortest;
    if (settings_.limit_damping || settings_.local_rates) {
        const double others = others_limit(begin, fresh);
        outer_ = std::min(outer_, others);
        if (settings_.local_rates && std::isfinite(shortest))
            outer_ = std::min(others, shortest * rates_.best_multiple(limits_));
    }
}

void EulerCromerStability::find(const Conditions& conditions, const State& begin,
                                ReducedDamping& reduced) {
    since_limits_ = 0;
    find_limits(conditions, begin, true, reduced);
}

bool EulerCromerStability::follow(const Conditions& conditions, const State& begin,
                                  ReducedDamping& reduced) {
    constexpr int every = 8; // steps; growth of what is not stable is small in so few
    if (++since_limits_ < every)
        return false;
    since_limits_ = 0;
    find_limits(conditions, begin, false, reduced);
    return true;
}

} // namespace muslin
