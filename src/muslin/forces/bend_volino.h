#pragma once

#include "muslin/forces/bend.h"

namespace muslin {

/// Bending of an isotropic sheet by the curvature of an arc at each hinge (bend_arc.h), with rest
/// curvatures that move where the fabric yields and return with its relaxation time
/// [Volino95 3.3, 3.4].
class BendVolinoForce final : public BendForce {
public:
    explicit BendVolinoForce(const Model& model);

    void recall(const State& begin) override;
    void remember(double h, State& end) const override;

    /// K of each hinge less that of its rest shape [1/m], without what it keeps.
    double curvature(int hinge, std::span<const Vec3> positions) const;

private:
    bool any_yields(std::span<const Vec3> positions) const;

    const Model& model_;
    /// What a hinge of a fabric that yields needs; empty where no fabric does.
    struct Yield {
        double tangent_length; ///< [m]
        double limit;          ///< of t
        double rest;           ///< t of the rest angle
        double most;           ///< curvature [1/m]
        double relaxation;     ///< [s]
    };
    std::vector<Yield> yields_;
    bool keeps_ = false; ///< whether hinges have rest curvatures of the state
};

} // namespace muslin
