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
    /// Advances to a time within the next frame [s], which is then still under way: what follows
    /// depends on where frames were interrupted so.
    void advance_within_frame(double time, FrameReport& report);

    /// Told before every step that is tried. What it throws passes through: the state is then that
    /// of the last step that was accepted, and advancing again resumes the frame as if it had not
    /// been interrupted.
    void on_progress(std::function<void(const FrameProgress&)> tell) {
        program_.progress = std::move(tell);
    }
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
    const Model& start_model() const { return *start_.model; }
    /// As the scene has them at its start, for the particles of start_model().
    const Conditions& start_conditions() const { return start_.conditions; }
    /// How often the model has changed since the start.
    int merges() const { return merges_; }
    /// With the history of all parts as of the end of the frame: a copy of it goes on with the same
    /// bits (continue_from).
    const State& state() const { return state_; }
    /// What others decide about the steps that follow.
    const Conditions& conditions() const { return conditions_; }
    /// For tests: replaces all but the time by a state of this scene, its history too; the seams
    /// are then as closed as that state says. Throws HistoryError where the history is that of
    /// another scene.
    void set_state(const State& state);
    /// Resumes from a state that this scene had at the end of `frame`: the same bits follow as if
    /// it had never stopped, or, without the history of its parts (State::parts), as if they had
    /// been made anew then. Throws HistoryError as set_state() does.
    void continue_from(const State& state, int frame);
    /// The same of a state that may be within the frame after `frame`, with its time.
    void restore(const State& state, int frame);

    // What may change while a scene runs, between frames.
    void set_pins(std::vector<Pin> pins) { conditions_.pins = std::move(pins); }
    void set_pulls(std::vector<Pull> pulls) { conditions_.pulls = std::move(pulls); }
    void set_wind(const Animated<Vec3>& wind) { conditions_.air.wind = wind; } ///< [m/s]
    /// In place of that wind; null: the wind again.
    void set_wind_field(std::shared_ptr<const WindField> field) {
        conditions_.air.field = std::move(field);
    }
    /// Has the vertices of a body follow a path from now on, in place of its frames and motion; an
    /// empty path: as the scene has it. Throws InputError where the contact of the recipe cannot.
    void set_body_path(int body, GivenPath path);

    const Recipe& recipe() const { return recipe_; }
    /// What was done to a start that was tangled, where the scene asks for that (contact.untangle).
    const std::optional<StartUntangling>& untangled() const { return start_.untangled; }
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
    struct Start {
        explicit Start(const SceneDescription& scene);
        std::optional<StartUntangling> untangled;
        Conditions conditions; ///< of the scene
        std::shared_ptr<const Model> model;
        State state;                                   ///< empty once it is taken
        std::vector<std::shared_ptr<GivenPath>> paths; ///< of the bodies of all models
    };
    Simulation(const TeamScope&, const SceneDescription& scene, std::shared_ptr<ThreadTeam> team);
    Simulation(const SceneDescription& scene, Start start);

    bool has_seams() const { return dressing_.any() || !start_.model->seams.empty(); }
    double frame_time(int frame) const { return frame / scene_->time.frame_rate; } ///< [s]
    void advance_to(double time, FrameReport& report);
    void advance_steps(double time, FrameReport& report);
    void merge_seams(bool at_end, FrameReport& report);
    void set_model(Model next);
    void begin_phase_anew();
    void end_frame(int crossings);
    void take_state(const State& state, double time, bool other_model, bool remake_parts);

    std::shared_ptr<const SceneDescription> scene_;
    Recipe recipe_;
    std::shared_ptr<ThreadTeam> team_; ///< none: the caller's
    Start start_;
    Conditions conditions_;
    std::shared_ptr<const Model> model_;
    Dressing dressing_;
    SeamMerger merger_;
    StallWatch stalls_;
    std::unique_ptr<FrameStepper> stepper_;
    State state_; ///< as of the last frame that ended
    int frame_;
    int merges_ = 0;
    struct {
        std::function<void(const FrameProgress&)> progress; ///< may be empty
        bool interrupted = false; ///< the frame that is under way, by what `progress` threw
    } program_;
};

} // namespace muslin
