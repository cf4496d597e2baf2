#pragma once

#include "muslin/collision/fields/moving_field.h"
#include "muslin/collision/response/repulsion_contact.h"

#include <memory>
#include <vector>

namespace muslin {

struct ForecastContactSettings {
    double relaxation = 0.01; ///< [s]; never taken below the step
    RepulsionContactSettings cloth;
};

/// Bodies as level sets, met by forecasting the velocities of the particles [Bridson03 5.2]; then
/// cloth against cloth as RepulsionContact does, without the bodies: "adjustments for object
/// collisions before running the self-collision code" [Bridson03 5].
///
/// The velocity that moves the positions, (end - begin) / h, and the velocity at the end are both
/// modified, each by itself, as the paper modifies v^{n+1/2} and v^{n+1}: what friction takes from
/// either goes by what the body takes from that one.
///
/// The cloth is kept half its thickness, plus that of the body, off the body. It may be inside for
/// a while: a layer of cloth may press it there, and between particles nothing is tested.
class ForecastContact final : public RepulsionContact {
public:
    /// `field` has the bodies of the model by their numbers.
    ForecastContact(const Model& model, ForecastContactSettings settings,
                    std::unique_ptr<MovingField> field);

    void sense(const StepInput& step, Profile& profile) override;
    double longest_step() const override { return longest_step_; }
    void prepare(double until, const std::function<void(int, int)>& progress) override {
        field_->prepare(until, progress);
    }
    std::optional<LevelSetWork> level_sets() const override { return field_->work(); }

    const MovingField& field() const { return *field_; }

private:
    int push(const ProposedStep& step, State& end) override;
    void finish(const ProposedStep& step, State& end) override;

    void limit_step(const State& begin, double h);
    Forecast respond(int particle, const FieldSample& at, const Vec3& place, const Vec3& velocity,
                     double h) const;

    const Model& model_;
    ForecastContactSettings settings_;
    std::unique_ptr<MovingField> field_;
    double step_ = 0;         ///< h of the step at hand [s]
    double longest_step_ = 0; ///< [s]
    std::vector<FieldSample> samples_;
    std::vector<std::uint8_t> met_; ///< per particle, in the step at hand
};

} // namespace muslin
