#include "muslin/scene/table_reader.h"

#include "muslin/base/largest_number.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muslin {

namespace {

std::string with_unit(std::string text, std::string_view unit) {
    if (!unit.empty())
        text += fmt::format(" [{}]", unit);
    return text;
}

/// "a positive number [kg/m^2]"; the upper limit is named only when it is what was passed.
std::string expectation(const Range& range, bool integer, bool above_max) {
    const std::string_view noun = integer ? "integer" : "number";
    std::string text;
    const std::string limit = above_max ? fmt::format(" up to {}", range.max) : "";
    if (range.min_excluded && range.min == 0)
        text = fmt::format("a positive {}{}", noun, limit);
    else if (std::isfinite(range.min) && std::isfinite(range.max))
        text = fmt::format("{} {} from {} to {}", integer ? "an" : "a", noun, range.min, range.max);
    else if (std::isfinite(range.min))
        text = fmt::format("{} {} >= {}", integer ? "an" : "a", noun, range.min);
    else
        text = fmt::format("{} {}", integer ? "an" : "a", noun);
    return with_unit(std::move(text), range.unit);
}

bool below(const Range& range, double value) {
    return value < range.min || (range.min_excluded && value == range.min);
}

} // namespace

std::string join_path(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

void Place::fail(std::string expected, std::string hint) const {
    fail_found(std::move(expected), describe(*value_), std::move(hint));
}

void Place::fail_found(std::string expected, std::string found, std::string hint) const {
    throw InputError({where(), path_, std::move(expected), std::move(found), std::move(hint)});
}

double Place::number(const Range& range) const {
    double value = 0;
    if (const auto* d = std::get_if<double>(&value_->data))
        value = *d;
    else if (const auto* i = std::get_if<std::int64_t>(&value_->data))
        value = static_cast<double>(*i);
    else
        fail(expectation(range, false, false));
    if (!std::isfinite(value))
        fail(expectation(range, false, false), "numbers must be finite");
    if (below(range, value) || value > range.max)
        fail(expectation(range, false, value > range.max),
             std::string(value > range.max ? range.hint : ""));
    if (std::abs(value) > largest_number)
        fail(expectation(range, false, false),
             fmt::format("numbers are {:g} at most", largest_number));
    return value;
}

int Place::integer(const Range& range) const {
    const auto* i = std::get_if<std::int64_t>(&value_->data);
    if (!i)
        fail(expectation(range, true, false));
    const auto value = static_cast<double>(*i);
    const double max = std::min<double>(range.max, std::numeric_limits<int>::max());
    if (below(range, value) || value > max)
        fail(expectation({range.min, max, range.min_excluded, range.unit, {}}, true, value > max),
             std::string(value > max ? range.hint : ""));
    return static_cast<int>(*i);
}

bool Place::boolean() const {
    const auto* b = std::get_if<bool>(&value_->data);
    if (!b)
        fail("true or false");
    return *b;
}

std::string Place::text(std::string_view expected) const {
    const std::string* text = value_->text();
    if (!text)
        fail(std::string(expected));
    return *text;
}

std::size_t Place::choice(std::span<const std::string_view> choices) const {
    const std::string expected = fmt::format("one of \"{}\"", fmt::join(choices, "\", \""));
    const std::string word = text(expected);
    const auto found = std::find(choices.begin(), choices.end(), word);
    if (found == choices.end()) {
        const std::string nearest = nearest_word(word, choices);
        fail(expected, nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
    }
    return static_cast<std::size_t>(found - choices.begin());
}

Vec3 Place::vec3(std::string_view unit) const {
    const std::string expected = with_unit("three numbers", unit);
    const std::vector<Place> parts = items(expected);
    if (parts.size() != 3)
        fail(expected);
    return {parts[0].number(any_number(unit)), parts[1].number(any_number(unit)),
            parts[2].number(any_number(unit))};
}

Vec3 Place::direction() const {
    const Vec3 vector = vec3("");
    const double length = norm(vector);
    if (!(length > 1e-12) || !std::isfinite(length))
        fail_found("a direction", fmt::format("[{}, {}, {}]", vector.x, vector.y, vector.z),
                   "its length must not be zero");
    return (1.0 / length) * vector;
}

std::vector<Place> Place::items(std::string_view expected) const {
    const TomlValue::Array* array = value_->array();
    if (!array)
        fail(std::string(expected));
    std::vector<Place> out;
    out.reserve(array->size());
    for (std::size_t i = 0; i < array->size(); ++i)
        out.emplace_back((*array)[i], fmt::format("{}[{}]", path_, i));
    return out;
}

bool Place::has_keyframes() const {
    const TomlValue::Array* array = value_->array();
    return array && !array->empty() && array->front().table();
}

template <class T, class Read>
Animated<T> Place::animated(const Read& read) const {
    if (!has_keyframes())
        return Animated<T>(read(*this));
    std::vector<std::pair<double, T>> frames;
    for (const Place& item : items("keys { t, value }")) {
        TableReader reader(item, keys::keyframe);
        const Place t = reader.require("t", "a time [s]");
        const double time = t.number(any_number("s"));
        if (!frames.empty() && time <= frames.back().first)
            t.fail(fmt::format("a time after {} [s]", frames.back().first),
                   "keys must be in order of increasing time");
        frames.emplace_back(time, read(reader.require("value", "a value")));
    }
    return Animated<T>(std::move(frames));
}

Expression Place::expression(std::span<const std::string_view> variables,
                             std::string_view hint) const {
    std::string text;
    if (value_->text())
        text = *value_->text();
    else
        text = fmt::format("{}", number(any_number("")));
    try {
        return Expression(text, variables);
    } catch (const InputError& error) {
        const Problem& p = error.problem();
        fail_found(fmt::format("a formula: {}", p.expected),
                   fmt::format("{} at column {} of \"{}\"", p.found, p.where.column, text),
                   std::string(hint));
    }
}

std::optional<Formula> Place::formula(std::size_t parts, const Range& range,
                                      std::size_t variables) const {
    const auto known = std::span(Formula::variables).first(variables);
    std::vector<Expression> expressions;
    if (parts == 1) {
        if (is_text())
            expressions.push_back(expression(known));
    } else if (const TomlValue::Array* array = value_->array(); array && array->size() == parts) {
        if (std::none_of(array->begin(), array->end(),
                         [](const TomlValue& part) { return part.text(); }))
            return std::nullopt;
        for (const Place& part : items("three numbers or formulas"))
            expressions.push_back(part.expression(known));
    }
    if (expressions.empty())
        return std::nullopt;
    Formula::Limits limits;
    limits.min = range.min_excluded ? std::nextafter(range.min, no_limit) : range.min;
    limits.max = range.max;
    limits.expected = fmt::format("a formula that gives {} at any time of the scene",
                                  expectation(range, false, std::isfinite(range.max)));
    return Formula(std::move(expressions), std::move(limits), where(), path_);
}

Animated<double> Place::animated_number(const Range& range) const {
    if (const auto found = formula(1, range))
        return Animated<double>(*found);
    return animated<double>([&](const Place& place) { return place.number(range); });
}

Animated<Vec3> Place::animated_vec3(std::string_view unit) const {
    if (const auto found = formula(3, any_number(unit)))
        return Animated<Vec3>(*found);
    return animated<Vec3>([&](const Place& place) { return place.vec3(unit); });
}

Animated<Vec3> Place::field(std::string_view unit) const {
    if (const auto found = formula(3, any_number(unit), Formula::variables.size()))
        return Animated<Vec3>(*found);
    return animated_vec3(unit);
}

TableReader::TableReader(const Place& place, const KeyGroup& group)
    : place_(place), table_(place.value().table()), group_(&group) {
    if (!table_)
        place.fail("a table");
    for (const TomlEntry& entry : table_->entries) {
        if (std::find(group.keys.begin(), group.keys.end(), entry.key) == group.keys.end())
            throw InputError({entry.where, path_of(entry.key),
                              fmt::format("a key of '{}'", group.table), '\'' + entry.key + '\'',
                              suggest(entry.key, group.keys)});
    }
}

std::string TableReader::path_of(std::string_view key) const {
    return join_path(path(), key);
}

std::optional<Place> TableReader::get(std::string_view key) {
    const auto known = std::find(group_->keys.begin(), group_->keys.end(), key);
    assert(known != group_->keys.end() && "a key that the loader reads must be in keys.h");
    asked_.insert(*known);
    const TomlEntry* entry = table_->find(key);
    if (!entry)
        return std::nullopt;
    return Place(entry->value, path_of(key));
}

Place TableReader::require(std::string_view key, std::string_view expected, std::string_view hint) {
    if (std::optional<Place> place = get(key))
        return *place;
    throw InputError({where(), path_of(key), std::string(expected), "nothing", std::string(hint)});
}

std::vector<Place> TableReader::tables(std::string_view key) {
    const std::optional<Place> place = get(key);
    if (!place)
        return {};
    const std::string expected = fmt::format("an array of tables, [[{}]]", key);
    if (place->is_table())
        place->fail(expected, fmt::format("write [[{}]], with two brackets", key));
    return place->items(expected);
}

void TableReader::read(std::string_view key, double& out, const Range& range) {
    if (const auto place = get(key))
        out = place->number(range);
}
void TableReader::read(std::string_view key, int& out, const Range& range) {
    if (const auto place = get(key))
        out = place->integer(range);
}
void TableReader::read(std::string_view key, bool& out) {
    if (const auto place = get(key))
        out = place->boolean();
}
void TableReader::read(std::string_view key, std::string& out) {
    if (const auto place = get(key))
        out = place->text();
}
void TableReader::read(std::string_view key, Vec3& out, std::string_view unit) {
    if (const auto place = get(key))
        out = place->vec3(unit);
}
void TableReader::read(std::string_view key, std::optional<double>& out, const Range& range) {
    if (const auto place = get(key))
        out = place->number(range);
}
void TableReader::read(std::string_view key, std::optional<int>& out, const Range& range) {
    if (const auto place = get(key))
        out = place->integer(range);
}
void TableReader::read(std::string_view key, Animated<double>& out, const Range& range) {
    if (const auto place = get(key))
        out = place->animated_number(range);
}
void TableReader::read(std::string_view key, Animated<Vec3>& out, std::string_view unit) {
    if (const auto place = get(key))
        out = place->animated_vec3(unit);
}

void TableReader::read_field(std::string_view key, Animated<Vec3>& out, std::string_view unit) {
    if (const auto place = get(key))
        out = place->field(unit);
}

void TableReader::finish(std::string_view context) const {
    for (const TomlEntry& entry : table_->entries) {
        if (asked_.contains(entry.key))
            continue;
        throw InputError({entry.where, path_of(entry.key),
                          fmt::format("a key that goes with {}", context), '\'' + entry.key + '\'',
                          fmt::format("here: {}", fmt::join(asked_, ", "))});
    }
}

} // namespace muslin
