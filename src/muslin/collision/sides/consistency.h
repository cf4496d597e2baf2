#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/oriented_contact.h"
#include "muslin/collision/detect/proximity.h"
#include "muslin/collision/detect/region_walk.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

struct ConsistencySettings {
    /// Whether sides are remembered, tracked and voted on. If not, two features belong on the side
    /// of each other where they are; the outside of closed bodies is known all the same.
    bool enabled = true;
    /// How long a side is remembered after its pair was last near [s].
    double memory = 0.1;
    /// How far through a remembered pair is drawn back from, in thicknesses.
    double reach = 10;
    /// How many rings of neighbours around an interference vote.
    int rings = 12;
};

/// On which side of each other near features belong [Volino95 4.3].
///
/// Every pair has a reference direction that moves and turns with it: the normal of the triangle,
/// the product of two edges, for the marginal kinds the normal of the second feature's surface. The
/// side of a pair is the sign along it of the place of the first feature.
///
/// - *Remnants*: the side of a pair is kept for a time after the two were last near.
/// - *Tracking*: a pair that changes its sign in a step has crossed if the two met on the way, by
///   an exact continuous test: the right side is then the one before. If they did not meet, one
///   went around the other (past a boundary, over a ridge), and right stays right.
/// - *Regions*: from each interference, pairs whose features are neighbours on both surfaces are
///   collected by walking. Each of the two surfaces of a region has one side on which the other
///   belongs: all pairs vote on both, by how reliable they are, and all are made to agree.
///
/// The outside of a closed body is known, so that it needs none of this and outvotes the others.
class Consistency {
public:
    Consistency(const Surfaces& surfaces, const Adjacency& adjacency, ConsistencySettings settings);

    /// A step as the integrator proposed it; positions are those of all points.
    struct Step {
        std::span<const Vec3> begin, end;
        std::span<const RememberedSide> sides; ///< of the begin
        double time;                           ///< of the end [s]
    };

    /// Replaces `out` by the contacts of the step. `near` is in the order of pairs.
    void orient(const Step& step, std::span<const Proximity> near,
                std::span<const Interference> crossing, std::vector<OrientedContact>& out);

    /// What is to be remembered after orient(), where the points were moved from its end to
    /// `final`. Replaces `sides`.
    void remember(std::span<const Vec3> end, std::span<const Vec3> final,
                  std::vector<RememberedSide>& sides);

    /// Of the last orient(): pairs that the vote of a region turned, and regions.
    int turned() const { return turned_; }
    int regions() const { return regions_; }
    /// The same: the side of the triangle that the edge belongs on, per interference; 0: the votes
    /// are divided, or nothing is known.
    std::span<const std::int8_t> crossing_sides() const { return crossing_side_; }

private:
    using Pair = NearPair;

    void merge(const Step& step, std::span<const Proximity> near);
    void track(const Step& step, Pair& pair) const;
    std::int8_t side_at(const Pair& pair, std::span<const Vec3> at) const;
    Vec3 reference(const Pair& pair, std::span<const Vec3> at) const;
    /// Of the surfaces at the two features.
    std::array<Vec3, 2> normals(const Pair& pair, std::span<const Vec3> at) const;
    bool crosses(const Pair& pair, std::span<const Vec3> begin, std::span<const Vec3> end) const;
    std::int8_t outside(const Pair& pair, std::span<const Vec3> at) const;

    void agree(std::span<const Vec3> at, std::span<const Interference> crossing);
    void vote(std::span<const Vec3> at, std::span<const Interference> crossing,
              std::span<const RegionWalk::Member> region);

    void append_near(std::span<const Vec3> at, std::span<const Proximity> near,
                     std::vector<OrientedContact>& out) const;
    void append_remnants(std::span<const Vec3> at, std::vector<OrientedContact>& out) const;
    void append_crossing(std::span<const Vec3> at, std::span<const Interference> crossing,
                         std::vector<OrientedContact>& out) const;

    const Surfaces& surfaces_;
    ConsistencySettings settings_;
    std::vector<Pair> pairs_; ///< in the order of keys
    RegionWalk walk_;
    FeatureNormals normals_;
    std::vector<std::uint8_t> solid_;          ///< per point: of a closed body
    std::vector<std::uint8_t> boundary_edge_;  ///< per edge
    std::vector<std::uint8_t> boundary_point_; ///< per point
    std::vector<std::int8_t> crossing_side_;   ///< per interference; 0: not known
    double time_ = 0;                          ///< of the end [s]
    int turned_ = 0, regions_ = 0;
};

} // namespace muslin
