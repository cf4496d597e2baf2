#pragma once

#include "muslin/math/vec.h"

#include <array>
#include <optional>

namespace muslin {

// Continuous collision of a vertex with a face, and of two edges, whose corners move along straight
// lines at constant speed from time 0 to time 1. No contact is ever missed: each answer "none"
// rests on planes that provably keep the two apart for the whole time, rounding included. A pair
// that passes very closely may be called an impact; ContinuousSettingsT bounds how closely.

template <class T>
struct ImpactT {
    T time; ///< in [0, 1]; they are further apart than the separation at all times before
    T a, b; ///< the closest points at `time`: the weights of face corners 1 and 2, or the
            ///< places along the first and the second edge (0 to 1)
};
using Impact = ImpactT<double>;

template <class T>
struct ContinuousSettingsT {
    /// Coming this close counts as an impact [m]. A pair that starts closer has it at time 0.
    T separation = 0;
    /// At the time of impact they are apart by the separation and this much more at most, and half
    /// of this at least [m]; a pair that starts so close counts with half of what it starts with.
    T tolerance = T(1e-6);
    /// A pair that passes at the separation and this much more is not an impact [m]. Zero: as
    /// little more as rounding allows; for separation 0 long double then looks again at each
    /// impact, which makes these several times as slow as with 1e-9.
    T resolution = 0;
    /// After so many steps a pair that is not decided is called an impact.
    int max_steps = 128;
};
using ContinuousSettings = ContinuousSettingsT<double>;

// These run on the host, once for all callers; conservative_advancement.h is the same for any
// scalar and for devices.

/// Corners {v, f0, f1, f2} at time 0 and at time 1 [m]. The face may degenerate on the way.
std::optional<Impact> vertex_face_impact(const std::array<Vec3, 4>& begin,
                                         const std::array<Vec3, 4>& end,
                                         const ContinuousSettings& settings = {});

/// Corners {a0, a1, b0, b1} of edges a and b at time 0 and at time 1 [m].
std::optional<Impact> edge_edge_impact(const std::array<Vec3, 4>& begin,
                                       const std::array<Vec3, 4>& end,
                                       const ContinuousSettings& settings = {});

} // namespace muslin
