#pragma once

#include "muslin/garment/garment_mesh.h"
#include "muslin/model/build_model.h"
#include "muslin/scene/description.h"

// The stages of build_scene that have files of their own. Nothing outside it needs them.

namespace muslin {

/// Scales, turns and moves a mesh, and scales its pattern where that is in its texture coordinates.
void place_mesh(PolygonMesh& mesh, const Placement& placement, RestShape rest);

/// Where the rest shape of a mesh comes from.
RestShape rest_shape(const MeshSource& source, const PolygonMesh& mesh);

Body make_body(const BodyDescription& description, const SceneDescription& scene);

/// A garment laid out around its body, not yet sewn; the mesh is placed.
struct CutGarment {
    const GarmentDescription* description = nullptr;
    GarmentMesh garment;
};
/// Those below first. Throws InputError for patterns that cannot be cut.
std::vector<CutGarment> cut_garments(const SceneDescription& scene,
                                     const std::vector<Body>& bodies);

/// How far a garment is drawn in over time, as a part of its rest lengths, while others are sewn
/// over it; a constant of one where none is.
Animated<double> drawn_in(const SceneDescription& scene, const GarmentDescription& garment);

/// A cloth placed, its layers matched.
struct LayeredCloth {
    ClothInput input;
    std::vector<Vec3> places;             ///< of all points: see Cloth::particles
    std::vector<std::vector<int>> tables; ///< the points of each of its [[cloth.points]]
};
/// Throws InputError for points that cannot be made.
LayeredCloth make_layers(const ClothDescription& cloth);

/// The points of a region, increasing.
std::vector<int> select_points(const RegionDescription& region, const LayeredCloth& cloth);

/// What the frames of an animation belong to.
struct FramesOwner {
    const MeshSource& source;
    const Placement& placement;
    const PolygonMesh& mesh; ///< placed
};
struct Frames {
    std::vector<std::vector<Vec3>> frames; ///< of every vertex, placed [m]
    double rate;                           ///< [1/s]
};
/// Reads an animation, in metres and placed as the mesh is. `key` names it in messages. Throws
/// InputError where it does not fit the mesh.
Frames read_frames(const FramesDescription& animation, const std::string& key,
                   const FramesOwner& owner, double scene_rate);

/// Moves the particles of cloths that have a [[start]] to it.
void place_starts(const SceneDescription& scene, const Model& model, State& start);

/// [[connections]]: wants the regions of the model and the cloth where it starts.
void add_connections(const SceneDescription& scene, Model& model, const State& start);

/// Throws InputError, naming the first, where a particle has no mass.
void require_masses(const SceneDescription& scene, const Model& model, const State& start);

// Each of these wants the regions and the bodies of the model.

/// Adds the masses of [[weight]] to those of the particles.
void add_weights(const SceneDescription& scene, Model& model);

/// Those of [[seam]], then those that garments are sewn by, in their order.
void add_seams(const SceneDescription& scene, const std::vector<CutGarment>& garments, Model& model,
               const State& start);

/// [[sticking]], [[tape]] and [[tack]].
void add_stickings(const SceneDescription& scene, Model& model);

} // namespace muslin
