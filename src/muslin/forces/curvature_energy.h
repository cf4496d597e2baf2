#pragma once

#include "muslin/forces/batches.h"
#include "muslin/forces/capabilities.h"
#include "muslin/forces/element_force.h"
#include "muslin/model/model.h"

namespace muslin {

/// A straight line of the pattern through a vertex: from a neighbour, through the vertex, to where
/// it leaves the triangles on the other side, between two of their vertices.
struct CurvatureLine {
    /// The neighbour, the middle, and the two at the far end (twice the same where the line meets a
    /// vertex).
    std::array<int, 4> particles;
    /// Of the second difference d2r/du2 of their places r along the line [1/m^2]. They add up to
    /// nothing, and so they do times the places of any flat sheet.
    std::array<double, 4> weights;
    double stiffness; ///< A D [N m^3]: the energy is half of it times |d2r/du2|^2
    double damping;   ///< the same with the damping [N m^3 s]
};

/// The lines of a cloth, along the edges of its cells. A vertex of area A gives them the area A
/// together on a grid, where lines cross at right angles and each has its own direction: a sheet
/// rolled along a line stores D kappa^2 / 2 per area. On other meshes lines go all ways, and see
/// kappa cos^2 phi at the angle phi; 8/3 of the area is theirs, so that the sheet stores
/// D kappa^2 / 2 on average over directions.
std::vector<CurvatureLine> curvature_lines(const Model& model);

/// E = 1/2 sum A D |d2r/du2|^2 over lines [Ohta95 (3)], with D = bend_u cos^2 + bend_v sin^2 by the
/// direction of the line in the pattern. The force is linear in the positions, its matrix constant.
/// Damping acts on the rate of |d2r/du2| alone, so that what turns as a whole is not damped.
class CurvatureEnergyForce final : public Force,
                                   public LinearisedForce,
                                   public DampedForce,
                                   public ElementForce {
public:
    explicit CurvatureEnergyForce(const Model& model);

    std::span<const CurvatureLine> lines() const { return lines_; }

    std::string_view name() const override { return "curvature_energy"; }
    ForceKind kind() const override { return ForceKind::bending; }
    ForceCapabilities capabilities() override {
        return {.linearised = this, .damped = this, .elements = this};
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

private:
    /// What the line pulls its particles with, before their weights [N m^2].
    Vec3 moment(const CurvatureLine& line, const Kinematics& at) const;

    std::vector<CurvatureLine> lines_;
    std::vector<int> corners_;
    std::vector<std::array<std::array<int, 4>, 4>> slots_;
    ElementBatches batches_;
    std::vector<Vec3> directions_; ///< cached, with the root of the damping as length
};

} // namespace muslin
