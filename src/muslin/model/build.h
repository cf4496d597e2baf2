#pragma once

#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/model.h"

namespace muslin {

/// A piece of cloth as it comes in: placed in space, in the user's own vertex order.
struct ClothInput {
    std::string name;
    PolygonMesh mesh;
    RestShape rest = RestShape::texcoords;
    Material material;
    Vec3 velocity = {0, 0, 0}; ///< of every particle at the start [m/s]
};

/// Builds particles, layers, masses and hinges from pieces of cloth. `joints` lists vertices to be
/// joined into one particle, which starts at their mean. Particles are numbered along a space
/// filling curve, so that neighbours in the mesh are neighbours in memory.
///
/// Throws InputError (with the cloth's name as key) for a mesh that cannot be simulated: see
/// find_defect, set_material_coordinates.
Model build_model(std::vector<ClothInput> cloths,
                  const std::vector<std::vector<StitchingLayer::Vertex>>& joints, State& start);

/// The hinges of the layer's triangles, sorted by their particles.
void set_hinges(DynamicsLayer& layer);

/// The positions of a cloth's vertices, in the user's order.
void surface_positions(const Cloth& cloth, const State& state, std::vector<Vec3>& out);

} // namespace muslin
