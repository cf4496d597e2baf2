#pragma once

#include "muslin/engine/frame_stepper.h"
#include "muslin/engine/trouble.h"

#include <chrono>
#include <functional>

namespace muslin {

/// Tells of a frame while it takes far more steps than those before it did, or by the clock four
/// times as long and more than a patience. No result depends on it.
class StallWatch {
public:
    void set(std::function<void(const Stall&)> tell, double patience) {
        tell_ = std::move(tell);
        patience_ = patience;
    }

    void begin_frame();
    void look(const FrameProgress& progress, double frame_rate);
    void end_frame(int steps);

private:
    using Clock = std::chrono::steady_clock;
    double seconds_in_frame() const;

    std::function<void(const Stall&)> tell_; ///< may be empty
    Clock::time_point frame_began_;
    double patience_ = 10, slowest_frame_ = 0, told_after_ = 0; ///< [s] of the clock
    int most_steps_ = 0;                                        ///< tried in a frame so far
    int stalled_at_ = 0; ///< steps of this frame that are told next
};

} // namespace muslin
