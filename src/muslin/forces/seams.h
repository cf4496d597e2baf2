#pragma once

#include "muslin/forces/capabilities.h"
#include "muslin/kernels/seams.h"
#include "muslin/model/model.h"

#include <span>
#include <vector>

namespace muslin {

/// Draws the particles of each joint of the model's seams to their middle, damped, and no harder
/// than a limit that grows from nothing over the seam's ramp: regions are brought together until
/// they meet [Ohta95, Deformation process]. model/merge.h makes them one then.
///
/// Declared: beyond the limit the exact stiffness along the width is zero; the solver gets the
/// secant, which is never less. The change of the damping with the places is left out. What is
/// damped besides the width within ten meet distances takes angular momentum, c r^2 per turn.
class SeamForce final : public Force,
                        public LinearisedForce,
                        public DampedForce,
                        public StiffeningForce {
public:
    explicit SeamForce(const Model& model);
    std::string_view name() const override { return "seams"; }
    ForceKind kind() const override { return ForceKind::seam; }
    ForceCapabilities capabilities() override {
        return {.linearised = this, .damped = this, .stiffening = this};
    }
    void prepare(double time) override { time_ = time; }
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;

    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;
    /// The pull grows stiffer as a joint closes.
    double added_eigenvalue() const override;

private:
    /// A joint: particles_[begin, begin + count).
    struct Joint {
        int seam;
        int begin, count;
        int slots; ///< index of the first of count^2 slots
    };
    /// Where the particles are about their middle.
    struct Shape {
        double width = 0;          ///< r [m]
        double secant = 0;         ///< [N/m]; zero out of the seam's window
        double damping = 0;        ///< [N s/m]; so too
        double grip = 0;           ///< part of the damping that acts on all differences
        std::vector<Vec3> offsets; ///< d_i [m]
    };
    double limit(const Joint& joint) const;
    void find_shape(const Joint& joint, std::span<const Vec3> positions, Shape& shape) const;
    void add_damped(const Joint& joint, const Shape& shape, std::span<const Vec3> velocities,
                    std::span<Vec3> f) const;

    const Model& model_;
    std::vector<int> particles_;
    std::vector<Joint> joints_;
    std::vector<int> slots_;
    double time_ = 0;
    mutable Shape shape_;       ///< scratch
    std::vector<Shape> cached_; ///< of cache_damping
};

} // namespace muslin
