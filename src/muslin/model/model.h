#pragma once

#include "muslin/mesh/polygon_mesh.h"
#include "muslin/mesh/topology.h"
#include "muslin/mesh/triangle_mesh.h"
#include "muslin/model/animated.h"
#include "muslin/model/body.h"
#include "muslin/model/material.h"
#include "muslin/model/shape.h"

#include <array>
#include <limits>
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

/// Pulls: the elements that carry the fabric's stiffness.
struct DynamicsLayer {
    std::vector<std::array<int, 3>> triangles; ///< particles
    std::vector<std::array<Vec2, 3>> pattern;  ///< (u, v) of the corners [m]
    std::vector<int> triangle_cloth;           ///< index into Model::cloths
    std::vector<Hinge> hinges;                 ///< particles and triangles
    std::vector<double> rest_angles;           ///< one per hinge [rad]; empty: all flat
};

/// Touches: triangles with thickness.
struct CollisionLayer {
    std::vector<std::array<int, 3>> triangles; ///< particles
    std::vector<double> thickness;             ///< per particle [m]
    std::vector<double> friction;              ///< per particle
};

/// Joins: vertices of surfaces that share one particle.
struct StitchingLayer {
    struct Vertex {
        int cloth, vertex;
    };
    std::vector<std::vector<Vertex>> joints; ///< n-way, each of two or more
};

struct Cloth {
    std::string name;
    Material material;
    SurfaceLayer surface;
    std::array<int, 2> triangle_range; ///< of the dynamics layer: [begin, end)
};

/// A named set of particles, increasing.
struct Region {
    std::string name;
    int cloth = 0;
    std::vector<int> particles;
};

/// Particles held to a shape within a time window [BW98 2.4, 5].
struct Pin {
    std::string name; ///< of its region, for reports
    std::vector<int> particles;
    std::vector<Vec3> start; ///< where each was at the start [m]
    Shape shape;
    Motion motion;
    TimeWindow window;
};

/// b_u, b_v of some triangles over time [BW98 4.2].
struct RestStretch {
    std::vector<int> triangles;
    Animated<double> b_u, b_v;
};

/// Springs from particles to a moving point [BW98 4.4].
struct Pull {
    std::vector<int> particles;
    Animated<Vec3> target;
    double stiffness = 0; ///< [N/m] per particle
    double damping = 0;   ///< [N s/m] per particle
    TimeWindow window;
    /// The most that the spring pulls each particle with [N]: from there on it pulls no harder
    /// however far the point is. A hand has such a limit, and cloth that it pulls does not tear.
    double max_force = std::numeric_limits<double>::infinity();
};

/// A total force shared by particles in proportion to their mass.
struct Load {
    std::vector<int> particles;
    Animated<Vec3> force; ///< [N]
    TimeWindow window;
};

struct Air {
    Animated<Vec3> wind{Vec3{0, 0, 0}}; ///< [m/s]
    double linear_drag = 0;             ///< [N s/m^3]
    double quadratic_drag = 0;          ///< [kg/m^3]
};

/// Everything about a scene that does not change while it runs.
struct Model {
    std::vector<double> mass; ///< of each particle [kg]: a third of its triangles' [BW98 2.2]
    std::vector<Cloth> cloths;
    DynamicsLayer dynamics;
    CollisionLayer collision;
    StitchingLayer stitching;
    std::vector<Body> bodies;
    std::vector<Region> regions;
    std::vector<Pin> pins;
    std::vector<RestStretch> rest_stretches;
    std::vector<Pull> pulls;
    std::vector<Load> loads;
    Vec3 gravity = {0, -9.81, 0}; ///< [m/s^2]
    Air air;

    int particle_count() const { return static_cast<int>(mass.size()); }
};

/// Everything that does change. Copyable: a step reads one and writes another.
struct State {
    double time = 0;              ///< [s]
    std::vector<Vec3> positions;  ///< [m]
    std::vector<Vec3> velocities; ///< [m/s]
    /// Normal contact force on each particle in the last step [N]; empty before the first contact.
    std::vector<double> contact_force;
};

} // namespace muslin
