#include "viewer/timeline.h"

#include <algorithm>
#include <cmath>

namespace muslin::viewer {

Timeline::Timeline(double frame_rate, bool live, bool playing)
    : rate_(frame_rate), live_(live), playing_(playing), following_(live) {}

void Timeline::tick(double seconds, const FrameRange& range) {
    frame_ = std::clamp(frame_, range.first, range.last);
    if (following_) {
        frame_ = range.last;
        return;
    }
    if (!playing_)
        return;
    part_ += seconds * rate_ * speed_;
    const double whole = std::floor(part_);
    part_ -= whole;
    frame_ = static_cast<int>(std::min(frame_ + whole, static_cast<double>(range.last) + 1));
    if (frame_ <= range.last && !(live_ && frame_ == range.last))
        return;
    if (live_) {
        following_ = true;
        frame_ = range.last;
    } else if (loop_) {
        frame_ = range.first;
    } else {
        frame_ = range.last;
        playing_ = false;
    }
}

void Timeline::play(bool on) {
    playing_ = on;
    part_ = 0;
}

void Timeline::seek(int frame, const FrameRange& range) {
    play(false);
    frame_ = std::clamp(frame, range.first, range.last);
    following_ = live_ && frame_ == range.last;
}

bool Timeline::step(int by, const FrameRange& range) {
    const bool make = live_ && by > 0 && frame_ >= range.last;
    seek(frame_ + by, range);
    return make;
}

void Timeline::back_to_start(const FrameRange& range) {
    frame_ = range.first;
    part_ = 0;
    following_ = live_;
}

} // namespace muslin::viewer
