#include "muslin/integrators/integrator.h"

#include "muslin/base/parallel.h"

namespace muslin {

bool all_finite(const State& state) {
    const double bad =
        parallel_sum<double>(state.positions.size(), 1024, [&](std::size_t begin, std::size_t end) {
            double count = 0;
            for (std::size_t i = begin; i < end; ++i)
                count += is_finite(state.positions[i]) && is_finite(state.velocities[i]) ? 0 : 1;
            return count;
        });
    return bad == 0;
}

void Integrator::modify(std::span<const Vec3> positions, double h, const Filter& filter,
                        std::span<Vec3> velocities, StepReport& report, Profile& profile) const {
    const ProfileScope scope(profile, Task::resolve);
    for (const auto& modifier : modifiers_)
        report.sweeps += modifier->modify(positions, h, filter, velocities);
}

} // namespace muslin
