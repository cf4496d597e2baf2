#pragma once

#include "muslin/collision/broad/box.h"
#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/proximity.h"
#include "muslin/collision/detect/surfaces.h"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace muslin {

// Surfaces that cross do so along contours. A contour runs through triangles of both surfaces; it
// bends where an edge of one passes through a triangle of the other, and it ends where one of the
// surfaces does, or at a point that the two triangles share. No inside or outside is needed to
// find it, and no memory of how it came about.

/// Finds every edge of a cloth that passes through a triangle, and every edge of a body that passes
/// through one of cloth. Exact for the positions as they are stored; touching counts. What shares
/// a point does not cross there.
class CrossingFinder {
public:
    explicit CrossingFinder(const Surfaces& surfaces);

    const Adjacency& adjacency() const { return adjacency_; }

    /// Replaces `out`; the order depends on the positions alone. Where `looked_at` is given, only
    /// pairs of triangles for both of which it is true are tested.
    void find(std::span<const Vec3> positions, std::vector<Interference>& out,
              const std::function<bool(int)>& looked_at = {});

private:
    void test_pair(int a, int b, std::span<const Vec3> positions,
                   std::vector<Interference>& out) const;

    const Surfaces& surfaces_;
    Adjacency adjacency_;
    std::vector<Box> boxes_;
    BoxTree cloth_, bodies_;
    std::vector<std::vector<std::array<int, 2>>> pairs_;
};

/// The direction in which the edge is to move against the triangle so that the contour grows
/// shorter, unit length or zero [Volino, Magnenat-Thalmann: Resolving surface collisions through
/// intersection contour minimization, 2006]. Of the length of the contour it is minus the gradient.
Vec3 way_out(const Surfaces& surfaces, const Adjacency& adjacency, const Interference& crossing,
             std::span<const Vec3> positions);

/// The points of a surface on the smaller side of a contour: what has passed through.
struct ContourRegion {
    bool encloses = false;   ///< the contour parts the surface in two
    std::vector<int> points; ///< ascending; none where no point lies within
};

struct Contour {
    std::vector<Interference> crossings;
    /// Per crossing: on which of the two surfaces its edge lies, 0 or 1; the triangle is on the
    /// other.
    std::vector<std::uint8_t> side;
    bool closed = false;    ///< a loop; else it ends at borders or at shared points
    bool one_sided = false; ///< its two surfaces are one and run into each other
    /// What passed through on either surface.
    std::array<ContourRegion, 2> regions;
    /// The triangles that it runs through on either surface, ascending.
    std::array<std::vector<int>, 2> triangles;
};

/// Joins crossings to contours and tells for each what it encloses [Baraff, Witkin, Kass:
/// Untangling cloth, 2003].
class ContourTracer {
public:
    ContourTracer(const Surfaces& surfaces, const Adjacency& adjacency);
    void trace(std::span<const Interference> crossings, std::vector<Contour>& out);

private:
    struct Link {
        std::uint64_t pair; ///< of triangles
        int crossing;
        int of_edge; ///< that of the two which has the edge
    };
    void link(std::span<const Interference> crossings);
    Contour gather(std::span<const Interference> crossings, int first);
    void enclose(Contour& contour, int side);
    bool colour_rim(const Contour& contour, int side, std::vector<int>& rim);
    void fill(ContourRegion& region, const std::vector<int>& rim);
    bool is_cut(int a, int b) const;

    const Surfaces& surfaces_;
    const Adjacency& adjacency_;
    std::vector<Link> links_;
    std::vector<std::vector<std::array<int, 2>>> next_; ///< per crossing: crossing, turns sides
    std::vector<std::int8_t> side_;                     ///< per crossing; -1: not reached yet
    std::vector<std::array<int, 2>> cut_;               ///< edges cut oddly often, sorted
    std::vector<std::int8_t> colour_;                   ///< per point; -1: none
};

} // namespace muslin
