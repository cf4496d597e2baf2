#pragma once

#include "muslin/math/vec.h"
#include "muslin/mesh/face_region.h"

#include <cstdint>
#include <vector>

// What contact remembers from one step to the next. Surfaces number its features: points are the
// particles and then the vertices of bodies, and edges and triangles of cloth come before those of
// bodies (collision/detect/surfaces.h).

namespace muslin {

/// Which side of each other two features belong on, remembered after they were last near
/// [Volino95 4.3].
struct RememberedSide {
    std::uint64_t pair;       ///< the kind and the features: see collision/detect/proximity.h
    double seen;              ///< when the two were last near [s]
    std::int8_t side;         ///< +1 or -1: of the reference direction of the pair
    std::uint8_t reliability; ///< how sure that is; the larger the surer
};

/// Whether what draws crossed cloth back does good (collision/response/correction_contact.h).
struct TangleWatch {
    int fewest = 0;        ///< crossings since cloth first crossed; 0: none does
    double rest_until = 0; ///< nothing is drawn back until then [s]
};

/// A vertex and a triangle, or two edges, that share no point.
struct FeaturePair {
    int first;  ///< a point, or an edge
    int second; ///< a triangle, or an edge
};

/// A place on the surface of a body.
struct FacePoint {
    int face = -1;            ///< a triangle of Surfaces
    Vec3 weights = {1, 0, 0}; ///< of its corners
    FaceRegion region = FaceRegion::interior;
};

/// How a particle touches a body [BW98 5.4].
enum class Touch : std::uint8_t {
    none,
    locked,  ///< to its place on the face
    sliding, ///< held to the surface, free along it
};

/// What is remembered of a particle's contact from step to step.
struct SolidTouch {
    Touch mode = Touch::none;
    FacePoint place;         ///< where it is locked
    Vec3 offset = {0, 0, 0}; ///< from there to the particle, in the frame of the face [m]
    double normal_force = 0; ///< in the step before [N]
};

/// A pair of features that went through each other and is not back yet.
struct CrossedPair {
    std::uint64_t key; ///< Contact::key()
    FeaturePair pair;
    bool edges;
    double side; ///< +1 where the first feature belongs on the side of the normal, cross(u, v) of
                 ///< the face's sides or of the two edges; -1 on the other
};

/// What is remembered of cloth against cloth from step to step, in the order of keys.
struct ClothMemory {
    std::vector<CrossedPair> crossed;
    std::vector<std::uint64_t>
        pushing; ///< pairs whose springs pushed at the end of the step before
};

/// What the contact of bw98 remembers.
struct Bw98History {
    std::vector<SolidTouch> touches; ///< per particle
    ClothMemory cloth;
    std::vector<Vec3> before;    ///< places at the start of the last step [m]
    double time_before = 0;      ///< [s]
    std::vector<Vec3> positions; ///< and at its end
};

/// The shape of a search tree. Trees follow what moves and are seldom built anew: the order of
/// candidates, and so that of sums, depends on when that was.
struct TreeShape {
    int count = 0;                   ///< of things; 0: no tree has been built
    std::vector<std::int32_t> slots; ///< of the leaves: a thing each, or -1
    double area = 0, built_area = 0; ///< of the nodes' boxes, now and when it was built [m^2]
};

/// What a contact response remembers besides the members of State that physics depends on. Each
/// response uses what it needs.
struct ContactHistory {
    bool started = false;               ///< whether the start has been searched for crossings
    std::vector<std::uint8_t> released; ///< Tangles::Mark of each point; empty: all are held
    TreeShape cloth_tree, body_tree;
    Bw98History bw98;
};

} // namespace muslin
