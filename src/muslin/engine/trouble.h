#pragma once

#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <string>

namespace muslin {

/// Why a step was not taken.
enum class Trouble {
    none,
    not_definite, ///< the linear system had no solution
    not_finite,   ///< a number became infinite, or too large to go on with
    inaccurate,   ///< the error that the integrator estimates is more than was asked for
    contact,      ///< something would pass through something
    undefined,    ///< a potential has no value
    stretch,      ///< a triangle changed more in one step than is allowed
    hasty,        ///< the step was longer than those of cloth that moves: never the last
    gained,       ///< the step gained energy that nothing gave: never the last
    unstable,     ///< no step that is long enough is stable
    many_steps,   ///< a frame took more steps than it may
};

/// A frame that takes far more steps, or far longer, than those before it, while it does.
struct Stall {
    int frame = 0;
    int steps = 0;      ///< tried in this frame so far
    double done = 0;    ///< of the frame, 0 to 1
    double step = 0;    ///< the size reached [s]
    std::string reason; ///< what holds it back, in words
};

/// In words, on one line.
std::string describe(const Stall& stall);

/// The particle that shows a trouble most, for the message: that of the first number that is not
/// one, of the edge that changed its length most for its rest length, of the stiffest triangle for
/// its mass, or the one whose velocity changed most. `end` may be the wreck of a step.
int find_culprit(Trouble trouble, const Model& model, const State& begin, const State& end);

/// Whether all positions and velocities are numbers, none of them larger than largest_number
/// (base/largest_number.h).
bool in_range(const State& state);

/// "cloth 'NAME', vertex N", in the user's numbering.
std::string name_particle(const Model& model, int particle);

/// What a user can change, by the keys of a scene.
std::string advise(Trouble trouble, const Model& model, int particle);

} // namespace muslin
