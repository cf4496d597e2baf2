#include "muslin/collision/response/step_points.h"

#include "muslin/base/parallel.h"

#include <algorithm>

namespace muslin {
namespace {

constexpr std::size_t point_grain = 2048;

} // namespace

void StepPoints::expect(const Surfaces& surfaces, const StepInput& step) {
    const auto& [conditions, start, h, constraints] = step;
    const int particles = surfaces.particle_count();
    begin.resize(surfaces.point_count());
    end.resize(surfaces.point_count());
    surfaces.place_bodies(start.time, begin);
    surfaces.place_bodies(start.time + h, end);
    parallel_for(particles, point_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            begin[i] = start.positions[i];
            end[i] = start.positions[i] + h * start.velocities[i];
        }
    });
    for (const ParticleConstraint& c : constraints.list())
        for (int k = 0; k < c.count; ++k)
            end[c.particle] +=
                (c.position[k] - dot(c.direction[k], end[c.particle])) * c.direction[k];
}

void StepPoints::propose(const State& solution) {
    std::copy(solution.positions.begin(), solution.positions.end(), end.begin());
    solved = end;
}

StepPoints::Move StepPoints::largest_move(int particles) const {
    Move largest;
    for (int i = 0; i < particles; ++i)
        if (const double length = norm(end[i] - solved[i]); length > largest.length)
            largest = {length, i};
    return largest;
}

void StepPoints::hand_over(double h, State& state) const {
    parallel_for(state.positions.size(), point_grain, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            state.velocities[i] += (1 / h) * (end[i] - solved[i]);
            state.positions[i] = end[i];
        }
    });
}

} // namespace muslin
