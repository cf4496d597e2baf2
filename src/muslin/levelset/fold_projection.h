#pragma once

#include "muslin/levelset/distance_field.h"
#include "muslin/levelset/fold_map.h"
#include "muslin/levelset/raise_field.h"
#include "muslin/mesh/measure.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

// Pushes cloth out of bodies and keeps its folds [Bridson03 5.3]: what is inside goes to a band of
// distances outside, in the order in which it was, instead of all to the surface.

namespace muslin {

struct FoldSettings {
    FoldBand band;
    double tolerance = 1e-6; ///< of the distance that a point ends at [m]
    int max_iterations = 40; ///< of moving a point
    int max_rounds = 8;      ///< of raising triangles that still cross a body
    double max_raise = 5e-3; ///< by how much at most [m]
};

/// As far out as the field must be known for these settings [m].
double reach(const FoldSettings& settings);

/// The height of wrinkles where cloth lies on a body or in it, no farther off than epsilon plus the
/// depth: the deviation of the distances from their mean. Cloth that leaves the body has others.
struct WrinkleHeight {
    std::size_t points = 0;
    double before = 0; ///< [m]
    double after = 0;  ///< [m]
    double plain = 0;  ///< had every point below epsilon been put at epsilon [m]
};

struct FoldReport {
    std::size_t moved = 0;
    std::size_t pinched = 0;    ///< inside two bodies or more; left alone
    std::size_t unreached = 0;  ///< did not come to where they should
    double unreached_worst = 0; ///< by how much the worst of them failed [m]
    int iterations = 0;         ///< of the point that took most
    double largest_move = 0;    ///< [m]
    double deepest_before = 0;  ///< of points that are not pinched [m]
    WrinkleHeight wrinkle;
    // Of triangles, where bodies were given.
    int rounds = 0;            ///< of raising
    std::size_t raised = 0;    ///< points that were
    double largest_raise = 0;  ///< [m]
    std::size_t crossings = 0; ///< pairs of a cloth and a body triangle that are left
};

/// Projects the frames of one cloth, or of several together. The same bits for any number of
/// threads.
class FoldProjection {
public:
    /// Throws std::logic_error for a band without room.
    FoldProjection(const FoldSettings& settings, std::vector<std::array<int, 3>> triangles);

    const FoldSettings& settings() const { return settings_; }

    /// Moves points along the field's normals until each is where the map wants it. Then
    /// triangles: one whose corners are outside may still cut an edge or a bulge of a body. Around
    /// those that cross one of `bodies` epsilon and tau are raised, the same for all that lies
    /// above one place of the body, so that layers keep their order; and all is mapped again.
    FoldReport project(const DistanceField& field, std::span<const TriangleView> bodies,
                       std::span<Vec3> points);

private:
    struct Point {
        Vec3 start;          ///< where it was [m]
        FieldSample before;  ///< there
        double raise = 0;    ///< [m]
        double wanted = 0;   ///< distance [m]
        double distance = 0; ///< where it is now [m]
        bool active = false; ///< whether it is moved at all
    };
    /// A point on its way.
    struct Moving {
        int point;
        double gain;  ///< of the next move; less than 1 where the field is not smooth
        Vec3 place;   ///< [m]
        Vec3 normal;  ///< there
        double error; ///< of the distance there [m]
    };

    void survey(const DistanceField& field, std::span<const Vec3> points);
    void set_wanted();
    int map_points(const DistanceField& field, std::span<Vec3> points);
    void take_step(const DistanceField& field);
    void sample_triangles(const DistanceField& field, std::span<const Vec3> points);
    std::size_t find_crossings(std::span<const TriangleView> bodies, std::span<const Vec3> points);
    bool raise_triangles(int round);
    bool raise_triangle(const std::array<int, 3>& triangle, double by);
    void measure(std::span<const Vec3> points, FoldReport& report) const;

    FoldSettings settings_;
    std::vector<std::array<int, 3>> triangles_;
    std::vector<Point> points_;
    RaiseField raises_;
    std::vector<Moving> moving_;
    std::vector<double> missing_; ///< per triangle, by how much it is too low [m]
    std::vector<char> crosses_;   ///< per triangle, whether it crosses a body
    std::vector<int> near_;       ///< triangles that may be too low
    std::vector<Vec3> places_;
    std::vector<FieldSample> samples_;
};

} // namespace muslin
