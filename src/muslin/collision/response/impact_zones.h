#pragma once

#include "muslin/collision/detect/contact.h"
#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/response/mobility.h"

#include <cstdint>
#include <string>
#include <vector>

namespace muslin {

struct ImpactZoneSettings {
    /// What is kept clear at the end of a step, as a part of the thickness. Contact forces keep the
    /// whole of it; this is the floor under them.
    double clearance = 0.1;
    int rounds = 30; ///< of finding impacts and removing them, before the step is given up
    int sweeps = 40; ///< over the constraints of a round
};

/// The last line of a step: straight paths from its begin to its end on which nothing crosses.
///
/// Impacts on the proposed paths become linear constraints on the end positions, n . sum w_i x_i >=
/// clearance, kept for the whole step and solved together by projected Gauss-Seidel in the metric
/// of the masses: the inelastic projection of impact zones [Harmon08], with friction by the
/// accumulated impulse. New ends are tested again until no impact is left.
///
/// Each impulse keeps momentum. Angular momentum about the places at the begin is kept by an
/// impulse along the line between two points, but an impact's normal is that of the time they meet,
/// so what the constraints of a zone (particles that constraints join) have changed in sum is given
/// back to the zone as a rigid turn.
class ImpactZones {
public:
    /// `candidates` are those of the last search of the detector, whose begin is that of the step.
    ImpactZones(const Surfaces& surfaces, Detector& detector, Candidates& candidates,
                ImpactZoneSettings settings = {});

    struct Report {
        bool resolved = true;
        int impacts = 0; ///< pairs that met on the proposed paths
        int rounds = 0;
        std::vector<FeaturePair> unresolved_vertex_face, unresolved_edge_edge;
    };

    /// Pairs between points that are all marked are let pass: they are tangled, or were released.
    void set_ignored(std::span<const std::uint8_t> points) { ignored_ = points; }

    /// Changes `end` (places of all points; bodies do not move) until nothing crosses on the way
    /// from `begin`. `solved` are the ends that the integrator proposed.
    Report resolve(std::span<const Vec3> begin, std::span<const Vec3> solved,
                   const Mobility& mobility, std::span<Vec3> end);

    /// The contacts that the last call of resolve() put impulses on.
    void append_impacts(std::vector<Contact>& out) const {
        for (const Constraint& c : constraints_)
            if (c.pushed)
                out.push_back(c.contact);
    }

    /// Undoes the motion of all points with impacts, and of those that then have some, until none
    /// is left; pairs that meet all the same (a body moves into them) are in the report.
    Report freeze(std::span<const Vec3> begin, const Mobility& mobility, std::span<Vec3> end);

private:
    struct Constraint {
        Contact contact;
        double target;         ///< gap to keep [m]
        double impulse = 0;    ///< accumulated, of displacement: [kg m]
        double response;       ///< gap per impulse [1/kg]
        double sliding;        ///< way along per impulse along [1/kg]
        bool pushed = false;   ///< has it ever had an impulse
        Vec3 slip = {0, 0, 0}; ///< accumulated tangential impulse [kg m]
    };

    /// Particles that impacts join, and the turn that takes back the angular momentum they lost.
    struct Zone {
        double mass = 0;
        Vec3 first = {0, 0, 0}, lost = {0, 0, 0}, turn = {0, 0, 0};
        Mat3 inertia = Mat3::zero();
        int count = 0;
    };

    bool is_hopeless(const Report& report) const;
    bool find_constraints(std::span<const Vec3> begin, std::span<const Vec3> end,
                          const Mobility& mobility, Report& report);
    void sweep_constraints(std::span<const Vec3> begin, const Mobility& mobility,
                           std::span<Vec3> end);
    void keep_angular_momentum(std::span<const Vec3> begin, std::span<const Vec3> solved,
                               const Mobility& mobility, std::span<Vec3> end);
    void note_moves(std::span<const Vec3> end);

    const Surfaces& surfaces_;
    Detector& detector_;
    ImpactZoneSettings settings_;
    std::span<const std::uint8_t> ignored_;

    Candidates& candidates_;
    std::vector<Vec3> last_end_;      ///< the ends that were tested last
    std::vector<std::uint8_t> moved_; ///< since then
    bool all_moved_ = true;
    std::vector<std::vector<Contact>> found_;
    std::vector<Constraint> constraints_; ///< of the step, in the order they were found
    std::vector<int> zone_;
    std::vector<Zone> zones_; ///< each at its root; room for all from the start
};

} // namespace muslin
