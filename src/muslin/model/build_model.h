#pragma once

#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <optional>

namespace muslin {

/// The triangles of one layer, and which point of the cloth each of their vertices is.
struct LayerInput {
    PolygonMesh mesh; ///< without faces: the cloth has no such layer
    RestShape rest = RestShape::texcoords;
    std::vector<int> points; ///< vertices of ClothInput::mesh, then its `points`
};

/// A piece of cloth as it comes in: placed in space, in the user's own vertex order.
struct ClothInput {
    std::string name;
    PolygonMesh mesh; ///< the surface
    RestShape rest = RestShape::texcoords;
    Material material;
    Vec3 velocity = {0, 0, 0};                ///< of every particle at the start [m/s]
    std::optional<LayerInput> dynamics = {};  ///< none: the surface
    std::optional<LayerInput> collision = {}; ///< none: the dynamics layer
    std::vector<Vec3> points = {};            ///< particles that are no vertices of `mesh` [m]
    std::vector<double> masses = {};          ///< added, vertices first [kg]; empty: none
};

/// Builds particles, layers, masses and hinges from pieces of cloth. `joints` lists vertices to be
/// joined into one particle, which starts at their mean. Particles are numbered along a space
/// filling curve, so that neighbours in the mesh are neighbours in memory.
///
/// Throws InputError (with the cloth's name as key) for a mesh that cannot be simulated: see
/// find_defect, set_material_coordinates. Particles without mass are for the caller to find.
Model build_model(std::vector<ClothInput> cloths,
                  const std::vector<std::vector<StitchingLayer::Vertex>>& joints, State& start);

/// What is drawn, over particles: those of the dynamics layer in its order, unless a cloth's
/// surface has its own.
struct SurfaceTriangles {
    std::vector<std::array<int, 3>> triangles; ///< particles
    std::vector<std::array<Vec2, 3>> pattern;  ///< (u, v) of the corners [m]
    std::vector<int> cloth;                    ///< index into Model::cloths
};
SurfaceTriangles surface_triangles(const Model& model);

/// The positions of all points of a cloth, in the user's numbering: see Cloth::particles.
void point_positions(const Cloth& cloth, const State& state, std::vector<Vec3>& out);

/// The hinges of the layer's triangles, sorted by their particles.
void set_hinges(DynamicsLayer& layer);

/// The positions of a cloth's vertices, in the user's order.
void surface_positions(const Cloth& cloth, const State& state, std::vector<Vec3>& out);

} // namespace muslin
