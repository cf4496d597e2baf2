#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/body_sweep.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/corrected_points.h"
#include "muslin/collision/response/correction.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/spheres/sphere_pairs.h"
#include "muslin/model/choices.h"

#include <vector>

namespace muslin {

struct SphereContactSettings {
    SpherePairSettings spheres;
    BodyMeeting bodies = BodyMeeting::sweep;
    CorrectionSettings correction;
    BodySweepSettings sweep;
    /// The way that two points may go against each other in one step, in radii: spheres that were
    /// apart then overlap before their middles have passed each other.
    double longest_way = 0.5;
};

/// Contact by a layer of spheres and by sweeping points through triangles
/// [Ohta95, Collision detection], after the step of any integrator. Spheres of cloth that
/// interpenetrate are pushed apart, cloth that would cross a body is put at its surface; speeds
/// are inelastic and rub by Coulomb's law (correction.h), all of it solved together. Nothing is
/// remembered from step to step.
///
/// Where spheres cover two surfaces, surfaces that cross have spheres that overlap: what is kept
/// apart by its spheres does not cross. Two layers keep a gap of up to two radii.
class SphereContact final : public ContactResponse {
public:
    SphereContact(const Model& model, const SphereContactSettings& settings);

    void sense(const StepInput& step, Profile& profile) override;
    double longest_step() const override { return longest_step_; }
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;

    const SpherePairs& spheres() const { return pairs_; }
    const BodySweep& sweep() const { return sweep_; }
    const SpreadCorrection::Report& correction() const { return corrected_; }

private:
    bool stop_at_bodies(const ProposedStep& step, ContactReport& report);

    Surfaces surfaces_;
    SphereContactSettings settings_;
    SpherePairs pairs_;
    BodySweep sweep_;
    SpreadCorrection correction_;
    SpreadCorrection::Report corrected_;
    Mobility mobility_;
    double longest_step_ = 0;
    CorrectedPoints points_;
    std::vector<Vec3> solved_; ///< the ends that go with the velocities
    std::vector<Oriented<SpreadContact>> contacts_;
};

} // namespace muslin
