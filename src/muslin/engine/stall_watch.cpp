#include "muslin/engine/stall_watch.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace muslin {

void StallWatch::begin_frame() {
    stalled_at_ = 0;
    frame_began_ = Clock::now();
    told_after_ = std::max(patience_, 4 * slowest_frame_);
}

void StallWatch::look(const FrameProgress& now, double frame_rate) {
    constexpr int usual = 32, far_more = 8; // steps; times
    if (stalled_at_ == 0) {
        const double planned = now.left / std::min(now.largest, now.stable);
        const double most = std::max({double(usual), planned, double(most_steps_)});
        stalled_at_ = static_cast<int>(std::min(far_more * most, 1e9));
    }
    const double seconds = seconds_in_frame();
    if (!tell_ || now.tried == 0 || (now.tried < stalled_at_ && seconds < told_after_))
        return;
    stalled_at_ = now.tried < stalled_at_ ? stalled_at_ : 2 * stalled_at_;
    told_after_ = std::max(told_after_, 2 * seconds);
    const double part = 1 - now.left * frame_rate;
    std::string reason(now.held_back);
    if (reason.empty() && now.stable < now.size)
        reason = "no longer step is stable";
    else if (reason.empty())
        reason = fmt::format("each of them takes {:.2g} s", seconds / now.tried);
    tell_({now.frame, now.tried, part, std::min(now.size, now.stable), reason});
}

void StallWatch::end_frame(int steps) {
    most_steps_ = std::max(most_steps_, steps);
    slowest_frame_ = std::max(slowest_frame_, seconds_in_frame());
}

double StallWatch::seconds_in_frame() const {
    return std::chrono::duration<double>(Clock::now() - frame_began_).count();
}

} // namespace muslin
