#pragma once

#include "muslin/mesh/polygon_mesh.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/animated.h"
#include "muslin/model/body.h"
#include "muslin/model/material.h"
#include "muslin/model/seam_sides.h"
#include "muslin/model/shape.h"

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

// A cloth is layers over particles [Ohta95]: layers refer to particles by number, never to each
// other, so that what is drawn, what pulls, what touches and what is joined may differ.

/// Draws: the user's own mesh and, for each of its vertices, the particle it follows. Particles
/// are numbered for locality, vertices keep the user's order.
struct SurfaceLayer {
    PolygonMesh mesh;                      ///< positions are those of the start
    RestShape rest = RestShape::positions; ///< where the pattern came from
    std::vector<int> vertex_particle;      ///< one per vertex of `mesh`
};

/// Two particles that pull on each other along the line between them [Bayraktar07 2] [Ohta95].
struct Link {
    std::array<int, 2> particles;
    double rest = 0;      ///< l [m]
    double stiffness = 0; ///< k [N/m]
    double damping = 0;   ///< against the change of its length [N s/m]
    int potential = 0;    ///< index into the potentials that come with it
    /// The length from which it is stiffer [m] [Bayraktar07 (5)], and how; infinite: never.
    double allowed = std::numeric_limits<double>::infinity();
    ElongationLaw law = ElongationLaw::allowed;
};

/// Pulls: the elements that carry the fabric's stiffness.
struct DynamicsLayer {
    std::vector<std::array<int, 3>> triangles; ///< particles
    std::vector<std::array<Vec2, 3>> pattern;  ///< (u, v) of the corners [m]
    std::vector<int> triangle_cloth;           ///< index into Model::cloths
    std::vector<Hinge> hinges;                 ///< particles and triangles
    std::vector<double> rest_angles;           ///< one per hinge [rad]; empty: all flat
    /// Layers of connections superimposed on the above: they may join any particles [Ohta95].
    std::vector<Link> links;
    std::vector<Potential> potentials; ///< that the links refer to
};

/// Touches: triangles with thickness.
struct CollisionLayer {
    std::vector<std::array<int, 3>> triangles; ///< particles
    /// As those of the dynamics layer; both empty where the triangles are the same.
    std::vector<std::array<Vec2, 3>> pattern;
    std::vector<int> triangle_cloth;
    std::vector<double> thickness; ///< per particle [m]
    std::vector<double> friction;  ///< per particle
};

/// Joins: points of cloths that share one particle.
struct StitchingLayer {
    struct Vertex {
        int cloth, vertex; ///< index into Cloth::particles
    };
    std::vector<std::vector<Vertex>> joints; ///< n-way, each of two or more
    /// Of which point each corner of the dynamics layer's triangles is, an index into
    /// Cloth::particles: points that share a particle cannot be told apart by it.
    std::vector<std::array<int, 3>> corners;
};

struct Cloth {
    std::string name;
    Material material;
    SurfaceLayer surface;
    std::array<int, 2> triangle_range; ///< of the dynamics layer: [begin, end)
    /// The particle of each point, in the user's numbering: the vertices of the surface, then what
    /// other layers have besides, then points without any surface.
    std::vector<int> particles;
    /// Whether the triangles of the surface are those of the dynamics layer.
    bool surface_pulls = true;
};

/// A named set of particles, increasing.
struct Region {
    std::string name;
    int cloth = 0;
    std::vector<int> particles;
};

/// b_u, b_v of some triangles over time [BW98 4.2].
struct RestStretch {
    std::vector<int> triangles;
    Animated<double> b_u, b_v;
};

/// Particles drawn together until they meet, and then one [Ohta95, Deformation process]. What has
/// merged is no longer in the seams of the model: see model/merge.h.
struct Seam {
    std::string name;
    std::vector<std::vector<int>> joints; ///< n-way: of two or more particles each, in one joint
    double stiffness = 0;                 ///< to the middle of the joint [N/m] per particle
    double damping = 0; ///< against the change of a joint's width [N s/m] per particle
    /// The most that a joint of two pulls with, as the root of the sum of the squares of its forces
    /// [N]; one of n, sqrt(n / 2) times as much.
    double max_force = std::numeric_limits<double>::infinity();
    double ramp = 0;          ///< over which that grows from nothing, from the window's start [s]
    double meet_distance = 0; ///< within which they merge [m]
    TimeWindow window;
    std::optional<SeamSides> sides = {}; ///< of one that a garment has
};

/// A total force shared by particles in proportion to their mass.
struct Load {
    std::vector<int> particles;
    Animated<Vec3> force; ///< [N]
    TimeWindow window;
};

/// Particles that stick to triangles when they come near, and come loose when pulled [Bridson03 6].
/// What is stuck is part of the State.
struct Sticking {
    std::string name;                          ///< for reports
    std::vector<int> particles;                ///< that adhere, increasing
    int body = -1;                             ///< that the triangles belong to; -1: to cloth
    std::vector<std::array<int, 3>> triangles; ///< sticky: vertices of the body, or particles
    double tolerance = 0;                      ///< a particle sticks to what is as near [m]
    /// A bond this long ends [m]; its stiffness fades to zero on the way. May be infinite.
    double break_distance = std::numeric_limits<double>::infinity();
    double stiffness = 0; ///< [N/m] per particle
    double damping = 0;   ///< [N s/m] per particle, besides stiffness times interval
    double interval = 0;  ///< after which point and target are predicted to meet [s]
    /// Whether a particle sticks to the nearest triangle alone, once, instead of to all that are
    /// near whenever they come near: tape and tacks.
    bool nearest = false;
    Animated<double> strength{1.0}; ///< factor of stiffness and damping; 0: nothing sticks
    TimeWindow window;

    double strength_at(double time) const {
        return window.contains(time) ? strength.at(time) : 0.0;
    }
};

/// Everything about a scene that does not change while it runs. What does is in Conditions, where
/// others decide it, and in State, where the steps do.
struct Model {
    /// Of each particle [kg]: a third of its triangles' in the dynamics layer [BW98 2.2], and what
    /// points and weights add.
    std::vector<double> mass;
    std::vector<Cloth> cloths;
    DynamicsLayer dynamics;
    CollisionLayer collision;
    StitchingLayer stitching;
    std::vector<Body> bodies;
    std::vector<Region> regions;
    std::vector<RestStretch> rest_stretches;
    std::vector<Seam> seams;
    std::vector<Load> loads;
    std::vector<Sticking> stickings;

    int particle_count() const { return static_cast<int>(mass.size()); }

    const std::vector<std::array<Vec2, 3>>& collision_pattern() const {
        return collision.pattern.empty() ? dynamics.pattern : collision.pattern;
    }
    /// Index into `cloths`, one per triangle of the collision layer.
    const std::vector<int>& collision_cloths() const {
        return collision.triangle_cloth.empty() ? dynamics.triangle_cloth
                                                : collision.triangle_cloth;
    }
};

} // namespace muslin
