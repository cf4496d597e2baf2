#pragma once

#include "muslin/base/profile.h"
#include "muslin/collision/fields/moving_field.h"
#include "muslin/forces/force.h"
#include "muslin/model/evaluation_corrector.h"
#include "muslin/model/model.h"
#include "muslin/model/step_input.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace muslin {

/// What a response is told when the integrator has proposed the end of a step.
struct ProposedStep {
    const Conditions& conditions;
    const State& begin;
    double h; ///< [s]
    const ConstraintSet& constraints;
    std::span<const Vec3> constraint_forces; ///< [N], in the order of the set
    bool last_try; ///< the step cannot be made smaller: what cannot be resolved is to be released
    std::span<const std::unique_ptr<Force>> forces = {}; ///< of the integrator
};

struct ContactReport {
    bool resolved = true;
    bool repeat = false; ///< contacts came up that the integrator should know: take the step again
    std::string reason;  ///< why not, for the message when no smaller step is left
    int particle = -1;   ///< that shows it most, where the response knows
    int contacts = 0;    ///< pairs of features that pushed on each other
    int impacts = 0;     ///< of these, pairs that the implicit step alone would have let cross
    double released_energy = 0; ///< that contacts had stored at the start [J]
    int crossings = 0; ///< of edges and faces, there from the start of the run or released since
    std::vector<std::string> released; ///< contacts given up in this step, in words
};

/// How a recipe keeps things apart: the part of the stage `contact`. Its calls follow the stages of
/// a step: constrain (animate), sense, the force (advance), resolve, accept.
///
/// A step that is not accepted is tried again with another h; until accept() is called a response
/// keeps what it remembers of earlier steps.
class ContactResponse {
public:
    virtual ~ContactResponse() = default;

    /// The force by which contacts enter the implicit system, if they do. It refers to the
    /// response.
    virtual std::unique_ptr<Force> make_force() { return nullptr; }

    /// Adds constraints of the step that begins.
    virtual void constrain(const Conditions&, const State& /*begin*/, double /*h*/, ConstraintSet&,
                           Profile&) {}
    /// Finds the contacts of the step that begins, pins and constraints being known.
    virtual void sense(const StepInput& step, Profile& profile) = 0;
    /// After sense: the longest step that the response can answer well for [s]. A longer one is
    /// made shorter before it is taken.
    virtual double longest_step() const { return std::numeric_limits<double>::infinity(); }
    /// Changes positions and velocities of `end` so that nothing crosses on the way to it.
    virtual ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) = 0;
    /// What corrects the state at every evaluation of forces within a step, where the response does
    /// so besides resolve(); for integrators that call it (integrators/runge_kutta.h).
    virtual EvaluationCorrector* evaluation_corrector() { return nullptr; }
    /// The step was taken: `end` is where the next one begins.
    virtual void accept(const State& /*end*/) {}

    /// Writes what the response remembers from step to step into the state, at the end of a frame,
    /// and takes it up where another state is set: what goes on from a copy of the state gives the
    /// same bits. From an empty history the response begins anew. recall() throws HistoryError
    /// where the history is that of other surfaces.
    virtual void store(ContactHistory& /*history*/) const {}
    virtual void recall(const ContactHistory& /*history*/) {}

    /// Makes ready what the response needs of bodies until a time [s], where that takes long;
    /// `progress` is told how much of how much is done.
    virtual void prepare(double /*until*/, const std::function<void(int, int)>& /*progress*/) {}
    /// What level sets of bodies took, for a response that has them.
    virtual std::optional<LevelSetWork> level_sets() const { return {}; }

    /// Marks, one per particle and then per vertex of bodies: not zero where contacts are released,
    /// for want of room or until a crossing is undone. Empty: nowhere.
    virtual std::span<const std::uint8_t> released_marks() const { return {}; }
};

} // namespace muslin
