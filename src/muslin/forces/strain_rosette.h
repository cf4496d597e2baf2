#pragma once

#include "muslin/base/large_array.h"
#include "muslin/forces/batches.h"
#include "muslin/forces/capabilities.h"
#include "muslin/forces/element_force.h"
#include "muslin/kernels/rosette.h"
#include "muslin/model/model.h"

namespace muslin {

/// Every triangle as a piece of an isotropic sheet, by rosette.h [Volino95 3.1, 3.3, 3.4], four at
/// a time. Forces are minus the gradient of the energy: to first order in the strain those of (4),
/// with the sign that makes the stress symmetric, and without net force and torque at any strain.
///
/// Viscosity (7) is Hooke's law again, for the rate of the strain and with the fabric's
/// stretch_damping in place of E T. Fabrics that yield move the rest strain, which is part of the
/// State; so does a region whose rest stretch is given.
class StrainRosetteForce final : public Force,
                                 public LinearisedForce,
                                 public DampedForce,
                                 public ElementForce,
                                 public HistoryForce,
                                 public StretchMeasure {
public:
    explicit StrainRosetteForce(const Model& model);

    std::string_view name() const override { return "strain_rosette"; }
    ForceKind kind() const override { return ForceKind::in_plane; }
    ForceCapabilities capabilities() override {
        return {
            .linearised = this, .damped = this, .elements = this, .history = this, .stretch = this};
    }
    void prepare(double time) override;
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;

    void recall(const State& begin) override;
    void remember(double h, State& end) const override;
    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;

    /// Of a principal stretch of any triangle.
    double largest_stretch_change(std::span<const Vec3> from,
                                  std::span<const Vec3> to) const override;

    int corners() const override { return 3; }
    std::span<const int> element_particles() const override { return corners_; }
    void corner_forces(std::span<const int> elements, const Kinematics& at,
                       std::span<Vec3> out) const override;

private:
    /// Four triangles; the last pack repeats its last triangle in unused lanes.
    struct Element {
        Pack4 area, a[3], b[3];
        SheetParameters<Pack4> sheet;
        Pack4 damping;
        InPlaneTensor<Pack4> given; ///< rest strain by the model's rest stretches
        InPlaneTensor<Pack4> kept;  ///< by what the cloth went through
        int particle[3][4];
    };
    struct Slots {
        int slot[3][3][4];
    };
    /// w_u and w_v of positions, or of what moves like them.
    struct Gradients {
        Vec3T<Pack4> u, v;
    };
    /// Forces in the frame of the principal stretch, turned back by the weights of the corners.
    struct Turned {
        Pack4 first[3], second[3];
    };
    /// Per area: the stress, extrapolated, and h^2 K + h D, in that frame.
    struct Linear {
        Vec3T<Pack4> p1, p2;
        Mat3T<Pack4> k11, k12, k22;
    };

    static Gradients gradients(const Element& e, std::span<const Vec3> values);
    static Turned turned_weights(const Element& e, const SheetStretch<Pack4>& s);
    InPlaneTensor<Pack4> rest(const Element& e) const;
    SheetStress<Pack4> elastic(const Element& e, const SheetStretch<Pack4>& s) const;
    void forces(const Element& e, const Kinematics& at, Vec3T<Pack4> (&out)[3]) const;
    Linear linearised(const Element& e, const SheetStretch<Pack4>& s, const Kinematics& at,
                      const Linearisation& step) const;
    void copy_lane(int triangle, int lane, Element& out) const;
    const Material& material(std::size_t triangle) const {
        return model_.cloths[model_.dynamics.triangle_cloth[triangle]].material;
    }
    InPlaneTensor<double> strain(int triangle, std::span<const Vec3> x) const;
    bool any_yields(std::span<const Vec3> x) const;
    void set_kept(double time);
    int lanes(int pack) const { return std::min(4, triangles_ - 4 * pack); }

    const Model& model_;
    int triangles_ = 0;
    bool rests_ = false;  ///< whether any triangle may have a rest strain
    bool yields_ = false; ///< whether what the cloth went through may be the reason
    bool relaxes_ = false;
    std::vector<Vec3> kept_; ///< rest strain of the state that was recalled
    double kept_time_ = 0;   ///< of that state [s]
    double set_time_ = 0;    ///< for which the elements have it [s]
    std::vector<int> corners_;
    LargeArray<Element> elements_;
    LargeArray<Slots> slots_;
    ElementBatches batches_;
    /// Of the cached damping: the rates of the strain that are damped by themselves, with the root
    /// of their damping as a factor.
    struct Dashpots {
        Vec3T<Pack4> u[3], v[3];
    };
    LargeArray<Dashpots> dashpots_;
};

} // namespace muslin
