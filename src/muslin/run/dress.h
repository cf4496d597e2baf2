#pragma once

#include "muslin/engine/simulation.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// What a phase of dressing took.
struct DressedPhase {
    DressingPhase phase = DressingPhase::sew;
    int frames = 0;
    int steps = 0;
    double seconds = 0;  ///< of computing
    bool cached = false; ///< read from a file instead
};

struct DressOptions {
    /// Called after every frame: the phase, how many frames of it are done, and of how many at
    /// most.
    std::function<void(DressingPhase, int done, int most, const FrameReport&)> progress;
    std::function<void(const std::string&)> warn;
};

/// Takes a scene with garments from its start to the end of frame 0. States at the ends of phases
/// are kept in the scene's cache: one that is worn in the rest pose serves every animation of the
/// body, one that has followed it into the first frame every run of the same. Does nothing where a
/// scene has no garments, or shows how they are dressed.
std::vector<DressedPhase> dress(const SceneDescription& scene, Simulation& simulation,
                                const DressOptions& options);

} // namespace muslin
