// The longest step of EulerCromer.
#include "muslin/integrators/euler_cromer.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

} // namespace

// With w = h omega and d = h lambda, of what is damped at the rate lambda, two evaluations give a
// scheme that is stable for w < 2 and d < 2; one needs w^2 + 2 d < 4.
double EulerCromer::stable_step(double rate, double damping) const {
    if (settings_.second_order_damping)
        return settings_.safety * std::min(rate > 0 ? 2 / std::sqrt(rate) : infinite,
                                           damping > 0 ? 2 / damping : infinite);
    if (!(rate > 0))
        return damping > 0 ? settings_.safety * 2 / damping : infinite;
    return settings_.safety * 4 / (damping + std::sqrt(damping * damping + 4 * rate));
}

// Acceleration does not move what pins hold.
void EulerCromer::find_pinned(const State& begin) {
    pinned_.assign(model_.mass.size(), 0);
    for (const Pin& pin : conditions_->pins)
        if (pin.window.contains(begin.time))
            for (const int p : pin.particles)
                pinned_[p] = 1;
}

// Which element forces depend on velocities at all: a matter of the material.
void EulerCromer::note_damped(const State& begin) {
    middle_.resize(begin.positions.size());
    for (std::size_t i = 0; i < middle_.size(); ++i)
        middle_[i] = {i % 3 == 0 ? 1.0 : -0.5, i % 2 == 0 ? 1.0 : -1.0, i % 5 < 2 ? 1.0 : -0.7};
    for (Item& item : items_) {
        if (!item.element)
            continue;
        force_.assign(middle_.size(), Vec3{0, 0, 0});
        if (DampedForce* damping = item.force->capabilities().damped) {
            damping->cache_damping({begin.positions, begin.velocities});
            damping->add_damping(middle_, force_);
        }
        item.damped =
            std::any_of(force_.begin(), force_.end(), [](const Vec3& f) { return dot(f, f) > 0; });
        rates_.set_damped(item.force, item.damped);
    }
}

double EulerCromer::others_limit(const State& begin, bool fresh) {
    fresh ? others_.restart(begin) : others_.move_to(begin);
    const int iterations = fresh ? 8 : 2;
    double added = 0;
    for (const Item& item : items_)
        if (!item.element)
            added += added_eigenvalue(*item.force);
    const double rate = others_.bound(iterations), damping = others_.bound_damping(iterations);
    return stable_step(rate + added, damping);
}

// The bounds of single particles are from above, by up to a half; what vibrates as a whole is
// found from below. The larger of the two holds for the fastest, and scales the others alike.
void EulerCromer::find_limits(const State& begin, bool fresh) {
    const double margin = settings_.safety * settings_.safety;
    fresh ? all_.restart(begin) : all_.move_to(begin);
    if (fresh) {
        fastest_ = all_.fastest(16);
        fastest_damping_ = all_.fastest_damping(8);
    }
    const int iterations = fresh ? 8 : 2;
    const double rate = all_.bound(iterations), damping = all_.bound_damping(iterations);
    if (fresh)
        rate_scale_ = damping_rate_scale_ = 0;
    // Their ratio as the frame began is the least for all of it.
    rate_scale_ = std::max({margin, rate_scale_, rate > 0 ? fastest_ / rate : 0});
    damping_rate_scale_ = std::max(
        {settings_.safety, damping_rate_scale_, damping > 0 ? fastest_damping_ / damping : 0});
    const double scale = rate_scale_, damping_scale = damping_rate_scale_;
    double added = 0;
    for (const Item& item : items_)
        added += added_eigenvalue(*item.force);
    find_pinned(begin);

    const std::span<const double> rates = all_.rates(), damping_rates = all_.damping_rates();
    const std::size_t n = model_.mass.size();
    if (fresh) {
        limits_.assign(n, infinite);
        damping_scale_ = 1;
    }
    if (settings_.limit_damping)
        for (std::size_t i = 0; i < n; ++i)
            if (const double d = damping_scale * damping_rates[i]; d > 0)
                damping_scale_ =
                    std::min(damping_scale_,
                             0.5 * stable_step(0, d) / stable_step(scale * rates[i] + added, 0));
    for (std::size_t i = 0; i < n; ++i) {
        const double d = settings_.limit_damping ? 0 : damping_scale * damping_rates[i];
        double limit = stable_step(scale * rates[i] + added, d);
        const double a = pinned_[i] ? 0 : norm(all_.forces_at_rest()[i]) / model_.mass[i];
        if (a > 0)
            limit = std::min(limit, std::sqrt(2 * settings_.acceleration_way *
                                              control_.shortest_edges()[i] / a));
        // Down at once, up slowly: an element whose rate changes to and fro gains nothing.
        limits_[i] = std::min(limit, 1.1 * limits_[i]);
    }
    limits_changed_ = true;
    const double shortest = *std::min_element(limits_.begin(), limits_.end());
    outer_ = shortest;
    if (settings_.limit_damping || settings_.local_rates) {
        const double others = others_limit(begin, fresh);
        outer_ = std::min(outer_, others);
        if (settings_.local_rates && std::isfinite(shortest))
            outer_ = std::min(others, shortest * rates_.best_multiple(limits_));
    }
}

double EulerCromer::find_longest_step(const State& begin) {
    note_damped(begin);
    control_.forget();
    since_limits_ = 0;
    find_limits(begin, true);
    return outer_;
}

double EulerCromer::follow_longest_step(const State& begin) {
    constexpr int every = 8; // steps; growth of what is not stable is small in so few
    if (++since_limits_ >= every) {
        since_limits_ = 0;
        find_limits(begin, false);
    }
    return outer_;
}

} // namespace muslin
