#include "muslin/render/pattern_drawing.h"

#include "muslin/pattern/panel_mesh.h"
#include "muslin/pattern/pattern_edit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace muslin {
namespace {

constexpr Vec3 paper = {1, 1, 1};
constexpr Vec3 outside_color = {0.955, 0.925, 0.87}; // linen and slate, as cloth is rendered
constexpr Vec3 inside_color = {0.86, 0.895, 0.93};
constexpr Vec3 ink = {0.17, 0.18, 0.20};
constexpr Vec3 faint = {0.47, 0.48, 0.50};

constexpr double margin = 26;    ///< around a panel, for the numbers of its seams [pixels]
constexpr double heading = 46;   ///< above all panels
constexpr double footing = 44;   ///< below, for the bar of the scale
constexpr double largest = 1500; ///< scale [pixels / m]
constexpr double disc = 9.5;     ///< radius of a seam's number
constexpr double name_size = 17;
constexpr double name_room = 44; ///< below a panel that has its name there

/// A panel in points, y up [m].
struct Piece {
    const PatternPanel* panel = nullptr;
    std::vector<std::vector<Vec2>> edges; ///< points of each
    Vec2 low = {0, 0}, high = {0, 0};
    Vec2 origin = {0, 0}; ///< of the top left corner on the drawing [pixels]
};

Piece make_piece(const PatternPanel& panel) {
    Piece out;
    out.panel = &panel;
    out.low = out.high = panel.vertices[panel.edges[0].start];
    for (int e = 0; e < static_cast<int>(panel.edges.size()); ++e) {
        const bool line = panel.edges[e].curve.kind == PatternCurve::Kind::line;
        out.edges.push_back(sample_edge(panel, e, line ? 2 : 32));
        for (const Vec2& p : out.edges.back()) {
            out.low = {std::min(out.low.x, p.x), std::min(out.low.y, p.y)};
            out.high = {std::max(out.high.x, p.x), std::max(out.high.y, p.y)};
        }
    }
    return out;
}

std::string size_text(const Piece& piece) {
    const Vec2 size = 100.0 * (piece.high - piece.low);
    return fmt::format("{:.1f} x {:.1f} cm", size.x, size.y);
}

/// Of the wider one of name and size.
double name_width(const Piece& piece) {
    return std::max(text_width(piece.panel->name, name_size), text_width(size_text(piece), 13)) + 8;
}

/// Small panels have their name below.
bool has_name_below(const Piece& piece, double scale) {
    const Vec2 size = scale * (piece.high - piece.low);
    return size.y < 110 || 0.75 * size.x < name_width(piece);
}

/// Lays pieces out in rows; the height that they take at this scale [pixels].
double lay_out(std::vector<Piece>& pieces, double scale, double width) {
    double x = 0, top = heading;
    std::size_t first = 0;
    double tallest = 0;
    const auto end_row = [&](std::size_t end) {
        for (std::size_t i = first; i < end; ++i) { // each in the middle of its row
            const double below = has_name_below(pieces[i], scale) ? name_room : 0;
            const double height = scale * (pieces[i].high.y - pieces[i].low.y) + below;
            pieces[i].origin.y = top + 0.5 * (tallest - height) + margin;
        }
        top += tallest + 2 * margin;
        first = end;
        x = tallest = 0;
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec2 size = scale * (pieces[i].high - pieces[i].low);
        const double room = std::max(size.x, name_width(pieces[i])) + 2 * margin;
        if (i > first && x + room > width)
            end_row(i);
        pieces[i].origin.x = x + 0.5 * (room - size.x);
        x += room;
        tallest = std::max(tallest, size.y + (has_name_below(pieces[i], scale) ? name_room : 0));
    }
    end_row(pieces.size());
    return top + footing;
}

/// The largest scale at which everything fits.
double choose_scale(std::vector<Piece>& pieces, const PatternDrawingSettings& settings) {
    double widest = 0;
    for (const Piece& piece : pieces)
        widest = std::max(widest, piece.high.x - piece.low.x);
    const double by_width = (settings.width - 2 * margin) / widest;
    double low = 0, high = std::min(largest, by_width);
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        (lay_out(pieces, middle, settings.width) <= settings.height ? low : high) = middle;
    }
    return low;
}

/// How far a place is inside of loops, negative outside.
double depth(const std::vector<std::vector<Vec2>>& loops, const Vec2& p) {
    bool inside = false;
    double nearest = 1e9;
    for (const std::vector<Vec2>& loop : loops)
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()], d = b - a;
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
                inside = !inside;
            const double t = std::clamp(dot(p - a, d) / std::max(dot(d, d), 1e-12), 0.0, 1.0);
            nearest = std::min(nearest, norm(p - a - t * d));
        }
    return inside ? nearest : -nearest;
}

/// Where the name goes, with the size and the grain below it: as far as they can be from the
/// outline. `width` is that of the name.
Vec2 place_for_name(const std::vector<std::vector<Vec2>>& loops, const Vec2& low, const Vec2& high,
                    double width, double arrow) {
    constexpr int steps = 20;
    const std::array<Vec2, 5> block = {{{-0.5 * width, -34},
                                        {0.5 * width, -34},
                                        {-0.5 * width, 0},
                                        {0.5 * width, 0},
                                        {0, 9 + arrow}}};
    Vec2 best = 0.5 * (low + high);
    double most = -1e9;
    for (int row = 1; row < steps; ++row)
        for (int column = 1; column < steps; ++column) {
            const Vec2 p = {low.x + (high.x - low.x) * column / steps,
                            low.y + (high.y - low.y) * row / steps};
            double least = 60; // beyond that, more room is no better; the middle is
            for (const Vec2& corner : block)
                least = std::min(least, depth(loops, p + corner));
            least -= 0.01 * norm(p - 0.5 * (low + high));
            if (least > most) {
                most = least;
                best = p;
            }
        }
    return best;
}

/// Draws one panel after the other.
class Draughtsman {
public:
    Draughtsman(const Pattern& pattern, double scale, Drawing& out)
        : pattern_(pattern), scale_(scale), out_(out) {}

    void draw(const Piece& piece, int index) {
        const PatternPanel& panel = *piece.panel;
        const bool up = doubled_area(panel) > 0;
        std::vector<std::vector<Vec2>> lines; // of each edge, on the drawing
        for (const std::vector<Vec2>& edge : piece.edges) {
            std::vector<Vec2>& line = lines.emplace_back();
            for (const Vec2& p : edge)
                line.push_back(piece.origin + scale_ * Vec2{p.x - piece.low.x, piece.high.y - p.y});
        }
        std::vector<std::vector<Vec2>> loops(panel.loops.size());
        for (std::size_t loop = 0; loop < loops.size(); ++loop)
            for (int e = panel.loops[loop]; e < loop_end(panel, loop); ++e)
                loops[loop].insert(loops[loop].end(), lines[e].begin(), lines[e].end() - 1);
        out_.marks.push_back(DrawnArea{loops, up ? outside_color : inside_color});
        for (std::size_t e = 0; e < lines.size(); ++e)
            if (stitch_of(index, static_cast<int>(e)) < 0)
                out_.marks.push_back(DrawnLine{lines[e], ink, 1.4});
        for (std::size_t e = 0; e < lines.size(); ++e)
            if (const int stitch = stitch_of(index, static_cast<int>(e)); stitch >= 0)
                out_.marks.push_back(DrawnLine{lines[e], seam_color(stitch), 3.4});
        draw_name(panel, loops, piece);
        for (std::size_t e = 0; e < lines.size(); ++e) {
            const int other = dart_side(index, static_cast<int>(e));
            draw_numbers(lines[e], static_cast<int>(e), stitch_of(index, static_cast<int>(e)), up,
                         other < 0 ? nullptr : &lines[other]);
        }
    }

private:
    int stitch_of(int panel, int edge) const {
        for (std::size_t s = 0; s < pattern_.stitches.size(); ++s)
            for (const PatternStitch::Side& side : pattern_.stitches[s].sides)
                if (side.panel == panel && side.edge == edge)
                    return static_cast<int>(s);
        return -1;
    }

    /// The other side of the dart that an edge is a side of; -1: it is none.
    int dart_side(int panel, int edge) const {
        const int stitch = stitch_of(panel, edge);
        if (stitch < 0)
            return -1;
        const auto& [a, b] = pattern_.stitches[stitch].sides;
        const std::vector<PatternEdge>& edges = pattern_.panels[panel].edges;
        if (a.panel != b.panel ||
            (edges[a.edge].end != edges[b.edge].start && edges[b.edge].end != edges[a.edge].start))
            return -1;
        return a.edge == edge ? b.edge : a.edge;
    }

    void text(const Vec2& at, std::string words, double size, const Vec3& color,
              Align align = Align::center) {
        TextStyle style;
        style.size = size;
        style.color = color;
        style.align = align;
        out_.marks.push_back(DrawnText{at, std::move(words), style});
    }

    void draw_name(const PatternPanel& panel, const std::vector<std::vector<Vec2>>& loops,
                   const Piece& piece) {
        const Vec2 size = piece.high - piece.low;
        const Vec2 low = piece.origin, high = piece.origin + scale_ * size;
        const std::string words = size_text(piece);
        if (has_name_below(piece, scale_)) {
            const double x = 0.5 * (low.x + high.x), y = high.y + 2 * disc + 4;
            text({x, y + 18}, panel.name, name_size, ink);
            text({x, y + 32}, words, 13, faint);
            return;
        }
        const double arrow = std::min(46.0, 0.25 * scale_ * size.y);
        const Vec2 at = place_for_name(loops, low, high, name_width(piece), arrow);
        text({at.x, at.y - 20}, panel.name, name_size, ink);
        text({at.x, at.y - 3}, words, 13, faint);
        draw_arrow({at.x, at.y + 7}, {at.x, at.y + 7 + arrow});
    }

    /// Along the grain, with a head at both ends.
    void draw_arrow(const Vec2& a, const Vec2& b) {
        out_.marks.push_back(DrawnLine{{a, b}, faint, 1.3});
        out_.marks.push_back(DrawnLine{{a + Vec2{-4, 6}, a, a + Vec2{4, 6}}, faint, 1.3});
        out_.marks.push_back(DrawnLine{{b + Vec2{-4, -6}, b, b + Vec2{4, -6}}, faint, 1.3});
    }

    /// The number of an edge within, that of its stitch outside; of a dart, one between its sides.
    void draw_numbers(const std::vector<Vec2>& line, int edge, int stitch, bool up,
                      const std::vector<Vec2>* dart) {
        const std::size_t half = line.size() / 2;
        const Vec2 middle = line[half], d = line[half + 1] - line[half - 1];
        const double length = std::max(norm(d), 1e-9);
        // To the right of a counter-clockwise loop is outside; y points down here.
        const Vec2 outward = ((up ? 1.0 : -1.0) / length) * Vec2{-d.y, d.x};
        const Vec2 inner = middle - (dart ? disc + 5 : 9.0) * outward;
        text({inner.x, inner.y + 3.5}, fmt::format("{}", edge), 10.5, faint);
        if (stitch < 0)
            return;
        const Vec2 at =
            dart ? 0.5 * (middle + (*dart)[dart->size() / 2]) : middle + (disc + 4) * outward;
        out_.marks.push_back(DrawnDisc{at, disc, seam_color(stitch)});
        text({at.x, at.y + 4}, fmt::format("{}", stitch), 12, paper);
    }

    const Pattern& pattern_;
    double scale_;
    Drawing& out_;
};

/// A length that is easy to read and at most 200 pixels long [m].
double bar_length(double scale) {
    for (const double length : {1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01})
        if (length * scale <= 200)
            return length;
    return 0.001;
}

} // namespace

Vec3 seam_color(std::size_t seam) {
    // Hues a golden angle apart, dark enough for white figures on them.
    const double hue = std::fmod(0.58 + 0.381966 * static_cast<double>(seam), 1.0);
    const double value = seam % 3 == 1 ? 0.72 : seam % 3 == 2 ? 0.48 : 0.60;
    const auto channel = [&](double shift) {
        const double h = std::fmod(hue + shift, 1.0) * 6;
        const double wave = std::clamp(std::abs(h - 3) - 1, 0.0, 1.0);
        return value * (0.22 + 0.78 * wave);
    };
    return {channel(0), channel(2.0 / 3), channel(1.0 / 3)};
}

Drawing draw_pattern(const Pattern& pattern, const PatternDrawingSettings& settings) {
    std::vector<Piece> pieces;
    double area = 0;
    for (const PatternPanel& panel : pattern.panels) {
        pieces.push_back(make_piece(panel));
        area += 0.5 * std::abs(doubled_area(panel));
    }
    Drawing out;
    out.width = settings.width;
    const double scale = choose_scale(pieces, settings);
    out.height = std::ceil(lay_out(pieces, scale, settings.width));
    TextStyle style;
    style.size = 22;
    out.marks.push_back(DrawnText{{margin, 32}, pattern.name, style});
    style.size = 14;
    style.color = faint;
    out.marks.push_back(DrawnText{
        {margin + text_width(pattern.name, 22) + 14, 32},
        fmt::format("{} panels, {} seams, {:.2f} m²", pieces.size(), pattern.stitches.size(), area),
        style});
    Draughtsman draughtsman(pattern, scale, out);
    for (std::size_t i = 0; i < pieces.size(); ++i)
        draughtsman.draw(pieces[i], static_cast<int>(i));

    const double bar = bar_length(scale), y = out.height - 20;
    const Vec2 a = {margin, y}, b = {margin + bar * scale, y};
    out.marks.push_back(DrawnLine{{a + Vec2{0, -5}, a, b, b + Vec2{0, -5}}, ink, 1.6});
    out.marks.push_back(DrawnText{{b.x + 10, y + 1}, fmt::format("{:.0f} cm", 100 * bar), style});
    style.align = Align::right;
    out.marks.push_back(DrawnText{{out.width - margin, y + 1},
                                  "linen: outer side up; blue: outer side down; arrow: grain",
                                  style});
    return out;
}

} // namespace muslin
