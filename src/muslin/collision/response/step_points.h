#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/model/step_input.h"

#include <vector>

namespace muslin {

/// Where all points of cloths and bodies are in a step, in the order of Surfaces.
struct StepPoints {
    std::vector<Vec3> begin;  ///< [m]
    std::vector<Vec3> end;    ///< as expected, then as proposed, then as contact leaves them [m]
    std::vector<Vec3> solved; ///< the ends that go with the velocities of the integrator [m]

    /// Where points are at the start, and where they go if nothing changes their motion but the
    /// constraints.
    void expect(const Surfaces& surfaces, const StepInput& step);
    /// Takes the ends that the integrator proposes.
    void propose(const State& solution);
    /// The particle that contact has moved furthest from its solved end.
    struct Move {
        double length = 0; ///< [m]
        int particle = -1; ///< none where nothing moved
    };
    Move largest_move(int particles) const;
    /// Moves the particles of a state to their ends, and changes their velocities by as much as the
    /// ends differ from the solved ones.
    void hand_over(double h, State& state) const;
};

} // namespace muslin
