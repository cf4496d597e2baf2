#pragma once

#include "muslin/scene.h"
#include "muslin/scene/description.h"
#include "muslin/scene/given.h"
#include "muslin/scene/load.h"

#include <string>
#include <vector>

namespace muslin::api {

/// A scene is the text that a file would have, and what it names as given: so it is read, checked
/// and built as every other scene is.
struct Scene::Parts {
    SceneText base;                   ///< of a file, or empty
    std::string added;                ///< tables after it
    std::vector<std::string> changes; ///< key.path=value, as of --set
    GivenInputs given;
    bool allow_outside = false;
};

/// Reads and checks it. Throws what the engine throws.
SceneDescription read(const Scene& scene);

} // namespace muslin::api
