#pragma once

#include "muslin/engine/simulation.h"
#include "muslin/garment/fit.h"

#include <nlohmann/json_fwd.hpp>

namespace muslin {

/// How the garments of a simulation sit, under the names of docs/fit.md; null where no cloth has
/// named panels.
nlohmann::ordered_json fit_json(const Simulation& simulation);

nlohmann::ordered_json to_json(const NamedGirth& girth);

} // namespace muslin
