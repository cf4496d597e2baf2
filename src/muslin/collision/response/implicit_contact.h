#pragma once

#include "muslin/collision/contact.h"
#include "muslin/collision/detector.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/impact_zones.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/surfaces.h"

#include <vector>

namespace muslin {

struct ImplicitContactSettings {
    /// Pressure by which two layers resist being pressed together, per depth [Pa/m]: woven cloth
    /// yields about a tenth of a millimetre to 1 kPa.
    double stiffness = 1e7;
    /// How fast layers that are closer than their thickness move apart again [m/s].
    double recovery = 0.05;
    /// Relative speed at which sticking and sliding meet in the implicit step [m/s].
    double stick_speed = 1e-4;
    ImpactZoneSettings zones;
};

/// The contact of the default recipe. Layers that are near, or that would meet if all moved on as
/// they do, push on each other within the implicit step, stiffly and with friction; what the step
/// would still let cross is stopped by impact zones.
class ImplicitContact final : public ContactResponse {
public:
    ImplicitContact(const Model& model, ImplicitContactSettings settings);

    std::unique_ptr<Force> make_force() override;
    void sense(const State& begin, double h, const ConstraintSet& constraints,
               Profile& profile) override;
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;

    /// A contact in the implicit step.
    struct Push {
        Contact contact;
        double target;      ///< gap aimed at by the end of the step [m]
        double stiffness;   ///< [N/m]
        double drag;        ///< of sliding [N s/m]
        Vec3 body_end;      ///< what bodies add to the difference of positions at the end [m]
        Vec3 body_velocity; ///< and of velocities [m/s]
        double force = 0;   ///< normal, at the end of the step [N]
    };
    std::span<const Push> pushes() const { return pushes_; }

private:
    void place(const State& begin, double h, const ConstraintSet& constraints);
    void find_contacts(const State& begin, double h);
    void make_push(const Contact& contact, double h, Push& push) const;
    double drag(const Push& push, const State& begin) const;
    int measure_forces(State& end);
    void correct_friction(double h, const State& end);
    void release(const ImpactZones::Report& report, ContactReport& out);

    Surfaces surfaces_;
    Vec3 gravity_;
    ImplicitContactSettings settings_;
    Detector detector_;
    Mobility mobility_;
    ImpactZones zones_;
    std::vector<Vec3> begin_, end_, solved_; ///< places of all points
    Candidates candidates_;
    std::vector<std::vector<Contact>> found_;
    std::vector<Push> pushes_;
    std::vector<double> crowding_; ///< per particle: the weights of the pushes on it, summed
    std::vector<Contact> rubbing_; ///< contacts whose friction was corrected after the solve
};

} // namespace muslin
