#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/detect/candidates.h"
#include "muslin/collision/detect/smooth_neighbours.h"
#include "muslin/collision/detect/stray_triangles.h"
#include "muslin/collision/detect/swept_boxes.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace muslin {

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
    bool stay_smooth(int a, int b) const { return smooth_ && smooth_->hold(a, b); }

    const Surfaces& surfaces_;
    Scope scope_;
    SweptBoxes boxes_;
    BoxTree cloth_, bodies_;
    std::vector<Candidates> chunks_; ///< found by each chunk of a tree
    StrayTriangles strays_;
    std::optional<SmoothNeighbours> smooth_;
};

} // namespace muslin
