#include "muslin/integrators/kick_forces.h"

#include <algorithm>

namespace muslin {

KickForces::KickForces(const std::vector<std::unique_ptr<Force>>& forces, int particles)
    : rates_(forces, particles) {
    for (const auto& force : forces) {
        const ForceCapabilities can = force->capabilities();
        Item item{force.get(), rates_.is_element_force(force.get()), can.damped != nullptr, 0};
        if (item.element)
            item.elements = static_cast<long>(can.elements->element_particles().size()) /
                            can.elements->corners();
        items_.push_back(item);
    }
}

std::vector<Force*> KickForces::without_elements() const {
    std::vector<Force*> out;
    for (const Item& item : items_)
        if (!item.element)
            out.push_back(item.force);
    return out;
}

void KickForces::find_damped(const State& begin) {
    std::vector<Vec3>& moving = steady_; // scratch: velocities that no element is at rest with
    moving.resize(begin.positions.size());
    for (std::size_t i = 0; i < moving.size(); ++i)
        moving[i] = {i % 3 == 0 ? 1.0 : -0.5, i % 2 == 0 ? 1.0 : -1.0, i % 5 < 2 ? 1.0 : -0.7};
    for (Item& item : items_) {
        if (!item.element)
            continue;
        sum_.assign(moving.size(), Vec3{0, 0, 0});
        if (DampedForce* damping = item.force->capabilities().damped) {
            damping->cache_damping({begin.positions, begin.velocities});
            damping->add_damping(moving, sum_);
        }
        item.damped =
            std::any_of(sum_.begin(), sum_.end(), [](const Vec3& f) { return dot(f, f) > 0; });
        rates_.set_damped(item.force, item.damped);
    }
}

// Those of elements that act at a rate of their own stay in rates_, all others are added up here.
void KickForces::evaluate(const Kick& kick, const Kinematics& at, bool again, StepReport& report) {
    const bool all = kick.level == Kick::everything;
    const std::span<const Vec3> x = at.positions, v = at.velocities, slow = damping_.slowed(v);
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
        sum_ = steady_;
        for (const Item& item : items_)
            if (item.damped && (all || !item.element)) {
                if (!again)
                    item.force->prepare(kick.time);
                item.force->add_force({x, item.element ? slow : v}, sum_);
                report.element_evaluations += item.elements;
            }
    }
    if (!all)
        report.element_evaluations += rates_.evaluate(kick.level, kick.time, {x, slow}, again);
}

} // namespace muslin
