#pragma once

#include "muslin/math/vec.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

namespace muslin::cli {

/// How large the box around points is, and where it begins; `unit` comes after the size.
inline std::string size_text(std::span<const Vec3> points, const char* unit = "") {
    if (points.empty())
        return "empty";
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points)
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    return fmt::format("{:.4g} x {:.4g} x {:.4g}{}, from ({:.4g}, {:.4g}, {:.4g})", high.x - low.x,
                       high.y - low.y, high.z - low.z, unit, low.x, low.y, low.z);
}

} // namespace muslin::cli
