#pragma once

#include "muslin/pattern/pattern.h"
#include "muslin/scene/table_reader.h"

#include <span>
#include <string>
#include <vector>

// The stages of parse_pattern. Nothing outside the loader needs them.

namespace muslin {

/// What the numbers of a pattern are made of: its unit, and sizes that formulas may name.
struct PatternScale {
    double metres = 1;
    std::vector<std::string> names;
    std::vector<double> values;

    /// A number, or a formula of sizes.
    double number(const Place& place) const;
    /// The same as a length [m].
    double length(const Place& place) const { return metres * number(place); }
    Vec2 point(const Place& place) const; ///< [m]
};

/// An edge of a panel as seams name it.
struct NamedEdge {
    std::string name; ///< may be empty
    int drawn = 0;    ///< its number as it was written
    bool mirror = false;
};

/// A panel with the names of its edges, and the image that was cut with it.
struct DrawnPanel {
    PatternPanel panel;
    std::vector<NamedEdge> edges; ///< as many as the panel has
    bool folded = false;          ///< the panel has its own image
    bool copied = false;          ///< another panel is its image
    Source where;
};

/// One [[panel]]; two where it is cut as a pair. Checked.
std::vector<DrawnPanel> read_panel(const Place& place, const PatternScale& scale);

/// Calls `check`; the InputError that it may throw says `where`.
template <class Check>
void checked_at(const Source& where, const Check& check) {
    try {
        check();
    } catch (const InputError& error) {
        Problem problem = error.problem();
        problem.where = where;
        throw InputError(std::move(problem));
    }
}

} // namespace muslin
