#pragma once

#include "muslin/vec.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace muslin::api {

/// The particles that a force acts on. Each vertex of a cloth follows a particle; vertices that are
/// joined share one. Particles are numbered from 0 over all cloths of the scene, in an order of the
/// engine's own.
struct ForceScene {
    struct Cloth {
        std::vector<int> particles;                ///< that each vertex of the mesh follows
        std::vector<std::array<int, 3>> triangles; ///< that pull; particles
        std::vector<std::array<Vec2, 3>> pattern;  ///< where their corners lie at rest [m]
    };
    std::vector<double> mass;                        ///< of each particle [kg]
    std::map<std::string, Cloth> cloths;             ///< by name
    std::map<std::string, std::vector<int>> regions; ///< the particles of each, increasing
    std::map<std::string, double> numbers; ///< that the scene gives the force (Scene::add_force)
};

/// Where and when a force is evaluated.
struct ForceInput {
    std::span<const Vec3> positions;  ///< of the particles [m]
    std::span<const Vec3> velocities; ///< [m/s]; empty for an energy
    double time = 0;                  ///< [s]; negative while garments are dressed
};

/// How the force on one particle depends on another, or on itself.
struct ForceBlock {
    int first = 0, second = 0; ///< particles; of two different ones, the pair once
    Mat3 stiffness = {};       ///< minus the derivative of the force on `first` by the position of
                               ///< `second` [N/m]
    Mat3 damping = {};         ///< the same by the velocity of `second` [N s/m]
};

/// A force of the program's own. What it computes follows from its arguments alone: steps are
/// rejected and taken again, and states restored. All calls come from the thread that steps. What
/// it throws passes through the call that steps; the state is then that of the last good step.
class Force {
public:
    virtual ~Force() = default;
    /// Potential energy [J]; 0 where it has none.
    virtual double energy(const ForceInput& at) const = 0;
    /// Adds the force on each particle [N] to `forces`.
    virtual void add_forces(const ForceInput& at, std::span<Vec3> forces) const = 0;

    // For implicit integrators, that of the default recipe among them. Without these members they
    // evaluate the force again in each solve of a step, which is stable as long as its stiffness is
    // well below mass over time step squared.
    /// The pairs of different particles that may have blocks.
    virtual std::vector<std::array<int, 2>> pairs() const { return {}; }
    /// Appends the blocks of the negative derivatives; that of (second, first) is taken to be the
    /// transpose of (first, second) and must not be given. All blocks together have to be positive
    /// semi-definite: leave out the rest, such as a compressed spring's stiffness across itself.
    virtual void add_blocks(const ForceInput& /*at*/, std::vector<ForceBlock>& /*blocks*/) const {}
};

/// A kind of force, as scenes name it.
struct ForceType {
    std::string name = {};
    /// Empty: scenes add it to the forces of their recipe (Scene::add_force, [[force]]). Else it is
    /// a part of this stage, to stand in place of the recipe's (Scene::part): "in_plane",
    /// "bending", "weight", "air" or "outside".
    std::string stage = {};
    std::string summary = {}; ///< one line
    /// Makes the force for a simulation, and again whenever seams merge particles. It is kept to
    /// the end of the program and may be called from any thread; what it throws passes through.
    std::function<std::unique_ptr<Force>(const ForceScene&)> make = {};
};

/// Makes a force known to all scenes of the program that are loaded afterwards. Throws InputError
/// for a name that is taken and a stage that has no forces. Not while another thread uses the
/// library.
void register_force(const ForceType& type);

} // namespace muslin::api
