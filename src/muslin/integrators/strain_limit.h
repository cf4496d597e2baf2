#pragma once

#include "muslin/forces/batches.h"
#include "muslin/forces/edge_springs.h"
#include "muslin/integrators/velocity_modifier.h"

namespace muslin {

struct StrainLimitSettings {
    double extension = 0.1;  ///< most that an edge may grow, as a part of its rest length
    double compression = 0;  ///< most that it may shrink
    double tolerance = 1e-3; ///< by how much a limit may be passed, as a part of the rest length
    int max_sweeps = 400;
    /// Factor of each correction, below 2; 0: 2 / (1 + pi / sqrt(particles)), which is best for the
    /// slowest change over a square sheet.
    double relaxation = 0;
    /// An edge that is beyond its limits already is brought back in this time, or in one step if
    /// that is longer [s]: short steps would have to do it at any speed.
    double recovery = 2e-4;
};

/// Limits the strain of edges at the end of a motion [Bridson03 3, after Provot 1995]: where an
/// edge would leave its limits, equal and opposite impulses along it bring it back to them. Sweeps
/// go over the edges until all are within, or the cap is reached. Momentum is kept, angular
/// momentum too; what is held does not move. The order of a sweep is fixed, so the result is the
/// same for any number of threads.
///
/// A sweep is one of projected over-relaxation: corrections are larger than what is missing, and an
/// edge may take back of its impulse what proves too much, never more. Plain sweeps need as many as
/// the square of the number of edges across the sheet, these a small multiple of that number. The
/// last quarter of the sweeps before the cap is plain, so that a sheet that cannot obey in time is
/// left calm.
class StrainLimit final : public VelocityModifier {
public:
    StrainLimit(const Model& model, const StrainLimitSettings& settings);

    int modify(std::span<const Vec3> positions, double h, const Filter& filter,
               std::span<Vec3> velocities) override;

    /// For tests: the strains that the edges have, least and greatest.
    struct Strain {
        double least = 0, greatest = 0;
    };
    Strain strain(std::span<const Vec3> positions) const;

private:
    void set_mobility(const Filter& filter);
    void set_limits(std::span<const Vec3> positions, double h);
    double sweep(double h, double relaxation, std::span<const Vec3> positions,
                 std::span<Vec3> velocities);

    StrainLimitSettings settings_;
    std::vector<double> inverse_mass_; ///< [1/kg]
    std::vector<Link> edges_;
    ElementBatches batches_;
    std::vector<int> held_;          ///< index into projections of a held particle, or -1
    std::vector<Mat3> projections_;  ///< of the filter
    std::vector<double> violations_; ///< by batch
    /// What an edge may do in this motion, and has taken.
    struct Allowed {
        double least, greatest; ///< length at the end [m]
        double impulse;         ///< so far [N s], positive where it pulls
    };
    std::vector<Allowed> allowed_;
};

} // namespace muslin
