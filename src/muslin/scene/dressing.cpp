#include "muslin/scene/dressing.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace muslin {

DressingFrames dressing_frames(const SceneDescription& scene) {
    DressingFrames out;
    if (scene.garments.empty())
        return out;
    const auto whole = [&](double seconds) {
        return static_cast<int>(std::ceil(seconds * scene.time.frame_rate - 1e-9));
    };
    std::set<int> layers;
    for (const GarmentDescription& garment : scene.garments)
        layers.insert(garment.layer);
    out.rounds = static_cast<int>(layers.size());
    out.sew = whole(scene.dressing.sew);
    out.settle = whole(scene.dressing.settle);
    if (std::any_of(scene.bodies.begin(), scene.bodies.end(),
                    [](const BodyDescription& body) { return body.animation.has_value(); }))
        out.preroll = whole(scene.dressing.preroll);
    return out;
}

int dressing_round(const SceneDescription& scene, int layer) {
    std::set<int> below;
    for (const GarmentDescription& garment : scene.garments)
        if (garment.layer < layer)
            below.insert(garment.layer);
    return static_cast<int>(below.size());
}

DressingPhase phase_after(const DressingFrames& frames, int frame) {
    if (frame >= 0)
        return DressingPhase::done;
    if (frame >= -frames.preroll)
        return DressingPhase::preroll;
    return frame >= frames.sewn(round_after(frames, frame)) ? DressingPhase::settle
                                                            : DressingPhase::sew;
}

int round_after(const DressingFrames& frames, int frame) {
    int out = 0;
    while (out + 1 < frames.rounds && frame >= frames.sewn(out) + frames.settle)
        ++out;
    return out;
}

const char* phase_name(DressingPhase phase) {
    constexpr const char* names[] = {"sew", "settle", "preroll", "done"};
    return names[static_cast<int>(phase)];
}

double gravity_share(const DressingFrames& frames, const DressingDescription& dressing, int frame) {
    const DressingPhase phase = phase_after(frames, frame);
    if (phase == DressingPhase::sew)
        return dressing.gravity;
    if (phase != DressingPhase::settle)
        return 1;
    const int done = frame + 1 - frames.sewn(round_after(frames, frame));
    const double part = std::min(1.0, 2.0 * done / frames.settle);
    return dressing.gravity + (1 - dressing.gravity) * part;
}

} // namespace muslin
