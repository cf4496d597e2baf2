#pragma once

#include "muslin/base/large_array.h"
#include "muslin/forces/batches.h"
#include "muslin/forces/force.h"
#include "muslin/math/pack.h"
#include "muslin/model/model.h"

namespace muslin {

/// Bending of every hinge by bend_bw [BW98 4.3, 4.5], four hinges at a time.
class BendForce final : public Force {
public:
    explicit BendForce(const Model& model);

    std::string_view name() const override { return "bend_bw"; }
    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;

private:
    struct Element {
        Pack4 stiffness, damping;
        int particle[4][4];
        int slot[4][4][4];
    };

    int lanes(int pack) const { return std::min(4, hinges_ - 4 * pack); }

    const Model& model_;
    int hinges_ = 0;
    LargeArray<Element> elements_;
    ElementBatches batches_;
};

/// The stiffness k and damping k_d of a hinge [N m, N m s] from its fabric and rest shape: the
/// rigidity of the two sides' fabrics for the edge's direction in each pattern, times
/// |e|^2 / (A1 + A2).
struct HingeStiffness {
    double stiffness, damping;
};
HingeStiffness hinge_stiffness(const Model& model, const Hinge& hinge);

/// How stiff a cloth's mesh makes it bend, as a multiple of the fabric's rigidity: the least and
/// the greatest over directions of curvature. Hinges on near-equilateral triangles give 1; on
/// right-triangle grids no choice of stiffness gives 1 in all directions.
struct BendCalibration {
    double lowest = 1, highest = 1;
};
BendCalibration bend_calibration(const Model& model, int cloth);

} // namespace muslin
