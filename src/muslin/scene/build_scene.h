#pragma once

#include "muslin/model/conditions.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"
#include "muslin/scene/description.h"

namespace muslin {

struct BuiltScene {
    Model model;
    Conditions conditions; ///< that it starts under
    State start;
};

/// Reads and places the meshes of a scene and builds its model, conditions and first state. Throws
/// InputError where the scene does not fit its meshes: a mesh that cannot be simulated, a vertex
/// that does not exist, a region that matches nothing.
BuiltScene build_scene(const SceneDescription& scene);

/// The mesh of a source in metres, y up, not yet placed.
PolygonMesh make_mesh(const MeshSource& source);

} // namespace muslin
