#pragma once

#include "muslin/math/vec.h"

#include <span>

namespace muslin {

/// What solids are to a place: how far, which way out, and how they move there.
struct FieldSample {
    /// To the nearest surface, negative inside [m]. Farther out or deeper in than the field is
    /// known it is the end of what is known.
    double distance = 0;
    Vec3 normal = {0, 0, 0};   ///< the way out, unit length; zero where the field is not known
    Vec3 velocity = {0, 0, 0}; ///< of the surface that is nearest [m/s]
    int body = -1;             ///< whose surface that is; -1 where the field is not known
    bool pinched = false;      ///< inside two or more parts
};

/// Signed distances to solids at one time [Bridson03 5.1].
class DistanceField {
public:
    virtual ~DistanceField() = default;

    /// Writes one sample for each place. On all threads; the same bits for any number of them.
    virtual void sample(std::span<const Vec3> places, std::span<FieldSample> out) const = 0;
};

} // namespace muslin
