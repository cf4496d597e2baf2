#pragma once

#include "muslin/model/model.h"

#include <vector>

namespace muslin {

/// How cloth is changed while it is sewn.
struct SewingModelSettings {
    std::vector<char> sewn; ///< per cloth: whether it is sewn now
    double friction = 1;    ///< factor of all friction; none while joints are ironed
    bool ironing = false;   ///< joints hold out: folds in seams are ironed out
};

/// The model with which a garment is sewn. Hands guide cloth over a body while it is sewn: friction
/// holds it back less until then, and it folds and skews less easily. Cloth that shears freely
/// collapses where a seam pulls at its bias. Where joints hold out, folds in a seam are ironed out:
/// nothing holds them, they bend less, and sides that are still open are thin.
Model model_for_sewing(const Model& model, const SewingModelSettings& settings);

} // namespace muslin
