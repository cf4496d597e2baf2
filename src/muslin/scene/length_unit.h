#pragma once

#include "muslin/base/enum_names.h"

namespace muslin {

/// The units that files may have their lengths in.
enum class LengthUnit { m, cm, mm, in, ft };
template <>
inline constexpr std::array<std::string_view, 5> enum_names<LengthUnit> = {"m", "cm", "mm", "in",
                                                                           "ft"};

/// Metres per unit.
constexpr double metres(LengthUnit unit) {
    constexpr double all[] = {1, 0.01, 0.001, 0.0254, 0.3048};
    return all[static_cast<int>(unit)];
}

} // namespace muslin
