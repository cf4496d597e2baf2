#pragma once

#include "muslin/collision/response/zoned_contact.h"

#include <vector>

namespace muslin {

struct RepulsionContactSettings {
    /// Pressure by which layers closer than their thickness repel each other, per depth [Pa/m].
    double stiffness = 1e5;
    /// The part of the depth by which layers may part in one step.
    double pace = 0.1;
    ImpactZoneSettings zones;
};

/// Contact by impulses after the step, for any integrator [Bridson, Fedkiw, Anderson: Robust
/// treatment of collisions, contact and friction for cloth animation, 2002]: layers that are near
/// at the begin stop approaching, are pushed apart gently, and rub; what would still cross is
/// stopped by impact zones. Friction acts through the same impulses.
class RepulsionContact : public ZonedContact {
public:
    RepulsionContact(const Model& model, RepulsionContactSettings settings,
                     Surfaces::Bodies bodies = Surfaces::Bodies::all);

protected:
    void take_contacts(const State& begin, double h,
                       std::span<const std::vector<Contact>> found) override;
    int push(const ProposedStep& step, State& end) override;

private:
    RepulsionContactSettings settings_;
    std::vector<Contact> contacts_;
};

} // namespace muslin
