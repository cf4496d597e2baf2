#include "muslin/pattern/panel_repair.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace muslin {
namespace {

constexpr double degrees = std::numbers::pi / 180;
const double cot_allowed = 1 / std::tan(25.01 * degrees); // 25 after leaving the lattice
constexpr double aim = 0.83; // of the allowed sharpness: repairs go on to 29 degrees
const double cot_uneven = 1 / std::tan(20.01 * degrees);
constexpr double uneven_from = 4; // of the lengths of neighbouring pieces
constexpr double legs_below = 35 * degrees;
constexpr double legs_part = 0.7; // of a sharp corner's angle, for triangles between given legs
constexpr int rounds = 8;
constexpr int shakes = 200;

double cotangent(LatticePoint at, LatticePoint p, LatticePoint q) {
    const double x1 = static_cast<double>(p.x) - at.x, y1 = static_cast<double>(p.y) - at.y;
    const double x2 = static_cast<double>(q.x) - at.x, y2 = static_cast<double>(q.y) - at.y;
    const double area = static_cast<double>(doubled_area(at, p, q));
    return area > 0 ? (x1 * x2 + y1 * y2) / area : 1e30;
}

} // namespace

PanelJudge::PanelJudge(const PanelOutline& outline, int first) : first_(first) {
    const auto& pieces = outline.pieces();
    const std::size_t n = pieces.size();
    legs_.assign(n, {-1, -1});
    for (std::size_t i = 0; i < n; ++i) {
        beside_.push_back({outline.before(static_cast<int>(i)), pieces[i].next});
        tip_.push_back(outline.inner_angle(static_cast<int>(i)));
        const int before = pieces[beside_[i][0]].edge, after = pieces[i].edge;
        if (tip_[i] >= legs_below || before == after ||
            (!outline.is_given(before) && !outline.is_given(after)))
            continue;
        const int id = static_cast<int>(corners_.size());
        corners_.push_back({std::max(cot_allowed, 1 / std::tan(legs_part * tip_[i]))});
        for (const int e : {before, after})
            for (const int p : outline.edge_points()[e])
                if (legs_[p][0] != id && legs_[p][1] != id)
                    (legs_[p][0] < 0 ? legs_[p][0] : legs_[p][1]) = id;
    }
    find_uneven(outline);
}

/// The ends of short pieces beside long ones that may not be cut.
void PanelJudge::find_uneven(const PanelOutline& outline) {
    const auto& pieces = outline.pieces();
    uneven_.assign(pieces.size(), 0);
    const auto length = [&](int i) {
        return norm(outline.points()[pieces[i].next] - outline.points()[i]);
    };
    for (int i = 0; i < static_cast<int>(pieces.size()); ++i)
        for (const int beside : {outline.before(i), pieces[i].next})
            if (outline.is_given(pieces[beside].edge) && length(beside) > uneven_from * length(i))
                uneven_[i] = uneven_[pieces[i].next] = 1;
}

double PanelJudge::allowed_between(const std::array<int, 3>& corners) const {
    double allowed = cot_allowed;
    for (const int v : corners)
        if (v >= first_ && v - first_ < static_cast<int>(uneven_.size()) && uneven_[v - first_])
            allowed = cot_uneven;
    for (const int v : corners)
        if (v < first_ || v - first_ >= static_cast<int>(legs_.size()))
            return allowed;
    for (const int id : legs_[corners[0] - first_]) {
        if (id < 0)
            continue;
        const auto has = [&](int v) {
            return legs_[v - first_][0] == id || legs_[v - first_][1] == id;
        };
        if (has(corners[1]) && has(corners[2]))
            allowed = std::max(allowed, corners_[id].allowed);
    }
    return allowed;
}

double PanelJudge::sharpness(const std::array<int, 3>& corners,
                             const std::array<LatticePoint, 3>& places) const {
    double most = -1;
    for (int k = 0; k < 3; ++k) {
        const int p = corners[k] - first_;
        const int right = corners[(k + 1) % 3] - first_, left = corners[(k + 2) % 3] - first_;
        // The angle of a corner of the outline itself is what it is.
        if (p >= 0 && p < static_cast<int>(tip_.size()) && tip_[p] < 25.1 * degrees &&
            ((beside_[p][0] == right && beside_[p][1] == left) ||
             (beside_[p][0] == left && beside_[p][1] == right)))
            continue;
        most = std::max(most, cotangent(places[k], places[(k + 1) % 3], places[(k + 2) % 3]));
    }
    return most / allowed_between(corners);
}

namespace {

class Repair {
public:
    Repair(Delaunay& mesh, const PanelSize& size, const PanelJudge& judge, int first_inner)
        : mesh_(mesh), size_(size), judge_(judge), first_inner_(first_inner) {}

    std::vector<int> find_sharp(double limit) const {
        std::vector<int> sharp;
        for (int t = 0; t < static_cast<int>(mesh_.triangles().size()); ++t)
            if (is_live(t) && sharpness(t) > limit)
                sharp.push_back(t);
        return sharp;
    }

    void run() {
        for (int round = 0; round < rounds; ++round) {
            std::vector<int> sharp = find_sharp(aim);
            if (sharp.empty())
                return;
            std::stable_sort(sharp.begin(), sharp.end(),
                             [&](int a, int b) { return sharpness(a) > sharpness(b); });
            bool better = false;
            for (const int t : sharp)
                for (int n = 0; n < 6 && is_live(t) && sharpness(t) > aim; ++n)
                    if (!mend(t))
                        break;
                    else
                        better = true;
            if (!better)
                return;
        }
    }

private:
    bool is_live(int t) const { return mesh_.triangles()[t][0] >= 0 && mesh_.is_inside(t); }
    bool is_inner(int v) const { return v >= first_inner_; }

    double sharpness(int t) const {
        const auto& v = mesh_.triangles()[t];
        return judge_.sharpness(v,
                                {mesh_.points()[v[0]], mesh_.points()[v[1]], mesh_.points()[v[2]]});
    }

    /// Keeps what changed since record() if the sharpest of it is blunter than it was.
    bool keep_if_better() {
        double before = 0, after = 0;
        for (const Delaunay::Before& b : mesh_.changed()) {
            if (!b.inside)
                continue;
            before =
                std::max(before, judge_.sharpness(b.corners, {mesh_.point_before(b.corners[0]),
                                                              mesh_.point_before(b.corners[1]),
                                                              mesh_.point_before(b.corners[2])}));
            if (is_live(b.triangle))
                after = std::max(after, sharpness(b.triangle));
        }
        for (int t = mesh_.first_new(); t < static_cast<int>(mesh_.triangles().size()); ++t)
            if (is_live(t))
                after = std::max(after, sharpness(t));
        if (after < before - 1e-6) {
            mesh_.accept();
            return true;
        }
        mesh_.undo();
        return false;
    }

    /// The inner vertices of a triangle and, after them, those around its corners.
    std::vector<int> inner_near(const std::array<int, 3>& corners) {
        std::vector<int> near;
        for (const int v : corners)
            if (is_inner(v) && mesh_.exists(v))
                near.push_back(v);
        const auto own = static_cast<std::ptrdiff_t>(near.size());
        for (const int v : corners)
            if (mesh_.exists(v))
                for (const int w : mesh_.ring(v))
                    if (is_inner(w))
                        near.push_back(w);
        std::sort(near.begin() + own, near.end());
        for (auto it = near.begin() + own; it != near.end();)
            it = std::find(near.begin(), it, *it) != it ? near.erase(it) : it + 1;
        return near;
    }

    void relax(const std::vector<int>& vertices, int passes) {
        for (int pass = 0; pass < passes; ++pass)
            for (const int v : vertices) {
                if (!mesh_.exists(v))
                    continue;
                const auto ring = mesh_.ring(v);
                Vec2 sum = {0, 0};
                for (const int w : ring)
                    sum = sum + to_vec(mesh_.points()[w]);
                const Vec2 at = to_vec(mesh_.points()[v]);
                const Vec2 mean = (1.0 / static_cast<double>(ring.size())) * sum;
                if (mesh_.move(v, to_lattice(at + 0.7 * (mean - at))))
                    mesh_.restore_around(v);
            }
    }

    bool try_moves(int v) {
        static constexpr std::array<std::array<int, 2>, 8> compass = {
            {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
        const double wanted = size_.at(to_vec(mesh_.points()[v]));
        for (double step = 0.25 * wanted; step > 0.02 * wanted; step *= 0.5)
            for (const auto& [x, y] : compass) {
                const LatticePoint to =
                    to_lattice(to_vec(mesh_.points()[v]) + Vec2{x * step, y * step});
                mesh_.record();
                if (mesh_.move(v, to))
                    mesh_.restore_around(v);
                if (keep_if_better())
                    return true;
            }
        return false;
    }

    bool try_relaxing(const std::array<int, 3>& corners) {
        const auto near = inner_near(corners);
        mesh_.record();
        relax(near, 3);
        return keep_if_better();
    }

    bool try_removing(int v, const std::array<int, 3>& corners) {
        mesh_.record();
        mesh_.remove(v);
        std::array<int, 3> left = corners;
        relax(inner_near(left), 3);
        return keep_if_better();
    }

    bool try_inserting(const Vec2& p, const std::array<int, 3>& corners) {
        const Vec2 box = size_.extent();
        if (!(p.x > 0 && p.y > 0 && p.x < box.x && p.y < box.y))
            return false;
        const LatticePoint at = to_lattice(p);
        if (!mesh_.is_inside(mesh_.locate(at)))
            return false;
        mesh_.record();
        const int v = mesh_.insert(at);
        if (v >= 0) {
            std::vector<int> near = {v};
            for (const int w : inner_near(corners))
                if (w != v)
                    near.push_back(w);
            relax(near, 3);
        }
        return keep_if_better();
    }

    bool mend(int t) {
        const std::array<int, 3> corners = mesh_.triangles()[t];
        const Vec2 a = to_vec(mesh_.points()[corners[0]]), b = to_vec(mesh_.points()[corners[1]]),
                   c = to_vec(mesh_.points()[corners[2]]);
        for (const int v : corners)
            if (is_inner(v) && try_moves(v))
                return true;
        if (try_relaxing(corners))
            return true;
        for (const int v : corners)
            if (is_inner(v) && try_removing(v, corners))
                return true;
        for (const Vec2& p : {circumcentre(a, b, c), 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)})
            if (try_inserting(p, corners))
                return true;
        const auto near = inner_near(corners);
        for (const int v : near)
            if (try_moves(v))
                return true;
        for (const int v : near)
            if (try_removing(v, corners))
                return true;
        return sharpness(t) > 1 && (try_shaking(near) || try_another_fan(corners));
    }

    /// The sharpest of the triangles at these vertices.
    double sharpest_at(const std::vector<int>& vertices) const {
        double most = 0;
        for (const int v : vertices) {
            if (!mesh_.exists(v))
                continue;
            const int start = mesh_.triangle_of(v);
            int t = start;
            do {
                if (is_live(t))
                    most = std::max(most, sharpness(t));
                const auto& c = mesh_.triangles()[t];
                t = mesh_.neighbours(t)[((c[0] == v ? 0 : (c[1] == v ? 1 : 2)) + 1) % 3];
            } while (t != start);
        }
        return most;
    }

    /// One vertex more, and only after its neighbourhood has found its shape the comparison: a
    /// corner between a short piece and a long one needs more triangles, each a little larger.
    bool try_another_fan(const std::array<int, 3>& corners) {
        std::vector<int> watched = inner_near(corners);
        watched.insert(watched.end(), corners.begin(), corners.end());
        const double before = sharpest_at(watched);
        const Delaunay saved = mesh_;
        const auto corner = [&](int i) { return to_vec(saved.points()[corners[i]]); };
        const Vec2 middle = (1.0 / 3) * (corner(0) + corner(1) + corner(2));
        for (const Vec2& p : {middle, 0.5 * (corner(0) + corner(1)), 0.5 * (corner(1) + corner(2)),
                              0.5 * (corner(2) + corner(0))}) {
            const LatticePoint at = to_lattice(p);
            if (!mesh_.is_inside(mesh_.locate(at)))
                continue;
            const int added = mesh_.insert(at);
            if (added < 0)
                continue;
            std::vector<int> near = inner_near(corners);
            for (int pass = 0; pass < 3; ++pass) {
                for (const int v : near)
                    try_moves(v);
                try_shaking(near);
            }
            near.insert(near.end(), watched.begin(), watched.end());
            if (sharpest_at(near) < before - 1e-6)
                return true;
            mesh_ = saved;
        }
        return false;
    }

    /// Moves several vertices at once, which finds a way where no single one has room: sizes that
    /// change fast around a corner. The numbers are the same in every run.
    bool try_shaking(const std::vector<int>& vertices) {
        bool better = false;
        for (int trial = 0; trial < shakes && !vertices.empty(); ++trial) {
            const double reach = 0.35 * (1 - static_cast<double>(trial) / shakes);
            mesh_.record();
            for (const int v : vertices) {
                const Vec2 at = to_vec(mesh_.points()[v]);
                const double step = reach * size_.at(at), x = random(), y = random();
                if (mesh_.move(v, to_lattice(at + Vec2{step * x, step * y})))
                    mesh_.restore_around(v);
            }
            better = keep_if_better() || better;
        }
        return better;
    }
    /// In [-1, 1).
    double random() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL; // Knuth's MMIX
        return static_cast<double>(state_ >> 40) / (1 << 23) - 1;
    }

    Delaunay& mesh_;
    const PanelSize& size_;
    const PanelJudge& judge_;
    int first_inner_;
    std::uint64_t state_ = 1;
};

} // namespace

Vec2 circumcentre(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 u = b - a, v = c - a;
    const double d = 2 * cross(u, v), uu = dot(u, u), vv = dot(v, v);
    return a + Vec2{(v.y * uu - u.y * vv) / d, (u.x * vv - v.x * uu) / d};
}

std::vector<int> repair(Delaunay& mesh, const PanelSize& size, const PanelJudge& judge,
                        int first_inner) {
    Repair work(mesh, size, judge, first_inner);
    work.run();
    return work.find_sharp(1);
}

} // namespace muslin
