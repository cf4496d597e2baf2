#pragma once

#include "muslin/collision/detect/body_offset.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/detect/triangle_pairs.h"
#include "muslin/collision/response/contact_response.h"
#include "muslin/collision/response/corrected_points.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/passed_vertices.h"
#include "muslin/collision/response/triangle_correction.h"
#include "muslin/model/choices.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

struct TriangleContactSettings {
    PairVolume volume = PairVolume::boxes;
    /// vertices: those that passed through a triangle in the step. triangles: these, and
    /// triangles that intersect at its end.
    PairTest test = PairTest::triangles;
    bool at_evaluations = false; ///< correct the states that forces are evaluated in, too
    FrictionLaw friction = FrictionLaw::coulomb;
    SelfResponse self_response = SelfResponse::conserving;
    int rounds = 20; ///< of looking for what intersects and moving it, at most
    /// How much further than needed what intersected is moved, in thicknesses. Little: cloth at
    /// rest falls by it before it touches again, and without touching there is no friction.
    double clearance = 1e-3;
    /// The way that the fastest point may go in one step, in rest lengths of the mean edge.
    double longest_way = 0.25;
};

/// Contact by triangles that intersect [Bayraktar07 3, 4]. A cloth triangle that intersects
/// polygons of a body moves along the mean of their normals until it does not, and stops going that
/// way; this is repeated until nothing intersects. Triangles of cloth that intersect part as well.
///
/// Two things are added, or the method would not hold cloth at rest. The polygons are those of the
/// body moved outward by the gap that cloth keeps (collision/detect/body_offset.h). And a triangle
/// that falls flat passes a polygon from one step to the next without ever intersecting it:
/// vertices that passed through a triangle are looked for besides.
///
/// Nothing is remembered from step to step. Which cloth triangles intersect at the begin of a step
/// is kept from the end of the last, for the same positions alone.
class TriangleContact final : public ContactResponse, private EvaluationCorrector {
public:
    TriangleContact(const Model& model, TriangleContactSettings settings);

    void sense(const StepInput& step, Profile& profile) override;
    double longest_step() const override { return longest_step_; }
    ContactReport resolve(const ProposedStep& step, State& end, Profile& profile) override;
    EvaluationCorrector* evaluation_corrector() override {
        return settings_.at_evaluations ? this : nullptr;
    }

    const Surfaces& surfaces() const { return surfaces_; }

private:
    /// Lengths of the cloth, and what they make of the settings.
    struct Lengths {
        double clearance;   ///< [m]
        double longest_way; ///< of a step [m]
    };
    /// What the last searches for triangles that intersect found.
    struct Found {
        std::vector<TrianglePair> body_pairs, cloth_pairs;
        std::vector<int> polygons; ///< of one cloth triangle, scratch
        bool nothing = true;       ///< in the last round
    };
    /// Cloth triangles that intersect others in the state with these positions.
    struct Intersecting {
        std::vector<std::uint8_t> marks;
        std::vector<Vec3> positions;

        bool either(const TrianglePair& pair) const {
            return marks[pair.cloth] || marks[pair.other];
        }
    };

    void correct(double time, std::span<Vec3> positions, std::span<Vec3> velocities,
                 Profile& profile) override;
    void place(double time, double h, std::span<const Vec3> positions,
               std::span<const Vec3> velocities);
    void place_bodies(double time, std::span<Vec3> points);
    void part_all(double h, Profile& profile);
    bool turn_back_vertices(double h, Profile& profile);
    bool separate_cloth(double h, int round, Profile& profile);
    bool separate_bodies(double h, Profile& profile);
    void note_intersecting(std::span<const Vec3> positions, std::span<const TrianglePair> pairs);
    int count_bodies_left(double time);

    Surfaces surfaces_;
    TriangleContactSettings settings_;
    Lengths lengths_;
    BodyOffset offset_;
    TrianglePairs pairs_;
    PassedVertices vertices_;
    TriangleCorrection correction_;
    Mobility mobility_;
    double begin_time_ = 0, longest_step_ = 0;
    CorrectedPoints points_;    ///< bodies moved outward
    std::vector<Vec3> scratch_; ///< points
    Found found_;
    Intersecting intersecting_;
    std::vector<Contact> contacts_; ///< scratch
};

} // namespace muslin
