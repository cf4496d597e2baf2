#pragma once

#include "muslin/collision/broad/box.h"
#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/broad/smooth_windows.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/model/contact_history.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

/// Pairs of features whose swept boxes overlap: the only ones that can meet.
struct Candidates {
    std::vector<FeaturePair> vertex_face;
    std::vector<FeaturePair> edge_edge;

    void clear() {
        vertex_face.clear();
        edge_edge.clear();
    }
    std::size_t size() const { return vertex_face.size() + edge_edge.size(); }
};

/// Finds what can meet while all points move in straight lines over a step: cloths against
/// themselves and each other in one pass, cloths against bodies in another. Bodies are not tested
/// against bodies, so they may intersect themselves and each other.
class Detector {
public:
    /// What is looked for: all, or cloths against bodies alone.
    enum class Scope { all, bodies };
    explicit Detector(const Surfaces& surfaces, Scope scope = Scope::all);

    /// Leaves out neighbours in cloth that is smooth between them (SmoothWindows): they cannot meet
    /// and are not layers that touch, though they may be nearer than their thickness. Worth its
    /// price where edges are not much longer than that. `pattern`: the corners of each cloth
    /// triangle, `edge`: the length of most edges [m].
    void leave_out_smooth(std::span<const std::array<Vec2, 3>> pattern, double edge);

    /// Takes the motion from `begin` to `end` (one place per point). Features count as near when
    /// they come closer than their thickness plus twice `margin` [m].
    void set_motion(std::span<const Vec3> begin, std::span<const Vec3> end, double margin);

    /// Replaces `out` by the candidates among the cloths, none where they are out of scope; the
    /// order depends on the motion alone.
    void find_self(Candidates& out);
    /// Appends those between cloths and bodies.
    void append_body(Candidates& out);

    /// The same begin, other ends: changes the candidates found before to those of the new motion.
    /// Only what has left the margin is searched again.
    void move_ends(std::span<const Vec3> end, Candidates& candidates);

    /// Writes the shape of the trees, by which candidates come in the same order, and takes it up.
    /// Throws HistoryError where there are other triangles.
    void store(ContactHistory& history) const;
    void recall(const ContactHistory& history);

private:
    void collect(Candidates& out) const;
    void clear_chunks(std::size_t count);
    void place_leaves();
    bool stay_smooth(int a, int b) const { return smooth_ && smooth_->hold(a, b); }
    bool mark_stray_points(std::span<const Vec3> end);
    std::size_t mark_strays(std::span<const Vec3> end);
    void pair_triangles(int a, int b, Candidates& out) const;
    void pair_edges(int a, int b, Candidates& out) const;
    template <std::size_t N, std::size_t M>
    bool stay_apart(const std::array<int, N>& a, const std::array<int, M>& b,
                    double thickness) const;
    void set_edge_box(int edge);
    void set_triangle_box(int triangle);

    const Surfaces& surfaces_;
    Scope scope_;
    std::span<const Vec3> begin_;
    std::vector<Vec3> end_;
    double margin_ = 0;
    std::vector<Box> point_boxes_, edge_boxes_, triangle_boxes_; ///< those of edges by place_
    /// The edges in the order of the triangles that own them, so that a triangle's lie together.
    struct OwnedEdge {
        int edge;
        std::array<int, 2> points;
    };
    std::vector<OwnedEdge> owned_edges_;
    std::vector<int> first_edge_; ///< per triangle, and the end: in owned_edges_
    std::vector<int> place_;      ///< per edge: in owned_edges_
    BoxTree cloth_, bodies_;
    double bodies_margin_ = -1; ///< that the boxes of the bodies were made with
    std::vector<Candidates> chunks_;
    Partials<int> stray_counts_;
    std::vector<std::uint8_t> stray_point_, stray_triangle_;
    std::vector<int> strays_; ///< triangles of which a point has left the margin
    std::vector<Box> stray_boxes_;
    BoxTree stray_tree_;
    std::optional<SmoothWindows> smooth_;
    std::vector<SmoothWindows::Range> leaf_ranges_; ///< of the leaves of cloth_
    std::size_t leaf_builds_ = 0;                   ///< of cloth_ that leaf_ranges_ are of
    std::vector<int> roughened_;
};

} // namespace muslin
