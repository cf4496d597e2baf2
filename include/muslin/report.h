#pragma once

#include "muslin/vec.h"

#include <optional>
#include <string>
#include <vector>

namespace muslin::api {

/// Energies of all cloth together [J].
struct Energies {
    double kinetic = 0;
    double elastic = 0; ///< of all forces that have an energy but gravity
    double gravity = 0; ///< above the level of the origin
};

/// The force by which a pin holds its vertices.
struct PinForce {
    std::string pin;
    Vec3 force; ///< on the cloth, all vertices together [N]
};

/// What a frame, or a part of one, took and what came out of it.
struct FrameReport {
    int frame = 0;
    double time = 0;                   ///< at the end [s]
    int steps = 0, rejected_steps = 0; ///< taken; taken back and tried again shorter
    double step_min = 0, step_max = 0; ///< of steps taken [s]
    int iterations = 0;                ///< of the conjugate gradient method
    int contacts = 0;                  ///< of the last step
    int crossings = 0;                 ///< of an edge and a face that contact has released
    int seams_open = 0;                ///< joints of seams that have not met
    double seam_gap = 0;               ///< width of the widest of them [m]
    Energies energies;
    std::vector<PinForce> pin_forces;
    std::vector<std::string> released; ///< contacts that could not be resolved, in words
    double seconds = 0;                ///< of computing
    std::string hash; ///< of positions and velocities: the same bits have the same hash
};

/// Measures of positions alone, made by code that shares nothing with contact and solver.
struct Verdict {
    double stretch_max = 1, stretch_min = 1;     ///< length of edges over their rest length
    double principal_max = 1, principal_min = 1; ///< stretch of triangles
    int self_intersections = 0;                  ///< pairs of triangles of cloth that intersect
    int body_intersections = 0;                  ///< pairs of a triangle of cloth and of a body
    std::optional<double> body_depth; ///< of the deepest vertex in a body [m]; none: no closed body
};

/// How a triangle is deformed against its place on the pattern.
struct Strain {
    double warp = 0, weft = 0;  ///< stretch along v and u, less one
    double shear = 0;           ///< cosine of the angle between warp and weft
    double most = 0, least = 0; ///< principal stretches, less one
};

/// How far something that takes long has come.
struct Progress {
    std::string stage; ///< "sew", "settle", "preroll", "frames", "prepare", "step"
    /// Frames, or bodies that are prepared; for "step" the steps tried so far, with `most` = 0.
    int done = 0, most = 0;
    double part = 0; ///< of the whole: 0 .. 1
};

} // namespace muslin::api
