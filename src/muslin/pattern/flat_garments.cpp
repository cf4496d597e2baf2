// Garments of two panels: shirt and shorts.
#include "muslin/pattern/flat_garments.h"
#include "muslin/mesh/mesh_builder.h"
#include "muslin/pattern/outline_mesh.h"

#include <cmath>
#include <numbers>

namespace muslin {
namespace {

/// The outline of a panel: its corners, counter-clockwise with y towards the neck or waist, and for
/// the side that begins at each whether it is sewn to that of the other panel.
struct Panel {
    std::vector<Vec2> corners;
    std::vector<bool> sewn;

    void add(double x, double y, bool sewn_from_here) {
        corners.push_back({x, y});
        sewn.push_back(sewn_from_here);
    }
};

/// Which vertices of the outline lie on seams.
std::vector<bool> seam_vertices(const OutlineMesh& mesh, const Panel& panel) {
    std::vector<bool> out(mesh.points.size(), false);
    for (std::size_t s = 0; s < panel.sewn.size(); ++s) {
        if (!panel.sewn[s])
            continue;
        const int begin = mesh.corners[s];
        const int end = s + 1 < mesh.corners.size() ? mesh.corners[s + 1] : mesh.outline;
        for (int v = begin; v <= end; ++v)
            out[static_cast<std::size_t>(v % mesh.outline)] = true;
    }
    return out;
}

/// An edge from seam to seam across a panel would be one edge of four triangles, two on each panel.
void require_apart(const OutlineMesh& mesh, const std::vector<bool>& seam, double edge) {
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            const bool along = (a + 1) % mesh.outline == b || (b + 1) % mesh.outline == a;
            if (seam[a] && seam[b] && !along)
                reject("edge", "edges so short that none goes from seam to seam",
                       fmt::format("{}", edge));
        }
}

/// How far the panels part at each point: by half the gap, and from the seams on with a slope that
/// hardly stretches them.
std::vector<double> heights(const OutlineMesh& mesh, const Panel& panel, double gap) {
    constexpr double slope = 0.3;
    std::vector<double> out(mesh.points.size(), gap / 2);
    for (std::size_t s = 0; s < panel.sewn.size(); ++s) {
        if (!panel.sewn[s])
            continue;
        const Vec2 &a = panel.corners[s], &b = panel.corners[(s + 1) % panel.corners.size()];
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = std::min(out[i], slope * distance_to_segment(mesh.points[i], a, b));
    }
    return out;
}

/// Two of a panel, one above the other, sewn.
PolygonMesh sew(Panel panel, double edge, double gap) {
    require_length("gap", gap);
    double low = panel.corners[0].y, high = low;
    for (const Vec2& p : panel.corners) {
        low = std::min(low, p.y);
        high = std::max(high, p.y);
    }
    for (Vec2& p : panel.corners)
        p.y -= (low + high) / 2;
    const OutlineMesh flat = mesh_outline(panel.corners, edge);
    const std::vector<bool> seam = seam_vertices(flat, panel);
    require_apart(flat, seam, edge);

    const std::vector<double> height = heights(flat, panel, gap);
    PolygonMesh mesh;
    const int count = static_cast<int>(flat.points.size());
    std::vector<int> back;
    for (int i = 0; i < count; ++i) {
        const Vec2& p = flat.points[i];
        mesh.positions.push_back({p.x, seam[i] ? 0 : height[i], -p.y});
        mesh.texcoords.push_back(p);
        back.push_back(i);
    }
    for (int i = 0; i < count; ++i) {
        const Vec2& p = flat.points[i];
        mesh.texcoords.push_back({-p.x, p.y}); // seen from its own outside
        if (seam[i])
            continue;
        back[i] = static_cast<int>(mesh.positions.size());
        mesh.positions.push_back({p.x, -height[i], -p.y});
    }
    for (const auto& [a, b, c] : flat.triangles)
        add_triangle(mesh, {a, b, c}, {a, b, c});
    for (const auto& [a, b, c] : flat.triangles)
        add_triangle(mesh, {back[a], back[c], back[b]}, {count + a, count + c, count + b});
    return mesh;
}

} // namespace

PolygonMesh make_shirt(const ShirtSettings& s) {
    require_length("width", s.width);
    require_length("length", s.length);
    require_length("neck", s.neck);
    require_length("sleeve", s.sleeve);
    require_length("cuff", s.cuff);
    require(s.neck < s.width, "neck", "a neck narrower than the shirt", s.neck);
    // Shoulder and sleeve are one straight seam that falls by 20 degrees.
    const double fall = 20 * std::numbers::pi / 180;
    const Vec2 along = {std::cos(fall), -std::sin(fall)};
    const double side = s.width / 2, neck = s.neck / 2;
    const double shoulder = s.length - (side - neck) * std::tan(fall);
    const double armpit = shoulder - 1.3 * s.cuff;
    require(armpit > 0, "cuff", "sleeves that end above the hem", s.cuff);
    const Vec2 top = Vec2{side, shoulder} + s.sleeve * along;
    const Vec2 bottom = top + s.cuff * Vec2{along.y, -along.x};
    require(bottom.x > side, "sleeve", "a sleeve longer than it is wide at its slant", s.sleeve);

    Panel panel;
    panel.add(-side, 0, false); // hem
    panel.add(side, 0, true);   // side
    panel.add(side, armpit, true);
    panel.add(bottom.x, bottom.y, false); // cuff
    panel.add(top.x, top.y, true);        // sleeve and shoulder
    panel.add(neck, s.length, false);
    // The neckline: half an ellipse, a third as deep as wide.
    const int pieces = std::max(4, static_cast<int>(std::lround(1.2 * s.neck / s.edge)));
    for (int i = 1; i < pieces; ++i) {
        const double angle = std::numbers::pi * i / pieces;
        panel.add(neck * std::cos(angle), s.length - s.neck / 3 * std::sin(angle), false);
    }
    panel.add(-neck, s.length, true); // shoulder and sleeve
    panel.add(-top.x, top.y, false);  // cuff
    panel.add(-bottom.x, bottom.y, true);
    panel.add(-side, armpit, true); // side
    return sew(std::move(panel), s.edge, s.gap);
}

PolygonMesh make_shorts(const ShortsSettings& s) {
    require_length("width", s.width);
    require_length("length", s.length);
    require_length("rise", s.rise);
    require_length("leg", s.leg);
    require(s.rise < s.length, "rise", "a crotch above the hem", s.rise);
    const double waist = s.width / 2;
    // Legs hang a little outward: as far as the insides spread, by 15 degrees, and at least as far
    // as the waist.
    const double inside = (s.length - s.rise) * std::tan(15 * std::numbers::pi / 180);
    Panel panel;
    panel.add(0, s.length - s.rise, true); // inside of the leg
    panel.add(inside, 0, false);           // hem
    panel.add(inside + s.leg, 0, true);    // side
    panel.add(waist, s.length, false);     // waist
    panel.add(-waist, s.length, true);
    panel.add(-inside - s.leg, 0, false);
    panel.add(-inside, 0, true);
    return sew(std::move(panel), s.edge, s.gap);
}

} // namespace muslin
