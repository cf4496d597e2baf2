#pragma once

#include "muslin/pattern/delaunay.h"
#include "muslin/pattern/panel_curves.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// The loops of a panel, cut into straight pieces. Edges with a given number of pieces are cut
/// evenly for good; others can be cut further.
class PanelOutline {
public:
    /// A piece, from its point to the next one.
    struct Piece {
        int edge, index; ///< which edge it is of, and its place in it
        int next;        ///< the point at its end
    };

    PanelOutline(const PatternPanel& panel, double length, std::span<const int> segments);

    const PatternPanel& panel() const { return panel_; }
    const std::vector<PanelCurve>& curves() const { return curves_; }
    bool is_given(int edge) const { return given_[edge]; }
    /// +1 where the cloth is to the left of an edge, -1 where it is to the right.
    int cloth_side(int edge) const { return cloth_side_[edge]; }
    int count(int edge) const { return static_cast<int>(cuts_[edge].size()) - 1; }

    /// Points of all loops, in the order of edges; the piece from each; the points of each edge.
    const std::vector<Vec2>& points() const { return points_; }
    const std::vector<Piece>& pieces() const { return pieces_; }
    const std::vector<std::vector<int>>& edge_points() const { return edge_points_; }
    int before(int point) const { return before_[point]; }
    /// Of the cloth, at a point [rad].
    double inner_angle(int point) const;

    /// Whether the piece from a point may be cut further.
    bool can_cut(int point) const;
    /// Cuts the piece from each of these points into halves of like length, on the curve. Those
    /// that may not be cut stay. Says how many were cut.
    int halve(std::vector<int> points);

private:
    void find_cloth();
    /// Pieces from the end of an edge at a sharp corner.
    struct Tip {
        double piece = 0; ///< their length [m]
        int count = 0;
        bool kept = false; ///< never cut: those across are given
    };
    void cut_tips();
    void cut_between(int edge, const Tip& start, const Tip& end);
    void rebuild();

    const PatternPanel& panel_;
    std::vector<PanelCurve> curves_;
    std::vector<bool> given_;
    std::vector<int> cloth_side_;
    std::vector<std::vector<double>> cuts_;   ///< for each edge, where pieces end: 0 to its length
    std::vector<std::array<double, 2>> kept_; ///< for each edge, between where it may be cut [m]
    std::vector<Vec2> points_;
    std::vector<Piece> pieces_;
    std::vector<int> before_;
    std::vector<std::vector<int>> edge_points_;
};

/// Into how many pieces of about `length` an edge is cut where nobody says how many.
int natural_segments(const PanelCurve& curve, double length);

} // namespace muslin
