#pragma once

#include "muslin/collision/fields/body_fields.h"
#include "muslin/model/model.h"
#include "muslin/scene/description.h"

#include <memory>

namespace muslin {

/// The table [level_sets] of a scene. The cache "auto" is $XDG_CACHE_HOME/muslin or
/// ~/.cache/muslin, or nothing where that cannot be written.
BodyFieldsSettings body_fields_settings(const LevelSetsDescription& description);

/// The bodies of a scene as level sets. Throws InputError, with its place in the scene, for a body
/// that has no inside.
std::unique_ptr<BodyFields> make_body_fields(const SceneDescription& scene, const Model& model);

/// The level sets that a run will need of a body.
struct LevelSetPlan {
    LevelSetSettings grid;
    int count = 1;    ///< over all frames
    double bytes = 0; ///< of one, about
};
/// Throws as make_body_fields does.
LevelSetPlan plan_level_sets(const SceneDescription& scene, const Model& model, const Body& body);

} // namespace muslin
