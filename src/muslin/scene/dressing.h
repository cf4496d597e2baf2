#pragma once

#include "muslin/model/conditions.h"
#include "muslin/scene/description.h"

namespace muslin {

/// The frames before the first: garments are sewn and settle, layer by layer, and then follow their
/// bodies from the rest pose into the pose of the first frame. Their numbers are negative, and so
/// are their times.
struct DressingFrames {
    int rounds = 0; ///< one for each layer of garments
    int sew = 0;    ///< of a round, at most: the phase ends as soon as its seams are closed
    int settle = 0; ///< of a round
    int preroll = 0;
    int all() const { return rounds * (sew + settle) + preroll; }
    /// The frame after which a round begins to settle.
    int sewn(int round) const { return round * (sew + settle) + sew - all(); }
};

/// None where a scene has no garments.
DressingFrames dressing_frames(const SceneDescription& scene);

/// The round that garments of a layer are dressed in: garments of higher layers come later.
int dressing_round(const SceneDescription& scene, int layer);

/// The phase that the frame after `frame` belongs to.
DressingPhase phase_after(const DressingFrames& frames, int frame);
/// The last one in all that comes after dressing.
int round_after(const DressingFrames& frames, int frame);
const char* phase_name(DressingPhase phase);

/// The share of gravity that acts in the frame after `frame` on garments that are being dressed:
/// what the scene says while seams close, growing to all of it in the first half of the time to
/// settle.
double gravity_share(const DressingFrames& frames, const DressingDescription& dressing, int frame);

} // namespace muslin
