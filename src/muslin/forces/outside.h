#pragma once

#include "muslin/forces/batches.h"
#include "muslin/forces/capabilities.h"
#include "muslin/kernels/air_drag.h"
#include "muslin/model/model.h"

#include <algorithm>

namespace muslin {

/// Weight, m g.
class GravityForce final : public Force, public LinearisedForce {
public:
    explicit GravityForce(const Model& model) : model_(model) {}
    std::string_view name() const override { return "gravity"; }
    ForceKind kind() const override { return ForceKind::gravity; }
    ForceCapabilities capabilities() override { return {.linearised = this}; }
    void set_conditions(const Conditions& conditions) override { conditions_ = &conditions; }
    double energy(std::span<const Vec3> positions) const override; ///< above the origin's level
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation&, std::span<Vec3> f,
                        BlockMatrix&) const override {
        add_force(at, f);
    }

private:
    double heavy_mass(std::size_t i) const {
        return conditions_->weight.empty() ? model_.mass[i]
                                           : conditions_->weight[i] * model_.mass[i];
    }

    const Model& model_;
    const Conditions* conditions_ = nullptr;
};

/// Air drag and wind on every triangle, along its normal (air_drag.h) [BW98 4.4].
///
/// Declared: to the solver a corner is slowed by its own change of velocity, as mass resists it,
/// not by a third of each corner's. Triangles that change their velocity as a whole are slowed the
/// same, and drag adds no blocks beside the diagonal.
class AirDragForce final : public Force, public LinearisedForce, public DampedForce {
public:
    explicit AirDragForce(const Model& model);
    std::string_view name() const override { return "air_drag"; }
    ForceKind kind() const override { return ForceKind::air; }
    ForceCapabilities capabilities() override { return {.linearised = this, .damped = this}; }
    void set_conditions(const Conditions& conditions) override;
    void prepare(double time) override;
    double energy(std::span<const Vec3>) const override { return 0; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;

    void bind(const BlockMatrix& matrix) override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;

private:
    /// Four triangles; those that fill up the last one repeat a triangle, and add nothing.
    struct Element {
        int particle[3][4], slot[3][4];
    };
    AirDragResponse<Pack4> respond(const Element& element, const Kinematics& at) const;
    void find_field(const Kinematics& at) const;
    int lanes(int element) const { return std::min(4, triangles_ - 4 * element); }

    const Conditions* conditions_ = nullptr;
    int triangles_;
    double time_ = 0;
    bool uniform_ = true;
    Vec3 wind_ = {0, 0, 0}; ///< where it is the same everywhere
    /// Of a wind field: the middle of each triangle and the wind there; else empty.
    mutable std::vector<Vec3> middles_, winds_;
    ElementBatches batches_;
    std::vector<Element> elements_;
    /// Cached normals with the root of the damping as length.
    std::vector<Vec3T<Pack4>> dashpots_;
};

/// Springs from particles to moving points, and given forces on particles [BW98 4.4].
class OutsideForce final : public Force, public LinearisedForce, public DampedForce {
public:
    explicit OutsideForce(const Model& model);
    std::string_view name() const override { return "outside"; }
    ForceKind kind() const override { return ForceKind::outside; }
    ForceCapabilities capabilities() override { return {.linearised = this, .damped = this}; }
    void set_conditions(const Conditions& conditions) override { conditions_ = &conditions; }
    void prepare(double time) override { time_ = time; }
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;

private:
    const Model& model_;
    const Conditions* conditions_ = nullptr;
    std::vector<double> load_mass_; ///< of the particles of each load [kg]
    double time_ = 0;
};

} // namespace muslin
