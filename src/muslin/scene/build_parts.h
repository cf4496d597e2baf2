#pragma once

#include "muslin/model/model.h"
#include "muslin/scene/description.h"

// The stages of build_scene that have files of their own. Nothing outside it needs them. Each wants
// the regions and the bodies of the model.

namespace muslin {

/// Adds the masses of [[weight]] to those of the particles.
void add_weights(const SceneDescription& scene, Model& model);

/// [[sticking]], [[tape]] and [[tack]].
void add_stickings(const SceneDescription& scene, Model& model);

} // namespace muslin
