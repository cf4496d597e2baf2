#pragma once

// Random panels, from what garments are cut to what no cutter would like.

#include "muslin/pattern/panel_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace muslin::test {

struct RandomPanel {
    PatternPanel panel;
    double length = 0; ///< of edges [m]
    std::vector<int> segments;
    std::string kind;
};

class PanelMaker {
public:
    explicit PanelMaker(std::uint64_t seed) : state_(seed) {}

    RandomPanel make(int index) {
        out_ = {};
        static const std::array<const char*, 12> kinds = {"bodice",   "sleeve", "skirt",  "sector",
                                                          "trousers", "strip",  "collar", "star",
                                                          "holes",    "sliver", "slit",   "loop"};
        // The last kind crosses itself half of the time: a twentieth of the others' share.
        const int kind = index % 60 == 59 ? 11 : index % 11;
        out_.kind = kinds[kind];
        out_.panel.name = std::string(out_.kind) + std::to_string(index);
        switch (kind) {
        case 0:
            bodice();
            break;
        case 1:
            sleeve();
            break;
        case 2:
            skirt();
            break;
        case 3:
            sector();
            break;
        case 4:
            trousers();
            break;
        case 5:
            strip();
            break;
        case 6:
            collar();
            break;
        case 7:
            star();
            break;
        case 8:
            holes();
            break;
        case 9:
            sliver();
            break;
        case 10:
            slit();
            break;
        default:
            loop();
            break;
        }
        finish();
        return out_;
    }

private:
    double uniform(double low, double high) {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL); // splitmix64
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        z ^= z >> 31;
        return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
    }
    bool chance(double p) { return uniform(0, 1) < p; }
    int whole(int low, int high) { // both included
        return std::min(high, low + static_cast<int>(uniform(0, 1) * (high - low + 1)));
    }

    // A loop is drawn with a pen: start, edges, close.
    void start(Vec2 p) {
        first_ = static_cast<int>(out_.panel.vertices.size());
        if (!out_.panel.edges.empty())
            out_.panel.loops.push_back(static_cast<int>(out_.panel.edges.size()));
        out_.panel.vertices.push_back(p);
    }
    PatternEdge& edge_to(int v) {
        PatternEdge e;
        e.start = out_.panel.edges.size() > static_cast<std::size_t>(out_.panel.loops.back())
                      ? out_.panel.edges.back().end
                      : first_;
        e.end = v;
        out_.panel.edges.push_back(e);
        return out_.panel.edges.back();
    }
    PatternEdge& to(Vec2 p) {
        out_.panel.vertices.push_back(p);
        return edge_to(static_cast<int>(out_.panel.vertices.size()) - 1);
    }
    PatternEdge& close() { return edge_to(first_); }
    static void bend(PatternEdge& e, Vec2 control) {
        e.curve.kind = PatternCurve::Kind::quadratic;
        e.curve.controls[0] = control;
    }
    static void bend(PatternEdge& e, Vec2 first, Vec2 second) {
        e.curve.kind = PatternCurve::Kind::cubic;
        e.curve.controls = {first, second};
    }
    static void arc(PatternEdge& e, double radius, bool right, bool large = false) {
        e.curve.kind = PatternCurve::Kind::arc;
        e.curve.radius = radius;
        e.curve.right = right;
        e.curve.large = large;
    }

    /// A straight side with darts on its left.
    void side_with_darts(Vec2 from, Vec2 end, int darts, bool last) {
        const Vec2 way = end - from, left = {-way.y, way.x};
        for (int i = 0; i < darts; ++i) {
            const double middle = (i + 1.0) / (darts + 1) + uniform(-0.05, 0.05);
            const double half = uniform(0.004, 0.05), deep = uniform(0.1, 0.6);
            to(from + (middle - half) * way);
            to(from + middle * way + deep * left);
            to(from + (middle + half) * way);
        }
        if (last)
            close();
        else
            to(end);
    }
    void bodice() {
        const double w = uniform(0.16, 0.26), h = uniform(0.35, 0.55), neck = uniform(0.05, 0.09);
        start({-w, 0});
        side_with_darts({-w, 0}, {w, 0}, whole(0, 2), false);
        const double arm = h * uniform(0.45, 0.6), shoulder = h - uniform(0.02, 0.06);
        to({w * uniform(0.95, 1.15), arm});
        bend(to({w * 0.85, shoulder}), {w * 0.75, arm + 0.02}, {w * 0.7, shoulder - 0.1});
        to({neck, h});
        const double deep = uniform(0.02, 0.14);
        bend(to({-neck, h}), {-neck * 0.2, h - 2 * deep}, {neck * 0.2, h - 2 * deep});
        to({-w * 0.85, shoulder});
        bend(to({-w * uniform(0.95, 1.15), arm}), {-w * 0.7, shoulder - 0.1},
             {-w * 0.75, arm + 0.02});
        close();
    }
    void sleeve() {
        const double w = uniform(0.14, 0.22), cuff = uniform(0.08, 0.14), h = uniform(0.1, 0.6);
        const double cap = uniform(0.06, 0.16);
        start({-cuff, 0});
        if (chance(0.5))
            to({cuff, 0});
        else
            arc(to({cuff, 0}), cuff * uniform(2, 6), chance(0.5));
        to({w, h});
        bend(to({0, h + cap}), {w * 0.5, h}, {w * 0.6, h + cap});
        bend(to({-w, h}), {-w * 0.6, h + cap}, {-w * 0.5, h});
        close();
    }
    void skirt() {
        const double waist = uniform(0.12, 0.3), hem = uniform(0.15, 0.6), h = uniform(0.2, 0.8);
        start({-hem, 0});
        bend(to({hem, 0}), {0, -uniform(0, 0.15)});
        to({waist, h});
        side_with_darts({waist, h}, {-waist, h}, whole(0, 3), false);
        close();
    }
    void sector() {
        const double inner = uniform(0.03, 0.3), outer = inner + uniform(0.05, 0.6);
        const double angle = uniform(0.4, 2.9), c = std::cos(angle / 2), s = std::sin(angle / 2);
        const bool large = chance(0.3);
        start({-outer * s, -outer * c * (large ? -1 : 1)});
        const double y = large ? c : -c;
        arc(to({outer * s, outer * y}), outer, true, large);
        to({inner * s, inner * y});
        arc(to({-inner * s, inner * y}), inner, false, large);
        close();
    }
    void trousers() {
        const double h = uniform(0.8, 1.1), w = uniform(0.2, 0.28), crotch = uniform(0.05, 0.16);
        const double knee = uniform(0.1, 0.14), up = h * 0.72;
        start({-knee, 0});
        to({knee, 0});
        bend(to({w * 0.5 + crotch, up}), {knee + 0.02, up * uniform(0.5, 0.95)});
        bend(to({w * 0.5, h}), {w * 0.5 + crotch * 0.3, up + uniform(0.0, 0.02)},
             {w * 0.5, up + 0.06});
        side_with_darts({w * 0.5, h}, {-w * 0.5, h}, whole(0, 2), false);
        bend(close(), {-w * 0.7, h * 0.6}, {-knee - 0.02, h * 0.3});
    }
    void strip() {
        const double w = uniform(0.2, 0.9), h = uniform(0.004, 0.08);
        start({0, 0});
        to({w, chance(0.3) ? h * uniform(-0.8, 0.5) : 0});
        to({w + (chance(0.3) ? h * uniform(0, 1) : 0), h});
        to({0, h * uniform(0.7, 1.2)});
        close();
        width_ = h;
    }
    void collar() {
        const double w = uniform(0.15, 0.25), h = uniform(0.03, 0.1), bow = uniform(-0.05, 0.08);
        start({-w, 0});
        bend(to({w, 0}), {0, bow});
        if (chance(0.5)) { // a point
            to({w + uniform(0.01, 0.08), h * uniform(0.8, 1.2)});
            bend(to({-w - uniform(0.01, 0.08), h}), {0, h + bow});
        } else { // runs out in tips
            bend(close(), {w * 0.3, h + bow}, {-w * 0.3, h + bow});
            return;
        }
        close();
    }
    void star() {
        const int n = whole(5, 14);
        const double low = uniform(0.15, 0.7);
        std::vector<Vec2> corners;
        for (int i = 0; i < n; ++i) {
            const double a = 2 * std::numbers::pi * (i + uniform(-0.25, 0.25)) / n;
            const double r = 0.3 * uniform(low, 1);
            corners.push_back({r * std::cos(a), r * std::sin(a)});
        }
        start(corners[0]);
        for (int i = 1; i <= n; ++i) {
            PatternEdge& e = i < n ? to(corners[i]) : close();
            const Vec2 a = corners[i - 1], b = corners[i % n], way = b - a;
            const double u = uniform(-0.12, 0.12);
            const Vec2 bulge = 0.5 * (a + b) + u * Vec2{-way.y, way.x};
            if (chance(0.3))
                bend(e, bulge);
            else if (chance(0.2))
                arc(e, norm(way) * uniform(0.8, 3), chance(0.5));
        }
    }
    void holes() {
        const double w = uniform(0.2, 0.5), h = uniform(0.2, 0.5);
        start({-w, -h});
        to({w, -h});
        to({w, h});
        bend(to({-w, h}), {0, h * uniform(0.9, 1.5)});
        close();
        const int n = whole(1, 3);
        for (int i = 0; i < n; ++i) {
            const Vec2 c = {w * (-0.6 + 0.6 * i), h * uniform(-0.6, 0.6)};
            const double r = std::min(w, h) * uniform(0.02, 0.27);
            if (chance(0.6)) {
                const bool turn = chance(0.5);
                start(c + Vec2{-r, 0});
                arc(to(c + Vec2{r, 0}), r, turn);
                arc(close(), r, turn);
            } else {
                const double a = uniform(0, 1);
                start(c + r * Vec2{std::cos(a), std::sin(a)});
                to(c + r * Vec2{std::cos(a + 1.8), std::sin(a + 1.8)});
                to(c + r * Vec2{std::cos(a + 4.1), std::sin(a + 4.1)});
                close();
            }
        }
    }
    void sliver() {
        const double tip = uniform(5, 40) * std::numbers::pi / 180;
        start({0, 0});
        to({uniform(0.2, 0.5), 0});
        const double r = uniform(0.2, 0.5);
        to({r * std::cos(tip), r * std::sin(tip)});
        close();
    }
    void slit() {
        // A sheet cut open, down to a hair's breadth, and nearly cut through.
        const double w = uniform(0.2, 0.5), h = uniform(0.2, 0.5);
        const double gap = w * std::pow(10, uniform(-4, -0.7)), at = w * uniform(-0.5, 0.5);
        const double left = h * uniform(0.03, 0.6);
        start({-w, 0});
        to({w, 0});
        to({w, h});
        to({at + gap / 2, h});
        if (chance(0.5)) {
            to({at + gap / 2, left});
            if (chance(0.5))
                to({at - gap / 2, left});
            else
                arc(to({at - gap / 2, left}), gap * uniform(0.5, 1), false);
            to({at - gap / 2, h});
        } else {
            to({at, left});
            to({at - gap / 2, h});
        }
        to({-w, h});
        close();
    }
    void loop() {
        const auto random = [&] { return Vec2{uniform(-0.3, 0.3), uniform(-0.3, 0.3)}; };
        start(random());
        bend(to(random()), random(), random());
        bend(to(random()), random(), random());
        bend(close(), random(), random());
    }

    void finish() {
        PatternPanel& p = out_.panel;
        if (chance(0.4))
            reverse();
        const double angle = chance(0.3) ? 0 : uniform(0, 6.3), scale = uniform(0.7, 1.4);
        const double c = scale * std::cos(angle), s = scale * std::sin(angle);
        const Vec2 shift = {uniform(-1, 1), uniform(-1, 1)};
        const auto turn = [&](Vec2& v) { v = shift + Vec2{c * v.x - s * v.y, s * v.x + c * v.y}; };
        for (Vec2& v : p.vertices)
            turn(v);
        double around = 0;
        for (PatternEdge& e : p.edges) {
            turn(e.curve.controls[0]);
            turn(e.curve.controls[1]);
            e.curve.radius *= scale;
        }
        for (int e = 0; e < static_cast<int>(p.edges.size()); ++e)
            around += edge_length(p, e);
        out_.length = around / uniform(40, 160);
        if (out_.kind == "strip") // from one row to many, or narrower than an edge
            out_.length = width_ * uniform(0.25, 1.5);
        out_.length = std::max(out_.length, around / 400);
        if (chance(0.5))
            give_segments();
    }
    /// As seams do: some edges have the number of the edge that they are sewn to.
    void give_segments() {
        const bool gathered = chance(0.3);
        for (int e = 0; e < static_cast<int>(out_.panel.edges.size()); ++e) {
            const double natural = edge_length(out_.panel, e) / out_.length;
            double wanted = natural * uniform(1, 1.08);
            if (gathered && chance(0.4))
                wanted = natural * std::pow(2.2, uniform(-1, 1));
            const bool sewn = chance(0.5) && natural > 0.7; // shorter ones have no room
            out_.segments.push_back(sewn ? static_cast<int>(std::ceil(wanted)) : 0);
        }
    }
    void reverse() {
        PatternPanel& p = out_.panel;
        for (std::size_t l = 0; l < p.loops.size(); ++l) {
            const std::size_t end = l + 1 < p.loops.size() ? p.loops[l + 1] : p.edges.size();
            std::reverse(p.edges.begin() + p.loops[l],
                         p.edges.begin() + static_cast<std::ptrdiff_t>(end));
        }
        for (PatternEdge& e : p.edges) {
            std::swap(e.start, e.end);
            if (e.curve.kind == PatternCurve::Kind::cubic)
                std::swap(e.curve.controls[0], e.curve.controls[1]);
            e.curve.right = !e.curve.right;
        }
    }

    std::uint64_t state_;
    RandomPanel out_;
    int first_ = 0;
    double width_ = 0;
};

} // namespace muslin::test
