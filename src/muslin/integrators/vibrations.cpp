#include "muslin/integrators/vibrations.h"

#include "muslin/integrators/loops.h"

#include <cmath>
#include <random>

namespace muslin {

void Vibrations::restart(const State& at) {
    const std::size_t n = at.positions.size();
    std::mt19937 random(1); // the same shape every time: what follows has no history
    std::uniform_real_distribution<double> uniform(-1, 1);
    alternating_.resize(n);
    for (Vec3& p : alternating_) {
        p = {uniform(random), uniform(random), uniform(random)};
        p *= 1 / norm(p);
    }
    alternating_damped_ = alternating_;
    still_.assign(n, Vec3{0, 0, 0});
    move_to(at);
}

void Vibrations::move_to(const State& at) {
    at_ = &at;
    damping_cached_ = false;
    forces_at(at.positions, base_);
}

void Vibrations::forces_at(std::span<const Vec3> x, std::vector<Vec3>& f) {
    f.assign(x.size(), {0, 0, 0});
    for (Force* force : forces_) {
        force->prepare(at_->time);
        force->add_force({x, still_}, f);
    }
}

// M^-1 K times a shape, by the difference of forces at two places a little apart.
void Vibrations::stiffness_times(std::span<const Vec3> shape, std::vector<Vec3>& out) {
    constexpr double apart = 1e-7; // [m]
    const std::size_t n = shape.size();
    moved_.resize(n);
    for_particles(n, [&](std::size_t i) { moved_[i] = at_->positions[i] + apart * shape[i]; });
    forces_at(moved_, out);
    for_particles(
        n, [&](std::size_t i) { out[i] = (1 / (model_.mass[i] * apart)) * (base_[i] - out[i]); });
}

void Vibrations::cache_damping() {
    if (damping_cached_)
        return;
    for (Force* force : forces_)
        force->prepare(at_->time);
    for (DampedForce* force : damped_)
        force->cache_damping({at_->positions, at_->velocities});
    damping_cached_ = true;
}

void Vibrations::damping_times(std::span<const Vec3> shape, std::vector<Vec3>& out) const {
    out.assign(shape.size(), {0, 0, 0});
    for (const DampedForce* force : damped_)
        force->add_damping(shape, out); // minus D times it
    for_particles(shape.size(), [&](std::size_t i) { out[i] *= -1 / model_.mass[i]; });
}

// Power iteration from a shape of chance.
template <class Times>
double Vibrations::largest(int iterations, const Times& times) {
    double rate = 0;
    shape_ = alternating_;
    for (int k = 0; k < iterations; ++k) {
        times(shape_, product_);
        rate = std::sqrt(inner(product_, product_) / inner(shape_, shape_));
        if (!(rate > 0) || !std::isfinite(rate))
            return 0;
        for_particles(shape_.size(), [&](std::size_t i) { shape_[i] = (1 / rate) * product_[i]; });
    }
    return rate;
}

// Every particle moves by the same way, each against what its neighbours' last moves did to it: the
// largest acceleration is then the largest sum over a row of M^-1 K that moves can have, which no
// omega^2 exceeds by much, and of which each is at least half where springs meet.
template <class Times>
double Vibrations::rows(int iterations, std::vector<Vec3>& alternating, std::vector<double>& rates,
                        const Times& times) {
    const std::size_t n = alternating.size();
    rates.assign(n, 0);
    double largest = 0;
    for (int k = 0; k < iterations; ++k) {
        times(alternating, product_);
        largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double length = norm(product_[i]);
            rates[i] = length;
            largest = std::max(largest, length);
            if (length > 0)
                alternating[i] = (1 / length) * product_[i];
        }
    }
    return std::isfinite(largest) ? largest : 0;
}

double Vibrations::fastest(int iterations) {
    return largest(iterations, [&](std::span<const Vec3> shape, std::vector<Vec3>& out) {
        stiffness_times(shape, out);
    });
}

double Vibrations::fastest_damping(int iterations) {
    cache_damping();
    return largest(iterations, [&](std::span<const Vec3> shape, std::vector<Vec3>& out) {
        damping_times(shape, out);
    });
}

double Vibrations::bound(int iterations) {
    return rows(
        iterations, alternating_, rates_,
        [&](std::span<const Vec3> shape, std::vector<Vec3>& out) { stiffness_times(shape, out); });
}

double Vibrations::bound_damping(int iterations) {
    cache_damping();
    return rows(
        iterations, alternating_damped_, damping_rates_,
        [&](std::span<const Vec3> shape, std::vector<Vec3>& out) { damping_times(shape, out); });
}

} // namespace muslin
