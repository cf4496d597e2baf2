#pragma once

#include "muslin/base/thread_team.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/engine/dressing.h"
#include "muslin/engine/frame_report.h"
#include "muslin/engine/frame_stepper.h"
#include "muslin/engine/recipe.h"
#include "muslin/engine/seam_merger.h"
#include "muslin/engine/stall_watch.h"
#include "muslin/engine/start.h"
#include "muslin/integrators/integrator.h"
#include "muslin/model/conditions.h"
#include "muslin/model/constraints.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"
#include "muslin/scene/description.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// A scene that runs: a stepper takes its state through the frames, garments are dressed before the
/// first of them, and seams merge particles.
///
///     muslin::Simulation simulation(muslin::load_scene("two-corner-sheet"));
///     simulation.advance_frame();
///     std::vector<muslin::Vec3> points = simulation.positions("sheet");
class Simulation {
public:
    /// Throws InputError where the description does not fit its meshes. Parallel loops run on
    /// `team`; null: on the team in use where a member is called. Simulations that run side by side
    /// are given a team each (base/thread_team.h).
    explicit Simulation(const SceneDescription& scene, std::shared_ptr<ThreadTeam> team = nullptr);
    ~Simulation();
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    /// Advances to the end of the next frame. Throws SimulationError when the smallest step fails;
    /// the state is then that of the last step that was accepted.
    FrameReport advance_frame();
    /// The same into a report that keeps its memory: a frame that needs no more room than those
    /// before it then allocates nothing.
    void advance_frame(FrameReport& report);

    /// Told of a frame while it takes far more steps than those before it did, or by the clock four
    /// times as long, and more than `patience` [s].
    void on_stall(std::function<void(const Stall&)> tell, double patience = 10) {
        stalls_.set(std::move(tell), patience);
    }

    /// Negative while garments are dressed (scene/dressing.h).
    int frame() const { return frame_; }
    /// What the next frame does.
    DressingPhase phase() const { return dressing_.phase(frame_); }
    const DressingFrames& dressing() const { return dressing_.frames(); }
    /// As it is now: where seams have merged particles, another one than before (merges()).
    const Model& model() const { return *model_; }
    /// As the scene has it at its start, before seams merged particles.
    const Model& start_model() const { return *start_model_; }
    /// How often the model has changed since the start.
    int merges() const { return merges_; }
    /// With the history of all parts as of the end of the frame: a copy of it goes on with the same
    /// bits (continue_from).
    const State& state() const { return state_; }
    /// What others decide about the steps that follow.
    const Conditions& conditions() const { return conditions_; }
    /// Replaces all but the time by a state of this scene, with its history; the seams are then as
    /// closed as that state says. Throws HistoryError where the history is that of another scene.
    void set_state(const State& state);
    /// Resumes from a state that this scene had at the end of `frame`: the same bits follow as if
    /// it had never stopped, or, without the history of its parts (State::parts), as if they had
    /// been made anew then. Throws HistoryError as set_state() does.
    void continue_from(const State& state, int frame);

    // What may change while a scene runs, between frames.
    void set_pins(std::vector<Pin> pins) { conditions_.pins = std::move(pins); }
    void set_pulls(std::vector<Pull> pulls) { conditions_.pulls = std::move(pulls); }
    void set_wind(const Animated<Vec3>& wind) { conditions_.air.wind = wind; } ///< [m/s]

    const Recipe& recipe() const { return recipe_; }
    /// What was done to a start that was tangled, where the scene asks for that (contact.untangle).
    const std::optional<StartUntangling>& untangled() const { return untangled_; }
    const Integrator& integrator() const { return *stepper_->integrator(); }
    /// Of the last step, in the order of integrator().constraint_forces().
    const ConstraintSet& constraints() const { return *stepper_->constraints(); }
    /// The contact of the recipe, or null where nothing touches.
    const ContactResponse* contact() const { return stepper_->contact(); }

    /// Makes ready what takes long of bodies that deform, until the last frame of the scene;
    /// `progress` is told how much of how much is done. Without it, that is done on the way.
    void prepare(const std::function<void(int, int)>& progress);

    /// Where the vertices of a cloth are [m], in the user's own order.
    std::vector<Vec3> positions(const std::string& cloth) const;

private:
    struct Started;
    Simulation(const TeamScope&, const SceneDescription& scene, std::shared_ptr<ThreadTeam> team);
    Simulation(const SceneDescription& scene, Started start);

    bool has_seams() const { return dressing_.any() || !start_model_->seams.empty(); }
    double frame_time(int frame) const { return frame / scene_->time.frame_rate; } ///< [s]
    void advance_steps(FrameReport& report);
    void merge_seams(bool at_end, FrameReport& report);
    void set_model(Model next);
    void begin_phase_anew();
    void end_frame(int crossings);
    void take_state(const State& state, double time, bool remake);

    std::shared_ptr<const SceneDescription> scene_;
    Recipe recipe_;
    std::shared_ptr<ThreadTeam> team_; ///< none: the caller's
    std::optional<StartUntangling> untangled_;
    Conditions start_conditions_; ///< of the scene
    Conditions conditions_;
    std::shared_ptr<const Model> start_model_, model_;
    Dressing dressing_;
    SeamMerger merger_;
    StallWatch stalls_;
    std::unique_ptr<FrameStepper> stepper_;
    State state_; ///< as of the last frame that ended
    int frame_;
    int merges_ = 0;
};

} // namespace muslin
