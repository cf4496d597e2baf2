#pragma once

#include "muslin/base/error.h"
#include "muslin/math/expression.h"
#include "muslin/math/vec.h"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muslin {

/// A value over time as formulas in t [s], one for a number and three for a vector; of a field also
/// in the place x, y, z [m]. Every value over time that it gives is finite and in its range: what
/// is not is an error, and never reaches the engine.
class Formula {
public:
    /// The variables of formulas; those of values that are the same everywhere know the first
    /// alone.
    static constexpr std::array<std::string_view, 4> variables = {"t", "x", "y", "z"};

    /// What the values must be, and what messages say of them.
    struct Limits {
        double min = -std::numeric_limits<double>::infinity();
        double max = std::numeric_limits<double>::infinity();
        std::string expected = "a finite number";
    };
    /// `where` and `key` are those of the scene.
    Formula(std::vector<Expression> parts, Limits limits, Source where, std::string key);

    /// Throws SimulationError where a formula has no value, or none that is allowed.
    void get(double time, double& out) const { out = value(0, time); }
    void get(double time, Vec3& out) const {
        out = {value(0, time), value(1, time), value(2, time)};
    }
    /// Of a field; may be called from parallel loops, so that what is not finite is passed on.
    Vec3 at_place(double time, const Vec3& place) const {
        return {raw(0, time, place), raw(1, time, place), raw(2, time, place)};
    }
    bool is_constant() const;
    bool is_field() const; ///< whether the place occurs

    /// Evaluates `count` times from `begin` to `end` [s]. Throws InputError at the scene's key
    /// where that gives no value that is allowed. A field is left to check_field.
    void check(double begin, double end, int count);
    /// The same at some places.
    void check_field(double begin, double end, int count, std::span<const Vec3> places) const;
    /// The largest value that check() met.
    double largest() const { return largest_; }

private:
    double raw(std::size_t part, double time, const Vec3& place = {0, 0, 0}) const {
        return parts_[part](std::array{time, place.x, place.y, place.z});
    }
    bool allows(double value) const;
    double value(std::size_t part, double time) const;
    std::string found(std::size_t part, double time) const;

    std::vector<Expression> parts_;
    Limits limits_;
    Source where_;
    std::string key_;
    double largest_ = -std::numeric_limits<double>::infinity();
};

} // namespace muslin
