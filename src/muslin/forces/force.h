#pragma once

#include "muslin/math/vec.h"

#include <span>
#include <string_view>

namespace muslin {

struct Conditions;

/// Where forces are evaluated.
struct Kinematics {
    std::span<const Vec3> positions;  ///< [m]
    std::span<const Vec3> velocities; ///< [m/s]
};

/// What a force is. Energies are summed by it, and it says whether something besides the cloth
/// exerts the force.
enum class ForceKind {
    in_plane, ///< resists stretch and shear
    bending,
    seam,    ///< draws the sides of seams together
    contact, ///< keeps things apart
    gravity,
    air,
    outside,  ///< of pulls, loads and whatever else is not the cloth itself
    sticking, ///< holds cloth to bodies or to cloth
};

/// Whether it can move cloth as a whole, and turn it. Contact exerts what keeps cloth off bodies,
/// but is not meant: its own parts account for it.
constexpr bool comes_from_outside(ForceKind kind) {
    return kind == ForceKind::gravity || kind == ForceKind::air || kind == ForceKind::outside ||
           kind == ForceKind::sticking;
}

class LinearisedForce;
class RecordedElements;
class AlteredPositions;
class AdaptiveForce;
class DampedForce;
class ElementForce;
class StiffeningForce;
class HistoryForce;
class StretchMeasure;
class LimitedDomain;

/// What a force can do besides its energy and its force; null where it cannot. A force that does
/// not declare its damping is taken for a function of positions and time.
struct ForceCapabilities {
    // Implicit integrators: the first is required.
    LinearisedForce* linearised = nullptr; ///< its part of an implicit system
    RecordedElements* recorded = nullptr;  ///< that part as records, to be gathered by rows
    AlteredPositions* altered = nullptr;   ///< moves particles besides their velocities
    AdaptiveForce* adaptive = nullptr;     ///< found while a step is solved: contact
    // Explicit integrators.
    DampedForce* damped = nullptr;         ///< products with its damping
    ElementForce* elements = nullptr;      ///< any of its elements alone
    StiffeningForce* stiffening = nullptr; ///< may stiffen within a frame
    // The simulation.
    HistoryForce* history = nullptr;   ///< depends on what the cloth went through
    StretchMeasure* stretch = nullptr; ///< tells by how much a step stretches the cloth
    LimitedDomain* domain = nullptr;   ///< has no value at some positions
    bool feeds = false; ///< may give cloth energy that nothing else in the scene accounts for
};

/// A force on particles. It holds no history of its own: what it computes follows from its
/// arguments, from the time it was last prepared for and from the history it was last told.
///
/// A new force gives its name, kind, energy and force, and explicit integrators take it. Whatever
/// else it can do is an interface of its own (forces/capabilities.h, element_force.h,
/// row_assembly.h) that it implements and declares.
///
/// Every sum over elements has a fixed order that does not depend on the number of threads.
class Force {
public:
    virtual ~Force() = default;

    virtual std::string_view name() const = 0;
    virtual ForceKind kind() const = 0;
    /// Potential energy [J]; zero for forces that have none.
    virtual double energy(std::span<const Vec3> positions) const = 0;
    /// f += f(x, v) [N].
    virtual void add_force(const Kinematics&, std::span<Vec3> f) const = 0;

    /// Sets the time [s] for which parameters that change while a scene runs are taken.
    virtual void prepare(double /*time*/) {}
    /// Sets the conditions of the steps that follow, for what depends on them. They are read
    /// whenever the force is asked for, and so must outlive it or the next call.
    virtual void set_conditions(const Conditions& /*conditions*/) {}
    virtual ForceCapabilities capabilities() { return {}; }
};

} // namespace muslin
