#pragma once

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// A hierarchy of regions of a surface, each connected through edges, made once from how triangles
/// are joined [Volino95 4.1]. A region of a level consists of one to three that touch each other on
/// the level below; all levels cover the surface. At the top, what does not touch is put together
/// too, so that one region holds everything.
///
/// A patch is the union of the regions of one level that meet at a vertex: by it, regions that
/// touch are judged as one piece.
struct RegionLayout {
    /// What the two have to be judged by: a contour, and the triangles that fill its narrow notches
    /// (those of one triangle), which lie inside the contour besides the regions themselves.
    struct Outline {
        int first_corner = 0, corner_count = 0;   ///< in `corners`; none: not a single loop
        int first_filling = 0, filling_count = 0; ///< in `fillings`
    };
    struct Region {
        int first_child, child_count;       ///< in `children`; none on level 0
        int first_triangle, triangle_count; ///< in `triangles`
        int first_patch, patch_count; ///< the patches it is in, in `region_patches`, increasing
        Outline outline;
    };
    struct Patch {
        int first_region, region_count; ///< in `patch_regions`
        int triangle_count;
        Outline outline;
    };
    std::vector<Region> regions; ///< level by level, the smallest first; the last is everything
    std::vector<Patch> patches;
    std::vector<int> level_begin; ///< the first region of each level, and the end
    std::vector<int> children, triangles, patch_regions, region_patches, fillings;
    /// Contours as loops of points, the surface on their left. A loop passes no point twice.
    std::vector<int> corners;

    int level_count() const { return static_cast<int>(level_begin.size()) - 1; }
    std::span<const int> triangles_of(const Region& r) const {
        return std::span(triangles).subspan(r.first_triangle, r.triangle_count);
    }
    std::span<const int> contour(const Outline& o) const {
        return std::span(corners).subspan(o.first_corner, o.corner_count);
    }
    std::span<const int> filling(const Outline& o) const {
        return std::span(fillings).subspan(o.first_filling, o.filling_count);
    }
};

/// Any triangles are allowed: an edge that is not between two triangles that run along it in
/// opposite ways counts as an edge of the surface.
RegionLayout build_regions(std::span<const std::array<int, 3>> triangles, int point_count);

} // namespace muslin
