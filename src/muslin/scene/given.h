#pragma once

#include "muslin/mesh/polygon_mesh.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace muslin {

/// What a program gives a scene in memory, by name: "given:NAME" stands for it wherever a scene has
/// the path of a mesh or of a pattern.
struct GivenInputs {
    template <class T>
    using ByName = std::map<std::string, T, std::less<>>;
    ByName<std::shared_ptr<const PolygonMesh>> meshes; ///< [m], y up
    ByName<std::string> patterns;                      ///< texts (docs/pattern-format.md)
};

inline constexpr std::string_view given_prefix = "given:";

inline bool is_given(std::string_view name) {
    return name.starts_with(given_prefix);
}

} // namespace muslin
