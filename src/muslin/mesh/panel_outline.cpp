#include "muslin/mesh/panel_outline.h"

#include "muslin/mesh/panel_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

// A piece may turn so far [rad]: a small round hole stays a hexagon.
constexpr double most_turning = 1.05;
constexpr double sharp_corner = 0.61; // 35 degrees

} // namespace

int natural_segments(const PanelCurve& curve, double length) {
    const double by_length = std::round(curve.length() / length);
    const double by_turning = std::ceil(curve.turning() / most_turning);
    return static_cast<int>(std::clamp(std::max(by_length, by_turning), 1.0, 1e9));
}

int edge_segments(const PatternPanel& panel, int edge, double length) {
    return natural_segments(PanelCurve(panel, edge), length);
}

PanelOutline::PanelOutline(const PatternPanel& panel, double length, std::span<const int> segments)
    : panel_(panel) {
    for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e) {
        const PanelCurve& curve = curves_.emplace_back(panel, e);
        const int asked = e < static_cast<int>(segments.size()) ? segments[e] : 0;
        given_.push_back(asked > 0);
        const int count = asked > 0 ? asked : natural_segments(curve, length);
        std::vector<double>& cuts = cuts_.emplace_back();
        for (int i = 0; i <= count; ++i)
            cuts.push_back(i == count ? curve.length() : curve.length() * i / count);
    }
    find_cloth();
    rebuild();
    cut_tips();
}

void PanelOutline::find_cloth() {
    for (std::size_t l = 0; l < panel_.loops.size(); ++l) {
        const std::size_t end = l + 1 < panel_.loops.size() ? panel_.loops[l + 1] : curves_.size();
        double area = 0;
        for (std::size_t e = panel_.loops[l]; e < end; ++e)
            area += curves_[e].doubled_area();
        cloth_side_.resize(end, (area > 0) == (l == 0) ? 1 : -1);
    }
}

double PanelOutline::inner_angle(int point) const {
    const int before = before_[point];
    const Vec2 u = points_[before] - points_[point],
               v = points_[pieces_[point].next] - points_[point];
    const double angle = std::atan2(cloth_side_[pieces_[point].edge] * cross(v, u), dot(u, v));
    return angle < 0 ? angle + 2 * std::numbers::pi : angle;
}

/// The triangle in a sharp corner can only be good where its legs have the same length.
void PanelOutline::cut_tips() {
    std::vector<double> from_start(cuts_.size(), 0), to_end(cuts_.size(), 0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const int after = pieces_[i].edge, before = pieces_[before_[i]].edge;
        if (pieces_[i].index > 0 || before == after ||
            inner_angle(static_cast<int>(i)) > sharp_corner)
            continue;
        const auto &in = cuts_[before], &out = cuts_[after];
        const double last = in.back() - in[in.size() - 2], first = out[1] - out[0];
        const double leg = given_[before] == given_[after] ? std::min(last, first)
                                                           : (given_[before] ? last : first);
        if (!given_[before] && leg < last)
            to_end[before] = leg;
        if (!given_[after] && leg < first)
            from_start[after] = leg;
    }
    for (std::size_t e = 0; e < cuts_.size(); ++e) {
        auto& cuts = cuts_[e];
        const int ends = (from_start[e] > 0) + (to_end[e] > 0);
        const double length = cuts.back(), rest = length - from_start[e] - to_end[e];
        if (ends == 0 || rest <= 0)
            continue;
        const double piece = length / count(static_cast<int>(e));
        const int pieces = std::max(1, static_cast<int>(std::lround(rest / piece)));
        cuts.assign(1, 0.0);
        for (int i = from_start[e] > 0 ? 0 : 1; i <= (to_end[e] > 0 ? pieces : pieces - 1); ++i)
            cuts.push_back(from_start[e] + rest * i / pieces);
        cuts.push_back(length);
    }
    rebuild();
}

void PanelOutline::rebuild() {
    points_.clear();
    pieces_.clear();
    edge_points_.assign(cuts_.size(), {});
    const int edges = static_cast<int>(cuts_.size());
    for (std::size_t l = 0; l < panel_.loops.size(); ++l) {
        const int end = l + 1 < panel_.loops.size() ? panel_.loops[l + 1] : edges;
        const int first = static_cast<int>(points_.size());
        for (int e = panel_.loops[l]; e < end; ++e)
            for (int i = 0; i < count(e); ++i) {
                const int here = static_cast<int>(points_.size());
                edge_points_[e].push_back(here);
                points_.push_back(curves_[e].at(cuts_[e][i]));
                pieces_.push_back({e, i, here + 1});
            }
        pieces_.back().next = first;
        before_.resize(points_.size());
        for (int i = first; i < static_cast<int>(points_.size()); ++i)
            before_[pieces_[i].next] = i;
        for (int e = panel_.loops[l]; e < end; ++e)
            edge_points_[e].push_back(e + 1 < end ? edge_points_[e + 1][0] : first);
    }
}

int PanelOutline::halve(std::vector<int> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    int cut = 0;
    for (auto p = points.rbegin(); p != points.rend(); ++p) { // indices before stay as they are
        const auto [edge, index, next] = pieces_[*p];
        if (given_[edge])
            continue;
        auto& cuts = cuts_[edge];
        cuts.insert(cuts.begin() + index + 1, 0.5 * (cuts[index] + cuts[index + 1]));
        ++cut;
    }
    if (cut > 0)
        rebuild();
    return cut;
}

} // namespace muslin
