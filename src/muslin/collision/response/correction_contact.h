#pragma once

#include "muslin/collision/detect/proximity_tracker.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/corrected_points.h"
#include "muslin/collision/response/correction.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/sides/consistency.h"

#include <vector>

namespace muslin {

struct CorrectionContactSettings {
    CorrectionSettings correction;
    ConsistencySettings consistency;
    /// Features this much further apart than their thickness are noticed, in thicknesses of the
    /// thinnest cloth: their side is known before they touch.
    double notice = 1;
    /// The way that the fastest point may go in one step, in the same thicknesses: what is not
    /// noticed at the begin of a step then cannot be out of notice on the other side at its end.
    double longest_way = 2;
    /// Drawing back is doing harm when crossings are more than twice the fewest there were, plus
    /// this part of the edges of the cloth; it then rests for this long [s].
    double growth = 0.03, rest = 0.2;
};

/// Contact by corrections of positions and speeds after the step of any integrator
/// [Volino95 3.5, 4.3]. What is near at the proposed end of a step is found, told on which side of
/// each other it belongs, and moved there. What crosses where no side can be made out, as cloth is
/// crumpled there as finely as its mesh, is drawn out along its contours
/// (collision/untangle/contours.h).
///
/// To draw a region back to where it belongs may pull other cloth through other cloth. Where that
/// makes more crossings than it undoes, it rests until memory has faded: what crosses then is drawn
/// out along its contours alone, and a tangle does not feed on itself.
///
/// All that is remembered from step to step is in State::sides and State::tangle_watch: a state
/// that is saved and gone on from gives the same bits, and a step that is not accepted leaves no
/// trace.
class CorrectionContact final : public ContactResponse {
public:
    CorrectionContact(const Model& model, CorrectionContactSettings settings);

    void sense(const StepInput& step, Profile& profile) override;
    double longest_step() const override { return longest_step_; }
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;

    /// For benchmarks: history for a state that has none, as if all that is near in it, up to
    /// `margin` [m] beyond the thickness, had been where it belongs for long.
    std::vector<RememberedSide> history_of(const State& state, double margin);

    const Surfaces& surfaces() const { return surfaces_; }
    const Correction::Report& correction() const { return corrected_; }
    const Consistency& consistency() const { return consistency_; }

private:
    /// What a step is judged by and changed with.
    struct Found {
        std::vector<Proximity> near;
        std::vector<Interference> crossing;
        std::vector<OrientedContact> contacts;
        std::vector<Interference> undecided; ///< of the crossings: no side is known
    };

    /// Whether what crosses may be drawn back in this step.
    bool watch(double time, TangleWatch& watch) const;
    void release_contacts(bool resting);
    void draw_out(const Interference& pair);
    bool is_cloth_alone(const Contact& contact) const;
    bool is_strained(const Contact& contact) const;

    Surfaces surfaces_;
    CorrectionContactSettings settings_;
    ProximityTracker tracker_;
    Consistency consistency_;
    Correction correction_;
    Correction::Report corrected_;
    Mobility mobility_;
    double thinnest_; ///< gap that cloth keeps from cloth [m]
    double longest_step_ = 0;
    CorrectedPoints points_;  ///< the ends are those that the integrator proposes
    std::vector<Vec3> final_; ///< the ends that the step gets [m]
    Found found_;
    std::vector<double> rest_lengths_; ///< of the edges of cloth [m]
};

} // namespace muslin
