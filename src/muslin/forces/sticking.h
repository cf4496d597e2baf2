#pragma once

#include "muslin/forces/capabilities.h"
#include "muslin/kernels/sticking.h"
#include "muslin/model/model.h"

#include <array>
#include <span>
#include <vector>

namespace muslin {

/// Dynamic sticking constraints [Bridson03 6]: each bond draws its particle to its place on a
/// triangle of a body or of cloth, by kernels/sticking.h.
///
/// Which bonds there are is history; the simulation hands them over before each step
/// (collision/response/sticking_bonds.h forms and breaks them after it).
class StickingForce final : public Force,
                            public LinearisedForce,
                            public DampedForce,
                            public StiffeningForce {
public:
    explicit StickingForce(const Model& model);
    std::string_view name() const override { return "sticking"; }
    ForceKind kind() const override { return ForceKind::sticking; }
    ForceCapabilities capabilities() override {
        return {.linearised = this, .damped = this, .stiffening = this};
    }

    /// The bonds that act from now on.
    void set_bonds(std::span<const Bond> bonds);

    void prepare(double time) override;
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;
    /// Of bonds that may form before the next frame.
    double added_eigenvalue() const override;

private:
    /// A bond where it is now.
    struct Pull {
        StickTarget target; ///< of the elastic part
        StickTarget here;   ///< the particle's own place: of the damping
        StickResponse response;
        Vec3 drag; ///< the damping part of the force [N]
    };
    StickParameters parameters(const Bond& bond) const;
    void find_corners(const Bond& bond, std::span<const Vec3> positions, Vec3 (&x)[3]) const;
    void find_pulls(const Kinematics& at, std::span<const Vec3> displacement,
                    std::vector<Pull>& pulls) const;
    void add_entries(const Bond& bond, const std::array<int, 3>& corners, const StickTarget& target,
                     double factor) const;

    const Model& model_;
    std::vector<Bond> bonds_;
    double time_ = 0;
    bool prepared_ = false;
    std::vector<double> strength_;                ///< of each sticking at the time
    std::vector<std::vector<Vec3>> place_, rate_; ///< of the vertices of sticky bodies
    std::vector<Vec3> before_;                    ///< where they were a moment ago
    mutable std::vector<Pull> pulls_;             ///< of add_force and add_linearised
    std::vector<Pull> cached_;                    ///< of cache_damping
    mutable std::vector<BlockEntry> entries_;     ///< blocks of bonds between cloth
};

} // namespace muslin
