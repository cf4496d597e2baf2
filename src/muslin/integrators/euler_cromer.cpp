#include "muslin/integrators/euler_cromer.h"

#include <bit>
#include <cmath>

namespace muslin {
namespace {

std::vector<Force*> without_elements(const std::vector<std::unique_ptr<Force>>& forces,
                                     const LocalRates& rates) {
    std::vector<Force*> out;
    for (const auto& force : forces)
        if (!rates.is_element_force(force.get()))
            out.push_back(force.get());
    return out;
}

} // namespace

EulerCromer::EulerCromer(const Model& model, std::vector<std::unique_ptr<Force>> forces,
                         const EulerCromerSettings& settings)
    : Integrator(model, std::move(forces)), settings_(settings),
      rates_(forces_, model.particle_count()), control_(model, settings.control),
      all_(model, force_pointers()), others_(model, without_elements(forces_, rates_)),
      held_(model.mass.size(), -1) {
    for (const auto& force : forces_) {
        const ForceCapabilities can = force->capabilities();
        Item item{force.get(), rates_.is_element_force(force.get()), can.damped != nullptr, 0};
        if (item.element)
            item.elements = static_cast<long>(can.elements->element_particles().size()) /
                            can.elements->corners();
        items_.push_back(item);
    }
}

StepReport EulerCromer::take_step(const State& begin, double h, const ConstraintSet& constraints,
                                  State& end, Profile& profile) {
    StepReport report;
    {
        const ProfileScope scope(profile, Task::forces);
        hold(constraints);
        end = begin;
        end.time = begin.time + h;
        follow_path(constraints, begin.positions, h, end.velocities);
        int levels = 1;
        if (settings_.local_rates && rates_.any() && !limits_.empty()) {
            if (limits_changed_ || std::abs(h - assigned_for_) > 1e-6 * h) {
                rates_.assign(h, limits_);
                limits_changed_ = false;
                assigned_for_ = h;
            }
            levels = rates_.levels();
        }
        // In units of half the shortest interval, level k acts at the odd multiples of
        // 2^(levels - 1 - k).
        const int units = 1 << levels;
        unit_ = h / units;
        drifted_.assign(begin.positions.size(), 0);
        for (now_ = 1; now_ < units; ++now_) {
            const int level = levels - 1 - std::countr_zero(static_cast<unsigned>(now_));
            kick({levels == 1 ? everything : level, h / (1 << level), begin.time + now_ * unit_},
                 end, report);
        }
        now_ = units;
    }
    finish(begin, h, constraints, end, report, profile);
    return report;
}

void EulerCromer::hold(const ConstraintSet& constraints) {
    for (const int p : held_list_)
        held_[p] = -1;
    constraints.make_filter(filter_);
    held_list_ = filter_.particles;
    for (std::size_t k = 0; k < held_list_.size(); ++k)
        held_[held_list_[k]] = static_cast<int>(k);
    impulses_.assign(held_list_.size(), Vec3{0, 0, 0});
}

// Calls body(k, particle) for what a kick acts on.
template <class Body>
void EulerCromer::for_kicked(const Kick& kick, const Body& body) {
    if (kick.level <= 0) {
        for_particles(held_.size(), [&](std::size_t i) { body(i, static_cast<int>(i)); });
        return;
    }
    const std::span<const int> particles = rates_.particles(kick.level);
    for_particles(particles.size(), [&](std::size_t k) { body(k, particles[k]); });
}

std::span<const Vec3> EulerCromer::slowed(std::span<const Vec3> v) {
    if (damping_scale_ == 1)
        return v;
    slowed_.resize(v.size());
    for_particles(v.size(), [&](std::size_t i) { slowed_[i] = damping_scale_ * v[i]; });
    return slowed_;
}

// Forces on what a kick acts on; `again` with other velocities. Those of elements that act at a
// rate of their own stay in rates_, all others are added up in force_.
void EulerCromer::evaluate(const Kick& kick, std::span<const Vec3> x, std::span<const Vec3> v,
                           bool again, StepReport& report) {
    const bool all = kick.level == everything;
    const std::span<const Vec3> slow = slowed(v);
    if (all || kick.level == 0) {
        if (!again) {
            steady_.assign(x.size(), Vec3{0, 0, 0});
            for (const Item& item : items_)
                if (!item.damped && (all || !item.element)) {
                    item.force->prepare(kick.time);
                    item.force->add_force({x, v}, steady_);
                    report.element_evaluations += item.elements;
                }
        }
        force_ = steady_;
        for (const Item& item : items_)
            if (item.damped && (all || !item.element)) {
                if (!again)
                    item.force->prepare(kick.time);
                item.force->add_force({x, item.element ? slow : v}, force_);
                report.element_evaluations += item.elements;
            }
    }
    if (!all)
        report.element_evaluations += rates_.evaluate(kick.level, kick.time, {x, slow}, again);
}

void EulerCromer::kick(const Kick& kick, State& end, StepReport& report) {
    std::vector<Vec3>&x = end.positions, &v = end.velocities;
    for_kicked(kick, [&](std::size_t, int p) { drift_to(p, now_, end); });
    evaluate(kick, x, v, false, report);
    const auto force_on = [&](std::size_t k, int p) {
        return kick.level == everything ? force_[p]
               : kick.level == 0        ? force_[p] + rates_.force(0, k)
                                        : rates_.force(kick.level, k);
    };
    if (settings_.second_order_damping) {
        middle_.resize(x.size());
        for_kicked(kick, [&](std::size_t k, int p) {
            Vec3 change = (0.5 * kick.interval / model_.mass[p]) * force_on(k, p);
            if (held_[p] >= 0)
                change = filter_.projection[held_[p]] * change;
            middle_[p] = v[p] + change;
        });
        evaluate(kick, x, middle_, true, report);
    }
    const bool local = kick.level != everything;
    for_kicked(kick, [&](std::size_t k, int p) {
        const Vec3 f = force_on(k, p);
        Vec3 a = (1 / model_.mass[p]) * f;
        if (held_[p] >= 0) {
            impulses_[held_[p]] += kick.interval * f;
            a = filter_.projection[held_[p]] * a;
        }
        v[p] += kick.interval * a;
        if (settings_.stability_control && (!local || rates_.level_of(p) == kick.level))
            control_.watch(p, a, kick.interval);
    });
    if (settings_.stability_control && control_.any())
        control(kick, end, report);
}

// Before the velocities move anything.
void EulerCromer::control(const Kick& kick, State& end, StepReport& report) {
    report.damped_particles += control_.share(
        end.positions, end.velocities,
        [&](int p) { return kick.level == everything || rates_.level_of(p) == kick.level; },
        [&](int p) { return held_[p] >= 0; }, [&](int p) { drift_to(p, now_, end); });
}

void EulerCromer::finish(const State& begin, double h, const ConstraintSet& constraints, State& end,
                         StepReport& report, Profile& profile) {
    std::vector<Vec3>&x = end.positions, &v = end.velocities;
    for_particles(x.size(), [&](std::size_t i) { drift_to(static_cast<int>(i), now_, end); });
    if (!modifiers_.empty())
        modify_mean(begin, h, filter_, end, report, profile);
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            x[c.particle] += (c.position[k] - dot(c.direction[k], x[c.particle])) * c.direction[k];
    follow_speed(constraints, v);
    if (!modifiers_.empty())
        modify(x, h, filter_, v, report, profile);
    // What held particles got besides the forces, along what held them.
    constraint_forces_.clear();
    for (std::size_t k = 0; k < held_list_.size(); ++k) {
        const int p = held_list_[k];
        const Vec3 change = model_.mass[p] * (v[p] - begin.velocities[p]) - impulses_[k];
        constraint_forces_.push_back((1 / h) * (change - filter_.projection[k] * change));
    }
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

} // namespace muslin
