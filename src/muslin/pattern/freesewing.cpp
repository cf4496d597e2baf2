#include "muslin/pattern/pattern_formats.h"

#include "muslin/pattern/pattern_edit.h"

#include <array>
#include <optional>

#include <fmt/format.h>

// Parts that FreeSewing drafted (https://freesewing.org), written as JSON: for each its paths, as
// move, line, curve and close, and how it is cut. They know no seams, and no places on a body.

namespace muslin {
namespace {

/// Paths that return to within this of their start are closed [m].
constexpr double closed_gap = 1e-5;

struct Frame {
    double metres = 0.001;
    double up = -1; ///< the factor of y: it points down on paper

    Vec2 operator()(const Vec2& p) const { return {metres * p.x, metres * up * p.y}; }
};

Frame read_frame(const JsonPlace& document) {
    Frame out;
    if (document.has("units")) {
        constexpr std::array<std::pair<const char*, double>, 4> known = {
            {{"mm", 0.001}, {"cm", 0.01}, {"m", 1}, {"in", 0.0254}}};
        const JsonPlace place = document.at("units", "a unit");
        const std::string word = place.text();
        out.metres = 0;
        for (const auto& [name, metres] : known)
            if (word == name)
                out.metres = metres;
        if (out.metres == 0)
            place.fail("\"mm\", \"cm\", \"m\" or \"in\"");
    }
    if (document.has("y_axis")) {
        const JsonPlace place = document.at("y_axis", "up or down");
        const std::string word = place.text();
        if (word != "up" && word != "down")
            place.fail("\"up\" or \"down\"");
        out.up = word == "up" ? 1 : -1;
    }
    return out;
}

bool has_word(const std::string& words, std::string_view word) {
    return fmt::format(" {} ", words).find(fmt::format(" {} ", word)) != std::string::npos;
}

bool is_fabric(const JsonPlace& path) {
    return path.has("class") && path.at("class", "").value().is_string() &&
           has_word(path.at("class", "").text(), "fabric");
}

/// The path `seam`, else the first of class `fabric`; parts that have neither are notes.
std::optional<JsonPlace> find_outline(const JsonPlace& part, const std::string& name) {
    const std::string key = fmt::format("panel '{}'", name);
    const JsonPlace paths = part.at("paths", "an object of paths");
    if (!paths.value().is_object())
        paths.fail("an object of paths");
    if (paths.has("seam") && is_fabric(paths.at("seam", "a path")))
        return paths.at("seam", "a path").named(key);
    for (const auto& [path, value] : paths.value().items())
        if (is_fabric(paths.at(path.c_str(), "a path")))
            return paths.at(path.c_str(), "a path").named(key);
    return std::nullopt;
}

/// Follows a path's operations.
class Pen {
public:
    Pen(PatternPanel& panel, const Frame& frame) : panel_(panel), frame_(frame) {}

    void follow(const JsonPlace& op) {
        const std::string type = op.at("type", "an operation").text("move, line, curve or close");
        if (closed_ || (type == "move") != panel_.vertices.empty())
            op.fail_found("one outline: a move, lines and curves, and a close", '"' + type + '"');
        if (type == "close") {
            close();
            return;
        }
        const Vec2 to = point(op, "to");
        if (type == "curve") {
            PatternCurve curve;
            curve.kind = PatternCurve::Kind::cubic;
            curve.controls = {point(op, "cp1"), point(op, "cp2")};
            add_edge(curve);
        } else if (type == "line") {
            add_edge({});
        } else if (type != "move") {
            op.at("type", "").fail("move, line, curve or close");
        }
        panel_.vertices.push_back(to);
    }

    /// Joins the end to the start: a path may end there without saying so.
    void close() {
        closed_ = true;
        if (panel_.edges.empty())
            return;
        if (norm(panel_.vertices.back() - panel_.vertices.front()) < closed_gap) {
            panel_.vertices.pop_back();
            panel_.edges.back().end = 0;
        } else {
            add_edge({});
            panel_.edges.back().end = 0;
        }
    }
    bool is_closed() const { return closed_; }
    double gap() const { return norm(panel_.vertices.back() - panel_.vertices.front()); }

private:
    Vec2 point(const JsonPlace& op, const char* name) const {
        return frame_(op.at(name, "a point").vec2());
    }
    void add_edge(const PatternCurve& curve) {
        const int start = static_cast<int>(panel_.vertices.size()) - 1;
        panel_.edges.push_back({start, start + 1, curve, {}});
    }

    PatternPanel& panel_;
    const Frame& frame_;
    bool closed_ = false;
};

PatternPanel read_outline(const JsonPlace& path, const std::string& name, const Frame& frame) {
    PatternPanel panel;
    panel.name = name;
    const JsonPlace ops = path.at("ops", "an array of operations").named(path.key());
    Pen pen(panel, frame);
    for (std::size_t i = 0; i < ops.size("an array of operations"); ++i)
        pen.follow(ops.item(i).named(fmt::format("{}, edge {}", path.key(), i == 0 ? 0 : i - 1)));
    if (panel.edges.empty())
        ops.fail_found("an outline: a move, lines and curves, and a close", "no edge");
    if (!pen.is_closed()) {
        if (pen.gap() >= closed_gap)
            ops.named(fmt::format("{}, edge {}", path.key(), panel.edges.size() - 1))
                .fail_found("a closed loop",
                            fmt::format("an end {:.4g} m off its start", pen.gap()));
        pen.close();
    }
    return panel;
}

/// A corner as an array or as an object of x and y.
Vec2 read_corner(const JsonPlace& place) {
    if (place.value().is_array())
        return place.vec2();
    return {place.at("x", "a number").number(), place.at("y", "a number").number()};
}

struct Cut {
    int pieces = 1;
    bool identical = false; ///< else every second piece is a mirror image
    bool on_fold = false;
};

Cut read_cut(const JsonPlace& cut) {
    Cut out;
    if (!cut.has("materials") || !cut.at("materials", "").has("fabric"))
        return out;
    const JsonPlace list = cut.at("materials", "").at("fabric", "").named(cut.key());
    if (list.size("an array of cutting instructions") == 0)
        return out;
    const JsonPlace first = list.item(0);
    const auto flag = [&](const char* name) {
        return first.has(name) && first.value()[name].is_boolean() && first.value()[name];
    };
    if (first.has("cut"))
        out.pieces = first.at("cut", "a count").integer(1, 100, "a count from 1 to 100");
    out.identical = flag("identical");
    out.on_fold = flag("onFold");
    return out;
}

void add_part(const JsonPlace& part, const std::string& name, const Frame& frame, Pattern& out) {
    const auto path = find_outline(part, name);
    if (!path)
        return;
    PatternPanel panel = read_outline(*path, name, frame);
    Cut cut;
    if (part.has("cut")) {
        const JsonPlace place = part.at("cut", "").named(fmt::format("panel '{}', cut", name));
        cut = read_cut(place);
        if (cut.on_fold) {
            const JsonPlace fold = place.at("cutOnFold", "the two ends of the fold line");
            if (fold.size("the two ends of the fold line") != 2)
                fold.fail("the two ends of the fold line");
            unfold(panel, frame(read_corner(fold.item(0))), frame(read_corner(fold.item(1))));
        }
    }
    out.panels.push_back(panel);
    for (int i = 2; i <= cut.pieces; ++i) {
        const std::string copy = fmt::format("{}.{}", name, i);
        if (i % 2 == 0 && !cut.identical) {
            out.panels.push_back(mirrored(panel, copy));
        } else {
            out.panels.push_back(panel);
            out.panels.back().name = copy;
        }
    }
}

} // namespace

Pattern read_freesewing(const JsonPlace& document) {
    const Frame frame = read_frame(document);
    const JsonPlace parts = document.at("parts", "an object of parts");
    if (!parts.value().is_object())
        parts.fail("an object of parts");
    Pattern out;
    for (const auto& [name, value] : parts.value().items())
        add_part(parts.at(name.c_str(), "a part"), name, frame, out);
    return out;
}

} // namespace muslin
