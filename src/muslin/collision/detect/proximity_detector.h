#pragma once

#include "muslin/collision/broad/box.h"
#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/broad/region_tree.h"
#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/closeness.h"
#include "muslin/collision/detect/proximity.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

/// Pairs of features that are proximities or interferences or can become so: in order of kind.
struct ProximityCandidates {
    std::vector<FeaturePair> vertex_triangle, edge_edge, vertex_edge, vertex_vertex;
    std::vector<Interference> edge_triangle;

    void clear();
    void append(const ProximityCandidates& other);
    std::size_t size() const {
        return vertex_triangle.size() + edge_edge.size() + vertex_edge.size() +
               vertex_vertex.size() + edge_triangle.size();
    }
};

/// How pairs of cloth triangles are found: by regions and their curvature [Volino95 4.1], or by
/// their boxes alone. Both find the same.
enum class SelfSearch { regions, boxes };

/// What a search did.
struct DetectionWork {
    std::size_t self_pairs = 0; ///< pairs of cloth triangles whose features were compared
    std::size_t body_pairs = 0; ///< pairs of a cloth and a body triangle
};

/// Finds what is near and what crosses [Volino95 4]: cloths against themselves, each other and
/// bodies; bodies are not tested against bodies. Positions cover all points of the surfaces, those
/// of bodies at their places. Every pair that Closeness accepts is found, whatever the shape.
/// Results are sorted and the same for any number of threads; memory is kept between calls.
class ProximityDetector {
public:
    explicit ProximityDetector(const Surfaces& surfaces, SelfSearch search = SelfSearch::regions);

    const Surfaces& surfaces() const { return surfaces_; }
    const Adjacency& adjacency() const { return adjacency_; }
    const Closeness& closeness() const { return closeness_; }
    const DetectionWork& work() const { return work_; }

    /// Replaces `near` by the proximities closer than thickness plus `margin` [m], sorted by
    /// Proximity::pair(), and `crossing` by the interferences, sorted by edge and triangle.
    void find_all(std::span<const Vec3> positions, double margin, std::vector<Proximity>& near,
                  std::vector<Interference>& crossing);

    /// Incremental detection [Volino95 4.4]: `near` and `crossing` hold what find_all or follow
    /// left a step ago. They are measured again, slide to neighbouring features, are forgotten
    /// when they are out of range, and new ones appear: all that lies among the triangles around
    /// the features of one and those around the other. The work grows with what is near, not with
    /// the surfaces. What comes near elsewhere is not found: alternate with find_all, or use
    /// ProximityTracker, which loses nothing. For tests and benchmarks.
    void follow(std::span<const Vec3> positions, double margin, std::vector<Proximity>& near,
                std::vector<Interference>& crossing);

    /// The two halves of find_all. Candidates found with a margin hold all that becomes near
    /// while no point has moved by more than half of the margin.
    void find_candidates(std::span<const Vec3> positions, double margin, ProximityCandidates& out);
    /// The parts of find_candidates, in this order: for measuring them.
    void set_boxes(std::span<const Vec3> positions, double margin);
    void find_self(ProximityCandidates& out);
    void append_body(ProximityCandidates& out);
    void evaluate(const ProximityCandidates& candidates, std::span<const Vec3> positions,
                  double margin, std::vector<Proximity>& near, std::vector<Interference>& crossing);

private:
    struct Chunk {
        ProximityCandidates found;
        std::size_t pairs = 0;
    };
    struct Results {
        std::vector<Proximity> near;
        std::vector<Interference> crossing;
    };
    struct Key {
        std::uint64_t pair;
        const Proximity* proximity;
    };

    struct TrianglePair {
        int a, b; ///< a < b
    };

    void set_point_box(int point);
    void set_edge_box(int edge);
    void set_triangle_box(int triangle);
    void list_around();
    void set_boxes_around(int triangle);
    void add_pairs(std::span<const int> first, std::span<const int> around_second);
    bool is_new(const TrianglePair& pair);
    void clear_chunks(std::size_t count);
    std::size_t collect(ProximityCandidates& out) const;
    void pair_triangles(int a, int b, Chunk& out) const;
    void pair_vertices(int a, int b, ProximityCandidates& out) const;
    void pair_edges(int a, int b, ProximityCandidates& out) const;
    void pair_edges_triangle(int a, int b, ProximityCandidates& out) const;
    void join(std::vector<Proximity>& near, std::vector<Interference>& crossing);

    struct Search {
        std::span<const Vec3> at; ///< during a search
        double margin = 0;
        double bodies_margin = -1; ///< that the boxes of the bodies were made with
    };
    struct Boxes {
        std::vector<Box> points, edges, triangles;
    };
    /// Of follow().
    struct Follow {
        struct Slot {
            TrianglePair pair;
            std::uint32_t count; ///< of the call that set it
        };
        /// For each point the triangles that own a feature of the triangles at it.
        Rows owners_around;
        std::vector<TrianglePair> pairs; ///< to compare, and a hash table of them
        std::vector<Slot> slots;
        std::size_t slots_used = 0;
        std::vector<std::uint32_t> boxed; ///< which triangles have their boxes already
        std::uint32_t count = 0;          ///< of calls
    };

    const Surfaces& surfaces_;
    Adjacency adjacency_;
    Closeness closeness_;
    DetectionWork work_;
    Search search_;
    Boxes boxes_;
    SelfSearch self_search_;
    std::optional<RegionTree> regions_; ///< made by the first search
    BoxTree cloth_, bodies_;
    std::vector<Chunk> chunks_;
    std::vector<Results> results_;
    std::vector<Key> keys_;
    ProximityCandidates candidates_; ///< of find_all and follow
    Follow follow_;
};

} // namespace muslin
