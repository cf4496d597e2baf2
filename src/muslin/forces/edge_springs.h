#pragma once

#include "muslin/forces/springs.h"

namespace muslin {

/// The springs of every edge of a cloth's triangles [Bridson03 3]. An edge of length l between
/// triangles of area A1 and A2 has the stiffness Y (A1 + A2) / l^2, where Y is the fabric's tensile
/// stiffness along it: on near-equilateral triangles the sheet then stretches as one of stiffness Y
/// with a Poisson ratio of 1/3, at any resolution [Van Gelder: Approximate simulation of elastic
/// membranes by triangulated spring meshes, 1998]. Springs have no shear stiffness of their own:
/// the sheet's is 3/8 Y, whatever the fabric says.
std::vector<Link> edge_springs(const Model& model);

class EdgeSpringForce final : public LinkForce {
public:
    explicit EdgeSpringForce(const Model& model);
};

} // namespace muslin
