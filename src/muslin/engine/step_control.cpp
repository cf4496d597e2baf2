#include "muslin/engine/step_control.h"

#include <algorithm>
#include <cmath>

namespace muslin {

StepControl::StepControl(const StepControlSettings& settings)
    : settings_(settings), size_(settings.max_step) {
    settings_.calm_step = std::max(settings.calm_step, settings.max_step);
}

double StepControl::next(double remaining) const {
    // The small number keeps a frame of exactly n steps from being cut into n + 1 by rounding.
    const double steps = std::max(1.0, std::ceil(remaining / size_ - 1e-6));
    return remaining / steps;
}

void StepControl::accept(bool calm) {
    if (trying_larger_) {
        trying_larger_ = false;
        wait_ = first_wait;
        successes_ = 0;
    }
    const double longest = calm ? settings_.calm_step : settings_.max_step;
    if (size_ >= longest) {
        successes_ = 0;
        return;
    }
    if (++successes_ >= wait_) {
        size_ = std::min(2 * size_, longest);
        trying_larger_ = true;
        successes_ = 0;
    }
}

bool StepControl::reject(double failed_step) {
    wait_ = trying_larger_ ? std::min(2 * wait_, longest_wait) : first_wait;
    trying_larger_ = false;
    successes_ = 0;
    size_ = 0.5 * failed_step;
    return size_ >= settings_.min_step;
}

void StepControl::store(StepSizeHistory& history) const {
    history = {size_, wait_, successes_, trying_larger_};
}

void StepControl::recall(const StepSizeHistory& history) {
    if (history.size == 0) {
        *this = StepControl(settings_);
        return;
    }
    require_history(history.size > 0 && history.size <= settings_.calm_step &&
                        history.wait >= first_wait && history.wait <= longest_wait &&
                        history.successes >= 0,
                    "its steps are of other sizes");
    size_ = history.size;
    wait_ = history.wait;
    successes_ = history.successes;
    trying_larger_ = history.trying_larger;
}

} // namespace muslin
