#pragma once

#include "muslin/math/vec.h"
#include "muslin/mesh/polygon_mesh.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// A body with a skeleton: what a glTF file holds of one, and what the mannequin is.

namespace muslin {

/// A unit quaternion.
struct Quat {
    double x = 0, y = 0, z = 0, w = 1;
};

/// Scaled, then turned, then moved; relative to the node's parent.
struct NodeTransform {
    Vec3 translation = {0, 0, 0}; ///< [m]
    Quat rotation;
    Vec3 scale = {1, 1, 1};
};

/// x -> linear x + offset.
struct Affine {
    Mat3 linear = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Vec3 offset = {0, 0, 0};
};
Affine operator*(const Affine& a, const Affine& b); ///< b first
Vec3 operator*(const Affine& a, const Vec3& point);
Affine affine(const NodeTransform& transform);
/// The inverse; nothing where there is shear, which no transform of a node has.
std::optional<NodeTransform> decompose(const Affine& affine);

struct CharacterNode {
    std::string name;
    int parent = -1; ///< comes before its children
    NodeTransform rest;
};

struct MorphTarget {
    std::string name;
    std::vector<Vec3> offsets; ///< one per vertex of its part
};

/// Vertices that move together: with one node, or by the joints of a skin.
struct CharacterPart {
    int first_vertex = 0, vertex_count = 0; ///< of Character::mesh
    int node = -1;                          ///< that carries them; a skin ignores where it is
    std::vector<int> joints;                ///< nodes; empty: no skin
    std::vector<Affine> inverse_bind;       ///< one per joint
    /// Influences of vertex v: [begin[v], begin[v + 1]) of `influence_joint`, `influence_weight`.
    std::vector<int> influence_begin;
    std::vector<int> influence_joint;     ///< index into `joints`
    std::vector<double> influence_weight; ///< sum 1 for each vertex
    std::vector<MorphTarget> morphs;
    std::vector<double> morph_weights; ///< one per morph, where no clip says otherwise
};

/// One property of one node over time.
struct ClipChannel {
    enum class Path { translation, rotation, scale, weights };
    enum class Interpolation { step, linear, cubic };
    int node = 0; ///< of weights: the node that carries the part
    Path path = Path::translation;
    Interpolation interpolation = Interpolation::linear;
    std::vector<double> times; ///< [s], increasing
    std::vector<double>
        values; ///< as glTF has them: 3, 4 or as many as morphs per key; thrice for cubic
};

struct Clip {
    std::string name;
    std::vector<ClipChannel> channels;
    double duration = 0; ///< the last key of any channel [s]
};

struct Character {
    PolygonMesh mesh; ///< as it is modelled, before any pose [m]
    std::vector<CharacterNode> nodes;
    std::vector<CharacterPart> parts; ///< one after the other they cover the vertices
    std::vector<Clip> clips;
};

/// What a clip changes.
struct CharacterPose {
    std::vector<NodeTransform> nodes;               ///< one per node
    std::vector<std::vector<double>> morph_weights; ///< one list per part
};

/// The pose that the file itself has, without any clip.
CharacterPose rest_pose(const Character& character);

/// The pose of a clip at a time [s]: the first key before it starts, the last after it ends.
CharacterPose sample_clip(const Character& character, const Clip& clip, double time);

/// Between two poses: 0 is a, 1 is b; rotations take the shorter way.
CharacterPose blend_poses(const CharacterPose& a, const CharacterPose& b, double share);

/// Where the nodes are in a pose: from the coordinates of each to those of the character.
std::vector<Affine> node_transforms(const Character& character, const CharacterPose& pose);

/// Where the vertices are in a pose, by linear blend skinning [m]. `out` has one place per vertex.
void pose_character(const Character& character, const CharacterPose& pose, std::span<Vec3> out);

/// The clip of a name. Throws InputError (key "clip") that lists those there are.
const Clip& find_clip(const Character& character, const std::string& name);

} // namespace muslin
