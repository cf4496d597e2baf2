// The longest step of RungeKutta.
#include "muslin/integrators/runge_kutta_step.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of the largest half disc inside the region of stability, 2.616. On the negative axis alone it
/// would be 2.785, on the imaginary axis 2.828.
constexpr double stable_radius = 2.61;

std::vector<Force*> all(std::span<const std::unique_ptr<Force>> forces) {
    std::vector<Force*> out;
    for (const auto& force : forces)
        out.push_back(force.get());
    return out;
}

std::vector<Force*> pick(std::span<const std::unique_ptr<Force>> forces, bool inside) {
    std::vector<Force*> out;
    for (const auto& force : forces)
        if (is_inside_cloth(*force) == inside)
            out.push_back(force.get());
    return out;
}

} // namespace

RungeKuttaStability::RungeKuttaStability(const Model& model,
                                         std::span<const std::unique_ptr<Force>> forces,
                                         double safety)
    : forces_(all(forces)), safety_(safety), all_(model, forces_),
      inside_(model, pick(forces, true)), outside_(model, pick(forces, false)) {}

// No eigenvalue -lambda/2 +- sqrt(lambda^2/4 - omega^2) is larger than both omega and lambda.
double RungeKuttaStability::stable_step(double rate) const {
    for (Force* force : forces_)
        rate += added_eigenvalue(*force);
    const double fastest = std::max(std::sqrt(std::max(rate, 0.0)), damping_rate_);
    return fastest > 0 ? safety_ * stable_radius / fastest : infinity;
}

double RungeKuttaStability::find(const State& begin, bool limit_damping, ReducedDamping& damping) {
    since_bound_ = 0;
    all_.restart(begin);
    global_rate_ = all_.fastest(8);
    const double square = safety_ * safety_;
    const double rate = std::max(global_rate_, square * all_.bound(5));

    const auto rate_of_damping = [&](Vibrations& of) {
        of.restart(begin);
        return std::max(of.fastest_damping(6), safety_ * of.bound_damping(4));
    };
    const double inside = rate_of_damping(inside_), outside = rate_of_damping(outside_);
    double scale = 1;
    if (limit_damping && inside > 0 && inside + outside > std::sqrt(rate))
        scale = std::clamp((std::sqrt(rate) - outside) / inside, 0.0, 1.0);
    damping.set_scale(scale);
    damping_rate_ = scale * inside + outside;
    step_ = stable_step(rate);
    return step_;
}

double RungeKuttaStability::follow(const State& begin) {
    constexpr int every = 8; // steps; what grows unstable between shows as error
    if (++since_bound_ >= every) {
        since_bound_ = 0;
        all_.move_to(begin);
        const double square = safety_ * safety_;
        step_ = stable_step(std::max(global_rate_, square * all_.bound(1)));
    }
    return step_;
}

void AccurateStep::forget() {
    refused_ = false;
    length_ = infinity;
}

bool AccurateStep::judge(double h, double error, double largest_error) {
    // The error goes with the fourth power of the step.
    const double ratio = largest_error / std::max(error, 1e-12 * largest_error);
    const bool good = ratio >= 1;
    const double most = good ? (refused_ ? 1.0 : 5.0) : 0.9;
    length_ = h * std::clamp(0.9 * std::pow(ratio, 0.25), 0.1, most);
    refused_ = !good;
    return good;
}

} // namespace muslin
