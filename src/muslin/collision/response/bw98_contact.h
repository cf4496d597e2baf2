#pragma once

#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/bw98_cloth.h"
#include "muslin/collision/response/bw98_solid.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/mobility.h"

#include <vector>

namespace muslin {

struct Bw98ContactSettings {
    SolidContactSettings solid;
    ClothContactSettings cloth;
};

/// The contact of Baraff and Witkin [BW98 2.1, 2.4, 5.4, 6]: particles against the faces of bodies
/// by constraints, cloth against cloth by damped springs, both with position alteration. Contact is
/// answered after it has begun or as the motion at the begin of a step foretells it: what a step
/// brings about by itself is put right in the next one. Between its vertices cloth may cut into a
/// body.
class Bw98Contact final : public ContactResponse {
public:
    Bw98Contact(const Model& model, Bw98ContactSettings settings);

    std::unique_ptr<Force> make_force() override;
    void constrain(const Conditions& conditions, const State& begin, double h,
                   ConstraintSet& constraints, Profile& profile) override;
    void sense(const StepInput& step, Profile& profile) override;
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;
    void accept(const State& end) override;
    void store(ContactHistory& history) const override;
    void recall(const ContactHistory& history) override;

    const SolidContact& solid() const { return solid_; }
    const ClothContact& cloth() const { return cloth_; }
    const Bw98History& history() const { return history_; }

private:
    void check_history(const Bw98History& history) const;
    void follow_state(const State& begin);
    void place(const State& begin, double h);

    Surfaces surfaces_;
    Detector detector_;
    Mobility mobility_;
    SolidContact solid_;
    ClothContact cloth_;
    Bw98History history_, next_;
    std::vector<Vec3> before_, begin_, end_; ///< places of all points
};

} // namespace muslin
