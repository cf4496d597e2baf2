#pragma once

#include "muslin/collision/response/contact_response.h"
#include "muslin/engine/recipe.h"
#include "muslin/engine/step_control.h"
#include "muslin/engine/trouble.h"
#include "muslin/forces/capabilities.h"
#include "muslin/integrators/integrator.h"
#include "muslin/model/step_input.h"
#include "muslin/scene/description.h"

#include <string>

namespace muslin {

/// A step that was taken and may be accepted.
struct TakenStep {
    const StepInput& input;
    const State& end;
    const StepReport& step;
    const ContactReport& contact;
};

struct Energy {
    double kinetic = 0, elastic = 0, gravity = 0; ///< [J]
    double all() const { return kinetic + elastic + gravity; }
};

/// Decides whether a step is good: it solved, nothing is left to cross, and no triangle's stretch
/// changed drastically [BW98 7].
class StepJudge {
public:
    /// What it judges by. All of it must outlive the judge.
    struct Parts {
        const SceneDescription& scene;
        const Recipe& recipe;
        const Model& model;
        const StepControl& control;
        const Integrator& integrator;
        const StretchMeasure& watched;
    };
    explicit StepJudge(const Parts& parts) : parts_(parts) {}

    /// Why the step is not to be taken; `reason` says so in words.
    Trouble judge(const TakenStep& taken, std::string& reason) const;
    /// Whether the integrator has torn the cloth to shreds, in a step as short as contact needs.
    bool is_torn(const StepInput& input, const State& end) const;
    /// Whether steps as long as those of cloth near rest may follow.
    bool is_calm(const TakenStep& taken) const;
    /// The step below which contact is not helped by a smaller one [s].
    double contact_floor(DressingPhase phase) const;
    Energy energy_of(const State& state) const;

private:
    double stretch_limit(double h, DressingPhase phase) const;
    double stretch_change(const State& begin, const State& end) const;
    bool is_driven(const Conditions& conditions) const;
    bool gains_energy(const TakenStep& taken) const;
    double velocity_change(const TakenStep& taken) const;

    Parts parts_;
};

} // namespace muslin
