// Panels in triangles: the outline cut into pieces, a hexagonal filling, the constrained Delaunay
// triangulation of both, smoothing, and repairs where a triangle is still too sharp.
//
// Decisions about which triangles there are fall on an integer lattice (delaunay.h).
#include "muslin/mesh/panel_mesh.h"

#include "muslin/mesh/mesh_builder.h"
#include "muslin/mesh/panel_repair.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace muslin {
namespace {

constexpr double row_height = 0.8660254037844386;     // of an equilateral triangle of side 1
constexpr double radius_of_edge = 0.5773502691896258; // circumradius of that triangle
constexpr double clearance = 0.65;                    // from the outline, of the wanted length
constexpr double close_clearance = 0.5; // of a vertex that splits too large a triangle
constexpr double too_large = 1.3;       // of the wanted circumradius
constexpr int smoothing_passes = 10;
constexpr int first_point = 4; // the corners of a box around the panel come before it

/// One panel on its lattice.
class PanelMesher {
public:
    PanelMesher(const PanelOutline& outline, double length)
        : outline_(outline), size_(outline, length), judge_(outline, first_point),
          mesh_(points_in_box()), first_inner_(static_cast<int>(mesh_.points().size())) {}

    /// Fixes the outline; the point whose piece cannot be one, where there is such a piece.
    std::optional<int> fix_outline() {
        for (int i = 0; i < static_cast<int>(outline_.points().size()); ++i)
            if (!mesh_.fix(first_point + i, first_point + outline_.pieces()[i].next))
                return i;
        mesh_.restore();
        mesh_.mark_inside();
        return {};
    }

    void fill() {
        add_lattice();
        split_large();
        for (int pass = 0; pass < smoothing_passes; ++pass)
            smooth(mesh_, first_inner_);
        if (split_large() > 0)
            for (int pass = 0; pass < smoothing_passes; ++pass)
                smooth(mesh_, first_inner_);
    }

    /// The points of the outline near triangles that stay too sharp.
    std::vector<int> mend() {
        std::vector<int> near;
        for (const int t : repair(mesh_, size_, judge_, first_inner_))
            for (const int v : mesh_.triangles()[t]) {
                if (v < first_inner_)
                    near.push_back(v - first_point);
            }
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        sharp_ = !near.empty();
        return near;
    }

    PanelMesh result() const;

private:
    std::vector<LatticePoint> points_in_box() const {
        const Vec2 box = size_.extent();
        const double margin = 0.5 * std::max(box.x, box.y) + 16;
        const Vec2 low = {-margin, -margin}, high = box + Vec2{margin, margin};
        std::vector<LatticePoint> points = {to_lattice(low), to_lattice({high.x, low.y}),
                                            to_lattice(high), to_lattice({low.x, high.y})};
        points.insert(points.end(), size_.points().begin(), size_.points().end());
        return points;
    }
    Vec2 point(int v) const { return to_vec(mesh_.points()[v]); }
    void add_lattice();
    int split_large();
    bool is_large(int t, Vec2& centre) const;

    const PanelOutline& outline_;
    PanelSize size_;
    PanelJudge judge_;
    Delaunay mesh_;
    int first_inner_;
    bool sharp_ = false;
};

/// Rows of a hexagonal lattice, centred, so that a panel that is its own mirror image is filled
/// like one; only where edges are to have the target's length.
void PanelMesher::add_lattice() {
    const double edge = size_.target(), height = edge * row_height;
    const Vec2 box = size_.extent();
    const int rows = static_cast<int>(box.y / height), columns = static_cast<int>(box.x / edge) + 1;
    for (int r = 0; r <= rows; ++r)
        for (int c = 0; c <= columns; ++c) {
            const Vec2 p = {0.5 * box.x + edge * (c - 0.5 * columns + (r % 2 == 0 ? 0.0 : 0.5)),
                            0.5 * box.y + height * (r - 0.5 * rows)};
            if (p.x <= 0 || p.x >= box.x || p.y <= 0 || p.y >= box.y)
                continue;
            const LatticePoint at = to_lattice(p);
            if (std::abs(size_.at(p) - edge) < 0.05 * edge && mesh_.is_inside(mesh_.locate(at)) &&
                size_.is_clear(p, edge, clearance))
                mesh_.insert(at);
        }
}

bool PanelMesher::is_large(int t, Vec2& centre) const {
    const auto& v = mesh_.triangles()[t];
    if (v[0] < 0 || !mesh_.is_inside(t))
        return false;
    const Vec2 a = point(v[0]), b = point(v[1]), c = point(v[2]);
    centre = circumcentre(a, b, c);
    const Vec2 box = size_.extent();
    return centre.x > 0 && centre.y > 0 && centre.x < box.x && centre.y < box.y &&
           norm(a - centre) > too_large * radius_of_edge * size_.at(centre);
}

/// Vertices at the centres of triangles that are too large, as far as the outline leaves room.
int PanelMesher::split_large() {
    int added = 0;
    std::vector<int> pending;
    for (int t = static_cast<int>(mesh_.triangles().size()); t-- > 0;)
        pending.push_back(t);
    while (!pending.empty()) {
        const int t = pending.back();
        pending.pop_back();
        Vec2 centre;
        if (!is_large(t, centre) || !size_.is_clear(centre, size_.at(centre), close_clearance))
            continue;
        const LatticePoint at = to_lattice(centre);
        if (!mesh_.is_inside(mesh_.locate(at)))
            continue;
        const int v = mesh_.insert(at);
        if (v < 0)
            continue;
        ++added;
        int u = mesh_.triangle_of(v);
        for (const int start = u;;) {
            pending.push_back(u);
            const auto& w = mesh_.triangles()[u];
            const int k = w[0] == v ? 0 : (w[1] == v ? 1 : 2);
            u = mesh_.neighbours(u)[(k + 1) % 3];
            if (u == start)
                break;
        }
    }
    return added;
}

PanelMesh PanelMesher::result() const {
    PanelMesh out;
    out.points = outline_.points();
    out.edge_points = outline_.edge_points();
    std::vector<int> index(mesh_.points().size(), -1);
    for (int v = first_point; v < first_inner_; ++v)
        index[v] = v - first_point;
    for (int v = first_inner_; v < static_cast<int>(mesh_.points().size()); ++v)
        if (mesh_.exists(v)) {
            index[v] = static_cast<int>(out.points.size());
            out.points.push_back(size_.from(mesh_.points()[v]));
        }
    for (int t = 0; t < static_cast<int>(mesh_.triangles().size()); ++t) {
        const auto& v = mesh_.triangles()[t];
        if (v[0] >= 0 && mesh_.is_inside(t))
            out.triangles.push_back({index[v[0]], index[v[1]], index[v[2]]});
    }
    for (auto& t : out.triangles) // flips leave no trace of their order
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    std::sort(out.triangles.begin(), out.triangles.end());
    return out;
}

} // namespace

PanelMesh mesh_panel(const PatternPanel& panel, double length, std::span<const int> segments) {
    PanelOutline outline(panel, length, segments);
    PanelMesher mesher(outline, length);
    if (const auto lost = mesher.fix_outline())
        reject(fmt::format("panel '{}', edge {}", panel.name, outline.pieces()[*lost].edge),
               "an outline that does not cross itself", "crossing");
    mesher.fill();
    mesher.mend();
    return mesher.result();
}

} // namespace muslin
