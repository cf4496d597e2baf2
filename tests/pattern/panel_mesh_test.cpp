// Panels of sewing patterns: their curves, their meshes, and what is refused.
#include "muslin/base/error.h"
#include "muslin/pattern/delaunay.h"
#include "pattern/panel_referee.h"
#include "pattern/random_panels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace muslin {
namespace {

using Kind = PatternCurve::Kind;

PatternPanel polygon(std::vector<Vec2> corners) {
    PatternPanel panel;
    panel.name = "front";
    panel.vertices = std::move(corners);
    const int n = static_cast<int>(panel.vertices.size());
    for (int i = 0; i < n; ++i)
        panel.edges.push_back({i, (i + 1) % n, {}, {}});
    return panel;
}

PatternPanel square() {
    return polygon({{0, 0}, {0.4, 0}, {0.4, 0.4}, {0, 0.4}});
}

void add_hole(PatternPanel& panel, std::vector<Vec2> corners) {
    const int first = static_cast<int>(panel.vertices.size()), n = static_cast<int>(corners.size());
    panel.loops.push_back(static_cast<int>(panel.edges.size()));
    panel.vertices.insert(panel.vertices.end(), corners.begin(), corners.end());
    for (int i = 0; i < n; ++i)
        panel.edges.push_back({first + i, first + (i + 1) % n, {}, {}});
}

/// The problem that meshing ends with; no key where there is none.
Problem problem_of(const PatternPanel& panel, double length = 0.05,
                   std::vector<int> segments = {}) {
    try {
        mesh_panel(panel, length, segments);
    } catch (const InputError& error) {
        return error.problem();
    }
    return {};
}

TEST(PanelCurves, AreWalkedByArcLength) {
    PatternPanel panel = square();
    panel.edges[0].curve = {Kind::cubic, {{{0.3, 0.3}, {0.05, -0.2}}}};
    panel.edges[1].curve = {Kind::quadratic, {{{0.9, 0.1}, {0, 0}}}};
    panel.edges[2].curve.kind = Kind::arc;
    panel.edges[2].curve.radius = 0.25;
    for (int e = 0; e < 4; ++e) {
        const auto fine = sample_edge(panel, e, 20000);
        double length = 0, most = 0, least = HUGE_VAL;
        for (std::size_t i = 1; i < fine.size(); ++i) {
            const double step = norm(fine[i] - fine[i - 1]);
            length += step;
            most = std::max(most, step);
            least = std::min(least, step);
        }
        EXPECT_NEAR(edge_length(panel, e), length, 1e-8) << e;
        EXPECT_LT(most / least, 1 + 1e-5) << e; // evenly
    }
    // Bezier: the point at half of the parameter lies on it.
    const Vec2 half =
        0.125 * (Vec2{0, 0} + 3.0 * Vec2{0.3, 0.3} + 3.0 * Vec2{0.05, -0.2} + Vec2{0.4, 0});
    double nearest = 1;
    for (const Vec2& p : sample_edge(panel, 0, 20000))
        nearest = std::min(nearest, norm(p - half));
    EXPECT_LT(nearest, 2e-5);
}

TEST(PanelCurves, ArcsBulgeWhereTheyAreTold) {
    PatternPanel panel = polygon({{0, 0}, {0.4, 0}, {0.2, 5}});
    panel.edges[0].curve.kind = Kind::arc;
    panel.edges[0].curve.radius = 0.25; // 3-4-5: the centre is 0.15 m off the chord
    const double straight = doubled_area(polygon(panel.vertices));
    const double half = std::asin(0.8), small = 0.0625 * (2 * half - std::sin(2 * half));
    for (const bool right : {false, true})
        for (const bool large : {false, true}) {
            panel.edges[0].curve.right = right;
            panel.edges[0].curve.large = large;
            const Vec2 middle = sample_edge(panel, 0, 2)[1];
            const double deep = large ? 0.4 : 0.1;
            EXPECT_NEAR(middle.x, 0.2, 1e-12);
            EXPECT_NEAR(middle.y, right ? -deep : deep, 1e-12);
            const double segment = large ? 0.0625 * 2 * std::numbers::pi - small : small;
            EXPECT_NEAR(doubled_area(panel), straight + (right ? segment : -segment), 1e-12);
        }
    EXPECT_EQ(edge_segments(panel, 1, 1.0), 5);
    EXPECT_EQ(edge_segments(panel, 0, 9.0), 5); // it turns by 253 degrees
}

TEST(PanelMeshes, OfRandomPanelsKeepTheirPromises) {
    test::PanelMaker maker(1);
    const int panels = 200;
    int meshed = 0, refused = 0;
    for (int i = 0; i < panels; ++i) {
        const test::RandomPanel made = maker.make(i);
        try {
            const PanelMesh mesh = mesh_panel(made.panel, made.length, made.segments);
            const std::string fault = test::find_fault(made, mesh);
            EXPECT_EQ(fault, "") << made.panel.name;
            meshed += fault.empty();
        } catch (const InputError& error) {
            ++refused;
            EXPECT_EQ(error.problem().key.rfind("panel '" + made.panel.name + "', edge ", 0), 0u)
                << error.what();
        }
    }
    std::cout << meshed << " of " << panels << " random panels meshed, " << refused << " refused\n";
    EXPECT_GE(meshed, panels * 95 / 100);
}

TEST(PanelMeshes, AreJudgedByARefereeThatSees) {
    // Each of the faults that the referee is there for, made on purpose.
    test::RandomPanel made;
    made.panel = square();
    made.length = 0.04;
    const PanelMesh good = mesh_panel(made.panel, made.length);
    EXPECT_EQ(test::find_fault(made, good), "");
    const auto spoilt = [&](const std::function<void(PanelMesh&)>& spoil) {
        PanelMesh mesh = good;
        spoil(mesh);
        return test::find_fault(made, mesh);
    };
    const int inner = static_cast<int>(good.points.size()) - 1;
    EXPECT_NE(spoilt([&](PanelMesh& m) { m.points[inner].x += 0.03; }), "");
    EXPECT_NE(spoilt([&](PanelMesh& m) { m.points[inner] = m.points[0]; }), "");
    EXPECT_NE(spoilt([&](PanelMesh& m) { m.points[m.edge_points[0][1]].y += 0.001; }), "");
    EXPECT_NE(spoilt([](PanelMesh& m) { m.triangles.pop_back(); }), "");
    EXPECT_NE(spoilt([](PanelMesh& m) { m.triangles.push_back(m.triangles[0]); }), "");
    EXPECT_NE(spoilt([](PanelMesh& m) { m.edge_points[1].pop_back(); }), "");
    EXPECT_NE(spoilt([](PanelMesh& m) { std::swap(m.triangles[3][0], m.triangles[3][1]); }), "");
    const std::string fine =
        test::find_fault(made, mesh_panel(made.panel, 0.03, std::vector<int>{10, 10, 10, 10}));
    EXPECT_EQ(fine.rfind("a mean edge", 0), 0u) << fine;
}

TEST(PanelMeshes, TakeSegmentsAndEitherDirection) {
    const std::vector<int> segments = {12, 0, 22};
    const PanelMesh left = mesh_panel(square(), 0.04, segments);
    PatternPanel turned = polygon({{0, 0}, {0, 0.4}, {0.4, 0.4}, {0.4, 0}});
    const PanelMesh right = mesh_panel(turned, 0.04, std::vector<int>{0, 22, 0, 12});
    EXPECT_EQ(left.edge_points[0].size(), 13u);
    EXPECT_EQ(left.edge_points[1].size(), 11u);
    EXPECT_EQ(left.edge_points[2].size(), 23u);
    EXPECT_EQ(right.edge_points[3].size(), 13u);
    EXPECT_EQ(right.edge_points[1].front(), right.edge_points[0].back());
    for (const auto& t : right.triangles)
        EXPECT_GT(orient2d(right.points[t[0]], right.points[t[1]], right.points[t[2]]), 0);
    const PanelMesh again = mesh_panel(square(), 0.04, segments);
    EXPECT_EQ(again.triangles, left.triangles);
    for (std::size_t i = 0; i < left.points.size(); ++i)
        EXPECT_TRUE(again.points[i].x == left.points[i].x && again.points[i].y == left.points[i].y);
}

TEST(PanelMeshes, RefuseWhatIsNoOutline) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto key = [](PatternPanel panel) { return problem_of(panel).key; };
    PatternPanel p = square();
    EXPECT_EQ(problem_of(p, 0.04).key, "");
    p.edges[1].end = 3; // open
    EXPECT_EQ(key(p), "panel 'front', edge 1");
    p = square();
    p.edges[2].end = 7;
    EXPECT_EQ(key(p), "panel 'front', edge 2");
    p = square();
    p.vertices[3].y = nan;
    EXPECT_EQ(key(p), "panel 'front', edge 2");
    p = square();
    p.edges[3].curve = {Kind::quadratic, {{{0, HUGE_VAL}, {0, 0}}}};
    EXPECT_EQ(key(p), "panel 'front', edge 3");
    EXPECT_EQ(key(polygon({{0, 0}, {1, 0}, {1, 0}, {0, 1}})), "panel 'front', edge 1"); // no length
    EXPECT_EQ(key(polygon({{0, 0}, {1, 0}})), "panel 'front', edge 0");                 // no area
    EXPECT_EQ(key(polygon({})), "panel 'front'");
    p = square();
    p.edges[1].curve.kind = Kind::arc;
    p.edges[1].curve.radius = 0.19;
    EXPECT_EQ(key(p), "panel 'front', edge 1");
    p.edges[1].curve.radius = 0.2 * (1 - 1e-8); // half a circle, rounded
    EXPECT_EQ(problem_of(p, 0.04).key, "");

    const Problem crossing = problem_of(polygon({{0, 0}, {1, 1}, {1, 0}, {0, 0.7}}));
    EXPECT_EQ(crossing.key, "panel 'front', edge 0");
    EXPECT_NE(crossing.found.find("edge 2"), std::string::npos) << crossing.found;
    // A corner that rests on another edge touches it.
    const Problem touching = problem_of(polygon({{0, 0}, {1, 0}, {1, 1}, {0.5, 0}, {0, 1}}));
    EXPECT_EQ(touching.key, "panel 'front', edge 0");
    p = square(); // a curve that crosses itself
    p.edges[0].curve = {Kind::cubic, {{{1, -0.5}, {-0.6, -0.5}}}};
    EXPECT_EQ(key(p), "panel 'front', edge 0");

    p = square();
    add_hole(p, {{0.1, 0.1}, {0.2, 0.1}, {0.1, 0.2}});
    EXPECT_EQ(problem_of(p, 0.04).key, "");
    PatternPanel q = p;
    add_hole(q, {{0.12, 0.12}, {0.14, 0.12}, {0.12, 0.14}});
    EXPECT_EQ(key(q), "panel 'front', edge 7"); // a hole in a hole
    p.vertices[5] = {0.6, 0.1};
    EXPECT_EQ(key(p), "panel 'front', edge 1"); // it crosses the outer loop
    p = square();
    add_hole(p, {{1, 1}, {1.2, 1}, {1, 1.2}});
    EXPECT_EQ(key(p), "panel 'front', edge 4"); // outside
}

TEST(PanelMeshes, SayWhichLengthWouldDo) {
    for (const double length : {0.0, -1.0, HUGE_VAL, 1e-5})
        EXPECT_EQ(problem_of(square(), length).key, "panel 'front'") << length;
    EXPECT_EQ(problem_of(square(), 0.1, {2, 600000}).key, "panel 'front', edge 1");
    // A strap narrower than its edges are long, their number being given.
    const PatternPanel strap = polygon({{0, 0}, {1, 0}, {1, 0.01}, {0, 0.01}});
    const std::vector<int> sewn = {25, 0, 25, 0};
    const Problem problem = problem_of(strap, 0.04, sewn);
    EXPECT_EQ(problem.key.rfind("panel 'front', edge ", 0), 0u);
    const std::size_t at = problem.expected.find("at most ");
    ASSERT_NE(at, std::string::npos) << problem.expected;
    const double would_do = std::stod(problem.expected.substr(at + 8));
    const int times = static_cast<int>(std::lround(0.04 / would_do));
    EXPECT_EQ(problem_of(strap, would_do, {25 * times, 0, 25 * times, 0}).key, "");
    // Nobody asks for a number: it is cut finer.
    EXPECT_EQ(problem_of(strap, 0.04).key, "");
}

/// Whether a triangulation is Delaunay but for fixed sides, by looking at all.
std::string find_defect(const Delaunay& mesh) {
    const auto& points = mesh.points();
    for (int t = 0; t < static_cast<int>(mesh.triangles().size()); ++t) {
        const auto& v = mesh.triangles()[t];
        if (v[0] < 0)
            continue;
        if (doubled_area(points[v[0]], points[v[1]], points[v[2]]) <= 0)
            return "turned over";
        for (int k = 0; k < 3; ++k) {
            const int u = mesh.neighbours(t)[k];
            if (u < 0)
                continue;
            const int a = v[(k + 1) % 3], b = v[(k + 2) % 3];
            const auto back = mesh.find_side(b, a);
            if (back[0] != u || mesh.neighbours(u)[back[1]] != t)
                return "neighbours that do not know each other";
            if (mesh.is_fixed(t, k) != mesh.is_fixed(u, back[1]))
                return "fixed on one side";
            if (mesh.is_fixed(t, k))
                continue;
            const LatticePoint p = points[v[k]], q = points[mesh.triangles()[u][back[1]]];
            const auto cot = [](LatticePoint at, LatticePoint x, LatticePoint y) {
                const double dx = x.x - at.x, dy = x.y - at.y, ex = y.x - at.x, ey = y.y - at.y;
                return (dx * ex + dy * ey) / (dx * ey - dy * ex);
            };
            if (cot(p, points[a], points[b]) + cot(q, points[b], points[a]) < -1e-9)
                return "not Delaunay";
        }
    }
    return {};
}

TEST(Delaunay, StaysOneWhilePointsComeAndGo) {
    std::uint32_t state = 7;
    const auto random = [&](int n) {
        state = state * 1664525u + 1013904223u;
        return static_cast<int>((state >> 8) % static_cast<std::uint32_t>(n));
    };
    Delaunay mesh({{0, 0}, {1000, 0}, {1000, 1000}, {0, 1000}, {300, 300}, {700, 320}, {500, 800}});
    for (int i = 0; i < 60; ++i)
        mesh.insert({1 + random(998), 1 + random(998)});
    ASSERT_EQ(find_defect(mesh), "");
    EXPECT_TRUE(mesh.fix(4, 5) && mesh.fix(5, 6) && mesh.fix(6, 4));
    mesh.restore();
    mesh.mark_inside();
    double inside = 0;
    for (int t = 0; t < static_cast<int>(mesh.triangles().size()); ++t)
        if (const auto& v = mesh.triangles()[t]; mesh.is_inside(t))
            inside += static_cast<double>(
                doubled_area(mesh.points()[v[0]], mesh.points()[v[1]], mesh.points()[v[2]]));
    EXPECT_EQ(inside, 400 * 500 - 200 * 20); // cross((400, 20), (200, 500))
    int added = 0, removed = 0, undone = 0;
    for (int i = 0; i < 600; ++i) {
        const auto triangles = mesh.triangles();
        const std::size_t count = mesh.points().size();
        const bool recorded = random(2) == 0;
        if (recorded)
            mesh.record();
        for (int n = random(3); n >= 0; --n) {
            const int v = 7 + random(static_cast<int>(mesh.points().size()) - 7);
            if (random(2) == 0) {
                added += mesh.insert({1 + random(998), 1 + random(998)}) >= 0;
            } else if (mesh.exists(v)) {
                mesh.remove(v);
                ++removed;
            }
            const int w = 7 + random(static_cast<int>(mesh.points().size()) - 7);
            if (mesh.exists(w) && mesh.move(w, {mesh.points()[w].x + random(21) - 10,
                                                mesh.points()[w].y + random(21) - 10}))
                mesh.restore_around(w);
        }
        if (recorded && random(2) == 0) {
            mesh.undo();
            ++undone;
            ASSERT_EQ(mesh.triangles(), triangles);
            ASSERT_EQ(mesh.points().size(), count);
        } else if (recorded) {
            mesh.accept();
        }
        ASSERT_EQ(find_defect(mesh), "") << i;
    }
    EXPECT_GT(added, 200);
    EXPECT_GT(removed, 100);
    EXPECT_GT(undone, 100);
    EXPECT_FALSE(mesh.fix(2, 4)); // it would cross a fixed side
    EXPECT_EQ(find_defect(mesh), "");
}

} // namespace
} // namespace muslin
