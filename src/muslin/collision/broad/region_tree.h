#pragma once

#include "muslin/base/parallel.h"
#include "muslin/collision/broad/box.h"
#include "muslin/collision/broad/graph_contour.h"
#include "muslin/collision/broad/region_layout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace muslin {

/// Which pairs of triangles of a surface may be near each other, by a hierarchy of regions and
/// their curvature [Volino95 4.1; Volino, Magnenat-Thalmann 1994]. Boxes alone cannot leave out
/// what lies side by side in a smooth surface, for neighbours always touch. A region is left out as
/// a whole if
///
/// (a) a direction exists from which all of it is seen from one side: N . D >= c > 0 for all
/// normals; (b) seen along D its contour is one loop, and edges of it without a common corner are
/// further
///     apart than a distance d;
/// (c) h c s > d, where h is the least height of its triangles and s the sine of the narrowest
/// angle
///     outside of the loop at a corner that bends inward, or 1.
///
/// Then any two features of the region (points, edges, triangles) without a common point are
/// further apart than d. So nothing that is near is lost, and nothing that crosses: d is the
/// thickness plus the margin. Proof. By (a) the projection along D keeps the orientation of every
/// triangle, and by (b) its border goes once around a simple polygon. The number of triangles over
/// a place is how often the border goes around it: one inside, none outside. So the region is a
/// graph over the polygon. Let F and G be features without a common point, p in F and q in G
/// nearest, at a distance of d at most; the projections p' and q' are not further apart. Let f be 1
/// at the corners of F, 0 at all others and linear in triangles: 1 on F, 0 on G, and its slope in a
/// triangle is 1/h at most, over the polygon 1/(h c). If the segment p' q' stays in the polygon,
/// its length is at least h c > d. Where it leaves by an edge of the contour and returns by
/// another, these are not further apart than d, so by (b) they meet at a corner w, which bends
/// inward. f(w) is 0 or 1. So f falls from 1 to 0 between two such corners in a row, or p' or q':
/// on a way that runs along the segment and from its ends along edges to the corners. A way to a
/// corner is no longer than the part of the segment outside divided by s. So the whole way is not
/// longer than d/s, and at least h c: against (c).
///
/// What is judged is the region together with the triangles that fill narrow notches of its
/// contour, so that s is mostly 1. Regions that meet at a vertex are judged as one: their pair is
/// left out if a patch (the union of the regions at a vertex) that holds both passes the same test.
/// All other pairs are told apart by their boxes, or looked into.
///
/// Small pieces are looked at along their mean normal, with c of their triangles. For large ones
/// directions are kept as bits for 62 directions, spread evenly, and for two values of c: those of
/// a region are those that all its parts have, and the contour is looked at only where one is left.
class RegionTree {
public:
    /// `half_thickness` is per point [m].
    RegionTree(std::span<const std::array<int, 3>> triangles, int point_count,
               std::span<const double> half_thickness);

    /// Takes positions (one per point) and the boxes of the triangles, grown by half of what counts
    /// as near, and finds the regions that must be looked into. `margin` [m] beyond the thickness
    /// counts as near. Without allocation in the long run.
    void update(std::span<const Vec3> positions, std::span<const Box> boxes, double margin);

    std::size_t chunk_count() const { return (leaves_.size() + leaf_grain - 1) / leaf_grain; }
    /// Calls visit(chunk, a, b), a < b, once for each pair of triangles that may be near each other
    /// and whose boxes overlap. Chunks as in BoxTree.
    template <class Visit>
    void visit_self_pairs(Visit&& visit) const;

    const RegionLayout& layout() const { return layout_; }

private:
    static constexpr std::size_t leaf_grain = 64;

    /// Two regions of a level, or one and itself.
    struct Pair {
        int a, b;
    };
    struct Facet {
        float normal[3];      ///< its length is twice the area [m^2]
        float squared_height; ///< the least of three [m^2]
    };
    /// The directions that see all of a region from one side, with c large or small, and more.
    struct Sight {
        std::uint64_t narrow = ~std::uint64_t{0}, wide = ~std::uint64_t{0};
        float squared_height = std::numeric_limits<float>::infinity(); ///< least [m^2]
        float half_thickness = 0;                                      ///< largest [m]
        float normal[3] = {0, 0, 0};                                   ///< sum

        void merge(const Sight& other) {
            narrow &= other.narrow;
            wide &= other.wide;
            squared_height = std::min(squared_height, other.squared_height);
            half_thickness = std::max(half_thickness, other.half_thickness);
            for (int k = 0; k < 3; ++k)
                normal[k] += other.normal[k];
        }
    };
    struct Work { ///< of one parallel range
        std::vector<Pair> next, leaves;
        GraphContour contour;
    };
    enum Status : std::uint8_t { unknown, regular, curved };

    void refit(std::span<const Box> boxes);
    Facet measure(int triangle) const;
    Sight sight_of(int triangle) const;
    Vec3 choose_direction(const Sight& sight, bool narrow) const;
    double least_cosine(std::span<const int> triangles, const Vec3& direction, double enough) const;
    bool passes(const RegionLayout::Outline& outline, const Sight& sight, const Vec3& direction,
                double cosine, Work& work) const;
    /// `each` calls what it is given with spans of triangles.
    template <class Each>
    bool is_regular(const RegionLayout::Outline& outline, int triangle_count, Sight sight,
                    Each&& each, Work& work) const;
    bool region_is_regular(int region, Work& work) const;
    bool patch_is_regular(int patch, Work& work);
    bool share_regular_patch(int a, int b, Work& work);
    void descend(const Pair& pair, bool to_leaves, Work& work);

    std::span<const std::array<int, 3>> triangles_;
    RegionLayout layout_;
    std::span<const Vec3> at_; ///< during an update
    std::span<const Box> boxes_of_triangles_;
    double margin_ = 0;
    std::vector<Box> boxes_;    ///< per region
    std::vector<Sight> sights_; ///< per region
    std::vector<Facet> facets_; ///< per triangle
    std::vector<float> half_thickness_;
    std::vector<std::uint8_t> patch_status_;
    std::vector<Pair> pairs_, leaves_;
    std::vector<Work> works_;
};

template <class Visit>
void RegionTree::visit_self_pairs(Visit&& visit) const {
    const auto triangles_of = [&](int r) { return layout_.triangles_of(layout_.regions[r]); };
    parallel_for(leaves_.size(), leaf_grain, [&](std::size_t begin, std::size_t end) {
        const std::size_t chunk = begin / leaf_grain;
        for (std::size_t i = begin; i < end; ++i) {
            const auto [r, q] = leaves_[i];
            for (int a : triangles_of(r)) {
                const Box& box = boxes_of_triangles_[a];
                if (r != q && !box.overlaps(boxes_[q]))
                    continue;
                for (int b : triangles_of(q))
                    if ((r != q || a < b) && box.overlaps(boxes_of_triangles_[b]))
                        visit(chunk, std::min(a, b), std::max(a, b));
            }
        }
    });
}

} // namespace muslin
