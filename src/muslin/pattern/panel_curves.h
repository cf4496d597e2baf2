#pragma once

#include "muslin/pattern/pattern.h"

#include <vector>

namespace muslin {

/// An edge of a panel by its arc length. The panel must have passed check_panel (panel_check.h).
class PanelCurve {
public:
    PanelCurve(const PatternPanel& panel, int edge);

    double length() const { return length_; } ///< [m]
    /// The point that `arc` [m] of the edge lie before; the ends are the panel's own vertices.
    Vec2 at(double arc) const;
    /// How much the direction turns in all, to either side [rad].
    double turning() const { return turning_; }
    /// The edge's part of twice the area that its loop goes around [m^2].
    double doubled_area() const;

private:
    enum class Kind { line, bezier, arc };
    void make_bezier(const PatternCurve& curve);
    void make_arc(const PatternCurve& curve);
    Vec2 place(double t) const;
    Vec2 derivative(double t) const;
    double length_between(double t0, double t1) const;

    Kind kind_ = Kind::line;
    Vec2 start_, end_;
    Vec2 first_, second_;  ///< controls of the cubic Bezier curve
    Vec2 centre_ = {0, 0}; ///< of the arc
    double sweep_ = 0;     ///< of the arc, counter-clockwise positive [rad]
    double length_ = 0, turning_ = 0;
    std::vector<double> lengths_; ///< of a Bezier curve up to each of even parameters
};

} // namespace muslin
