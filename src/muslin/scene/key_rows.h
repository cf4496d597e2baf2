#pragma once

#include "muslin/base/enum_names.h"
#include "muslin/math/vec.h"
#include "muslin/scene/keys.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// How the rows of the tables of keys are written (keys_*.cpp). Nothing else needs it.

namespace muslin::key_rows {

/// What holds where a key is not given: a value of the description, as a scene would write it, or
/// words.
struct Fallback {
    std::string text;

    Fallback(const char* words) : text(words) {}
    Fallback(double value);
    Fallback(int value);
    Fallback(bool value);
    Fallback(const Vec3& value);
    Fallback(const std::string& value);
    template <class E>
    requires std::is_enum_v<E> Fallback(E value) : Fallback(std::string(name_of(value))) {}
    /// A value that stands for something else: 0, for what the words say.
    Fallback(const Fallback& value, std::string_view words)
        : text(value.text + ": " + std::string(words)) {}
};

inline constexpr const char* required = "required";
inline constexpr const char* none = "none";

Key number(std::string_view name, const Fallback&, const Range&, std::string meaning = {});
Key integer(std::string_view name, const Fallback&, const Range&, std::string meaning = {});
Key boolean(std::string_view name, const Fallback&, std::string meaning = {});
Key text(std::string_view name, const Fallback&, std::string meaning = {});
Key vec3(std::string_view name, const Fallback&, const Range&, std::string meaning = {});
Key table(std::string_view name, const Fallback&, std::string meaning);
Key tables(std::string_view name, const Fallback&, std::string meaning);
Key choice(std::string_view name, const Fallback&, std::vector<std::string_view> words,
           std::string meaning = {});
template <class E>
Key choice(std::string_view name, const Fallback& fallback, std::string meaning = {}) {
    return choice(name, fallback, {enum_names<E>.begin(), enum_names<E>.end()}, std::move(meaning));
}
/// What no other kind describes: `type` says what it is.
Key other(std::string_view name, std::string type, const Fallback&, const Range&,
          std::string meaning = {});

/// Also by keyframes or by a formula.
Key animated(Key key);

/// Rows that several tables have.
using Rows = std::vector<Key>;
Rows operator+(Rows first, const Rows& second);

} // namespace muslin::key_rows
