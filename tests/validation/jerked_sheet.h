#pragma once

#include "muslin/integrators/strain_limit.h"
#include "validation/scene_run.h"

#include <fmt/format.h>
#include <functional>

namespace muslin::validation {

struct Jerked {
    double least = 0, greatest = 0; ///< strain of an edge after any step
    int steps = 0;
    long sweeps = 0;
    int most_sweeps = 0; ///< in one step
};

/// Runs the scene with frames so short that each is one step. In the end the pins are apart by more
/// than the sheet's width, as a part of it: 0.04 in the scene.
inline Jerked run_jerked_sheet(double until, double beyond,
                               const std::function<void(double, const Jerked&)>& each) {
    constexpr double rate = 1300; // [1/s]; the stable step is longer
    SceneDescription description = load_scene(
        "jerked-sheet", std::vector<std::string>{fmt::format("time.frame_rate={}", rate)});
    for (PinDescription& pin : description.pins) {
        auto keys = pin.motion.translation.keys();
        keys.back().second.x = pin.name == "left" ? -0.5 * beyond : 0.5 * beyond;
        pin.motion.translation = Animated<Vec3>(keys);
    }
    Simulation simulation(description);
    const StrainLimit judge(simulation.model(), {});
    Jerked out;
    while (simulation.state().time < until) {
        const FrameReport frame = simulation.advance_frame();
        if (frame.steps != 1)
            throw std::logic_error("a frame is not one step");
        const StrainLimit::Strain strain = judge.strain(simulation.state().positions);
        out.least = std::min(out.least, strain.least);
        out.greatest = std::max(out.greatest, strain.greatest);
        out.steps += frame.steps;
        out.sweeps += frame.sweeps;
        out.most_sweeps = std::max(out.most_sweeps, frame.most_sweeps);
        if (each)
            each(frame.time,
                 {strain.least, strain.greatest, frame.steps, frame.sweeps, frame.most_sweeps});
    }
    return out;
}

} // namespace muslin::validation
