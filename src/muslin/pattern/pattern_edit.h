#pragma once

#include "muslin/pattern/pattern.h"

#include <string>
#include <vector>

namespace muslin {

// What a pattern maker does to a panel after drawing it.

/// The one after the last edge of a loop.
int loop_end(const PatternPanel& panel, std::size_t loop);

/// Runs all loops the other way, which turns the outer side over. Edges of a loop change their
/// order with it; the result has for each new edge the one that it was.
std::vector<int> reverse_loops(PatternPanel& panel);

/// The second piece of a pair that is cut from folded cloth: x becomes -x on the panel and in the
/// world, and the same side is the outer one. Edges are in the order that reverse_loops leaves.
PatternPanel mirrored(const PatternPanel& panel, std::string name);

/// Where an edge of an unfolded panel comes from.
struct UnfoldedEdge {
    int edge = 0;        ///< of the half
    bool mirror = false; ///< the image of that edge
};

/// Completes a half that is cut on a fold: the edges on the line through `a` and `b` are taken out,
/// and the image of the rest on that line is added. The edges of the half keep their order, from
/// the one after the fold; their images follow in the order of the loop. Holes get images too.
/// Throws InputError where no straight edge lies on the line, or the rest is not in one piece.
std::vector<UnfoldedEdge> unfold(PatternPanel& panel, const Vec2& a, const Vec2& b);

} // namespace muslin
