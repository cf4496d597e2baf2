#pragma once

#include "muslin/model/state.h"

#include <algorithm>

namespace muslin {

struct StepControlSettings {
    double max_step = 1.0 / 30; ///< [s], at most one frame
    double min_step = 0;        ///< [s]; below it the simulation cannot go on
    double calm_step = 0;       ///< [s]; the longest while all is calm; less than max_step: that
};

/// The step size policy of [BW98 7]: a failed step is halved and tried again; after two successes
/// with the smaller step the larger one is tried; each time that fails the wait before the next
/// try is longer, up to 40 steps, so that at most one step in forty is wasted.
///
/// While steps are calm (who takes them says what that is), longer ones than the longest of moving
/// cloth are tried by the same policy; one that turns out not to be calm is to be rejected.
class StepControl {
public:
    static constexpr int first_wait = 2;
    static constexpr int longest_wait = 40;

    explicit StepControl(const StepControlSettings& settings);

    /// The size of the next step when `remaining` seconds of the frame are left: the current size,
    /// shortened so that a whole number of equal steps ends with the frame.
    double next(double remaining) const;
    void accept(bool calm = false);
    /// Halves the step that failed; false if that would go below the smallest.
    [[nodiscard]] bool reject(double failed_step);
    /// The step below which contact is not helped by a smaller one [s].
    double contact_floor() const { return std::max(settings_.max_step / 16, settings_.min_step); }

    /// Whether steps this short would never end a frame. What is stable may be below the smallest
    /// step that is tried, but not by any amount.
    bool hopeless(double h) const { return h < settings_.min_step / 1024; }

    /// Whether calm makes a difference at all.
    bool heeds_calm() const { return settings_.calm_step > settings_.max_step; }
    /// Whether a step is longer than those of cloth that moves.
    bool needs_calm(double h) const { return h > 1.001 * settings_.max_step; }

    /// Writes where it is between two tries, and takes it up; from an empty history it begins anew.
    /// Throws HistoryError for a place that steps of these sizes have not.
    void store(StepSizeHistory& history) const;
    void recall(const StepSizeHistory& history);

    double smallest() const { return settings_.min_step; } ///< [s]
    double largest() const { return settings_.max_step; }  ///< [s]
    double size() const { return size_; }
    int wait() const { return wait_; }

private:
    StepControlSettings settings_;
    double size_;
    int wait_ = first_wait; ///< successes before the next try of a larger step
    int successes_ = 0;
    bool trying_larger_ = false;
};

} // namespace muslin
