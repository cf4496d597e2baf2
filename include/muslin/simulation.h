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
    /// Sews garments and takes them to the start of frame 0; does nothing where there are none, or
    /// they are dressed. Ready ones are kept for other runs where the scene says so.
    void dress(const std::function<void(const Progress&)>& progress = {});

    // What is there.
    std::vector<std::string> cloths() const, bodies() const, pins() const; ///< names
    std::vector<Vec3> positions(const std::string& cloth) const;           ///< [m]
    std::vector<Vec3> velocities(const std::string& cloth) const;          ///< [m/s]
    /// The size of the normal force of contact on each vertex in the last step [N].
    std::vector<double> contact_forces(const std::string& cloth) const;
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
    /// Takes a vertex as two fingers would and draws it to a place [m] over the next frame.
    void grab(const std::string& cloth, int vertex);
    void drag(const Vec3& target);
    void release();
    /// The same wind everywhere [m/s].
    void set_wind(const Vec3& velocity);
    /// Another fabric, or other numbers of it. Contact is found anew.
    void set_material(const std::string& cloth, const Material& material);

    struct Parts;                                  ///< of the library
    const Parts& parts() const { return *parts_; } ///< for the library

private:
    std::unique_ptr<Parts> parts_;
};

} // namespace muslin::api
