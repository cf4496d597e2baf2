#include "muslin/pattern/panel_outline.h"

#include "muslin/pattern/panel_mesh.h"

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
        kept_.push_back({0, curve.length()});
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

/// The triangle in a sharp corner can only be good where its legs have the same length. Where the
/// pieces of one leg are given, those of the other go along with them as far as the cloth is
/// narrow.
void PanelOutline::cut_tips() {
    const std::size_t edges = cuts_.size();
    std::vector<Tip> at_start(edges), at_end(edges);
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const int after = pieces_[i].edge, before = pieces_[before_[i]].edge;
        const double angle = inner_angle(static_cast<int>(i));
        if (pieces_[i].index > 0 || before == after || angle > sharp_corner)
            continue;
        const double last = curves_[before].length() / count(before);
        const double first = curves_[after].length() / count(after);
        if (given_[before] != given_[after]) {
            const int given = given_[before] ? before : after,
                      other = given_[before] ? after : before;
            const double piece = given_[before] ? last : first;
            const int narrow = static_cast<int>(std::ceil(0.6 / std::sin(angle / 2)));
            const int room = static_cast<int>(0.5 * curves_[other].length() / piece);
            const Tip tip = {
                piece, std::clamp(std::min(narrow, count(given)), 1, std::max(1, room)), true};
            (given_[before] ? at_start : at_end)[other] = tip;
        } else if (!given_[before]) {
            at_end[before] = at_start[after] = {std::min(last, first), 1, false};
        }
    }
    for (std::size_t e = 0; e < edges; ++e)
        if (!given_[e])
            cut_between(static_cast<int>(e), at_start[e], at_end[e]);
    rebuild();
}

void PanelOutline::cut_between(int edge, const Tip& start, const Tip& end) {
    const double length = curves_[edge].length(), piece = length / count(edge);
    const double from = start.piece * start.count, to = length - end.piece * end.count;
    if ((start.count == 0 && end.count == 0) || to - from < 0.3 * piece)
        return;
    auto& cuts = cuts_[edge];
    cuts.clear();
    for (int i = 0; i < start.count; ++i)
        cuts.push_back(start.piece * i);
    const int pieces = std::max(1, static_cast<int>(std::lround((to - from) / piece)));
    for (int i = 0; i < pieces; ++i)
        cuts.push_back(from + (to - from) * i / pieces);
    for (int i = end.count; i > 0; --i)
        cuts.push_back(length - end.piece * i);
    cuts.push_back(length);
    // A little less, so that rounding does not lock the piece after.
    kept_[edge] = {start.kept ? from - 0.5 * start.piece : 0,
                   end.kept ? to + 0.5 * end.piece : length};
}

bool PanelOutline::can_cut(int point) const {
    const auto [edge, index, next] = pieces_[point];
    return !given_[edge] && cuts_[edge][index] >= kept_[edge][0] &&
           cuts_[edge][index + 1] <= kept_[edge][1];
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
        if (!can_cut(*p))
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
