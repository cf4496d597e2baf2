#pragma once

#include "muslin/forces/batches.h"
#include "muslin/forces/element_force.h"
#include "muslin/forces/in_plane_force.h"
#include "muslin/model/model.h"

namespace muslin {

/// An edge of the cloth as a spring.
struct EdgeSpring {
    std::array<int, 2> particles;
    double stiffness; ///< [N/m]
    double damping;   ///< [N s/m]
    double rest;      ///< [m]
};

/// The springs of every edge of a cloth's triangles [Bridson03 3]. An edge of length l between
/// triangles of area A1 and A2 has the stiffness Y (A1 + A2) / l^2, where Y is the fabric's tensile
/// stiffness along it: on near-equilateral triangles the sheet then stretches as one of stiffness Y
/// with a Poisson ratio of 1/3, at any resolution [Van Gelder: Approximate simulation of elastic
/// membranes by triangulated spring meshes, 1998]. Springs have no shear stiffness of their own:
/// the sheet's is 3/8 Y, whatever the fabric says.
std::vector<EdgeSpring> edge_springs(const Model& model);

class EdgeSpringForce final : public InPlaneForce, public ElementForce {
public:
    explicit EdgeSpringForce(const Model& model);

    std::string_view name() const override { return "edge_springs"; }
    void append_pairs(std::vector<std::array<int, 2>>& pairs) const override;
    void bind(const BlockMatrix& matrix) override;
    double energy(std::span<const Vec3> positions) const override;
    void add_force(const Kinematics& at, std::span<Vec3> f) const override;
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override;
    void cache_damping(const Kinematics& at) override;
    void add_damping(std::span<const Vec3> w, std::span<Vec3> f) const override;
    double largest_stretch_change(std::span<const Vec3> from,
                                  std::span<const Vec3> to) const override;

    int corners() const override { return 2; }
    std::span<const int> element_particles() const override { return corners_; }
    void corner_forces(std::span<const int> elements, const Kinematics& at,
                       std::span<Vec3> out) const override;

private:
    std::vector<EdgeSpring> springs_;
    std::vector<int> corners_; ///< the particles of each
    std::vector<std::array<std::array<int, 2>, 2>> slots_;
    ElementBatches batches_;
    std::vector<Vec3> directions_; ///< cached, with the root of the damping as length
};

} // namespace muslin
