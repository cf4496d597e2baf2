#pragma once

#include "torture/trials.h"

#include <filesystem>

namespace muslin::torture {

/// How a trial ended.
struct Ending {
    int code = -1;                   ///< exit code; -1: a signal, or ended for lasting too long
    std::string text;                ///< stdout and stderr together
    double seconds = 0;              ///< of the processor
    double wall_seconds = 0;         ///< by the clock
    long peak_memory = 0;            ///< [bytes]
    int frames = 0;                  ///< that the report counts
    std::vector<std::string> faults; ///< what must not be, in words; none: as promised

    double stretch_max = 0; ///< of all frames

    /// Edges twice as long as the cloth has them are no cloth any more.
    bool succeeded() const { return code == 0 && faults.empty() && stretch_max < 2; }
};

/// Writes the scene into `folder`, runs the program on it with one thread, looks at what it said
/// and left. A run that lasts long beyond its bound is ended.
Ending run_trial(const Trial& trial, const std::filesystem::path& folder);

} // namespace muslin::torture
