#pragma once

#include "muslin/base/parallel.h"
#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_zones.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/tangles.h"

#include <limits>
#include <vector>

namespace muslin {

/// What the responses have in common that end a step with impact zones: they differ in how layers
/// push on each other before.
class ZonedContact : public ContactResponse {
public:
    void sense(const StepInput& step, Profile& profile) override;
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) final;
    void store(ContactHistory& history) const override;
    void recall(const ContactHistory& history) override;
    std::span<const std::uint8_t> let_go() const final {
        return tangles_.any() ? tangles_.marks() : std::span<const std::uint8_t>();
    }

protected:
    ZonedContact(const Model& model, const ImpactZoneSettings& zones,
                 Surfaces::Bodies bodies = Surfaces::Bodies::all);

    /// Which pairs are contacts besides those that are closer than their thickness at the begin:
    /// those within twice that, which forces may bring together, and what meets on its way.
    enum class Foresight { none, all_that_meet };
    /// The contacts of the step that begins, in an order that the motion alone decides.
    virtual void take_contacts(const State& begin, double h,
                               std::span<const std::vector<Contact>> found) = 0;
    /// Changes end_ before impact zones do; returns the number of contacts that pressed. How end_
    /// then differs from solved_ is added to the velocities.
    virtual int push(const ProposedStep& step, State& end) = 0;
    /// Of the energy that the contacts of push() had stored at the start, what they released [J].
    virtual double released_energy() const { return 0; }
    /// Called when impact zones had to move points by up to `largest` [m] to stop the impacts
    /// given. True if the step is to be taken again, with what has been learned.
    virtual bool learn(std::span<const Contact> /*impacts*/, double /*largest*/, double /*h*/) {
        return false;
    }
    /// Called when `end` has its final positions. May change its velocities.
    virtual void finish(const ProposedStep&, State& /*end*/) {}

    Surfaces surfaces_;
    Mobility mobility_;
    Foresight foresight_ = Foresight::none;
    std::vector<Vec3> begin_,
        end_;                  ///< places of all points at begin and (expected) end of the step
    std::vector<Vec3> solved_; ///< the ends that go with the velocities
    /// That impact zones stopped in the step at hand, and whether more than they moved points:
    /// crossings that are drawn out, particles that stand still.
    std::vector<Contact> impacts_;
    bool displaced_ = false;

private:
    void place(const State& begin, double h, const ConstraintSet& constraints);
    double margin(const StepInput& step);
    void find_contacts();
    void release(const ImpactZones::Report& zones, ContactReport& report);

    Detector detector_;
    Candidates candidates_;
    double thinnest_ = std::numeric_limits<double>::infinity(); ///< [m]
    double edge_;                                               ///< length of most edges [m]
    Partials<double> squares_;                                  ///< scratch of margin()
    ImpactZones zones_;
    Tangles tangles_;
    bool started_ = false; ///< whether the start has been looked at
    std::vector<std::vector<Contact>> found_;
};

} // namespace muslin
