#pragma once

#include "muslin/engine/simulation.h"
#include "muslin/run/dress.h"
#include "muslin/run/judge.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// What one frame of a live simulation took, for plots.
struct LiveStatistics {
    int frame = 0;
    double time = 0;                              ///< [s]
    double kinetic = 0, elastic = 0, gravity = 0; ///< energies [J]
    int steps = 0, rejected_steps = 0;
    int cg_iterations = 0;
    int contacts = 0;
    double seconds = 0; ///< that the frame took
};

/// A vertex of the user's own mesh.
struct LiveVertex {
    int cloth = -1;
    int vertex = -1;
};

/// What someone who changes a scene while it runs holds and moves now.
struct LiveControls {
    std::vector<Pin> pins;         ///< those of the scene as they are now, then one's own
    std::vector<Pull> pulls;       ///< of the scene
    std::vector<GivenPath> bodies; ///< where each is taken; empty: as the scene has it
    // The hand: one spring for each particle that it holds.
    struct Finger {
        int particle;
        Vec3 offset; ///< from the grabbed vertex, kept while it is held [m]
        Pull pull;
    };
    std::optional<LiveVertex> grabbed;
    std::vector<Finger> hand;
    Vec3 target = {0, 0, 0}, last_target = {0, 0, 0}; ///< [m]
};

/// All that a live scene goes on from, its materials, recipe and wind aside.
struct LiveSnapshot {
    State state;
    int frame = 0;        ///< the last that had ended
    std::string controls; ///< as write_controls() has them
};

/// Takes controls to bytes and back. `scene`: of the scene with the particles of now, for what has
/// not changed. Throws ArchiveError for bytes that are not those of this scene.
std::string write_controls(const LiveControls& controls);
LiveControls read_controls(const std::string& bytes, const Conditions& scene, int particles);

/// Throw FileError; load_snapshot() also InputError for numbers that no step can start from.
void save_snapshot(const std::filesystem::path& file, const LiveSnapshot& snapshot);
LiveSnapshot load_snapshot(const std::filesystem::path& file);

/// What is known of one particle at the end of a frame.
struct ParticleReport {
    struct Part {
        std::string name;
        Vec3 force; ///< [N]
    };
    int particle = -1;
    double mass = 0;                  ///< [kg]
    Vec3 position = {0, 0, 0};        ///< [m]
    Vec3 velocity = {0, 0, 0};        ///< [m/s]
    std::vector<std::string> regions; ///< of the scene that hold it
    bool pinned = false;
    std::vector<Part> forces;  ///< one for each force of the recipe, and "pin" where held
    Vec3 total = {0, 0, 0};    ///< their sum: mass times acceleration
    double contact_normal = 0; ///< sum of the normal forces of its contacts [N]
};

/// A scene that runs while someone changes it: pulls the cloth, pins it, turns the wind, softens
/// the fabric, takes another recipe. It knows no window and no clock: what it computes follows from
/// the scene and the calls in their order, with the same bits for any number of threads.
///
///     muslin::LiveSimulation live(muslin::load_scene("two-corner-sheet"));
///     live.grab(0, 17);
///     live.drag({0.5, 1, 0});
///     live.step_frame();
class LiveSimulation {
public:
    /// Throws InputError as a run of the scene would (engine/start_check.h).
    explicit LiveSimulation(SceneDescription scene);

    /// Advances one frame. False where the simulation could not go on: status() says why, and
    /// the state is that of the last good step; a change or a restart may help.
    bool step_frame();
    /// The same to any later time [s], which may be within a frame. The report is of the whole way.
    bool step_to(double time);
    /// Of the last frame that was complete.
    const FrameReport& report() const { return report_; }
    /// Takes garments to the start of frame 0, as a run does (run/dress.h).
    void dress(const DressOptions& options);
    /// Empty, or why the last frame failed.
    const std::string& status() const { return status_; }
    /// What is doubtful about the start, as `muslin run` warns of it.
    const std::vector<std::string>& warnings() const { return warnings_; }

    /// Told before every step that is tried. It may stop a frame by what it throws, which passes
    /// through (Simulation::on_progress).
    void on_progress(std::function<void(const FrameProgress&)> tell);

    int frame() const { return simulation_->frame(); }
    double frame_time(int frame) const { return frame / scene_.time.frame_rate; } ///< [s]
    /// How often the scene was built: when it changes, simulation() is another one.
    int builds() const { return builds_; }
    const SceneDescription& scene() const { return scene_; }
    const Simulation& simulation() const { return *simulation_; }

    // The mouse [BW98 4.4]: a spring from the cloth to a point in space. It takes hold of what
    // two fingers would, the particles within `finger` of the vertex along the cloth, so that it
    // acts the same on any mesh; and it pulls no harder than cloth of this weight and stiffness
    // bears.
    static constexpr double finger = 0.02; ///< [m]
    void grab(const LiveVertex& vertex);
    /// Where the grabbed vertex is to go [m]; reached at the end of the next frame.
    void drag(const Vec3& target);
    void release();
    std::optional<LiveVertex> grabbed() const { return now_.grabbed; }
    Vec3 drag_target() const { return now_.target; }

    /// Holds a vertex where it is. A pin of the scene that let it go does not take it back.
    void pin(const LiveVertex& vertex);
    /// Lets a vertex go from every pin, those of the scene included.
    void unpin(const LiveVertex& vertex);
    bool is_pinned(const LiveVertex& vertex) const;
    /// Every vertex that is held now.
    std::vector<LiveVertex> pinned() const;

    /// Pins as they are now, those of the scene first and in its order.
    const std::vector<Pin>& pins() const { return now_.pins; }
    /// Lets the particles of a pin go, or holds them where they are.
    void switch_pin(int pin, bool holds);

    // Both take what they are given to a place over the next call that steps, each point straight
    // and at a constant speed, and leave it there.
    /// `places`: one for each particle of a pin that holds them at points [m].
    void move_pin(int pin, std::vector<Vec3> places);
    /// `places`: one for each vertex [m]. Throws InputError where the recipe's contact cannot.
    void move_body(int body, std::vector<Vec3> places);

    /// The same wind everywhere and from now on [m/s].
    void set_wind(const Vec3& wind);
    /// A wind that differs from place to place.
    void set_wind_field(std::shared_ptr<const WindField> field);
    Vec3 wind() const; ///< [m/s]; of a field, where the first particle is
    /// False where the scene has no air, so that no wind is felt.
    bool has_air() const;

    // These build the scene anew and go on from where it is. Each throws InputError, and changes
    // nothing, where the new scene cannot be built.
    void set_material(int cloth, const Material& material);
    const Material& material(int cloth) const { return scene_.cloths[cloth].material; }
    void set_recipe(const std::string& recipe);
    /// The longest step [s], at most a frame, and what a linear solve may leave of its residual.
    void set_accuracy(double max_step, double tolerance);
    double max_step() const;
    double tolerance() const;
    /// What is needed to go on from here, and to do so: the same bits follow as if no step had been
    /// taken since, unless a frame was stopped on its way (on_progress). restore() throws
    /// InputError for a snapshot of another scene.
    LiveSnapshot snapshot() const;
    void restore(const LiveSnapshot& snapshot);
    /// Back to the start, with the materials, recipe and wind of now, without pins of one's own.
    void restart();

    /// The last frames, oldest first; at most `history_size`.
    static constexpr std::size_t history_size = 600;
    const std::deque<LiveStatistics>& history() const { return history_; }

    /// Throws std::logic_error for a vertex that does not exist.
    ParticleReport report(const LiveVertex& vertex) const;
    Verdict judge() const;

private:
    int particle(const LiveVertex& vertex) const;
    void build(const SceneDescription& scene, bool go_on);
    bool advance(double end, const std::function<void()>& steps);
    void apply_controls();
    void take_controls();
    void make_hand(int particle);
    void move_hand(double end);
    void begin_moves(double end);
    void halt_hand();
    Vec3 hand_place() const;
    void check_controls(const LiveControls& controls) const;
    bool is_whole_frame(double end) const;
    Pin* own_pin_of(int particle);

    SceneDescription scene_;
    std::unique_ptr<Simulation> simulation_;
    int builds_ = 0;
    std::string status_;
    std::vector<std::string> warnings_;
    LiveControls now_;
    std::size_t scene_pins_ = 0; ///< how many of the pins are the scene's
    /// Where pins and bodies are to be at the end of the next call that steps, by number [m].
    struct {
        std::map<int, std::vector<Vec3>> pins, bodies;
    } wanted_;
    struct {
        std::optional<Vec3> uniform;
        std::shared_ptr<const WindField> field;
    } wind_; ///< neither: that of the scene
    std::function<void(const FrameProgress&)> progress_;
    /// Of a call that was stopped on its way: to where it was to step [s].
    std::optional<double> stopped_;
    FrameReport report_;
    std::deque<LiveStatistics> history_;
};

} // namespace muslin
