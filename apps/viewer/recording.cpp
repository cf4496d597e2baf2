#include "viewer/recording.h"

#include <algorithm>

namespace muslin::viewer {

void Recording::add(std::shared_ptr<const Frame> frame) {
    bytes_ += frame->bytes();
    frames_.push_back(std::move(frame));
    while (bytes_ > most_bytes_ && frames_.size() > 1) {
        bytes_ -= frames_.front()->bytes();
        frames_.pop_front();
    }
}

void Recording::clear() {
    frames_.clear();
    bytes_ = 0;
}

FrameRange Recording::range() const {
    return {frames_.front()->number, frames_.back()->number};
}

std::shared_ptr<const Frame> Recording::at(int number) const {
    const auto after = std::partition_point(
        frames_.begin(), frames_.end(), [&](const auto& frame) { return frame->number <= number; });
    return after == frames_.begin() ? frames_.front() : *std::prev(after);
}

} // namespace muslin::viewer
