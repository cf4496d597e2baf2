#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/fields/moving_field.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/step_points.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace muslin {

/// Particles meet bodies that are level sets, by the forecast of their velocities [Bridson03 5.2].
///
/// The velocity that moves the positions, (end - begin) / h, and the velocity at the end are both
/// modified, each by itself, as the paper modifies v^{n+1/2} and v^{n+1}: what friction takes from
/// either goes by what the body takes from that one.
///
/// The cloth is kept half its thickness, plus that of the body, off the body. It may be inside for
/// a while: a layer of cloth may press it there, and between particles nothing is tested.
class BodyForecast {
public:
    /// `field` has the bodies of the model by their numbers; `relaxation` [s] is never taken below
    /// the step.
    BodyForecast(const Model& model, const Surfaces& surfaces, double relaxation,
                 std::unique_ptr<MovingField> field);

    /// Looks at the field where particles are at the start of a step.
    void sense(const State& begin, double h);
    /// After sense: points that come from where the field is not known are then seen before they
    /// are deep inside [s].
    double longest_step() const { return longest_step_; }

    /// Changes the velocity of the step, of h seconds; it carries the particles on, and the
    /// velocities at the end keep nothing of its change. Returns how many particles meet a body.
    int change_step(double h, const Mobility& mobility, StepPoints& points);
    /// Changes the velocities at the end, where the bodies then are, and sets the normal forces.
    void change_end(double h, const Mobility& mobility, State& end);

    MovingField& field() { return *field_; }
    const MovingField& field() const { return *field_; }

private:
    Forecast respond(int particle, const Mobility& mobility, const Vec3& place,
                     const Vec3& velocity, double h) const;

    const Model& model_;
    const Surfaces& surfaces_;
    double relaxation_; ///< [s]
    std::unique_ptr<MovingField> field_;
    double longest_step_ = 0;          ///< [s]
    std::vector<FieldSample> samples_; ///< where particles were last looked at
    std::vector<std::uint8_t> met_;    ///< per particle, in the step at hand
};

} // namespace muslin
