#pragma once

#include "muslin/base/enum_names.h"

namespace muslin {

enum class Preconditioner {
    diagonal,     ///< P = diag(A) [BW98 5.3]
    block_jacobi, ///< P = the 3x3 diagonal blocks of A
    multilevel,   ///< P^-1 = that of block_jacobi plus that of larger and larger patches
};
template <>
inline constexpr std::array<std::string_view, 3> enum_names<Preconditioner> = {
    "diagonal", "block_jacobi", "multilevel"};

} // namespace muslin
