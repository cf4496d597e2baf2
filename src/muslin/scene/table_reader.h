#pragma once

#include "muslin/math/vec.h"
#include "muslin/model/animated.h"
#include "muslin/scene/keys.h"
#include "muslin/scene/toml_value.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace muslin {

/// A value of the input and the path of keys that leads to it. Each reading either gives what was
/// asked for or throws the InputError that says why not.
class Place {
public:
    /// `key` is the row that says what the value may be; none of the values that have no key.
    Place(const TomlValue& value, std::string path, const Key* key = nullptr)
        : value_(&value), path_(std::move(path)), key_(key) {}

    const TomlValue& value() const { return *value_; }
    const Source& where() const { return value_->where; }
    const std::string& path() const { return path_; }
    bool is_text() const { return value_->text() != nullptr; }
    bool is_table() const { return value_->table() != nullptr; }

    // As the row of the key has it.
    double number() const { return number(key(ValueKind::number).range); }
    int integer() const { return integer(key(ValueKind::integer).range); }
    /// The index of the string among the words of the key.
    std::size_t choice() const;
    /// Each of the three numbers in the range of the key.
    Vec3 vec3() const;
    Animated<double> animated_number() const;
    Animated<Vec3> animated_vec3() const;
    /// The same, with formulas that may have the place in them.
    Animated<Vec3> field() const;

    // Of what a row cannot say: numbers within an array, tables that have names of their own.
    double number(const Range& range) const;
    int integer(const Range& range) const;

    bool boolean() const;
    std::string text(std::string_view expected = "a string") const;
    /// A vector other than zero, made one long.
    Vec3 direction() const;

    void read(double& out) const { out = number(); }
    void read(int& out) const { out = integer(); }
    void read(bool& out) const { out = boolean(); }
    void read(std::string& out) const { out = text(); }
    void read(Vec3& out) const { out = vec3(); }
    void read(Animated<double>& out) const { out = animated_number(); }
    void read(Animated<Vec3>& out) const { out = animated_vec3(); }
    template <class E>
    requires std::is_enum_v<E>
    void read(E& out) const { out = static_cast<E>(choice()); }
    template <class T>
    void read(std::optional<T>& out) const {
        read(out.emplace());
    }

    std::vector<Place> items(std::string_view expected) const;
    /// A formula of these variables; what is wrong in it is told with its column.
    Expression expression(std::span<const std::string_view> variables,
                          std::string_view hint = {}) const;

    [[noreturn]] void fail(std::string expected, std::string hint = {}) const;
    [[noreturn]] void fail_found(std::string expected, std::string found,
                                 std::string hint = {}) const;

private:
    /// The row, which must be of this kind or of no other. Throws std::logic_error.
    const Key& key(ValueKind kind) const;
    bool has_keyframes() const;
    /// Formulas: of a number a string, of a vector an array with a string among its three parts.
    std::optional<Formula> formula(std::size_t parts, const Range& range,
                                   std::size_t variables = 1) const;
    template <class T, class Read>
    Animated<T> animated(const Read& read) const;

    const TomlValue* value_;
    std::string path_;
    const Key* key_;
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
    /// The value of a key that must be there; `expected` says what it is, else the row does.
    Place require(std::string_view key, std::string_view expected = {}, std::string_view hint = {});
    /// The elements of an array of tables, none if the key is absent.
    std::vector<Place> tables(std::string_view key);

    /// The keys that the kind of this table has besides: of a mesh those of its type.
    void choose_kind(const KeyGroup& kind) { kind_ = &kind; }

    /// Reads the key into `out`, which keeps its value if the key is absent.
    template <class T>
    void read(std::string_view key, T& out) {
        if (const auto place = get(key))
            place->read(out);
    }

    /// Throws for a key that is known but was not asked for, since here it would do nothing;
    /// `context` says where "here" is, e.g. `hold = "point"`.
    void reject_unasked(std::string_view context) const;

private:
    const Key& row(std::string_view key) const;

    Place place_;
    const TomlTable* table_;
    const KeyGroup* group_;
    const KeyGroup* kind_ = nullptr;
    std::set<std::string_view> asked_; ///< names from the group
};

/// How a part of `path` is written: "cloth[0]" + "mesh" is "cloth[0].mesh".
std::string join_path(std::string_view path, std::string_view key);

} // namespace muslin
