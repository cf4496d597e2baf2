#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/collision/response/corrected_points.h"
#include "muslin/collision/response/correction.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/model/choices.h"
#include "muslin/model/state.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// What the contacts of triangles do to the end of a step, and what that adds up to.
class TriangleCorrection {
public:
    TriangleCorrection(const Surfaces& surfaces, FrictionLaw friction);

    /// A step begins from these velocities.
    void start_step(const State& begin);
    /// It is to be corrected from the velocities of `points` on: no contact has acted yet.
    void start(const CorrectedPoints& points);

    /// Each over h seconds.
    void part_cloth(std::span<const Contact> contacts, const Mobility& mobility, double h,
                    CorrectedPoints& points);
    void part_from_bodies(std::span<const Contact> contacts, const Mobility& mobility, double h,
                          CorrectedPoints& points);
    /// Two sides lose what velocity they have along the direction, and go half of the way each.
    void part_plainly(std::span<const int> first, std::span<const int> second,
                      const Vec3& direction, double way, const Mobility& mobility,
                      CorrectedPoints& points);

    int contacts() const { return contacts_; } ///< that acted since the start
    /// On particles, since the start [N].
    std::span<const double> normal_forces() const { return normal_forces_; }

private:
    void apply(Correction& correction, std::span<const Contact> contacts, const Mobility& mobility,
               double h, CorrectedPoints& points);

    const Surfaces& surfaces_;
    FrictionLaw friction_;
    Correction on_bodies_, on_cloth_;
    std::vector<Vec3> begin_velocities_, free_velocities_; ///< of particles [m/s]
    std::vector<OrientedContact> oriented_;
    std::vector<double> normal_forces_;
    std::vector<std::uint8_t> rubbed_; ///< particles that had the friction of this step
    int contacts_ = 0;
};

} // namespace muslin
