#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/linalg/filter.h"
#include "muslin/model/constraints.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace muslin {

/// How easily the points of a scene give way to an impulse: a body's point and a pinned particle
/// not at all, a particle on a curve or a surface along it alone [BW98 5.1].
class Mobility {
public:
    void set(const Surfaces& surfaces, const ConstraintSet& constraints) {
        inverse_mass_.assign(surfaces.point_count(), 0.0);
        for (int i = 0; i < surfaces.particle_count(); ++i)
            inverse_mass_[i] = 1 / surfaces.mass[i];
        constraints.make_filter(filter_);
        projection_.clear();
        for (std::size_t k = 0; k < filter_.particles.size(); ++k) {
            const Mat3& s = filter_.projection[k];
            const bool held = s.m[0][0] + s.m[1][1] + s.m[2][2] < 0.5; // rank 0
            double& inverse = inverse_mass_[filter_.particles[k]];
            inverse = held ? 0.0 : -inverse; // the sign marks a particle with a projection
            if (!held)
                projection_.push_back({filter_.particles[k], s});
        }
    }

    bool moves(int point) const { return inverse_mass_[point] != 0; }
    bool moves_freely(int point) const { return inverse_mass_[point] > 0; }
    /// One over the mass of a particle that moves at all [1/kg].
    double inverse_mass(int point) const { return std::abs(inverse_mass_[point]); }
    /// The change of velocity by an impulse [N s].
    Vec3 response(int point, const Vec3& impulse) const {
        const double inverse = inverse_mass_[point];
        return inverse >= 0 ? inverse * impulse : -inverse * (projection(point) * impulse);
    }
    /// The change of velocity along a unit direction by a unit impulse in it [1/kg].
    double along(int point, const Vec3& direction) const {
        const double inverse = inverse_mass_[point];
        return inverse >= 0 ? inverse : dot(direction, response(point, direction));
    }

private:
    struct Projected {
        int point;
        Mat3 matrix;
    };
    const Mat3& projection(int point) const {
        const auto found =
            std::lower_bound(projection_.begin(), projection_.end(), point,
                             [](const Projected& p, int value) { return p.point < value; });
        return found->matrix;
    }

    std::vector<double> inverse_mass_; ///< [1/kg]; negative: along the projection alone
    Filter filter_;
    std::vector<Projected> projection_; ///< by point
};

} // namespace muslin
