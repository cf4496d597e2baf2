#pragma once

#include "fuzz.h"

#include "muslin/scene/load.h"

namespace muslin::fuzz {

inline void check_placement(const Placement& placement) {
    require(is_finite(placement.position) && is_finite(placement.rotation) &&
                std::isfinite(placement.scale) && placement.scale > 0,
            "a finite placement");
}

inline void check_scene(const SceneDescription& scene) {
    require(!scene.cloths.empty(), "a cloth");
    require(!scene.name.empty() && scene.name.find('/') == std::string::npos, "a name for files");
    require(is_finite(scene.world.gravity), "finite gravity");
    require(scene.time.frames >= 0 && scene.time.frame_rate > 0 &&
                std::isfinite(scene.time.frame_rate),
            "a time");
    for (const ClothDescription& cloth : scene.cloths) {
        check_placement(cloth.placement);
        require(is_finite(cloth.velocity) && cloth.material.density > 0, "a cloth that moves");
        require(!cloth.name.empty() && cloth.name.find('/') == std::string::npos,
                "a name for files");
    }
    for (const BodyDescription& body : scene.bodies)
        check_placement(body.placement);
}

} // namespace muslin::fuzz
