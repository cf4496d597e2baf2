#pragma once

#include "muslin/forces/capabilities.h"
#include "muslin/kernels/air_vertex.h"

namespace muslin {

/// Viscous drag and wind on particles, the latter along their normals [Bayraktar07 2]. The
/// constants are per area, so that they do not depend on how fine the mesh is: C_dis is
/// world.viscous_drag times the area of the particle, a third of its triangles' at rest, and C_wind
/// world.linear_drag, plus what the quadratic law of air_drag has at 1 m/s, times the same.
class AirVerticesForce final : public Force, public LinearisedForce, public DampedForce {
public:
    explicit AirVerticesForce(const Model& model);
    std::string_view name() const override { return "air_vertices"; }
    ForceKind kind() const override { return ForceKind::air; }
    ForceCapabilities capabilities() override { return {.linearised = this, .damped = this}; }
    void set_conditions(const Conditions& conditions) override;
    void prepare(double time) override;
    double energy(std::span<const Vec3>) const override { return 0; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;

    std::span<const double> areas() const { return area_; } ///< for tests: of each particle [m^2]
    /// The mean of the normals of a particle's triangles, weighted by their areas; zero where they
    /// cancel out.
    Vec3 normal(std::span<const Vec3> positions, std::size_t particle) const;

private:
    AirVertexResponse<double> respond(const Kinematics& at, std::size_t particle) const;
    // The same with the wind of a field, which is asked once for all particles: it is a program's,
    // and may not be asked by several threads at once. In a file of its own, so that compilers make
    // of the loops without a field what they did before there were any.
    void respond_to_field(const Kinematics& at) const;
    void add_force_of_field(const Kinematics& at, std::span<Vec3> f) const;
    void add_linearised_of_field(const Kinematics& at, double h, std::span<Vec3> f,
                                 BlockMatrix& a) const;
    void cache_damping_of_field(const Kinematics& at);

    const Model& model_;
    const Conditions* conditions_ = nullptr;
    std::vector<double> area_;
    std::vector<int> first_, triangles_; ///< those of particle i: triangles_[first_[i] ..]
    double time_ = 0;
    Vec3 wind_ = {0, 0, 0}; ///< where it is the same everywhere
    bool uniform_ = true;
    std::vector<Vec3> dashpots_; ///< cached
    // Of a wind field, kept for their memory.
    mutable std::vector<Vec3> winds_;
    mutable std::vector<AirVertexResponse<double>> responses_;
};

} // namespace muslin
