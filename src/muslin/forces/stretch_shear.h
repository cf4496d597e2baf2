#pragma once

#include "muslin/base/large_array.h"
#include "muslin/forces/batches.h"
#include "muslin/forces/row_assembly.h"
#include "muslin/kernels/membrane.h"
#include "muslin/math/pack.h"
#include "muslin/model/model.h"

namespace muslin {

/// The in-plane forces of a cloth: stretch_bw and shear_bw on every triangle [BW98 4.2, 4.3, 4.5].
/// Both conditions live in the space of (w_u, w_v) and share the map from it to the particles, so
/// they are evaluated together, four triangles at a time, by kernels/membrane.h.
class StretchShearForce final : public Force,
                                public LinearisedForce,
                                public RecordedElements,
                                public DampedForce,
                                public StretchMeasure {
public:
    static constexpr double no_limit = 0;
    static constexpr double limit_stiffening = muslin::limit_stiffening;

    /// What threads do in compression.
    enum class Compression { straight, buckling };
    /// `strain_limit` as a part of the rest length, or no_limit.
    explicit StretchShearForce(const Model& model, double strain_limit = no_limit,
                               Compression compression = Compression::straight);

    std::string_view name() const override { return "stretch_bw+shear_bw"; }
    ForceKind kind() const override { return ForceKind::in_plane; }
    ForceCapabilities capabilities() override {
        return {.linearised = this, .recorded = this, .damped = this, .stretch = this};
    }
    void prepare(double time) override;
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;

    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;

    Form record_form() const override { return Form::blocks; }
    std::span<const int> element_particles() const override { return corners_; }
    void record(std::span<const int> packs, const Kinematics& at, const Linearisation& step,
                double* out) const override;

    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;

    /// Of |w_u| or |w_v| of any triangle.
    double largest_stretch_change(std::span<const Vec3> from,
                                  std::span<const Vec3> to) const override;

private:
    /// Four triangles; the last pack repeats its last triangle in unused lanes.
    struct Element : Membrane<Pack4> {
        int particle[3][4];
    };

    static Deformation<Pack4> deformation(const Element& e, const Kinematics& at);
    MembraneLaw<Pack4> law(int iteration) const;
    InPlaneDirections<Pack4> respond(const Element& e, const Deformation<Pack4>& d,
                                     int iteration) const;
    StretchExcess<Pack4> excess(const Element& e, const Vec3T<Pack4>& w, const Pack4& stiffness,
                                const Pack4& rest) const;
    double thread_energies(const Element& e, const Deformation<Pack4>& d, int lanes) const;
    int lanes(int pack) const { return std::min(4, triangles_ - 4 * pack); }

    const Model& model_;
    double strain_limit_;
    bool buckles_;
    int triangles_ = 0;
    std::vector<int> corners_;
    LargeArray<Element> elements_;
    ElementBatches batches_;
    RowAssembly rows_;
    /// Of the cached damping: the threads' directions and the shear's gradient, each with the root
    /// of its damping as a factor.
    struct Dashpots {
        Vec3T<Pack4> u, v, shear_u, shear_v;
    };
    LargeArray<Dashpots> dashpots_;
};

} // namespace muslin
