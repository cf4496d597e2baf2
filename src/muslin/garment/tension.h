#pragma once

#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <vector>

namespace muslin {

/// How threads answer their strain: as forces/stretch_shear.h has it, which comes later in the
/// order of folders. From (1 + limit) times the rest length on, a thread is stiffer by as much
/// again as `stiffening` times its stiffness; no limit: 0.
struct ThreadLaw {
    double limit = 0;
    double stiffening = 0;
};

/// What one triangle of the dynamics layer carries. Tensions are forces per width of the pattern
/// [N/m], without damping.
struct TriangleTension {
    double area = 0;                     ///< on the pattern [m^2]
    double stretch_u = 0, stretch_v = 0; ///< |w_u| - 1, |w_v| - 1
    double along_u = 0, along_v = 0;     ///< k (|w| - b), below zero where threads are pushed
    /// The larger principal value of the tensor of along_u, along_v and the shear stress
    /// k_shear w_u . w_v.
    double largest = 0;
};

/// One per triangle of the dynamics layer, with the rest stretches b_u, b_v of the state's time.
/// The same for any number of threads.
std::vector<TriangleTension> triangle_tensions(const Model& model, const State& state,
                                               const ThreadLaw& law);

/// The largest tension over the vertices of a cloth's surface [N/m]: of each the mean of the
/// triangles at its particle, weighted by their area, never below zero.
void tension_field(const Model& model, const std::vector<TriangleTension>& tensions,
                   std::size_t cloth, std::vector<double>& out);

} // namespace muslin
