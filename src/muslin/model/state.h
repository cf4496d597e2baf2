#pragma once

#include "muslin/math/vec.h"
#include "muslin/model/contact_history.h"

#include <stdexcept>
#include <vector>

namespace muslin {

/// A particle that is stuck to a triangle, at a place of the triangle's own frame.
struct Bond {
    int sticking; ///< index into Model::stickings
    int particle;
    int triangle;  ///< index into Sticking::triangles
    Vec3 weights;  ///< of the triangle's corners, sum 1; may be negative: beside the triangle
    double height; ///< along the triangle's normal [m]
    /// Of the sticking's stiffness. Bonds of a particle with several triangles share it, so that
    /// the particle is drawn to the average of the places.
    double share;
};

/// Rest shapes that what the cloth went through has moved [Volino95 3.4].
struct StrainHistory {
    /// Permanent strain of each triangle of the dynamics layer: eps_u, eps_v, gamma_uv of its
    /// pattern; empty: none has any.
    std::vector<Vec3> triangles;
    std::vector<double> hinges; ///< permanent curvature of each hinge [1/m]; empty: none has any
};

/// Where the control of the step size is between two tries (engine/step_control.h).
struct StepSizeHistory {
    double size = 0; ///< [s]; 0: no step has been taken
    int wait = 0;    ///< successes before the next try of a larger step
    int successes = 0;
    bool trying_larger = false;
};

/// How far the sewing of garments has come, besides what is merged.
struct SewingHistory {
    bool ironing = false;     ///< joints hold out: folds in seams are ironed out
    std::vector<int> refused; ///< joints that must not merge: a particle of the start of each
};

/// What the parts of a recipe remember from step to step besides the members of State. They write
/// it at the end of a frame and take it up where a state is set. Empty, as in PartHistory(): parts
/// begin anew.
struct PartHistory {
    StepSizeHistory step_size;
    ContactHistory contact;
    SewingHistory sewing;
};

/// The history of a state is that of another scene.
class HistoryError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws HistoryError unless what a part takes up fits it.
inline void require_history(bool fits, const char* problem) {
    if (!fits)
        throw HistoryError(problem);
}

/// Everything that does change. Copyable: a step reads one and writes another.
struct State {
    double time = 0;              ///< [s]
    std::vector<Vec3> positions;  ///< [m]
    std::vector<Vec3> velocities; ///< [m/s]
    /// Normal contact force on each particle in the last step [N]; empty before the first contact.
    std::vector<double> contact_force;
    std::vector<Bond> bonds; ///< what is stuck, in the order of sticking, particle, triangle
    StrainHistory strain_history;
    std::vector<RememberedSide> sides; ///< by pair, increasing
    TangleWatch tangle_watch;
    /// Particles of the model as it was built that have become one: groups of two or more, each
    /// increasing, in the order of their first (model/merge.h). All other members count particles
    /// as they are after that.
    std::vector<std::vector<int>> merged;
    PartHistory parts; ///< as of the end of the last frame
};

} // namespace muslin
