#pragma once

#include "muslin/base/profile.h"
#include "muslin/base/thread_team.h"
#include "muslin/engine/recipe.h"
#include "muslin/engine/start.h"
#include "muslin/engine/step_control.h"
#include "muslin/engine/trouble.h"
#include "muslin/integrators/integrator.h"
#include "muslin/model/constraints.h"
#include "muslin/model/merge.h"
#include "muslin/model/model.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/description.h"
#include "muslin/scene/dressing.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

class StickingBonds;
class StickingForce;

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
    int crossings = 0; ///< of edges and faces, where contacts are let go, in the last step
    int bonds = 0;     ///< that hold at the end [Bridson03 6]
    int bonds_formed = 0, bonds_broken = 0; ///< in all steps
    /// Joints of seams at the end of the frame [Ohta95]: still open, and one particle by now; the
    /// width of the widest that is open [m]. No seams: zero.
    int joints_open = 0, joints_merged = 0;
    double seam_gap = 0;
    /// Joints that met in this frame and must not become one, in words.
    std::vector<std::string> joints_refused;
    /// Contacts that could not be resolved and were let go, in words.
    std::vector<std::string> released;
    Profile seconds;
    double kinetic = 0, elastic = 0, gravity = 0; ///< energies at the end [J]
    std::vector<PinForce> pin_forces;
    std::string hash; ///< of positions and velocities
};

/// A scene that runs. Holds the model, the state and the parts of its recipe.
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
        tell_stall_ = std::move(tell);
        patience_ = patience;
    }

    /// Negative while garments are dressed (scene/dressing.h).
    int frame() const { return frame_; }
    /// What the next frame does.
    DressingPhase phase() const { return phase_after(dressing_frames_, frame_); }
    const DressingFrames& dressing() const { return dressing_frames_; }
    /// As it is now: where seams have merged particles, another one than before (merges()).
    const Model& model() const { return model_; }
    /// As the scene has it at its start, before seams merged particles.
    const Model& start_model() const { return start_model_ ? *start_model_ : model_; }
    /// How often the model has changed since the start.
    int merges() const { return merges_; }
    const State& state() const { return state_; }
    /// Replaces positions, velocities and history (the time is kept) by those of a state of this
    /// scene; the seams are then as closed as that state says.
    void set_state(const State& state);
    /// Goes on from a state that this scene had at the end of `frame`, with parts that remember
    /// nothing: the same bits whether the state was its own or comes from a file.
    void continue_from(const State& state, int frame);
    /// What the parts remember beside the state, for going on as if the run had never stopped.
    std::string memory() const;
    /// The same with parts that remember what they did then. Throws ArchiveError where the memory
    /// is that of another scene or damaged.
    void continue_from(const State& state, int frame, const std::string& memory);

    // What may change while a scene runs, between frames; all else of the model stays as it is.
    void set_pins(std::vector<Pin> pins) { model_.pins = std::move(pins); }
    void set_pulls(std::vector<Pull> pulls) { model_.pulls = std::move(pulls); }
    void set_wind(const Animated<Vec3>& wind) { model_.air.wind = wind; } ///< [m/s]

    const Recipe& recipe() const { return recipe_; }
    /// What was done to a start that was tangled, where the scene asks for that (contact.untangle).
    const std::optional<StartUntangling>& untangled() const { return untangled_; }
    const Integrator& integrator() const { return *integrator_; }
    /// Of the last step, in the order of integrator().constraint_forces().
    const ConstraintSet& constraints() const { return constraints_; }

    /// Makes ready what takes long of bodies that deform, until the last frame of the scene;
    /// `progress` is told how much of how much is done. Without it, that is done on the way.
    void prepare(const std::function<void(int, int)>& progress) {
        const TeamScope scope(team_.get());
        if (contact_)
            contact_->prepare(time_.frames / time_.frame_rate, progress);
    }

    /// The contact of the recipe, or null where nothing touches.
    const ContactResponse* contact() const { return contact_.get(); }

    /// Where the vertices of a cloth are [m], in the user's own order.
    std::vector<Vec3> positions(const std::string& cloth) const;

private:
    struct Started {
        explicit Started(const SceneDescription& scene) : built(build_start(scene, &untangled)) {}
        std::optional<StartUntangling> untangled;
        BuiltScene built;
    };
    Simulation(const TeamScope&, const SceneDescription& scene, std::shared_ptr<ThreadTeam> team);
    Simulation(const SceneDescription& scene, Started start);

    // The stages of one step.
    void animate(double h, Profile& profile);
    void sense(double h, Profile& profile);
    double contact_floor() const;
    double shorten(double h, double remaining) const;
    StepReport advance(double h, Profile& profile);
    ContactReport resolve(double h, const StepReport& step, Profile& profile);
    Trouble judge(double h, const StepReport& step, const ContactReport& contact,
                  std::string& reason) const;
    double stretch_limit(double h) const;
    double stretch_change() const;
    struct Energy {
        double kinetic = 0, elastic = 0, gravity = 0; ///< [J]
        double all() const { return kinetic + elastic + gravity; }
    };
    Energy energy_of(const State& state) const;
    /// Whether the step that ends in next_ gained energy, where nothing is there that gives any.
    bool gains_energy(const ContactReport& contact) const;
    bool is_driven() const;
    double velocity_change(const ContactReport& contact) const;
    void record(double h, const StepReport& step, const ContactReport& contact, FrameReport& frame);
    void watch(double stable_step, double end, const FrameReport& frame);
    double seconds_in_frame() const;
    [[noreturn]] void give_up(int frame, double h, Trouble trouble, const std::string& reason,
                              int particle = -1) const;

    void carry(Archive& archive);
    void weigh();
    void hold_waiting();
    int round_of(const Cloth& cloth) const;
    void smooth_for_sewing();
    void thin_joints();
    void untangle_settling(int crossings);
    void end_phase();
    void stick(FrameReport& report);
    void make_parts();
    void merge_early(FrameReport& report);
    void merge_met(FrameReport& report, bool impatient);
    int round() const { return round_after(dressing_frames_, frame_); }
    double sewing_time() const;
    bool holds_out(double seconds) const;
    double seam_reach() const;
    bool is_impatient() const;
    bool may_lift() const;
    struct MergeTrial {
        std::vector<Vec3> moves;   ///< of the particle of each joint [m]
        std::vector<char> crosses; ///< whether a joint does where none of its particles did
    };
    MergeTrial try_merge(const ParticleGroups& groups, const std::vector<double>& lifts,
                         const std::vector<char>& crossed_before) const;
    std::vector<Vec3> find_room(ParticleGroups& groups, bool may_lift) const;
    void replace_model(Model next);
    void restore_model();
    void count_joints(FrameReport& report) const;
    void sum_pin_forces(FrameReport& report) const;
    void summarise(FrameReport& report) const;

    std::shared_ptr<ThreadTeam> team_; ///< none: the caller's
    Recipe recipe_;
    TimeDescription time_;
    DressingDescription dressing_;
    DressingFrames dressing_frames_;
    Vec3 gravity_;       ///< of the scene [m/s^2]
    double linear_drag_; ///< of the scene [N s/m^3]
    Model model_;
    State state_, next_;
    /// What the parts are made from anew when seams merge particles; none: no seams.
    std::unique_ptr<const SceneDescription> scene_;
    std::unique_ptr<const Model> start_model_;
    const StretchMeasure* watched_ = nullptr;
    std::unique_ptr<ContactResponse> contact_; ///< none: nothing touches
    std::unique_ptr<StickingBonds> bonds_;     ///< none: nothing sticks
    StickingForce* sticking_ = nullptr;        ///< of the integrator
    std::unique_ptr<Integrator> integrator_;
    StepControl control_;
    ConstraintSet constraints_;
    Pin waiting_;          ///< garments whose round has not begun
    bool ironing_ = false; ///< while a round is sewn: joints hold out
    int frame_ = 0;
    int merges_ = 0;
    using Clock = std::chrono::steady_clock;
    std::function<void(const Stall&)> tell_stall_; ///< may be empty
    Clock::time_point frame_began_;
    double patience_ = 10, slowest_frame_ = 0, told_after_ = 0; ///< [s] of the clock
    int most_steps_ = 0;                                        ///< tried in a frame so far
    int stalled_at_ = 0;       ///< steps of this frame that are told next
    int too_short_ = 0;        ///< steps in a row that would not end the frame
    std::string held_back_;    ///< by what, the last step that failed
    std::vector<int> refused_; ///< joints that must not merge: a particle of the start of each
    std::optional<StartUntangling> untangled_;
};

} // namespace muslin
