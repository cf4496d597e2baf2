// Panels in triangles: the outline cut into pieces, a hexagonal filling, the constrained Delaunay
// triangulation of both, smoothing, and repairs where a triangle is still too sharp.
//
// Decisions about which triangles there are fall on an integer lattice (delaunay.h).
#include "muslin/pattern/panel_mesh.h"

#include "muslin/mesh/mesh_builder.h"
#include "muslin/mesh/predicates.h"
#include "muslin/mesh/quality.h"
#include "muslin/pattern/panel_check.h"
#include "muslin/pattern/panel_repair.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <tuple>

namespace muslin {
namespace {

constexpr double row_height = 0.8660254037844386;     // of an equilateral triangle of side 1
constexpr double radius_of_edge = 0.5773502691896258; // circumradius of that triangle
constexpr double clearance = 0.65;                    // from the outline, of the wanted length
constexpr double close_clearance = 0.5; // of a vertex that splits too large a triangle
constexpr double too_large = 1.3;       // of the wanted circumradius
constexpr int smoothing_passes = 10;
constexpr int variants = 4;
constexpr double most_tried = 30000; // triangles, in looking for a length that would do
constexpr int mending_rounds = 6;
constexpr int rounds = 24;           // of cutting the outline finer
constexpr double least_piece = 0.04; // of the target: pieces below are not cut further
constexpr double most_ratio = 2.2;   // of neighbouring pieces
constexpr double most_across = 1.6;  // of a piece, by the width of the cloth there
constexpr double sharp_tip = 0.61;   // 35 degrees
constexpr int first_point = 4;       // the corners of a box around the panel come before it

/// One panel on its lattice.
class PanelMesher {
public:
    PanelMesher(const PanelOutline& outline, const PanelSize& size)
        : outline_(outline), size_(size), judge_(outline, first_point), mesh_(points_in_box()),
          first_inner_(static_cast<int>(mesh_.points().size())) {}

    /// Fixes the outline. Where that cannot be, the point of a piece that crosses or touches
    /// another, which the curves do not: pieces are too long there.
    std::optional<int> fix_outline();

    /// The points of pieces that could be cut and are long beside their neighbours, or beside the
    /// width of the cloth there. Nothing has been filled in yet.
    std::vector<int> find_long_pieces() const;

    /// Fills the outline. Variants differ in where the lattice lies.
    void fill(int variant) {
        add_lattice(variant);
        split_large();
        for (int pass = 0; pass < smoothing_passes; ++pass)
            smooth(mesh_, first_inner_);
        if (split_large() > 0)
            for (int pass = 0; pass < smoothing_passes; ++pass)
                smooth(mesh_, first_inner_);
    }

    /// Repairs what it can. The corners of triangles that stay too sharp, if any.
    std::vector<int> mend() {
        std::vector<int> corners;
        for (const int t : repair(mesh_, size_, judge_, first_inner_))
            for (const int v : mesh_.triangles()[t])
                corners.push_back(v);
        return corners;
    }
    /// The point of the outline nearest to a vertex, and the smallest angle at it [degrees].
    int nearest_point(int vertex) const;
    double least_angle_at(int vertex) const;
    bool is_on_outline(int vertex) const { return vertex < first_inner_; }

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
    void add_lattice(int variant);
    int split_large();
    bool is_large(int t, Vec2& centre) const;

    const PanelOutline& outline_;
    const PanelSize& size_;
    PanelJudge judge_;
    Delaunay mesh_;
    int first_inner_;
};

/// Rows of a hexagonal lattice, centred, so that a panel that is its own mirror image is filled
/// like one; only where edges are to have the target's length.
void PanelMesher::add_lattice(int variant) {
    static constexpr std::array<std::array<double, 2>, variants> shifts = {
        {{0, 0}, {0.5, 0.5}, {0.25, 0.25}, {0.75, 0.6}}};
    const auto [across, up] = shifts[variant];
    const double edge = size_.target(), height = edge * row_height;
    const Vec2 box = size_.extent();
    const int rows = static_cast<int>(box.y / height), columns = static_cast<int>(box.x / edge) + 1;
    for (int r = 0; r <= rows; ++r)
        for (int c = 0; c <= columns; ++c) {
            const double odd = r % 2 == 0 ? 0.0 : 0.5;
            const Vec2 p = {0.5 * box.x + edge * (c - 0.5 * columns + odd + across),
                            0.5 * box.y + height * (r - 0.5 * rows + up)};
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

std::optional<int> PanelMesher::fix_outline() {
    const auto& pieces = outline_.pieces();
    const int n = static_cast<int>(pieces.size());
    for (int i = 0; i < n; ++i)
        if (!mesh_.fix(first_point + i, first_point + pieces[i].next))
            return i;
    mesh_.restore();
    mesh_.mark_inside();
    // A loop that chords have put on the other side of another one, or turned over.
    for (int i = 0; i < n; ++i) {
        const int cloth = outline_.cloth_side(pieces[i].edge);
        const int a = first_point + i, b = first_point + pieces[i].next;
        const auto left = mesh_.find_side(a, b), right = mesh_.find_side(b, a);
        if (mesh_.is_inside(left[0]) != (cloth > 0) || mesh_.is_inside(right[0]) != (cloth < 0))
            return i;
    }
    return {};
}

std::vector<int> PanelMesher::find_long_pieces() const {
    std::vector<int> found;
    const auto& pieces = outline_.pieces();
    const int n = static_cast<int>(pieces.size());
    std::vector<double> lengths(n);
    for (int i = 0; i < n; ++i)
        lengths[i] = norm(point(first_point + i) - point(first_point + pieces[i].next));
    for (int i = 0; i < n; ++i) {
        const int next = pieces[i].next;
        if (!outline_.can_cut(i) || lengths[i] < least_piece * size_.target())
            continue;
        const int before = outline_.before(i);
        const double l = lengths[i], beside = std::min(lengths[before], lengths[next]);
        const bool left = outline_.cloth_side(pieces[i].edge) > 0;
        const int a = first_point + i, b = first_point + next;
        const auto [t, corner] = left ? mesh_.find_side(a, b) : mesh_.find_side(b, a);
        const int apex = mesh_.triangles()[t][corner] - first_point;
        const Vec2 p = point(first_point + apex);
        // A sharp tip is long and narrow, and what follows it is not.
        const bool is_tip =
            std::min(outline_.inner_angle(i), outline_.inner_angle(next)) < sharp_tip;
        bool is_long = !is_tip && l > most_ratio * beside;
        if (apex == before || apex == pieces[next].next) {
            // A corner of one triangle, which is to have legs of like length.
            const double other = apex == before ? lengths[apex] : lengths[next];
            const Vec2 u = p - point(apex == before ? a : b);
            const Vec2 v = apex == before ? point(b) - point(a) : point(a) - point(b);
            is_long =
                is_long || (!is_tip && dot(u, v) > 0.5 * norm(u) * norm(v) && l > 1.5 * other);
        } else {
            const double width = std::abs(cross(point(b) - point(a), p - point(a))) / l;
            is_long = is_long || l > most_across * width;
        }
        if (is_long)
            found.push_back(i);
    }
    return found;
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

int PanelMesher::nearest_point(int vertex) const {
    int nearest = first_point;
    for (int v = first_point; v < first_inner_; ++v)
        if (norm(point(v) - point(vertex)) < norm(point(nearest) - point(vertex)))
            nearest = v;
    return nearest - first_point;
}

double PanelMesher::least_angle_at(int vertex) const {
    double least = 180;
    for (int t = 0; t < static_cast<int>(mesh_.triangles().size()); ++t) {
        const auto& v = mesh_.triangles()[t];
        if (v[0] < 0 || !mesh_.is_inside(t) || std::find(v.begin(), v.end(), vertex) == v.end())
            continue;
        const auto place = [&](int i) { return Vec3{point(v[i]).x, point(v[i]).y, 0}; };
        for (const double angle : triangle_angles(place(0), place(1), place(2)))
            least = std::min(least, angle * 180 / std::numbers::pi);
    }
    return least;
}

/// A mesh, or the edge where there is none and why.
struct Attempt {
    std::optional<PanelMesh> mesh;
    int edge = 0;
    std::string trouble;
};

/// A point of the outline that falls on another of the lattice.
std::optional<int> find_twin(const PanelSize& size) {
    std::vector<std::tuple<int, int, int>> sorted;
    for (const LatticePoint& p : size.points())
        sorted.emplace_back(p.x, p.y, static_cast<int>(sorted.size()));
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i)
        if (std::get<0>(sorted[i]) == std::get<0>(sorted[i - 1]) &&
            std::get<1>(sorted[i]) == std::get<1>(sorted[i - 1]))
            return std::get<2>(sorted[i]);
    return {};
}

/// The points of a piece and of those that it meets; of all where it meets none.
std::vector<int> find_meeting(const PanelOutline& outline, const PanelSize& size, int piece) {
    const auto end = [&](int i) { return outline.pieces()[i].next; };
    const auto place = [&](int i) { return to_vec(size.points()[i]); };
    std::vector<int> found = {piece}, every;
    for (int i = 0; i < static_cast<int>(outline.pieces().size()); ++i) {
        every.push_back(i);
        if (i != piece && end(i) != piece && end(piece) != i &&
            segments_meet(place(i), place(end(i)), place(piece), place(end(piece))))
            found.push_back(i);
    }
    return found.size() > 1 ? found : every;
}

/// The pieces at corners of triangles that are too sharp, as far as they are worth cutting.
std::vector<int> find_pieces_at(const PanelMesher& mesher, const PanelOutline& outline,
                                const PanelSize& size, const std::vector<int>& corners) {
    const auto& pieces = outline.pieces();
    std::vector<char> sharp(pieces.size(), 0);
    for (const int v : corners)
        if (mesher.is_on_outline(v))
            sharp[v - first_point] = 1;
    std::vector<int> found;
    for (int i = 0; i < static_cast<int>(pieces.size()); ++i) {
        const Vec2 way = to_vec(size.points()[pieces[i].next]) - to_vec(size.points()[i]);
        if ((sharp[i] || sharp[pieces[i].next]) && norm(way) > least_piece * size.target())
            found.push_back(i);
    }
    return found;
}

Attempt try_mesh(const PatternPanel& panel, double length, std::span<const int> segments) {
    PanelOutline outline(panel, length, segments);
    Attempt out;
    int mended = 0;
    for (int round = 0; round < rounds; ++round) {
        const PanelSize size(outline, length);
        if (const auto twin = find_twin(size)) {
            out.edge = outline.pieces()[*twin].edge;
            out.trouble = "for which points of the outline fall together";
            return out;
        }
        PanelMesher bare(outline, size);
        if (const auto lost = bare.fix_outline()) {
            out.edge = outline.pieces()[*lost].edge;
            out.trouble = "whose chords meet where the edge does not";
            if (outline.halve(find_meeting(outline, size, *lost)) == 0)
                return out;
            continue;
        }
        if (outline.halve(bare.find_long_pieces()) > 0)
            continue;
        std::vector<int> corners;
        // Where the lattice lies matters in the first place, details of the outline after that.
        for (int variant = 0; variant < (mended == 0 ? variants : 1); ++variant) {
            PanelMesher mesher = bare;
            mesher.fill(variant);
            corners = mesher.mend();
            if (corners.empty()) {
                out.mesh = mesher.result();
                return out;
            }
            const int near = mesher.nearest_point(corners[0]);
            out.edge = outline.pieces()[near].edge;
            out.trouble =
                fmt::format("which leave an angle of {:.1f} degrees near ({:.4g}, {:.4g})",
                            mesher.least_angle_at(corners[0]), outline.points()[near].x,
                            outline.points()[near].y);
        }
        if (++mended > mending_rounds ||
            outline.halve(find_pieces_at(bare, outline, size, corners)) == 0)
            return out;
    }
    return out;
}

/// Whether edges so many times shorter, and as many more pieces of all edges, would do.
bool would_do(const PatternPanel& panel, double length, std::span<const int> segments, int finer) {
    const double fine = length / finer;
    if (std::abs(doubled_area(panel)) > 2 * most_tried * 0.433 * fine * fine)
        return false; // an error should not take long
    std::vector<int> more(segments.begin(), segments.end());
    for (int& n : more)
        n = std::max(0, n) * finer;
    try {
        check_number(panel, fine, more);
    } catch (const InputError&) {
        return false; // too many
    }
    return try_mesh(panel, fine, more).mesh.has_value();
}

} // namespace

PanelMesh mesh_panel(const PatternPanel& panel, double length, std::span<const int> segments) {
    check_panel(panel);
    check_number(panel, length, segments);
    Attempt attempt = try_mesh(panel, length, segments);
    if (attempt.mesh)
        return std::move(*attempt.mesh);
    for (int finer = 2; finer <= 4; ++finer)
        if (would_do(panel, length, segments, finer))
            reject(edge_key(panel, attempt.edge),
                   fmt::format("edges of at most {:.3g} m, which keep its details", length / finer),
                   fmt::format("{:.3g} m, {}", length, attempt.trouble));
    reject(edge_key(panel, attempt.edge), "an outline without details this small",
           fmt::format("{}, with edges of {:.3g} m and of a quarter of that", attempt.trouble,
                       length));
}

} // namespace muslin
