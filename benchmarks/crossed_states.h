#pragma once

#include "muslin/engine/simulation.h"
#include "muslin/model/model.h"
#include "muslin/scene/description.h"

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace muslin::bench {

/// The scenes that crossed states are made of.
enum class Kind { sheets, ribbon, crumple, box };
inline constexpr int kinds = 4;
const char* name_of(Kind kind);

/// A scene that was run without a crossing until its cloth rested or crumpled, and some of its
/// frames.
struct CleanRun {
    Kind kind = Kind::sheets;
    SceneDescription scene;
    std::unique_ptr<Simulation> simulation; ///< for its model
    std::vector<State> frames;              ///< in which nothing crosses
};
CleanRun make_clean_run(Kind kind, unsigned seed);

/// A state in which a part of a cloth was pushed through what it lay on, then frozen.
struct CrossedState {
    const CleanRun* run = nullptr;
    int depth = 0; ///< thicknesses beyond the other surface
    State clean;   ///< before the push
    State crossed; ///< after it, at rest
    std::size_t pairs = 0;
};

/// Moves the surroundings of a random place of contact along the normal, with contact switched
/// off, until the place is `depth` thicknesses through the other surface. False where the frame
/// has no such place.
bool push_through(const CleanRun& run, int depth, std::mt19937& random, CrossedState& out);

/// The pairs of triangles that cross, and vertices in bodies, by the judge.
std::size_t count_tangled(const Model& model, const State& state);

/// Writes a scene that starts from a state.
void keep_as_scene(const CleanRun& run, const State& state, const std::filesystem::path& folder,
                   const std::string& name);

} // namespace muslin::bench
