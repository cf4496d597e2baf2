#pragma once

#include "muslin/collision/response/contact_elements.h"
#include "muslin/collision/response/contact_finder.h"
#include "muslin/collision/response/contact_friction.h"
#include "muslin/collision/response/contact_pressure.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_failsafe.h"
#include "muslin/collision/response/spin.h"
#include "muslin/collision/response/tangles.h"

#include <vector>

namespace muslin {

struct ImplicitContactSettings {
    PressureLaw pressure;
    ContactFriction friction;
    ImpactZoneSettings zones;
};

/// The contact of the default recipe. Layers that are near, or that would meet if all moved on as
/// they do, push on each other within the implicit step, stiffly and with Coulomb's friction; what
/// the step would still let cross is stopped by impact zones.
class ImplicitContact final : public ContactResponse {
public:
    ImplicitContact(const Model& model, ImplicitContactSettings settings);

    std::unique_ptr<Force> make_force() override;
    void sense(const StepInput& step, Profile& profile) override;
    double longest_step() const override { return elements_.longest_step(); }
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;
    std::span<const std::uint8_t> released_marks() const override {
        return tangles_.released_marks();
    }
    void store(ContactHistory& history) const override;
    void recall(const ContactHistory& history) override;

    /// The contacts of the step at hand.
    std::span<const ContactElement> elements() const { return elements_.all(); }

private:
    void restore_spin(const ProposedStep& step, State& end);

    ImplicitContactSettings settings_;
    Surfaces surfaces_;
    StepPoints points_;
    Mobility mobility_;
    Tangles tangles_;
    ContactFinder finder_;
    std::vector<Contact> contacts_;
    ContactElements elements_;
    ImpactFailsafe failsafe_;
    Spin spin_;
};

} // namespace muslin
