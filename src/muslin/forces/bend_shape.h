#pragma once

#include "muslin/base/large_array.h"
#include "muslin/forces/batches.h"
#include "muslin/forces/bend_shape_elements.h"
#include "muslin/forces/element_force.h"
#include "muslin/forces/row_assembly.h"
#include "muslin/kernels/bend_bw.h"
#include "muslin/math/pack.h"

namespace muslin {

/// Bending by the curvature of the cloth, with the fabric's rigidities on any mesh
/// (docs/forces/bend_shape.md). With b the angles of the elements less their rest,
///
///     E = 1/2 b B b,    f = -sum over elements of (B b + k_d db/dt)_i g_i,   g_i = d theta_i / dx
///
/// B couples the hinges of a triangle, whose curvature is K = sum of l_i theta_i n_i n_i^T / (2 A):
/// E is the sum of A/2 K C K. On rectangles no coupling is needed.
///
/// The solver gets sum of H_i g_i g_i^T, as sparse as plain hinges, with H_i the sum of |B_ij| over
/// j: no less than B in any direction, so that a step never overshoots and energy does not rise.
class BendShapeForce final : public Force,
                             public LinearisedForce,
                             public RecordedElements,
                             public DampedForce,
                             public ElementForce {
public:
    explicit BendShapeForce(const Model& model);

    std::string_view name() const override { return "bend_shape"; }
    ForceKind kind() const override { return ForceKind::bending; }
    ForceCapabilities capabilities() override {
        return {.linearised = this, .recorded = this, .damped = this, .elements = this};
    }
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;

    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;

    int corners() const override { return 4; }
    std::span<const int> element_particles() const override { return corners_; }
    void corner_forces(std::span<const int> elements, const Kinematics& at,
                       std::span<Vec3> out) const override;

    Form record_form() const override { return Form::gradients; }
    void prepare_records(const Kinematics& at) const override;
    void record(std::span<const int> packs, const Kinematics& at, const Linearisation& step,
                double* out) const override;

private:
    struct Element {
        Pack4 stiffness, damping, rest;
        Pack4 handed; ///< to the solver as its stiffness
        int particle[4][4];
    };
    struct Couplings {
        Pack4 stiffness[4];
        int element[4][4]; ///< by coupling, then by lane
    };
    void set_element(const BendElements& from, int place, int element);
    Pack4 bent(const Element& e, std::span<const Vec3> x) const;
    void find_bends(std::span<const Vec3> x) const;
    Pack4 elastic_moment(std::size_t pack) const;
    int lanes(std::size_t pack) const { return std::min(4, count_ - 4 * static_cast<int>(pack)); }

    int count_ = 0;
    std::vector<int> corners_;
    LargeArray<Element> elements_;
    LargeArray<Couplings> couplings_; ///< empty where nothing is coupled
    ElementBatches batches_;
    RowAssembly rows_;
    /// The angles less their rest of the last positions: scratch of an evaluation.
    mutable LargeArray<double> bends_;
    /// Of the cached damping: the gradient of the angle with the root of the damping as a factor.
    struct Dashpot {
        Vec3T<Pack4> gradient[4];
    };
    LargeArray<Dashpot> dashpots_;
};

} // namespace muslin
