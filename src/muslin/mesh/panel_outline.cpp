#include "muslin/mesh/panel_outline.h"

#include <algorithm>
#include <cmath>

namespace muslin {
namespace {

// A piece may turn so far [rad]: a small round hole stays a hexagon.
constexpr double most_turning = 1.05;

} // namespace

int natural_segments(const PanelCurve& curve, double length) {
    const double by_length = std::round(curve.length() / length);
    const double by_turning = std::ceil(curve.turning() / most_turning);
    return static_cast<int>(std::max({1.0, by_length, by_turning}));
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
    for (std::size_t l = 0; l < panel.loops.size(); ++l) {
        const std::size_t end = l + 1 < panel.loops.size() ? panel.loops[l + 1] : curves_.size();
        double area = 0;
        for (std::size_t e = panel.loops[l]; e < end; ++e)
            area += curves_[e].doubled_area();
        cloth_side_.resize(end, (area > 0) == (l == 0) ? 1 : -1);
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
