#pragma once

#include "muslin/report.h"
#include "muslin/scene.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace muslin::api {

/// Wind on a grid of points, interpolated linearly; beyond the border it is that of the border.
struct WindGrid {
    Vec3 origin = {};                      ///< of the first point [m]
    Vec3 spacing = {1, 1, 1};              ///< from point to point along x, y and z [m]
    std::array<int, 3> counts = {0, 0, 0}; ///< of points along x, y and z, 1 or more
    std::vector<Vec3> velocities = {};     ///< by point, along x first, then y, then z [m/s]
};

/// Sets `wind`, the velocity of the air [m/s] at each of the places [m] at a time [s]. It is called
/// on the thread that steps, about ten times a step, and must return the same wind for the same
/// time and place. What it throws passes through the call that steps.
using WindFunction =
    std::function<void(double time, std::span<const Vec3> places, std::span<Vec3> wind)>;

/// Everything that changes and that the next steps depend on: positions, velocities, the history of
/// contact and step control, where bodies and pins have been moved, what is grabbed. The scene, its
/// materials and the wind are not part of it. Immutable; copies are cheap.
class State {
public:
    int frame() const;   ///< the last that was complete
    double time() const; ///< [s]
    /// Writes the whole file or nothing. Throws FileError.
    void save(const std::filesystem::path& file) const;
    /// Throws FileError, and InputError for numbers that no step can start from.
    static State load(const std::filesystem::path& file);

    struct Parts;                                  ///< of the library
    explicit State(std::shared_ptr<const Parts>);  ///< for the library
    const Parts& parts() const { return *parts_; } ///< for the library

private:
    std::shared_ptr<const Parts> parts_;
};

/// A scene that runs. Whatever changes between calls takes effect with the next step. The result
/// follows from the scene and the calls in their order, with the same bits on any number of
/// threads.
///
/// Vertices of a cloth and of a body are in the order of their meshes. An object belongs to one
/// thread at a time; several of them run side by side, each with threads of its own.
class Simulation {
public:
    /// `threads`: that compute; 0: those of the machine. Throws InputError and FileError for
    /// whatever is wrong with the scene.
    explicit Simulation(const Scene& scene, int threads = 0);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // Time.
    int frame() const;   ///< the last that is complete; negative while garments are dressed
    double time() const; ///< [s]
    /// To the end of the next frame. Throws SimulationError where that cannot be reached; the state
    /// is then that of the last good step, and another call after some change may succeed.
    FrameReport step_frame();
    /// Advances by a time [s] of 1e-6 to 1e6, within a frame or across several. Steps always end
    /// where the call does, so dividing a time into calls differently gives other bits. Throws as
    /// step_frame() does, and InputError while garments are not dressed.
    FrameReport step(double seconds);
    /// Makes the call that is stepping or dressing, or else the next one, throw Cancelled before
    /// its next step; the state is then that of the last good step. step_frame() or dress() called
    /// next resumes with the bits of a call that was never cancelled. The only member that other
    /// threads may call.
    void cancel();
    /// Called before every step, on the thread that steps; empty: no longer. It may call cancel()
    /// and no other member. What it throws ends the call as cancel() does.
    void on_progress(std::function<void(const Progress&)> progress);
    /// Sews garments and takes them to the start of frame 0; does nothing where there are none, or
    /// they are dressed. Ready ones are kept for other runs where the scene says so.
    void dress(const std::function<void(const Progress&)>& progress = {});

    /// To return to or to branch from. After restore(), here or in another simulation of the scene,
    /// the same calls give the same bits as they do now; within a frame that was cancelled, steps
    /// are chosen anew.
    State state() const;
    /// Leaves wind and materials as they are. Throws InputError for the state of another scene.
    void restore(const State& state);

    // What is there.
    std::vector<std::string> cloths() const, bodies() const, pins() const; ///< names
    std::vector<Vec3> positions(const std::string& cloth) const;           ///< [m]
    std::vector<Vec3> velocities(const std::string& cloth) const;          ///< [m/s]
    /// The size of the normal force of contact on each vertex in the last step [N].
    std::vector<double> contact_forces(const std::string& cloth) const;
    /// The force of a pin on each of pin_vertices() in the last step [N]. Where vertices are
    /// joined, the first has it.
    std::vector<Vec3> pin_forces(const std::string& pin) const;
    std::vector<Vec3> body_positions(const std::string& body) const; ///< [m]
    /// The triangles that pull, as vertices of the cloth, and how each is deformed.
    std::vector<std::array<int, 3>> triangles(const std::string& cloth) const;
    std::vector<Strain> strains(const std::string& cloth) const;
    Energies energies() const;
    Verdict judge() const;
    /// Of the last frame.
    const FrameReport& report() const;
    /// What is doubtful about the start, in words.
    const std::vector<std::string>& warnings() const;

    // What a program does between frames.
    /// The vertices that a pin holds, increasing.
    std::vector<int> pin_vertices(const std::string& pin) const;
    /// Lets the vertices of a pin go, or holds them where they are.
    void switch_pin(const std::string& pin, bool holds);
    /// Moves each of pin_vertices() to its place [m] over the next call that steps, in a straight
    /// line at constant speed, and holds it there. Throws InputError for a pin that is switched off
    /// or lets its vertices slide.
    void move_pin(const std::string& pin, std::span<const Vec3> places);
    /// The same for each vertex of a body, in place of any motion that the scene gives it. Throws
    /// InputError while garments are not dressed, and for recipes whose bodies are level sets.
    void move_body(const std::string& body, std::span<const Vec3> places);
    /// Takes a vertex as two fingers would and draws it to a place [m] over the next call that
    /// steps.
    void grab(const std::string& cloth, int vertex);
    void drag(const Vec3& target);
    void release();
    /// The same wind everywhere [m/s].
    void set_wind(const Vec3& velocity);
    void set_wind_grid(const WindGrid& grid);
    /// Keeps a copy of the function until another wind is set.
    void set_wind_function(const WindFunction& wind);
    /// Another fabric, or other numbers of it. Contact is found anew.
    void set_material(const std::string& cloth, const Material& material);

    struct Parts;                                  ///< of the library
    const Parts& parts() const { return *parts_; } ///< for the library

private:
    std::unique_ptr<Parts> parts_;
};

} // namespace muslin::api
