#pragma once

#include "muslin/collision/response/body_forecast.h"
#include "muslin/collision/response/contact_finder.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_failsafe.h"
#include "muslin/collision/response/repulsion_contact.h"
#include "muslin/collision/response/tangles.h"

#include <memory>
#include <vector>

namespace muslin {

struct ForecastContactSettings {
    double relaxation = 0.01; ///< [s]; never taken below the step
    RepulsionContactSettings cloth;
};

/// Bodies as level sets, met by forecasting the velocities of the particles (BodyForecast); then
/// cloth against cloth by repulsion and impact zones, without the bodies: "adjustments for object
/// collisions before running the self-collision code" [Bridson03 5].
class ForecastContact final : public ContactResponse {
public:
    /// `field` has the bodies of the model by their numbers.
    ForecastContact(const Model& model, ForecastContactSettings settings,
                    std::unique_ptr<MovingField> field);

    void sense(const StepInput& step, Profile& profile) override;
    double longest_step() const override { return bodies_.longest_step(); }
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;
    void prepare(double until, const std::function<void(int, int)>& progress) override {
        bodies_.field().prepare(until, progress);
    }
    std::optional<LevelSetWork> level_sets() const override { return bodies_.field().work(); }
    std::span<const std::uint8_t> released_marks() const override {
        return tangles_.released_marks();
    }
    void store(ContactHistory& history) const override;
    void recall(const ContactHistory& history) override;

    const MovingField& field() const { return bodies_.field(); }

private:
    ForecastContactSettings settings_;
    Surfaces surfaces_; ///< of cloths alone
    StepPoints points_;
    Mobility mobility_;
    BodyForecast bodies_;
    Tangles tangles_;
    ContactFinder finder_;
    std::vector<Contact> contacts_;
    ImpactFailsafe failsafe_;
};

} // namespace muslin
