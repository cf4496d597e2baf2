#include "muslin/garment/stand_off.h"

#include "muslin/garment/panel_frame.h"

#include <algorithm>
#include <vector>

namespace muslin {
namespace {

/// Parts of an edge of a panel, to tell what lies before its outline.
constexpr int outline_segments = 12;

/// Whether a point is inside the closed line, by how often a ray crosses it.
bool is_inside(const std::vector<Vec2>& line, const Vec2& p) {
    bool inside = false;
    for (std::size_t i = 0, j = line.size() - 1; i < line.size(); j = i++)
        if ((line[i].y > p.y) != (line[j].y > p.y) &&
            p.x < line[i].x + (line[j].x - line[i].x) * (p.y - line[i].y) / (line[j].y - line[i].y))
            inside = !inside;
    return inside;
}

std::vector<Vec2> outer_line(const PatternPanel& panel) {
    const std::size_t end = panel.loops.size() > 1 ? panel.loops[1] : panel.edges.size();
    std::vector<Vec2> out;
    for (std::size_t e = 0; e < end; ++e) {
        const auto points = sample_edge(panel, static_cast<int>(e), outline_segments);
        out.insert(out.end(), points.begin(), points.end() - 1);
    }
    return out;
}

} // namespace

double stand_off(Pattern& pattern, std::span<const Vec3> obstacles, double clearance,
                 double reach) {
    double most = 0;
    for (PatternPanel& panel : pattern.panels) {
        const std::vector<Vec2> line = outer_line(panel);
        const PanelFrame frame(panel);
        double move = 0;
        for (const Vec3& p : obstacles) {
            const SeenPoint seen = frame.see(p);
            if (seen.height > move - clearance && seen.height < reach && is_inside(line, seen.at))
                move = seen.height + clearance;
        }
        panel.translation += move * frame.normal();
        if (panel.wrap.radius > 0)
            panel.wrap.radius += move;
        most = std::max(most, move);
    }
    return most;
}

} // namespace muslin
