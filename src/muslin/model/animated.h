#pragma once

#include "muslin/math/vec.h"
#include "muslin/model/formula.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace muslin {

/// A value over time: constant, linear between keys and constant outside them, or a formula.
template <class T>
class Animated {
public:
    Animated() = default;
    explicit Animated(T constant) : keys_{{0.0, constant}} {}
    /// Keys in increasing time [s]; at least one.
    explicit Animated(std::vector<std::pair<double, T>> keys) : keys_(std::move(keys)) {}
    explicit Animated(const Formula& formula)
        : formula_(std::make_shared<const Formula>(formula)) {}

    /// Throws SimulationError where a formula has no value.
    T at(double time) const {
        if (formula_) {
            T value;
            formula_->get(time, value);
            return value;
        }
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
    /// Whether it is the same everywhere. Of what is not, at() is the value at the origin.
    bool is_uniform() const { return !formula_ || !formula_->is_field(); }
    /// Of a field, at a place [m]; may be called from parallel loops. May not be finite.
    T at_place(double time, const Vec3& place) const { return formula_->at_place(time, place); }
    bool is_constant() const { return formula_ ? formula_->is_constant() : keys_.size() == 1; }

    /// Throws InputError where a formula has no value among `count` times from `begin` to `end`.
    void check(double begin, double end, int count) {
        if (!formula_)
            return;
        Formula checked = *formula_;
        checked.check(begin, end, count);
        formula_ = std::make_shared<const Formula>(std::move(checked));
    }
    /// The same of a field at some places, which check() leaves alone.
    void check_field(double begin, double end, int count, std::span<const Vec3> places) const {
        if (!is_uniform())
            formula_->check_field(begin, end, count, places);
    }
    /// The most that a number ever is; of a formula, among the times that were checked.
    double largest() const {
        if (formula_)
            return formula_->largest();
        double out = keys_.front().second;
        for (const auto& key : keys_)
            out = std::max(out, key.second);
        return out;
    }
    /// The keys of what has no formula; one for a constant.
    const std::vector<std::pair<double, T>>& keys() const { return keys_; }

private:
    std::vector<std::pair<double, T>> keys_{{0.0, T{}}};
    std::shared_ptr<const Formula> formula_;
};

/// The time in which something acts: start <= t < end [s].
struct TimeWindow {
    double start = 0;
    double end = std::numeric_limits<double>::infinity();
    bool contains(double time) const { return time >= start && time < end; }
};

} // namespace muslin
