#pragma once

#include "muslin/forces/bend.h"

namespace muslin {

/// Bending of an isotropic sheet by the curvature of an arc at each hinge (bend_arc.h), with rest
/// curvatures that move where the fabric yields and return with its relaxation time
/// [Volino95 3.3, 3.4].
class BendVolinoForce final : public BendForce, public HistoryForce {
public:
    explicit BendVolinoForce(const Model& model);

    ForceCapabilities capabilities() override {
        ForceCapabilities all = BendForce::capabilities();
        all.history = this;
        return all;
    }
    void prepare(double time) override;
    void recall(const State& begin) override;
    void remember(double h, State& end) const override;

private:
    /// K of a hinge less that of its rest angle [1/m].
    double curvature(int hinge, std::span<const Vec3> positions) const;
    void set_kept(double time);
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
    bool relaxes_ = false;
    std::vector<double> kept_; ///< rest curvatures of the state that was recalled [1/m]
    double kept_time_ = 0;     ///< of that state [s]
    double set_time_ = 0;      ///< for which the hinges have them [s]
};

} // namespace muslin
