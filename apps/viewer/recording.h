#pragma once

#include "viewer/frame_source.h"

#include <deque>
#include <memory>

namespace muslin::viewer {

/// The last frames of a live simulation, in memory within a bound; the oldest are dropped.
class Recording {
public:
    explicit Recording(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    /// Frames come in the order of their numbers; one that could not be kept may be missing.
    void add(std::shared_ptr<const Frame> frame);
    void clear();

    bool empty() const { return frames_.empty(); }
    FrameRange range() const;
    /// The frame of that number, or the last before it, or the first that is kept. There must be
    /// one.
    std::shared_ptr<const Frame> at(int number) const;
    std::size_t bytes() const { return bytes_; }

private:
    std::size_t most_bytes_, bytes_ = 0;
    std::deque<std::shared_ptr<const Frame>> frames_;
};

} // namespace muslin::viewer
