#pragma once

#include "muslin/model/model.h"
#include "muslin/model/state.h"
#include "muslin/scene/description.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace muslin {

/// A cloth that crosses itself, another cloth or a body before anything has moved. Faces and
/// vertices are the user's own, from 0.
struct Tangle {
    std::string cloth;
    std::string other;     ///< a cloth, that one itself included, or a body
    bool is_body = false;  ///< `other` is one
    std::size_t pairs = 0; ///< of triangles that cross or touch
    /// The faces of the first few pairs, that of `cloth` first.
    std::vector<std::array<int, 2>> faces;
    Vec3 place = {0, 0, 0};         ///< of the first pair [m]
    std::size_t inside = 0;         ///< vertices of the cloth inside a closed body
    int deepest = -1;               ///< one of them
    double depth = 0;               ///< of that one [m]
    Vec3 deepest_place = {0, 0, 0}; ///< [m]
};

/// In words, on one line.
std::string describe(const Tangle& tangle);

/// In the order of cloths, then of what they are tangled with.
std::vector<Tangle> find_tangles(const Model& model, const State& state);

/// What the readers of a scene's meshes mended or left out, each once: "FILE: what".
std::vector<std::string> mesh_warnings(const Model& model);

/// Refuses a scene whose run could not prove what it is asked to: a start that is tangled, unless
/// contact.allow_tangled, or where contact gets cloth out of bodies, if it is in those alone (the
/// tangles are then returned); or a limit on the depth in bodies none of
/// which is closed. Throws InputError.
std::vector<Tangle> check_start(const SceneDescription& scene, const Model& model,
                                const State& state);

} // namespace muslin
