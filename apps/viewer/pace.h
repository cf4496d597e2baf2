#pragma once

#include <array>
#include <chrono>
#include <mutex>

namespace muslin::viewer {

/// When live simulations may make their next frame: not faster than the clock of the window, and
/// side by side none ahead of the other. One that is slower than the clock does not have to catch
/// up. Called from several threads.
class Pace {
public:
    using Clock = std::chrono::steady_clock;

    /// `rate`: frames a second. When it begins to run, those that could not go on try again.
    void set(bool running, double rate);
    /// Lets those that stand still make one frame more.
    void step();
    /// Counts a simulation in; its number.
    int join(int frame);
    /// A simulation is at this frame now.
    void arrived(int who, int frame, bool able);

    /// Seconds to wait before the next frame; 0: now. At most `longest`.
    double wait(int who, Clock::time_point now);
    static constexpr double longest = 0.05;

private:
    struct Runner {
        int frame = 0;
        bool able = true; ///< false: it cannot go on, and nobody waits for it
        int allowed = 0;  ///< the frame up to which it may go though all stand still
    };
    int slowest() const;

    std::mutex mutex_;
    std::array<Runner, 2> runners_;
    int count_ = 0;
    bool running_ = false;
    double rate_ = 30;
    Clock::time_point origin_ = Clock::now(); ///< when frame origin_frame_ was due
    int origin_frame_ = 0;
};

} // namespace muslin::viewer
