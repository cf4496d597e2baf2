#pragma once

#include "muslin/run/post.h"

#include <filesystem>
#include <functional>

namespace muslin {

struct PostOptions {
    std::filesystem::path run;       ///< the directory of a run that has ended
    std::filesystem::path directory; ///< of the run to write; not the same
    PostDescription post;            ///< `enabled` has no meaning here
    LevelSetsDescription level_sets; ///< of bodies; a band that is too small is made larger
    int frames = 0;                  ///< only the first so many; 0: all
    /// Called after every frame of a pass: "survey" where the depth is to be found, then "post".
    std::function<void(const char* pass, int frame, int frames, const PostFrame*)> progress;
    /// Called once the run is known to be sound, before the first file is written or replaced.
    std::function<void()> begin;
};

struct PostResult {
    FoldBand band;
    PostSummary summary;
    Verdict worst, last;
    bool passed = false; ///< whether the limits of the run's scene are kept
};

/// Pushes the cloths of a run out of its bodies and writes another run with the files that
/// docs/output.md lists. The depth, where it is not given, is that of the deepest point of all
/// frames: one band for all, so that nothing pops. Throws FileError or InputError: no run, one that
/// has not ended, without bodies, or with one that is open.
PostResult post_run(const PostOptions& options);

} // namespace muslin
