#pragma once

namespace muslin::viewer {

/// The frames that can be shown now.
struct FrameRange {
    int first = 0, last = 0;
};

/// Which frame the window shows. Over a finished run it plays from one to the next by the clock;
/// over a live simulation it follows the newest frame, and when it was turned back it plays the
/// recorded ones up to the newest and then goes on.
class Timeline {
public:
    Timeline(double frame_rate, bool live, bool playing);

    /// Lets `seconds` pass.
    void tick(double seconds, const FrameRange& range);

    void play(bool on);
    void toggle() { play(!playing_); }
    /// Shows a frame and stops.
    void seek(int frame, const FrameRange& range);
    /// One frame on (or back); true where a live simulation has to make it.
    bool step(int by, const FrameRange& range);
    void back_to_start(const FrameRange& range);

    bool playing() const { return playing_; }
    /// Whether a live simulation is to go on by itself.
    bool simulating() const { return live_ && playing_ && following_; }
    bool following() const { return following_; }
    int frame() const { return frame_; }
    double speed() const { return speed_; } ///< 1: real time
    void set_speed(double speed) { speed_ = speed; }
    bool loop() const { return loop_; }
    void set_loop(bool on) { loop_ = on; }

private:
    double rate_; ///< [1/s]
    bool live_;
    bool playing_;
    bool following_;
    bool loop_ = false;
    double speed_ = 1;
    int frame_ = 0;
    double part_ = 0; ///< of the next frame that has passed
};

} // namespace muslin::viewer
