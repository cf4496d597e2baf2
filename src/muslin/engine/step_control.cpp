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

void StepControl::carry(Archive& archive) {
    archive(size_);
    archive(wait_);
    archive(successes_);
    archive(trying_larger_);
    archive.require(size_ > 0 && size_ <= settings_.calm_step && wait_ >= first_wait &&
                        wait_ <= longest_wait && successes_ >= 0,
                    "its steps are of other sizes");
}

} // namespace muslin
