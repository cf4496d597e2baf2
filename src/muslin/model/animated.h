#pragma once

#include "muslin/math/vec.h"

#include <limits>
#include <utility>
#include <vector>

namespace muslin {

/// A value over time: constant, or linear between keys and constant outside them.
template <class T>
class Animated {
public:
    Animated() = default;
    explicit Animated(T constant) : keys_{{0.0, constant}} {}
    /// Keys in increasing time [s]; at least one.
    explicit Animated(std::vector<std::pair<double, T>> keys) : keys_(std::move(keys)) {}

    T at(double time) const {
        if (time <= keys_.front().first || keys_.size() == 1)
            return keys_.front().second;
        for (std::size_t i = 1; i < keys_.size(); ++i) {
            if (time < keys_[i].first) {
                const auto& [t0, a] = keys_[i - 1];
                const auto& [t1, b] = keys_[i];
                const double s = (time - t0) / (t1 - t0);
                return (1.0 - s) * a + s * b;
            }
        }
        return keys_.back().second;
    }
    bool is_constant() const { return keys_.size() == 1; }
    const std::vector<std::pair<double, T>>& keys() const { return keys_; }

private:
    std::vector<std::pair<double, T>> keys_{{0.0, T{}}};
};

/// The time in which something acts: start <= t < end [s].
struct TimeWindow {
    double start = 0;
    double end = std::numeric_limits<double>::infinity();
    bool contains(double time) const { return time >= start && time < end; }
};

} // namespace muslin
