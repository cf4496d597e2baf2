#pragma once

#include "muslin/collision/detect/surfaces.h"
#include "muslin/model/merge.h"

#include <vector>

namespace muslin {

/// Takes remembered sides over to the surfaces of a model in which particles have become one.
/// Pairs of features with such a particle are forgotten: what lies about it is a neighbour now.
void merge_sides(const Surfaces& before, const Surfaces& after, const ParticleMap& map,
                 std::vector<RememberedSide>& sides);

} // namespace muslin
