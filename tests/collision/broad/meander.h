#pragma once

#include "muslin/math/vec.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace muslin::test {

/// A sheet in folds that hang over: its profile turns to and fro by `angle` (the curve of rivers
/// [Langbein, Leopold 1966]). Beyond 90 degrees the folds lean over each other like an S; at 110
/// they come no nearer to each other than a twelfth of a fold's length, and at 125 they touch.
class Meander {
public:
    /// `length` of the sheet along x [m], in `folds` periods; angle in degrees.
    Meander(double length, double folds, double angle)
        : length_(length), profile_(samples + 1, Vec2{0, 0}) {
        const double step = length / samples;
        for (int i = 0; i < samples; ++i) {
            const double along = folds * (i + 0.5) / samples;
            const double slope =
                angle * std::numbers::pi / 180 * std::sin(2 * std::numbers::pi * along);
            profile_[i + 1] = profile_[i] + step * Vec2{std::cos(slope), std::sin(slope)};
        }
    }
    /// Where a point of the flat sheet (x, 0, z), x from -length/2 to length/2, comes to lie.
    Vec3 at(const Vec3& flat) const {
        const double along = samples * std::min(1.0, std::max(0.0, flat.x / length_ + 0.5));
        const int i = std::min(samples - 1, static_cast<int>(along));
        const Vec2 p = profile_[i] + (along - i) * (profile_[i + 1] - profile_[i]);
        return {p.x, p.y, flat.z};
    }

private:
    static constexpr int samples = 20000;
    double length_;
    std::vector<Vec2> profile_;
};

} // namespace muslin::test
