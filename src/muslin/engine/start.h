#pragma once

#include "muslin/collision/untangle/untangle_report.h"
#include "muslin/engine/start_check.h"
#include "muslin/scene/build_scene.h"

#include <optional>
#include <vector>

namespace muslin {

/// What was tangled at the start of a scene and what still is.
struct StartUntangling {
    std::vector<Tangle> before, left; ///< by the judge (engine/start_check.h)
    UntangleReport report;
    std::vector<Vec3> places; ///< the middle of each contour that is left [m]
};

/// Separates what crosses at the start: cloths from themselves, from each other and from the bodies
/// where they are at that time. Bodies do not move, nor do particles that a pin holds then.
StartUntangling untangle_start(const Model& model, const Conditions& conditions, State& start,
                               const UntangleSettings& settings = {});

/// The scene with its first state; untangled where it asks for that (contact.untangle) and needs
/// it: `done` then says what was done.
BuiltScene build_start(const SceneDescription& scene, std::optional<StartUntangling>* done = {});

/// In words, on one line.
std::string describe(const UntangleReport& report);

} // namespace muslin
