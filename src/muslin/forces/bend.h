#pragma once

#include "muslin/base/large_array.h"
#include "muslin/forces/batches.h"
#include "muslin/forces/element_force.h"
#include "muslin/forces/row_assembly.h"
#include "muslin/kernels/bend_bw.h"
#include "muslin/math/pack.h"
#include "muslin/model/model.h"

namespace muslin {

/// How the moment of a hinge grows with its angle.
enum class BendLaw {
    angle,      ///< bend_bw.h: by the angle [BW98 4.3]
    half_angle, ///< bend_bridson.h: by the sine of half the angle [Bridson03 4]
    arc,        ///< bend_arc.h: by the curvature of an arc [Volino95 3.3]
};

/// Bending of every hinge, four hinges at a time.
class BendForce : public Force,
                  public LinearisedForce,
                  public RecordedElements,
                  public DampedForce,
                  public ElementForce {
public:
    explicit BendForce(const Model& model, BendLaw law = BendLaw::angle);

    std::string_view name() const override {
        return law_ == BendLaw::angle        ? "bend_bw"
               : law_ == BendLaw::half_angle ? "bend_bridson"
                                             : "bend_volino";
    }
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
    void record(std::span<const int> packs, const Kinematics& at, const Linearisation& step,
                double* out) const override;

protected:
    /// Sets the rest shape of a hinge, in the measure of its law.
    void set_rest(int hinge, double rest);

private:
    struct Element {
        Pack4 stiffness, damping;
        Pack4 rest;            ///< theta_0; sin(theta_0 / 2) of half_angle; t_0 of arc
        Pack4 stiffening;      ///< of half_angle; of arc the limit of t
        Pack4 rate_stiffening; ///< of half_angle
        int particle[4][4];
    };
    /// The moment, and its derivatives by the angle and by its rate.
    struct Response {
        Pack4 moment, stiffness, damping;
    };
    void set_element(int lane, int hinge);
    Response respond(const Element& e, const HingeState<Pack4>& s,
                     const Vec3T<Pack4> (&v)[4]) const;

    int lanes(int pack) const { return std::min(4, hinges_ - 4 * pack); }

    const Model& model_;
    BendLaw law_;
    int hinges_ = 0;
    std::vector<int> corners_;
    LargeArray<Element> elements_;
    ElementBatches batches_;
    RowAssembly rows_;
    /// Of the cached damping: the gradient of the angle with the root of the damping as a factor.
    struct Dashpot {
        Vec3T<Pack4> gradient[4];
    };
    LargeArray<Dashpot> dashpots_;
};

/// The stiffness k and damping k_d of a hinge [N m, N m s] from its fabric and rest shape: the
/// rigidity of the two sides' fabrics for the edge's direction in each pattern, times
/// |e|^2 / (A1 + A2). The rest are means of the two sides.
struct HingeStiffness {
    double stiffness = 0, damping = 0;
    double stiffening = 0, rate_stiffening = 0; ///< b and c [s] of bend_bridson.h
};
HingeStiffness hinge_stiffness(const Model& model, const Hinge& hinge);

/// The arc of a hinge on an isotropic sheet: bend_arc.h.
struct HingeArc {
    double stiffness = 0, damping = 0; ///< [N m, N m s]
    double tangent_length = 0;         ///< L [m]
    double limit = 0;                  ///< of t = L K
};
/// The fabric's own limit of K is kept as it is given. Unless it is, the radius is at least five
/// times the thickness and L / 3, which keeps the steepest moment within ten times that of flat
/// cloth.
HingeArc hinge_arc(const Model& model, const Hinge& hinge);

/// How stiff a cloth's mesh makes it bend, as a multiple of the fabric's rigidity: the least and
/// the greatest over directions of curvature. Hinges on near-equilateral triangles give 1; on
/// right-triangle grids no choice of stiffness gives 1 in all directions.
struct BendCalibration {
    double lowest = 1, highest = 1;
};
BendCalibration bend_calibration(const Model& model, int cloth);

} // namespace muslin
