#pragma once

#include "muslin/base/archive.h"
#include "muslin/model/state.h"

#include <cstdint>

namespace muslin {

/// To be raised with every change of what serialise() writes.
constexpr std::uint32_t state_version = 5;

/// Every member of a state, the history of its parts included, bit for bit: what goes on from a
/// state that was read gives the same bits as what goes on from the one that was written. Reading
/// throws ArchiveError where the bytes end too early.
void serialise(Archive& archive, State& state);
void serialise(Archive& archive, const State& state);

} // namespace muslin
