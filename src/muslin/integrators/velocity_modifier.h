#pragma once

#include "muslin/base/profile.h"
#include "muslin/linalg/filter.h"
#include "muslin/math/vec.h"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace muslin {

/// Changes velocities in the middle and at the end of a step before they move anything: what the
/// paper calls "modify v to limit strain, etc." [Bridson03 3].
class VelocityModifier {
public:
    virtual ~VelocityModifier() = default;

    /// `velocities` will carry `positions` on for h seconds. Directions that the filter holds stay
    /// as they are. Returns the number of sweeps it took.
    virtual int modify(std::span<const Vec3> positions, double h, const Filter& filter,
                       std::span<Vec3> velocities) = 0;
};

/// Those of an integrator, in the order in which they act.
class VelocityModifiers {
public:
    void add(std::unique_ptr<VelocityModifier> modifier) { all_.push_back(std::move(modifier)); }
    bool empty() const { return all_.empty(); }
    /// Lets each modify the velocities. Returns the number of sweeps.
    int modify(std::span<const Vec3> positions, double h, const Filter& filter,
               std::span<Vec3> velocities, Profile& profile) const;

private:
    std::vector<std::unique_ptr<VelocityModifier>> all_;
};

} // namespace muslin
