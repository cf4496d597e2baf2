// Edges of panels by arc length: lines, Bezier curves, circular arcs.
#include "muslin/pattern/panel_curves.h"

#include "muslin/pattern/panel_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

constexpr int spans = 32; // of the table of a Bezier curve's lengths

// Gauss-Legendre quadrature with five points on [0, 1].
constexpr std::array<double, 5> nodes = {0.046910077030668004, 0.23076534494715845, 0.5,
                                         0.7692346550528415, 0.953089922969332};
constexpr std::array<double, 5> weights = {0.11846344252809454, 0.23931433524968324,
                                           0.28444444444444444, 0.23931433524968324,
                                           0.11846344252809454};

} // namespace

PanelCurve::PanelCurve(const PatternPanel& panel, int edge) {
    const PatternEdge& e = panel.edges[edge];
    start_ = panel.vertices[e.start];
    end_ = panel.vertices[e.end];
    first_ = second_ = start_;
    switch (e.curve.kind) {
    case PatternCurve::Kind::line:
        length_ = norm(end_ - start_);
        break;
    case PatternCurve::Kind::quadratic:
    case PatternCurve::Kind::cubic:
        make_bezier(e.curve);
        break;
    case PatternCurve::Kind::arc:
        make_arc(e.curve);
        break;
    }
}

void PanelCurve::make_bezier(const PatternCurve& curve) {
    kind_ = Kind::bezier;
    first_ = curve.controls[0];
    second_ = curve.controls[1];
    if (curve.kind == PatternCurve::Kind::quadratic) { // the same curve as a cubic one
        const Vec2 control = curve.controls[0];
        first_ = start_ + (2.0 / 3) * (control - start_);
        second_ = end_ + (2.0 / 3) * (control - end_);
    }
    lengths_.assign(1, 0.0);
    Vec2 before = derivative(0.5 / spans);
    for (int i = 0; i < spans; ++i) {
        const double t = static_cast<double>(i) / spans;
        length_ += length_between(t, static_cast<double>(i + 1) / spans);
        lengths_.push_back(length_);
        const Vec2 now = derivative(t + 0.5 / spans);
        turning_ += std::abs(std::atan2(cross(before, now), dot(before, now)));
        before = now;
    }
}

void PanelCurve::make_arc(const PatternCurve& curve) {
    kind_ = Kind::arc;
    const Vec2 chord = end_ - start_;
    const double c = norm(chord), r = std::max(curve.radius, c / 2);
    const double sagitta = std::sqrt(std::max(0.0, r * r - c * c / 4));
    // The centre lies across the chord from the bulge, unless the arc is more than half a circle.
    const double side = curve.right != curve.large ? 1 : -1;
    centre_ = start_ + 0.5 * chord + (side * sagitta / c) * Vec2{-chord.y, chord.x};
    const double small = 2 * std::asin(std::min(1.0, c / (2 * r)));
    const double angle = curve.large ? 2 * std::numbers::pi - small : small;
    sweep_ = curve.right ? angle : -angle;
    turning_ = angle;
    length_ = r * angle;
}

Vec2 PanelCurve::place(double t) const {
    const double s = 1 - t;
    return (s * s * s) * start_ + (3 * s * s * t) * first_ + (3 * s * t * t) * second_ +
           (t * t * t) * end_;
}

Vec2 PanelCurve::derivative(double t) const {
    const double s = 1 - t;
    return (3 * s * s) * (first_ - start_) + (6 * s * t) * (second_ - first_) +
           (3 * t * t) * (end_ - second_);
}

double PanelCurve::length_between(double t0, double t1) const {
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        sum += weights[i] * norm(derivative(t0 + (t1 - t0) * nodes[i]));
    return (t1 - t0) * sum;
}

Vec2 PanelCurve::at(double arc) const {
    if (arc <= 0)
        return start_;
    if (arc >= length_)
        return end_;
    const double part = arc / length_;
    if (kind_ == Kind::line)
        return start_ + part * (end_ - start_);
    if (kind_ == Kind::arc) {
        const Vec2 from = start_ - centre_;
        const double c = std::cos(part * sweep_), s = std::sin(part * sweep_);
        return centre_ + Vec2{c * from.x - s * from.y, s * from.x + c * from.y};
    }
    const auto above = std::upper_bound(lengths_.begin(), lengths_.end() - 1, arc);
    const auto span = static_cast<int>(above - lengths_.begin()) - 1;
    const double t0 = static_cast<double>(span) / spans, rest = arc - lengths_[span];
    // Newton's method, kept within the span.
    double low = t0, high = static_cast<double>(span + 1) / spans;
    double t = low + (high - low) * rest / (lengths_[span + 1] - lengths_[span]);
    for (int i = 0; i < 12; ++i) {
        const double error = length_between(t0, t) - rest, speed = norm(derivative(t));
        (error > 0 ? high : low) = t;
        if (std::abs(error) <= 1e-14 * length_)
            break;
        t -= error / speed;
        if (!(t > low && t < high))
            t = 0.5 * (low + high);
    }
    return place(t);
}

double PanelCurve::doubled_area() const {
    const double straight = cross(start_, end_);
    if (kind_ == Kind::line)
        return straight;
    if (kind_ == Kind::arc) { // the segment between arc and chord
        const double r2 = dot(start_ - centre_, start_ - centre_);
        return straight + r2 * (sweep_ - std::sin(sweep_));
    }
    double sum = 0; // a polynomial of degree 5: the quadrature is exact
    for (std::size_t i = 0; i < nodes.size(); ++i)
        sum += weights[i] * cross(place(nodes[i]), derivative(nodes[i]));
    return sum;
}

double edge_length(const PatternPanel& panel, int edge) {
    return PanelCurve(panel, edge).length();
}

std::vector<Vec2> sample_edge(const PatternPanel& panel, int edge, int segments) {
    const PanelCurve curve(panel, edge);
    std::vector<Vec2> points;
    for (int i = 0; i <= segments; ++i)
        points.push_back(curve.at(i == segments ? curve.length() : curve.length() * i / segments));
    return points;
}

double doubled_area(const PatternPanel& panel) {
    const int end = panel.loops.size() > 1 ? panel.loops[1] : static_cast<int>(panel.edges.size());
    double sum = 0;
    for (int e = 0; e < end; ++e)
        sum += PanelCurve(panel, e).doubled_area();
    return sum;
}

} // namespace muslin
