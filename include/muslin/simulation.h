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

/// Wind on a grid of points: linear between them, and as at the nearest border beyond.
struct WindGrid {
    Vec3 origin = {};                      ///< of the first point [m]
    Vec3 spacing = {1, 1, 1};              ///< from point to point along x, y and z [m]
    std::array<int, 3> counts = {0, 0, 0}; ///< of points along x, y and z, 1 or more
    std::vector<Vec3> velocities = {};     ///< by point, along x first, then y, then z [m/s]
};

/// Sets the velocity of the air [m/s] at each of the places [m], at a time [s]: `wind` is as long
/// as `places`. It is called on the thread that steps, some ten times a step, and must have the
/// same answer for the same time and place. What it throws passes through the call that steps.
using WindFunction =
    std::function<void(double time, std::span<const Vec3> places, std::span<Vec3> wind)>;

/// Everything that a simulation goes on from: positions, velocities and all history, where bodies,
/// pins and the hand are and go. Not the scene, its materials and the wind. A value: copies share
/// what they hold, which nothing changes.
class State {
public:
    int frame() const;   ///< the last that was complete
    double time() const; ///< [s]
    /// The file appears whole or not at all. Throws FileError.
    void save(const std::filesystem::path& file) const;
    /// Throws FileError, and InputError for numbers that no step can start from.
    static State load(const std::filesystem::path& file);

    struct Parts;                                  ///< of the library
    explicit State(std::shared_ptr<const Parts>);  ///< for the library
    const Parts& parts() const { return *parts_; } ///< for the library

private:
    std::shared_ptr<const Parts> parts_;
};

/// A scene that runs. Everything that is given between frames acts from there on, and what follows
/// is decided by the scene and the calls in their order: the same bits on any number of threads.
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
    /// Advances by so long [s], over the ends of frames or within one. Steps end where calls do, so
    /// that other calls give other bits; a call that ends with the next frame is step_frame().
    /// Throws as step_frame() does, and InputError while garments are not dressed.
    FrameReport step(double seconds);
    /// Ends the call that steps or dresses now, or else the next one, before its next step: it
    /// throws Cancelled. The state is that of the last good step. The same call again goes on as if
    /// there had been no interruption, with the same bits. The one member that other threads may
    /// call.
    void cancel();
    /// Told before every step, on the thread that steps; none: nobody is. It may call cancel(), and
    /// no other member. What it throws passes through as Cancelled does.
    void on_progress(std::function<void(const Progress&)> progress);
    /// Sews garments and takes them to the start of frame 0; does nothing where there are none, or
    /// they are dressed. Ready ones are kept for other runs where the scene says so.
    void dress(const std::function<void(const Progress&)>& progress = {});

    /// To go back to or to branch from: what follows restore(), here or in another simulation of
    /// the same scene, has the bits of what follows state(). Of a frame that was cancelled, the
    /// steps that follow are chosen anew.
    State state() const;
    /// Wind and materials stay as they are now. Throws InputError for the state of another scene.
    void restore(const State& state);

    // What is there.
    std::vector<std::string> cloths() const, bodies() const, pins() const; ///< names
    std::vector<Vec3> positions(const std::string& cloth) const;           ///< [m]
    std::vector<Vec3> velocities(const std::string& cloth) const;          ///< [m/s]
    /// The size of the normal force of contact on each vertex in the last step [N].
    std::vector<double> contact_forces(const std::string& cloth) const;
    /// The force by which a pin held each of pin_vertices() in the last step, on the cloth [N]. Of
    /// vertices that are joined the first has it.
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
    /// Takes the vertices of a pin, in the order of pin_vertices(), to places [m] over the next
    /// call that steps: straight, at a constant speed. There they stay. Throws InputError for a pin
    /// that lets go now, or that holds its vertices otherwise than at points.
    void move_pin(const std::string& pin, std::span<const Vec3> places);
    /// The same of the vertices of a body, in place of whatever motion the scene has for it. Throws
    /// InputError while garments are not dressed, and with contact by level sets.
    void move_body(const std::string& body, std::span<const Vec3> places);
    /// Takes a vertex as two fingers would and draws it to a place [m] over the next call that
    /// steps.
    void grab(const std::string& cloth, int vertex);
    void drag(const Vec3& target);
    void release();
    /// The same wind everywhere [m/s].
    void set_wind(const Vec3& velocity);
    void set_wind_grid(const WindGrid& grid);
    /// A copy of it is kept until there is another wind.
    void set_wind_function(const WindFunction& wind);
    /// Another fabric, or other numbers of it. Contact is found anew.
    void set_material(const std::string& cloth, const Material& material);

    struct Parts;                                  ///< of the library
    const Parts& parts() const { return *parts_; } ///< for the library

private:
    std::unique_ptr<Parts> parts_;
};

} // namespace muslin::api
