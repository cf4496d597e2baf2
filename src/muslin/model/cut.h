#pragma once

#include "muslin/model/model.h"

namespace muslin {

/// The cloths of a model cut apart: every point of a cloth has a particle of its own, so that one
/// side of a seam can be asked what it pulls with. `start`: the model before seams merged anything.
/// It has what pulls by itself, the dynamics layer without its links; nothing is sewn, held, loaded
/// or touched.
Model cut_apart(const Model& start);

} // namespace muslin
