#pragma once

#include "muslin/model/model.h"

#include <filesystem>

namespace muslin {

/// A state and the frame that it is the end of.
struct Checkpoint {
    State state;
    int frame = 0;
};

/// Writes all of a state, bit for bit, so that Simulation::continue_from goes on as if it had never
/// stopped, with parts that keep nothing beside it. (implicit_contact does: what it goes on with
/// may differ in the last bits.) The file appears whole or not at all. Throws FileError.
void save_state(const std::filesystem::path& file, const State& state, int frame);

/// Reads such a file back for the scene that `model` is of at its start (Simulation::start_model).
/// Throws FileError for a file that is missing, of another kind or version, cut short or damaged;
/// InputError for a state of another scene.
Checkpoint load_state(const std::filesystem::path& file, const Model& model);

} // namespace muslin
