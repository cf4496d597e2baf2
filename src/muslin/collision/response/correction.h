#pragma once

#include "muslin/collision/detect/oriented_contact.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/spheres/spread_contact.h"

#include <span>
#include <vector>

namespace muslin {

struct CorrectionSettings {
    /// Rounds over all collisions, at most.
    int position_sweeps = 30, speed_sweeps = 30;
    /// Gaps that are short by less than this part of the thickness end the rounds.
    double position_tolerance = 1e-4;
    /// A round that changes no speed by more than this part of what the first one did ends them.
    double speed_tolerance = 1e-3;
    /// How fast a gap that a step begins without comes back, at most [m/s]: what was deep is not
    /// thrown out.
    double recovery = 0.5;
    /// The same in one step, at most, in thicknesses: the collisions are those of before the move.
    double longest_recovery = 0.5;
};

/// What collisions do to positions and speeds at the end of a step [Volino95 3.5]. No forces: each
/// collision moves its points to where they keep their gap, the mass centre staying
/// where it is; this is iterated over collisions that share points. Then speeds change by impulses:
/// what approaches along the normal stops doing so, and sliding slows by Coulomb's law.
///
/// The friction of a step is that of the normal impulse of its speeds alone; for a sheet at rest
/// that is its weight times the step. A move that only restores a gap rubs nothing. What friction
/// takes from the speeds it takes from the way of the step too, or a sheet on a slope would creep.
///
/// Linear momentum is kept to rounding. Moving points and impulses beside the line through the two
/// closest points both change the angular momentum, by terms of the size of the gap: each collision
/// gives them back as a turn of the two triangles at hand. Both hold where no body and no pin takes
/// part.
///
/// `ContactType` is Contact, or SpreadContact for points inside of triangles on both sides.
template <class ContactType>
class CorrectionOf {
public:
    CorrectionOf(const Surfaces& surfaces, CorrectionSettings settings)
        : surfaces_(surfaces), settings_(settings) {}

    struct Report {
        int contacts = 0; ///< that moved points or changed speeds
        int rounds = 0;   ///< of positions and of speeds
        double left = 0;  ///< what the shortest gap lacks of what it was to have [m]
    };

    /// One step of h seconds: `begin` to `end`, with the velocities at the end; one of each per
    /// point of the surfaces. Changes those of particles. Contacts are taken in their order.
    Report apply(std::span<const Oriented<ContactType>> contacts, const Mobility& mobility,
                 double h, std::span<const Vec3> begin, std::span<Vec3> end,
                 std::span<Vec3> velocities);

    /// Adds the normal force on each particle in the last step [N].
    void add_normal_forces(double h, std::span<double> forces) const;

private:
    /// A contact at work.
    struct Active {
        ContactType contact;
        bool wrong;
        bool pressing;       ///< takes part in what happens to speeds
        double inverse_mass; ///< of the relative motion along the normal [1/kg]
        double target;       ///< the gap to come to in this step [m]
        double pace;         ///< displacement over step and speed, as the integrator has it
        double push;         ///< that moved points along the normal [kg m]
        double impulse;      ///< along the normal [N s]
        Vec3 friction;       ///< [N s]
        Vec3 angular;        ///< what the collision has added to angular momentum [N m s]
    };

    void choose(std::span<const Oriented<ContactType>> contacts, const Mobility& mobility, double h,
                std::span<const Vec3> begin, std::span<const Vec3> end,
                std::span<const Vec3> velocities);
    int separate(const Mobility& mobility, std::span<Vec3> end, double& left);
    int stop(const Mobility& mobility, std::span<Vec3> velocities);
    double stop(Active& active, const Mobility& mobility, std::span<Vec3> velocities) const;
    void drag_along(const Mobility& mobility, double h, std::span<Vec3> end);
    void account(std::span<const Vec3> positions, std::span<const Vec3> velocities, double h);
    void turn_back(const Mobility& mobility, std::span<const Vec3> positions,
                   std::span<Vec3> velocities) const;

    const Surfaces& surfaces_;
    CorrectionSettings settings_;
    std::vector<Active> active_;
};

using Correction = CorrectionOf<Contact>;
using SpreadCorrection = CorrectionOf<SpreadContact>;
extern template class CorrectionOf<Contact>;
extern template class CorrectionOf<SpreadContact>;

} // namespace muslin
