#pragma once

#include "fuzz.h"

#include "muslin/pattern/pattern.h"

namespace muslin::fuzz {

inline void check_panel(const PatternPanel& panel) {
    for (const Vec2& v : panel.vertices)
        require(std::isfinite(v.x) && std::isfinite(v.y), "finite vertices");
    for (const PatternEdge& edge : panel.edges) {
        require(all_within(std::array{edge.start, edge.end}, 0, panel.vertices.size()),
                "ends of edges");
        for (const Vec2& c : edge.curve.controls)
            require(std::isfinite(c.x) && std::isfinite(c.y), "finite controls");
        require(std::isfinite(edge.curve.radius), "a finite radius");
    }
    require(all_within(panel.loops, 0, panel.edges.size()), "loops");
    require(is_finite(panel.translation) && is_finite(panel.rotation), "a finite place");
}

inline void check_pattern(const Pattern& pattern) {
    require(!pattern.panels.empty(), "a panel");
    for (const PatternPanel& panel : pattern.panels)
        check_panel(panel);
    for (const PatternStitch& stitch : pattern.stitches)
        for (const auto& side : stitch.sides) {
            require(all_within(std::array{side.panel}, 0, pattern.panels.size()), "panels");
            require(all_within(std::array{side.edge}, 0, pattern.panels[side.panel].edges.size()),
                    "edges");
        }
}

} // namespace muslin::fuzz
