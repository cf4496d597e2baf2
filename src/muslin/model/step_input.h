#pragma once

#include "muslin/model/conditions.h"
#include "muslin/model/constraints.h"
#include "muslin/model/state.h"

namespace muslin {

/// What a step of a model is computed from.
struct StepInput {
    const Conditions& conditions;
    const State& begin;
    double h; ///< [s]
    const ConstraintSet& constraints;
};

} // namespace muslin
