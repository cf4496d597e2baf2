#include "muslin/model/formula.h"

#include "muslin/base/largest_number.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace muslin {

Formula::Formula(std::vector<Expression> parts, Limits limits, Source where, std::string key)
    : parts_(std::move(parts)), limits_(std::move(limits)), where_(std::move(where)),
      key_(std::move(key)) {}

bool Formula::is_constant() const {
    return std::all_of(parts_.begin(), parts_.end(),
                       [](const Expression& part) { return part.is_constant(); });
}

bool Formula::is_field() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Expression& part) {
        return part.uses(1) || part.uses(2) || part.uses(3);
    });
}

bool Formula::allows(double value) const {
    return std::abs(value) <= largest_number && value >= limits_.min && value <= limits_.max;
}

std::string Formula::found(std::size_t part, double time) const {
    return fmt::format("{} from \"{}\" at t = {} s", raw(part, time), parts_[part].text(), time);
}

double Formula::value(std::size_t part, double time) const {
    const double out = raw(part, time);
    if (!allows(out))
        throw SimulationError(
            fmt::format("{}: expected {}, found {}", key_, limits_.expected, found(part, time)));
    return out;
}

void Formula::check_field(double begin, double end, int count, std::span<const Vec3> places) const {
    for (int i = 0; i < count; ++i) {
        const double time = begin + (end - begin) * i / std::max(1, count - 1);
        for (const Vec3& place : places)
            for (std::size_t part = 0; part < parts_.size(); ++part)
                if (const double value = raw(part, time, place); !allows(value))
                    throw InputError(
                        {where_, key_, limits_.expected,
                         fmt::format("{} from \"{}\" at t = {} s, x = {}, y = {}, "
                                     "z = {}",
                                     value, parts_[part].text(), time, place.x, place.y, place.z),
                         ""});
    }
}

void Formula::check(double begin, double end, int count) {
    if (is_field())
        return;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        for (int i = 0; i < count; ++i) {
            const double time = begin + (end - begin) * i / std::max(1, count - 1);
            const double value = raw(part, time);
            if (!allows(value))
                throw InputError({where_, key_, limits_.expected, found(part, time), ""});
            largest_ = std::max(largest_, value);
        }
    }
}

} // namespace muslin
