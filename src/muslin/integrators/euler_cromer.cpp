#include "muslin/integrators/euler_cromer.h"

#include <bit>
#include <cmath>

namespace muslin {

EulerCromer::EulerCromer(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                         const EulerCromerSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      kick_forces_(forces_, model.particle_count()), control_(model, settings.control),
      stability_(model, settings, forces_, kick_forces_, control_.shortest_edges()),
      held_(model.mass.size()) {}

StepReport EulerCromer::take_step(const State& begin, double h, const ConstraintSet& constraints,
                                  State& end, Profile& profile) {
    StepReport report;
    {
        const ProfileScope scope(profile, Task::forces);
        held_.start(constraints);
        end = begin;
        end.time = begin.time + h;
        follow_path(constraints, begin.positions, h, end.velocities);
        const int levels = sort_elements(h);
        // In units of half the shortest interval, level k acts at the odd multiples of
        // 2^(levels - 1 - k).
        const int units = 1 << levels;
        const double unit = h / units;
        drift_.start(begin.positions.size(), unit);
        for (int now = 1; now < units; ++now) {
            drift_.set_now(now);
            const int level = levels - 1 - std::countr_zero(static_cast<unsigned>(now));
            apply(
                {levels == 1 ? Kick::everything : level, h / (1 << level), begin.time + now * unit},
                end, report);
        }
        drift_.set_now(units);
    }
    end_step(begin, h, constraints, end, report, profile);
    return report;
}

// Sorts elements by the rates that they need, where they have their own. Returns how many rates.
int EulerCromer::sort_elements(double h) {
    LocalRates& rates = kick_forces_.rates();
    if (!settings_.local_rates || !rates.any() || stability_.vertex_steps().empty())
        return 1;
    if (std::abs(h - sorted_for_) > 1e-6 * h) {
        rates.assign(h, stability_.vertex_steps());
        sorted_for_ = h;
    }
    return rates.levels();
}

// Calls body(k, particle) for what a kick acts on.
template <class Body>
void EulerCromer::for_kicked(const Kick& kick, const Body& body) {
    if (kick.level <= 0) {
        for_particles(model_.mass.size(), [&](std::size_t i) { body(i, static_cast<int>(i)); });
        return;
    }
    const std::span<const int> particles = kick_forces_.rates().particles(kick.level);
    for_particles(particles.size(), [&](std::size_t k) { body(k, particles[k]); });
}

void EulerCromer::apply(const Kick& kick, State& end, StepReport& report) {
    std::vector<Vec3>&x = end.positions, &v = end.velocities;
    for_kicked(kick, [&](std::size_t, int p) { drift_.bring_to_now(p, end); });
    kick_forces_.evaluate(kick, {x, v}, false, report);
    if (settings_.second_order_damping) {
        middle_.resize(x.size());
        for_kicked(kick, [&](std::size_t k, int p) {
            Vec3 change = (0.5 * kick.interval / model_.mass[p]) * kick_forces_.on(kick, k, p);
            if (held_.holds(p))
                change = held_.projection(p) * change;
            middle_[p] = v[p] + change;
        });
        kick_forces_.evaluate(kick, {x, middle_}, true, report);
    }
    const bool local = kick.level != Kick::everything;
    const LocalRates& rates = kick_forces_.rates();
    for_kicked(kick, [&](std::size_t k, int p) {
        const Vec3 f = kick_forces_.on(kick, k, p);
        Vec3 a = (1 / model_.mass[p]) * f;
        if (held_.holds(p)) {
            held_.add_impulse(p, kick.interval, f);
            a = held_.projection(p) * a;
        }
        v[p] += kick.interval * a;
        if (settings_.stability_control && (!local || rates.level_of(p) == kick.level))
            control_.watch(p, a, kick.interval);
    });
    if (settings_.stability_control && control_.any())
        control(kick, end, report);
}

// Before the velocities move anything.
void EulerCromer::control(const Kick& kick, State& end, StepReport& report) {
    report.damped_particles += control_.share(
        end.positions, end.velocities,
        [&](int p) {
            return kick.level == Kick::everything || kick_forces_.rates().level_of(p) == kick.level;
        },
        [&](int p) { return held_.holds(p); }, [&](int p) { drift_.bring_to_now(p, end); });
}

void EulerCromer::end_step(const State& begin, double h, const ConstraintSet& constraints,
                           State& end, StepReport& report, Profile& profile) {
    std::vector<Vec3>&x = end.positions, &v = end.velocities;
    for_particles(x.size(), [&](std::size_t i) { drift_.bring_to_now(static_cast<int>(i), end); });
    if (!modifiers_.empty())
        modify_mean(begin, h, held_.filter(), end, report, profile);
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            x[c.particle] += (c.position[k] - dot(c.direction[k], x[c.particle])) * c.direction[k];
    follow_speed(constraints, v);
    if (!modifiers_.empty())
        modify(x, h, held_.filter(), v, report, profile);
    find_constraint_forces(begin, h, end);
    const double bad = parallel_sum<double>(x.size(), particle_grain, not_finite_,
                                            [&](std::size_t first, std::size_t last) {
                                                double sum = 0;
                                                for (std::size_t i = first; i < last; ++i)
                                                    sum += dot(x[i], x[i]) + dot(v[i], v[i]);
                                                return sum;
                                            });
    if (!std::isfinite(bad))
        report.status = StepReport::Status::not_finite;
}

// What held particles got besides the forces, along what held them.
void EulerCromer::find_constraint_forces(const State& begin, double h, const State& end) {
    constraint_forces_.clear();
    const Filter& filter = held_.filter();
    for (std::size_t k = 0; k < filter.particles.size(); ++k) {
        const int p = filter.particles[k];
        const Vec3 change =
            model_.mass[p] * (end.velocities[p] - begin.velocities[p]) - held_.impulse(k);
        constraint_forces_.push_back((1 / h) * (change - filter.projection[k] * change));
    }
}

double EulerCromer::find_longest_step(const State& begin) {
    kick_forces_.find_damped(begin);
    control_.forget();
    stability_.find(*conditions_, begin, kick_forces_.damping());
    sorted_for_ = 0;
    return stability_.step();
}

double EulerCromer::follow_longest_step(const State& begin) {
    if (stability_.follow(*conditions_, begin, kick_forces_.damping()))
        sorted_for_ = 0;
    return stability_.step();
}

} // namespace muslin
