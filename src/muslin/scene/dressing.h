#pragma once

#include "muslin/scene/description.h"

namespace muslin {

/// The frames before the first: garments are sewn, settle, and follow their bodies from the rest
/// pose into the pose of the first frame. Their numbers are negative, and so are their times.
struct DressingFrames {
    int sew = 0; ///< at most: the phase ends as soon as all seams are closed
    int settle = 0;
    int preroll = 0;
    int all() const { return sew + settle + preroll; }
};

/// None where a scene has no garments.
DressingFrames dressing_frames(const SceneDescription& scene);

enum class DressingPhase { sew, settle, preroll, done };

/// The phase that the frame after `frame` belongs to.
DressingPhase phase_after(const DressingFrames& frames, int frame);
const char* phase_name(DressingPhase phase);

/// The share of gravity that acts in the frame after `frame`: what the scene says while seams
/// close, growing to all of it in the first half of the time to settle.
double gravity_share(const DressingFrames& frames, const DressingDescription& dressing, int frame);

} // namespace muslin
