#pragma once

#include "muslin/base/enum_names.h"
#include "muslin/math/vec.h"
#include "muslin/model/animated.h"
#include "muslin/scene/keys.h"
#include "muslin/scene/toml_value.h"

#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muslin {

/// The numbers a key accepts, and what its message says of them. Never inf or nan.
struct Range {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool min_excluded = false;
    std::string_view unit = {};
    std::string_view hint = {}; ///< what to say of a number above the range
};

constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr Range any_number(std::string_view unit) {
    return {-no_limit, no_limit, false, unit, {}};
}
constexpr Range positive(std::string_view unit, double max = no_limit, std::string_view hint = {}) {
    return {0, max, true, unit, hint};
}
constexpr Range at_least(double min, std::string_view unit = {}, double max = no_limit,
                         std::string_view hint = {}) {
    return {min, max, false, unit, hint};
}

/// A value of the input and the path of keys that leads to it. Each reading either gives what was
/// asked for or throws the InputError that says why not.
class Place {
public:
    Place(const TomlValue& value, std::string path) : value_(&value), path_(std::move(path)) {}

    const TomlValue& value() const { return *value_; }
    const Source& where() const { return value_->where; }
    const std::string& path() const { return path_; }
    bool is_text() const { return value_->text() != nullptr; }
    bool is_table() const { return value_->table() != nullptr; }

    double number(const Range& range) const;
    int integer(const Range& range) const;
    bool boolean() const;
    std::string text(std::string_view expected = "a string") const;
    /// The index of the string in `choices`.
    std::size_t choice(std::span<const std::string_view> choices) const;
    /// The value of an enumeration that the string names.
    template <class E>
    E choice() const {
        return static_cast<E>(choice(enum_names<E>));
    }
    Vec3 vec3(std::string_view unit) const;
    /// A vector other than zero, made one long.
    Vec3 direction() const;
    std::vector<Place> items(std::string_view expected) const;
    /// A formula of these variables; what is wrong in it is told with its column.
    Expression expression(std::span<const std::string_view> variables,
                          std::string_view hint = {}) const;
    Animated<double> animated_number(const Range& range) const;
    Animated<Vec3> animated_vec3(std::string_view unit) const;
    /// The same, with formulas that may have the place in them.
    Animated<Vec3> field(std::string_view unit) const;

    [[noreturn]] void fail(std::string expected, std::string hint = {}) const;
    [[noreturn]] void fail_found(std::string expected, std::string found,
                                 std::string hint = {}) const;

private:
    bool has_keyframes() const;
    /// Formulas: of a number a string, of a vector an array with a string among its three parts.
    std::optional<Formula> formula(std::size_t parts, const Range& range,
                                   std::size_t variables = 1) const;
    template <class T, class Read>
    Animated<T> animated(const Read& read) const;

    const TomlValue* value_;
    std::string path_;
};

/// Reads one table key by key. Keys outside its group are refused at once, with the nearest known
/// one as a hint; `finish` refuses those of the group that this table has no use for.
class TableReader {
public:
    TableReader(const Place& place, const KeyGroup& group);

    const Source& where() const { return place_.where(); }
    const std::string& path() const { return place_.path(); }
    std::string path_of(std::string_view key) const;

    bool has(std::string_view key) const { return table_->find(key) != nullptr; }
    std::optional<Place> get(std::string_view key);
    /// The value of a key that must be there; `expected` says what it is.
    Place require(std::string_view key, std::string_view expected, std::string_view hint = {});
    /// The elements of an array of tables, none if the key is absent.
    std::vector<Place> tables(std::string_view key);

    // Each reads the key into `out`, which keeps its value if the key is absent.
    void read(std::string_view key, double& out, const Range& range);
    void read(std::string_view key, int& out, const Range& range);
    void read(std::string_view key, bool& out);
    void read(std::string_view key, std::string& out);
    void read(std::string_view key, Vec3& out, std::string_view unit);
    void read(std::string_view key, std::optional<double>& out, const Range& range);
    void read(std::string_view key, std::optional<int>& out, const Range& range);
    void read(std::string_view key, Animated<double>& out, const Range& range);
    void read(std::string_view key, Animated<Vec3>& out, std::string_view unit);
    template <class E>
    requires std::is_enum_v<E>
    void read(std::string_view key, E& out) {
        if (const auto place = get(key))
            out = place->choice<E>();
    }
    template <class E>
    requires std::is_enum_v<E>
    void read(std::string_view key, std::optional<E>& out) {
        if (const auto place = get(key))
            out = place->choice<E>();
    }
    void read_field(std::string_view key, Animated<Vec3>& out, std::string_view unit);

    /// Throws for a key that is known but was not asked for, since here it would do nothing;
    /// `context` says where "here" is, e.g. `hold = "point"`.
    void finish(std::string_view context) const;

private:
    Place place_;
    const TomlTable* table_;
    const KeyGroup* group_;
    std::set<std::string_view> asked_; ///< names from the group
};

/// How a part of `path` is written: "cloth[0]" + "mesh" is "cloth[0].mesh".
std::string join_path(std::string_view path, std::string_view key);

} // namespace muslin
