#pragma once

#include "muslin/forces/capabilities.h"
#include "muslin/model/model.h"

#include <span>
#include <vector>

namespace muslin {

/// How fast what some forces hold can vibrate, and how fast they damp it: what limits explicit
/// steps. Found from the forces alone, by products with their stiffness and damping.
///
/// Power iteration finds vibrations of the whole; one of a few particles, which it takes long to
/// see, shows in bounds from how stiffly each particle is held.
class Vibrations {
public:
    Vibrations(const Model& model, std::vector<Force*> forces)
        : model_(model), forces_(std::move(forces)), damped_(damped_forces(forces_)) {}

    /// Begins anew at a state: what follows does not depend on what was asked before.
    void restart(const State& at);
    /// The same forces a little later: shapes found so far are kept.
    void move_to(const State& at);

    /// Forces on particles that stand still there [N].
    std::span<const Vec3> forces_at_rest() const { return base_; }

    /// omega^2 of the fastest vibration [1/s^2], from below, by power iteration.
    double fastest(int iterations);
    /// The largest eigenvalue of M^-1 D [1/s], in the same way.
    double fastest_damping(int iterations);

    /// A bound of omega^2 for every particle, in rates() [1/s^2]. Returns the largest.
    double bound(int iterations);
    std::span<const double> rates() const { return rates_; }
    /// The same of the damping, in damping_rates() [1/s].
    double bound_damping(int iterations);
    std::span<const double> damping_rates() const { return damping_rates_; }

private:
    template <class Times>
    double largest(int iterations, const Times& times);
    template <class Times>
    double rows(int iterations, std::vector<Vec3>& alternating, std::vector<double>& rates,
                const Times& times);
    void stiffness_times(std::span<const Vec3> shape, std::vector<Vec3>& out);
    void damping_times(std::span<const Vec3> shape, std::vector<Vec3>& out) const;
    void cache_damping();
    void forces_at(std::span<const Vec3> x, std::vector<Vec3>& f);

    const Model& model_;
    std::vector<Force*> forces_;
    std::vector<DampedForce*> damped_; ///< of them
    const State* at_ = nullptr; ///< of the last restart or move; not kept beyond the calls after it
    bool damping_cached_ = false;
    std::vector<Vec3> still_, base_, moved_, shape_, product_;
    /// How particles move against each other, each one long: by stiffness and by damping.
    std::vector<Vec3> alternating_, alternating_damped_;
    std::vector<double> rates_, damping_rates_;
};

} // namespace muslin
