#pragma once

#include "muslin/scene/keys.h"

namespace muslin::pattern_keys {

// The keys of a sewing pattern in TOML. docs/pattern-format.md has one section per group (a test
// compares them). `sizes` has the names that the pattern gives them.

inline constexpr std::string_view pattern_list[] = {"name",  "title", "unit", "sizes",
                                                    "panel", "sew",   "seam"};
inline constexpr std::string_view panel_list[] = {"name",     "like", "label",  "position",
                                                  "rotation", "wrap", "outer",  "points",
                                                  "edges",    "fold", "mirror", "hole"};
inline constexpr std::string_view edge_list[] = {"name",  "label",  "quadratic", "cubic",
                                                 "bulge", "radius", "large"};
inline constexpr std::string_view hole_list[] = {"points", "edges"};
inline constexpr std::string_view wrap_list[] = {"radius", "angle"};
inline constexpr std::string_view seam_list[] = {"name", "sides", "direct", "stage", "mirror"};

inline constexpr KeyGroup pattern{"pattern", pattern_list};
inline constexpr KeyGroup panel{"panel", panel_list};
inline constexpr KeyGroup edge{"edge", edge_list};
inline constexpr KeyGroup hole{"hole", hole_list};
inline constexpr KeyGroup wrap{"wrap", wrap_list};
inline constexpr KeyGroup seam{"seam", seam_list};

inline constexpr KeyGroup all[] = {pattern, panel, edge, hole, wrap, seam};

} // namespace muslin::pattern_keys
