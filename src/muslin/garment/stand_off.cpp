#include "muslin/garment/stand_off.h"

#include "muslin/math/rotation.h"
#include "muslin/mesh/panel_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
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

/// A point as the panel sees it: where on the panel, and how far in front of its outer side.
struct Seen {
    Vec2 at;
    double height; ///< [m]
};

class PanelView {
public:
    explicit PanelView(const PatternPanel& panel)
        : panel_(panel), turn_(rotation_degrees(panel.rotation)),
          up_(doubled_area(panel) >= 0 ? 1.0 : -1.0) {
        const double angle = panel.wrap.angle * std::numbers::pi / 180;
        across_ = {std::cos(angle), std::sin(angle)};
    }
    Vec3 normal() const { return turn_ * Vec3{0, 0, up_}; }

    Seen operator()(const Vec3& world) const {
        const Vec3 local = transpose(turn_) * (world - panel_.translation);
        Vec2 at = {local.x, local.y};
        const double radius = panel_.wrap.radius;
        if (radius <= 0)
            return {at, up_ * local.z};
        // Back from the cylinder to the flat panel: garment_mesh.cpp bends the other way.
        const double s = dot(across_, at), depth = radius + up_ * local.z;
        const double unrolled = radius * std::atan2(s, depth);
        at = at + (unrolled - s) * across_;
        return {at, std::hypot(s, depth) - radius};
    }

private:
    const PatternPanel& panel_;
    Mat3 turn_;
    double up_;
    Vec2 across_;
};

} // namespace

double stand_off(Pattern& pattern, std::span<const Vec3> obstacles, double clearance,
                 double reach) {
    double most = 0;
    for (PatternPanel& panel : pattern.panels) {
        const std::vector<Vec2> line = outer_line(panel);
        const PanelView view(panel);
        double move = 0;
        for (const Vec3& p : obstacles) {
            const Seen seen = view(p);
            if (seen.height > move - clearance && seen.height < reach && is_inside(line, seen.at))
                move = seen.height + clearance;
        }
        panel.translation += move * view.normal();
        if (panel.wrap.radius > 0)
            panel.wrap.radius += move;
        most = std::max(most, move);
    }
    return most;
}

} // namespace muslin
