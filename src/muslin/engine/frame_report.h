#pragma once

#include "muslin/base/profile.h"
#include "muslin/math/vec.h"

#include <string>
#include <vector>

namespace muslin {

/// The force by which a pin held its particles at the end of a frame.
struct PinForce {
    std::string region;
    Vec3 force = {0, 0, 0}; ///< on the cloth, all its particles together [N]
};

/// What one frame took and what came out of it.
struct FrameReport {
    int frame = 0;
    double time = 0; ///< [s]
    int steps = 0;
    int rejected_steps = 0;
    double step_min = 0, step_max = 0; ///< of accepted steps [s]
    int cg_iterations = 0;             ///< rejected steps included
    int unconverged_steps = 0;         ///< accepted with fewer solves than they needed
    int sweeps = 0;                    ///< of strain limits, accepted steps
    int most_sweeps = 0;               ///< of strain limits in one step
    /// Particles whose momentum stability control shared, summed over steps [Volino95 3.6].
    long damped_particles = 0;
    long element_evaluations = 0; ///< of forces, where the integrator counts them
    int contacts = 0;             ///< of the last step
    int impacts = 0;              ///< of all steps: pairs that only impact zones kept from crossing
    int crossings = 0; ///< of edges and faces, where contacts are released, in the last step
    int bonds = 0;     ///< that hold at the end [Bridson03 6]
    int bonds_formed = 0, bonds_broken = 0; ///< in all steps
    /// Joints of seams at the end of the frame [Ohta95]: still open, and one particle by now; the
    /// width of the widest that is open [m]. No seams: zero.
    int joints_open = 0, joints_merged = 0;
    double seam_gap = 0;
    /// Joints that met in this frame and must not become one, in words.
    std::vector<std::string> joints_refused;
    /// Contacts that could not be resolved and were released, in words.
    std::vector<std::string> released;
    Profile seconds;
    double kinetic = 0, elastic = 0, gravity = 0; ///< energies at the end [J]
    std::vector<PinForce> pin_forces;
    std::string hash; ///< of positions and velocities
};

} // namespace muslin
