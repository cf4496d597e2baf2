#pragma once

#include "muslin/collision/detect/detector.h"
#include "muslin/collision/detect/surfaces.h"
#include "muslin/collision/untangle/contours.h"
#include "muslin/collision/untangle/untangle_report.h"
#include "muslin/mesh/box_tree.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace muslin {

/// Separates surfaces that cross without knowing how they came to. Where a contour parts a surface
/// in two, the smaller part has passed through and is drawn back through the other surface
/// [Baraff, Witkin, Kass 2003]; other contours are made shorter until they vanish [Volino,
/// Magnenat-Thalmann 2006]. Points of cloth inside a closed body leave it by the shortest way.
/// Displacements are small, spread over the neighbourhood, and followed by sweeps that give edges
/// their length back. Folds that cross at a corner that they share, where a contour has no way to
/// go, are ironed flat. What is near and does not cross is kept apart. Of all states on the way the
/// best is taken: it never has more crossings than the first one.
///
/// Bodies and held points do not move. The same bits for any number of threads.
class Untangler {
public:
    /// `held`: one flag per particle; empty: all may move.
    Untangler(const Surfaces& surfaces, std::span<const std::uint8_t> held,
              const UntangleSettings& settings = {});

    /// Takes and changes the places of all points of the surfaces.
    UntangleReport run(std::span<Vec3> points);

    /// The contours that were left by the last run.
    const std::vector<Contour>& left() const { return tangles_.contours; }

private:
    /// The farthest that a point moves at once, in mean edges.
    static constexpr double longest_pull = 0.3;

    struct Link {
        int a, b;
        double length;    ///< at the start [m]
        double stiffness; ///< the share of a difference that one sweep takes away
    };
    struct Body {
        std::array<int, 2> triangles;
        std::vector<std::array<int, 3>> faces;
        std::unique_ptr<judging::BoxTree> tree; ///< of a closed body; else none
        bool watched = true;                    ///< cloth may be in it
    };
    enum class Relaxation {
        shape,  ///< lengths, and weakly the folds
        lengths ///< a little, and within bounds
    };
    struct Score {
        std::size_t crossings = 0, near = 0;
        bool operator<(const Score& b) const {
            return crossings != b.crossings ? crossings < b.crossings : near < b.near;
        }
    };

    void prepare(std::span<const Vec3> points);
    std::size_t look();
    void find_inside_bodies();
    bool is_in_closed_body(int triangle) const;

    void pull();
    void pull_contour(const Contour& contour);
    bool pull_region(const Contour& contour, int side);
    void shorten(const Contour& contour);
    void leave_bodies();
    void keep_apart();
    void mark(const Contour& contour);
    bool add_pair(const std::array<int, 4>& points, const std::array<double, 4>& weights,
                  const Vec3& way);
    void spread(double longest);
    void relax(Relaxation how);
    double worst_strain() const;
    int other_end(int edge, int point) const {
        return surfaces_.edges[edge][0] + surfaces_.edges[edge][1] - point;
    }
    double mobility(int point) const { return elastic_.mobile[point]; }
    void iron();
    void widen_gaps(UntangleReport& report);
    void keep_if_best(const Score& score);
    void measure_result(std::span<const Vec3> start, UntangleReport& report);

    /// What gives the surfaces their shape back.
    struct Elastic {
        std::vector<double> mobile; ///< per point: 1 or 0
        std::vector<Link> links;    ///< edges, then pairs across edges
        std::size_t edge_links = 0;
        double mean_edge = 0; ///< [m]
    };
    /// What is wrong with the points as they are.
    struct Tangles {
        std::vector<Interference> crossings;
        std::vector<Contour> contours;
        std::vector<std::array<int, 2>> inside; ///< point, body
        std::vector<std::uint8_t> marks;        ///< per point: part of a tangle
        std::vector<std::uint8_t> in_body;      ///< per point
    };
    /// Where points are to go, per point.
    struct Moves {
        std::vector<Vec3> move;
        std::vector<double> weight;
        std::vector<std::uint8_t> moved; ///< since the start
    };
    struct Best {
        std::vector<Vec3> points;
        Score score;
        int since = 0;
    };

    const Surfaces& surfaces_;
    UntangleSettings settings_;
    CrossingFinder finder_;
    const Adjacency& adjacency_;
    ContourTracer tracer_;
    Detector detector_;
    Elastic elastic_;
    std::vector<Body> bodies_;
    std::vector<Vec3> x_;
    Best best_;
    bool shorten_all_ = false; ///< for a while: regions had no success
    Tangles tangles_;
    Moves moves_;
    Candidates candidates_;
    std::size_t near_ = 0;
};

} // namespace muslin
