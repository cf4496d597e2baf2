#pragma once

#include "muslin/engine/frame_report.h"
#include "muslin/model/conditions.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <functional>
#include <memory>
#include <string_view>

namespace muslin {

class ConstraintSet;
class ContactResponse;
class Integrator;

/// How far a frame has come.
struct FrameProgress {
    int frame = 0;
    int tried = 0;              ///< steps of this frame so far
    double left = 0;            ///< of the frame [s]
    double size = 0;            ///< of the steps now [s]
    double largest = 0;         ///< that the step control tries while cloth moves [s]
    double stable = 0;          ///< the longest step that is stable [s]
    std::string_view held_back; ///< by what, the last step that failed; empty: none has
};

/// To where a stepper is to advance, and who is asked and told on the way.
struct FrameOrder {
    int frame = 0;        ///< that is under way
    double end = 0;       ///< of the frame [s]
    bool resumes = false; ///< goes on with the frame in which it paused
    /// Told before every step that is tried; may be empty.
    std::function<void(const FrameProgress&)> progress;
    /// Asked after every step but the last of a frame: whether to pause there. Empty: never.
    std::function<bool(const State&)> pause;
};

/// Takes a state of a model through the frames of a scene. It knows nothing of garments that are
/// dressed or of seams that merge particles, which give it another model and state between steps
/// (Dressing, SeamMerger): they work with any stepper.
class FrameStepper {
public:
    virtual ~FrameStepper() = default;

    /// Takes up a model and a state of it with the history of its parts, all of which are made
    /// anew. The conditions must outlive the stepper or the next call that is given others. Throws
    /// HistoryError where the history is that of another model.
    virtual void start(std::shared_ptr<const Model> model, const Conditions& conditions,
                       const State& state) = 0;
    /// Takes up another state of the same model.
    virtual void set_state(const State& state) = 0;
    /// The state after the last step that was accepted, with the history of the parts; what is
    /// known of sewing (State::parts) is left as it is.
    virtual void read(State& state) const = 0;

    /// Advances to the end of the frame, or to where it is to pause: false. Throws SimulationError
    /// when the smallest step fails; the state is then that of the last step that was accepted.
    virtual bool advance(const FrameOrder& order, const Conditions& conditions,
                         FrameReport& report) = 0;
    /// Adds time, energies and hash of the state to a report. Throws SimulationError where an
    /// energy is infinite.
    virtual void measure(FrameReport& report) const = 0;

    /// Makes ready what takes long of bodies that deform, until a time [s].
    virtual void prepare(double /*until*/, const std::function<void(int, int)>& /*progress*/) {}

    // The parts of a stepper that runs on the host; null on others.
    virtual const Integrator* integrator() const { return nullptr; }
    virtual const ContactResponse* contact() const { return nullptr; }   ///< or nothing touches
    virtual const ConstraintSet* constraints() const { return nullptr; } ///< of the last step
};

} // namespace muslin
