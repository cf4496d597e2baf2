#pragma once

#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/proximity.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// Normals of surfaces at their features: means of those of the triangles there, so shorter than 1
/// where the surface bends.
class FeatureNormals {
public:
    FeatureNormals(const Surfaces& surfaces, const Adjacency& adjacency)
        : surfaces_(surfaces), adjacency_(adjacency) {}
    /// Unit length; zero where the triangle has no area.
    Vec3 triangle(int triangle, std::span<const Vec3> at) const;
    Vec3 edge(int edge, std::span<const Vec3> at) const {
        return mean(adjacency_.edge_triangles[edge], at);
    }
    Vec3 point(int point, std::span<const Vec3> at) const {
        return mean(adjacency_.point_triangles[point], at);
    }

private:
    Vec3 mean(std::span<const int> triangles, std::span<const Vec3> at) const;

    const Surfaces& surfaces_;
    const Adjacency& adjacency_;
};

/// Two features that are near each other or were.
struct NearPair {
    std::uint64_t key = 0; ///< Proximity::pair()
    ProximityKind kind = ProximityKind::vertex_triangle;
    int first = 0, second = 0;
    int near = -1;        ///< index of the proximity; -1: not near now
    double seen = 0;      ///< when last near [s]
    std::int8_t side = 0; ///< where it belongs; 0: not known
    std::int8_t now = 0;  ///< where it is; 0: neither
    std::uint8_t reliability = 0;
    bool idle = false; ///< of a region that does not agree
};

/// Collects regions of collisions by walking from neighbour to neighbour [Volino95 4.3]. Two pairs
/// are neighbours if the first features share a point, and the second ones do or an edge joins
/// them: of the many pairs around a close place some always share one.
///
/// A region has two surfaces. Pairs need not name them in the same order: `swapped` says which of
/// them have the first feature on the surface where the seed has its second.
class RegionWalk {
public:
    struct Member {
        int node; ///< a pair, or an interference after all pairs
        bool swapped;
    };

    RegionWalk(const Surfaces& surfaces, const Adjacency& adjacency);

    /// The points of the features.
    using Ends = std::array<std::span<const int>, 2>;
    Ends ends(const NearPair& pair) const;

    /// Takes the pairs and interferences that regions are made of; both stay as they are until
    /// end().
    void begin(std::span<const NearPair> pairs, std::span<const Interference> crossing);
    /// What is reached from a node in at most so many rings, nodes of earlier regions left out;
    /// nothing where the node itself is one of these.
    std::span<const Member> collect(int seed, int rings);
    void end();

private:
    struct Entry {
        int point, node, end, next;
    };
    Ends ends(int node) const;
    void add(int node);
    template <class Visit>
    void for_ring(std::span<const int> points, Visit&& visit) const;

    const Surfaces& surfaces_;
    const Adjacency& adjacency_;
    std::vector<int> itself_; ///< per point
    std::span<const NearPair> pairs_;
    std::span<const Interference> crossing_;
    std::vector<int> head_; ///< per point: the first entry; -1: none
    std::vector<Entry> entries_;
    std::vector<std::uint8_t> reached_; ///< per node
    std::vector<Member> region_;
    std::vector<int> ring_;             ///< of each member
    std::vector<std::uint64_t> marked_; ///< per point
    std::uint64_t mark_ = 0;
};

} // namespace muslin
