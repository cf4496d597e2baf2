#pragma once

#include "muslin/io/atomic_file.h"
#include "muslin/model/model.h"
#include "muslin/model/state.h"

#include <filesystem>
#include <map>
#include <string>

namespace muslin {

/// What is kept beside a state, by whose it is.
using Sections = std::map<std::string, std::string>;

/// A state, the frame that it is the end of, and what else goes on from there.
struct Checkpoint {
    State state;
    int frame = 0;
    Sections sections;
};

/// Writes all of a state, bit for bit: Simulation::continue_from goes on from it as from the state
/// itself. The file appears whole or not at all. Throws FileError.
void save_checkpoint(const std::filesystem::path& file, const State& state, int frame,
                     const Sections& sections, Durability durability);
/// The state alone.
void save_state(const std::filesystem::path& file, const State& state, int frame);

/// Reads such a file back. Throws FileError for a file that is missing, of another kind or version,
/// cut short or damaged; InputError for numbers that no step can start from.
Checkpoint read_checkpoint(const std::filesystem::path& file);
/// Throws InputError for a state of another scene than the one that `start` is of at its start
/// (Simulation::start_model).
void check_fits(const std::filesystem::path& file, const State& state, const Model& start);
/// Both.
Checkpoint load_state(const std::filesystem::path& file, const Model& start);

} // namespace muslin
