#pragma once

#include "muslin/collision/response/contact_finder.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_failsafe.h"
#include "muslin/collision/response/repulsion.h"
#include "muslin/collision/response/tangles.h"

#include <vector>

namespace muslin {

struct RepulsionContactSettings {
    RepulsionSettings repulsion;
    ImpactZoneSettings zones;
};

/// Contact by impulses after the step, for any integrator [Bridson, Fedkiw, Anderson: Robust
/// treatment of collisions, contact and friction for cloth animation, 2002]: layers that are near
/// at the start are repelled; what would still cross is stopped by impact zones. Friction acts
/// through the same impulses.
class RepulsionContact final : public ContactResponse {
public:
    RepulsionContact(const Model& model, RepulsionContactSettings settings);

    void sense(const StepInput& step, Profile& profile) override;
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;
    std::span<const std::uint8_t> released_marks() const override {
        return tangles_.released_marks();
    }
    void store(ContactHistory& history) const override;
    void recall(const ContactHistory& history) override;

private:
    RepulsionContactSettings settings_;
    Surfaces surfaces_;
    StepPoints points_;
    Mobility mobility_;
    Tangles tangles_;
    ContactFinder finder_;
    std::vector<Contact> contacts_;
    ImpactFailsafe failsafe_;
};

} // namespace muslin
