#pragma once

#include "muslin/collision/broad/box_tree.h"
#include "muslin/collision/broad/sphere_tree.h"
#include "muslin/collision/detect/adjacency.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/model/choices.h"

#include <compare>
#include <span>
#include <vector>

namespace muslin {

struct TrianglePairsSettings {
    PairVolume volume = PairVolume::boxes;
    PairTest test = PairTest::triangles;
};

/// Triangles that intersect, as Surfaces::triangles numbers them.
struct TrianglePair {
    int cloth;
    int other; ///< of a body, or of cloth and then the larger number
    auto operator<=>(const TrianglePair&) const = default;
};

/// Which cloth triangles intersect triangles of bodies and of cloth [Bayraktar07 3, 4]. Triangles
/// with a point in common are no pair: "adjacent cloth polygons are not tested".
///
/// `before` and `now` hold all points of the surfaces, bodies placed (Surfaces::place_bodies).
/// PairTest::triangles looks at `now` alone. PairTest::vertices asks whether a vertex met a
/// triangle on its straight way from `before` to `now`: exactly (a closed segment and a closed
/// triangle) where the triangle stands still, by the continuous test elsewhere.
///
/// Results depend on the points alone, not on threads or on where the trees were built, so they
/// need no place in a saved state. After the first calls nothing is allocated unless lists grow.
class TrianglePairs {
public:
    explicit TrianglePairs(const Surfaces& surfaces, const TrianglePairsSettings& settings = {});

    /// Fits the volumes to the points; their trees keep the structure of the first call. What
    /// find() gets must lie in volumes that were updated with it, or pairs are lost.
    void update(std::span<const Vec3> before, std::span<const Vec3> now);

    /// Replace `out` by the pairs, ascending.
    void find_body_pairs(std::span<const Vec3> before, std::span<const Vec3> now,
                         std::vector<TrianglePair>& out);
    void find_cloth_pairs(std::span<const Vec3> before, std::span<const Vec3> now,
                          std::vector<TrianglePair>& out);
    void find(std::span<const Vec3> before, std::span<const Vec3> now,
              std::vector<TrianglePair>& cloth_body, std::vector<TrianglePair>& cloth_cloth) {
        find_body_pairs(before, now, cloth_body);
        find_cloth_pairs(before, now, cloth_cloth);
    }

    /// For tests: whether a pair is (still) one, without trees and whatever points it shares.
    bool is_pair(const TrianglePair& pair, std::span<const Vec3> before,
                 std::span<const Vec3> now) const;

    /// What the last search did.
    struct Work {
        std::size_t candidates = 0; ///< pairs of leaves whose volumes overlap
        std::size_t adjacent = 0;   ///< of these, left out because they share a point
        std::size_t tests = 0;      ///< of these, tested
        std::size_t exact = 0;      ///< of these, rounding left a sign open

        Work& operator+=(const Work& b) {
            candidates += b.candidates;
            adjacent += b.adjacent;
            tests += b.tests;
            exact += b.exact;
            return *this;
        }
    };
    const Work& body_work() const { return body_work_; }   ///< for tests and benchmarks
    const Work& cloth_work() const { return cloth_work_; } ///< the same

private:
    template <class Volume, class Tree>
    struct Trees {
        std::vector<Volume> volumes; ///< of all triangles, then of the particles (vertices alone)
        Tree cloth, bodies, particles;
        bool built = false;
    };
    using Points = std::span<const Vec3>;

    template <class Volume, class Tree>
    void fit(Trees<Volume, Tree>& trees, Points before, Points now);
    template <class Volume, class Tree>
    void search_bodies(const Trees<Volume, Tree>& trees, Points before, Points now);
    template <class Volume, class Tree>
    void search_cloth(const Trees<Volume, Tree>& trees, Points before, Points now);

    bool intersect(int a, int b, Points now, bool& exact) const;
    bool passes(int vertex, int triangle, Points before, Points now) const;
    bool share_point(int a, int b) const;
    void test_triangles(std::size_t chunk, int a, int b, Points now);
    void test_vertex(std::size_t chunk, int vertex, int triangle, Points before, Points now);
    Work gather(std::vector<TrianglePair>& out);

    const Surfaces& surfaces_;
    TrianglePairsSettings settings_;
    Rows cloth_at_; ///< the cloth triangles of each particle
    Trees<Box, BoxTree> boxes_;
    Trees<Sphere, SphereTree> spheres_;
    struct Part {
        std::vector<TrianglePair> pairs;
        Work work;
    };
    Partials<Part> parts_; ///< one per chunk
    std::size_t part_count_ = 0;
    Work body_work_, cloth_work_;
};

} // namespace muslin
