#pragma once

#include "muslin/math/expression.h"

#include <array>
#include <memory>
#include <string_view>

namespace muslin {

/// What a connection of rest length l and stiffness k stores at the length d: the potential that
/// makes the model [Ohta95, Dynamics of the model]. Near rest each is k/2 (d - l)^2.
struct Potential {
    enum class Law {
        quadratic,   ///< a spring (2)
        exponential, ///< the longer the stiffer: k (l/b)^2 (e^(b s) - b s - 1), s = (d - l) / l
        formula,     ///< the user's own [J]; need not be like a spring near rest
    };
    Law law = Law::quadratic;
    double sharpness = 1; ///< b of the exponential, above zero
    /// Of the variables below; shared by all connections that have it.
    std::shared_ptr<const Expression> formula;

    /// The length d and rest length l [m], the strain s = (d - l) / l, the stiffness k [N/m].
    static constexpr std::array<std::string_view, 4> variables = {"d", "l", "s", "k"};
};

} // namespace muslin
