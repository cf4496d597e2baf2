#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include <time.h>

namespace muslin::bench {

/// The least processor time of this thread in some rounds [ms]: other work on the machine changes
/// it less than time on the clock.
inline double milliseconds(const std::function<void()>& act, int rounds) {
    const auto now = [] {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
    };
    double best = HUGE_VAL;
    for (int i = 0; i < rounds; ++i) {
        const double begin = now();
        act();
        best = std::min(best, now() - begin);
    }
    return best;
}

} // namespace muslin::bench
