#include "muslin/pattern/pattern_check.h"

#include "muslin/base/error.h"
#include "muslin/mesh/mesh_builder.h"
#include "muslin/pattern/panel_check.h"
#include "muslin/pattern/panel_mesh.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace muslin {
namespace {

double length_of(const Pattern& pattern, const PatternStitch::Side& side) {
    return edge_length(pattern.panels[side.panel], side.edge);
}

bool same(const PatternStitch::Side& a, const PatternStitch::Side& b) {
    return a.panel == b.panel && a.edge == b.edge;
}

void check_sides(const Pattern& pattern, const PatternStitch& stitch, const std::string& key) {
    const int panels = static_cast<int>(pattern.panels.size());
    for (const PatternStitch::Side& side : stitch.sides) {
        if (side.panel < 0 || side.panel >= panels)
            reject(key, fmt::format("a panel from 0 to {}", panels - 1),
                   fmt::format("{}", side.panel));
        const PatternPanel& panel = pattern.panels[side.panel];
        if (side.edge < 0 || side.edge >= static_cast<int>(panel.edges.size()))
            reject(fmt::format("{}, panel '{}', edge {}", key, panel.name, side.edge),
                   fmt::format("an edge from 0 to {}", panel.edges.size() - 1),
                   fmt::format("{}", side.edge));
    }
}

} // namespace

void check_stitch(const Pattern& pattern, std::size_t number) {
    const PatternStitch& stitch = pattern.stitches[number];
    const std::string key = stitch.name.empty() ? fmt::format("seam {}", number)
                                                : fmt::format("seam {} '{}'", number, stitch.name);
    check_sides(pattern, stitch, key);
    const auto name = [&](const PatternStitch::Side& side) {
        return edge_key(pattern.panels[side.panel], side.edge);
    };
    if (same(stitch.sides[0], stitch.sides[1]))
        reject(fmt::format("{}, {}", key, name(stitch.sides[0])), "two edges", "one edge twice");
    for (std::size_t other = 0; other < number; ++other)
        for (const PatternStitch::Side& side : stitch.sides)
            for (const PatternStitch::Side& taken : pattern.stitches[other].sides)
                if (same(side, taken))
                    reject(fmt::format("{}, {}", key, name(side)), "an edge that is not sewn yet",
                           fmt::format("one of seam {}", other));
    const double a = length_of(pattern, stitch.sides[0]), b = length_of(pattern, stitch.sides[1]);
    if (std::max(a, b) > max_seam_ratio * std::min(a, b))
        reject(fmt::format("{}, {}", key, name(stitch.sides[0])),
               fmt::format("two edges, neither more than {} times as long as the other",
                           max_seam_ratio),
               fmt::format("{:.4g} m, and {:.4g} m of {}", a, b, name(stitch.sides[1])));
}

void check_pattern(const Pattern& pattern, const std::string& file) {
    try {
        if (pattern.panels.empty())
            reject("", "a pattern with panels", "none");
        std::set<std::string> names;
        for (const PatternPanel& panel : pattern.panels) {
            if (!names.insert(panel.name).second)
                reject(fmt::format("panel '{}'", panel.name), "panels of different names",
                       "two of this one");
            check_panel(panel);
        }
        for (std::size_t stitch = 0; stitch < pattern.stitches.size(); ++stitch)
            check_stitch(pattern, stitch);
    } catch (const InputError& error) {
        Problem problem = error.problem();
        problem.where.file = file;
        throw InputError(std::move(problem));
    }
}

} // namespace muslin
