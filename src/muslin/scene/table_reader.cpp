#include "muslin/scene/table_reader.h"

#include "muslin/base/largest_number.h"
#include "muslin/scene/suggest.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

std::string one_of(std::span<const std::string_view> words) {
    return fmt::format("one of \"{}\"", fmt::join(words, "\", \""));
}

/// What a message expects of a key that is not there.
std::string expectation(const Key& key) {
    switch (key.kind) {
    case ValueKind::integer:
    case ValueKind::number:
        return expectation(key.range, key.kind == ValueKind::integer, false);
    case ValueKind::choice:
        return one_of(key.words);
    default:
        return with_unit(key.type, key.range.unit);
    }
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

std::size_t Place::choice() const {
    const std::span<const std::string_view> words = key(ValueKind::choice).words;
    const std::string expected = one_of(words);
    const std::string word = text(expected);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
        const std::string nearest = nearest_word(word, words);
        fail(expected, nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
    }
    return static_cast<std::size_t>(found - words.begin());
}

Vec3 Place::vec3() const {
    const Range& range = key(ValueKind::vec3).range;
    const std::string expected = with_unit("three numbers", range.unit);
    const std::vector<Place> parts = items(expected);
    if (parts.size() != 3)
        fail(expected);
    return {parts[0].number(range), parts[1].number(range), parts[2].number(range)};
}

Vec3 Place::direction() const {
    const Vec3 vector = vec3();
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
        out.emplace_back((*array)[i], fmt::format("{}[{}]", path_, i), key_);
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
        const double time = t.number();
        if (!frames.empty() && time <= frames.back().first)
            t.fail(fmt::format("a time after {} [s]", frames.back().first),
                   "keys must be in order of increasing time");
        // What the value may be is for the key that has the keyframes to say.
        const Place value = reader.require("value", "a value");
        frames.emplace_back(time, read(Place(value.value(), value.path(), key_)));
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

Animated<double> Place::animated_number() const {
    if (const auto found = formula(1, key(ValueKind::number).range))
        return Animated<double>(*found);
    return animated<double>([](const Place& place) { return place.number(); });
}

Animated<Vec3> Place::animated_vec3() const {
    if (const auto found = formula(3, key(ValueKind::vec3).range))
        return Animated<Vec3>(*found);
    return animated<Vec3>([](const Place& place) { return place.vec3(); });
}

Animated<Vec3> Place::field() const {
    if (const auto found = formula(3, key(ValueKind::vec3).range, Formula::variables.size()))
        return Animated<Vec3>(*found);
    return animated_vec3();
}

const Key& Place::key(ValueKind kind) const {
    if (!key_ || (key_->kind != kind && key_->kind != ValueKind::other))
        throw std::logic_error("the row of '" + path_ + "' is of another kind than what is read");
    return *key_;
}

TableReader::TableReader(const Place& place, const KeyGroup& group)
    : place_(place), table_(place.value().table()), group_(&group) {
    if (!table_)
        place.fail("a table");
    const std::vector<std::string_view> known = group.names();
    for (const TomlEntry& entry : table_->entries) {
        if (std::find(known.begin(), known.end(), entry.key) == known.end())
            throw InputError({entry.where, path_of(entry.key),
                              fmt::format("a key of '{}'", group.table), '\'' + entry.key + '\'',
                              suggest(entry.key, known)});
    }
}

const Key& TableReader::row(std::string_view key) const {
    const Key* found = group_->find(key);
    if (!found && kind_)
        found = kind_->find(key);
    if (!found)
        throw std::logic_error(fmt::format("the table of keys has no '{}.{}'", group_->table, key));
    return *found;
}

std::string TableReader::path_of(std::string_view key) const {
    return join_path(path(), key);
}

std::optional<Place> TableReader::get(std::string_view key) {
    const Key& found = row(key);
    asked_.insert(found.name);
    const TomlEntry* entry = table_->find(key);
    if (!entry)
        return std::nullopt;
    return Place(entry->value, path_of(key), &found);
}

Place TableReader::require(std::string_view key, std::string_view expected, std::string_view hint) {
    if (std::optional<Place> place = get(key))
        return *place;
    throw InputError({where(), path_of(key),
                      expected.empty() ? expectation(row(key)) : std::string(expected), "nothing",
                      std::string(hint)});
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

void TableReader::reject_unasked(std::string_view context) const {
    for (const TomlEntry& entry : table_->entries) {
        if (asked_.contains(entry.key))
            continue;
        throw InputError({entry.where, path_of(entry.key),
                          fmt::format("a key that goes with {}", context), '\'' + entry.key + '\'',
                          fmt::format("here: {}", fmt::join(asked_, ", "))});
    }
}

} // namespace muslin
