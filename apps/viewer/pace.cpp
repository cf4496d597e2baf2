#include "viewer/pace.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace muslin::viewer {

void Pace::set(bool running, double rate) {
    const std::scoped_lock lock(mutex_);
    if (running == running_ && rate == rate_)
        return;
    if (running && !running_)
        for (Runner& runner : runners_)
            runner.able = true;
    running_ = running;
    rate_ = rate;
    origin_ = Clock::now();
    origin_frame_ = slowest();
}

void Pace::step() {
    const std::scoped_lock lock(mutex_);
    for (int i = 0; i < count_; ++i)
        runners_[i].allowed = runners_[i].frame + 1;
}

int Pace::join(int frame) {
    const std::scoped_lock lock(mutex_);
    if (count_ == static_cast<int>(runners_.size()))
        throw std::logic_error("Pace: too many simulations");
    runners_[count_] = {frame, true, frame};
    return count_++;
}

void Pace::arrived(int who, int frame, bool able) {
    const std::scoped_lock lock(mutex_);
    Runner& runner = runners_[who];
    if (frame < runner.frame) { // started anew
        runner.allowed = frame;
        origin_ = Clock::now();
        origin_frame_ = frame;
    }
    runner.frame = frame;
    runner.able = able;
    if (!able)
        runner.allowed = frame;
}

int Pace::slowest() const {
    int frame = std::numeric_limits<int>::max();
    for (int i = 0; i < count_; ++i)
        if (runners_[i].able)
            frame = std::min(frame, runners_[i].frame);
    return frame == std::numeric_limits<int>::max() ? 0 : frame;
}

double Pace::wait(int who, Clock::time_point now) {
    const std::scoped_lock lock(mutex_);
    const Runner& runner = runners_[who];
    if (runner.frame < runner.allowed)
        return 0;
    if (!running_ || !runner.able)
        return longest;
    if (runner.frame > slowest())
        return 0.002;
    const auto seconds = [](double s) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
    };
    const auto due = origin_ + seconds((runner.frame + 1 - origin_frame_) / rate_);
    if (now < due)
        return std::min(longest, std::chrono::duration<double>(due - now).count());
    if (now > due + seconds(1 / rate_)) { // too slow: the clock waits
        origin_ = now;
        origin_frame_ = runner.frame + 1;
    }
    return 0;
}

} // namespace muslin::viewer
