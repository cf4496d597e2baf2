#pragma once

#include "muslin/run/checkpoint.h"
#include "muslin/run/run.h"
#include "muslin/run/run_post.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muslin {

/// Holds the directory of a run against other runs until the end of its scope, or of the program
/// however it ends. Throws FileError where another one has it.
class RunLock {
public:
    explicit RunLock(const std::filesystem::path& directory);
    ~RunLock();
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;

private:
    int descriptor_;
};

/// The states of a run in DIR/checkpoint: start.state, and frame-NNNNNN.state of the last frame and
/// of every so many frames before it. A file is written under another name and renamed; the one
/// before goes only then.
class RunCheckpoints {
public:
    /// `keep`: each frame whose number is a multiple of it stays; 0: none does. The simulation must
    /// outlive it.
    RunCheckpoints(const std::filesystem::path& directory, int keep, const SceneDescription& scene,
                   const Simulation& simulation);

    /// Files that a run left half-written when it was killed.
    void remove_unfinished();
    void clear();
    void save_start();
    /// After the files of the frame have been written. `post` may be null.
    void save(const RunSummary& summary, const RunPost* post);

    /// Whether the one of this frame is kept for good, safe from a machine that stops.
    bool stays(int frame) const { return keep_ > 0 && frame % keep_ == 0; }

    Checkpoint start() const;
    /// The last one that is whole, the start among them, or that of `frame`. Nothing where there is
    /// none at all; throws FileError where the one asked for is not there, or none is whole.
    std::optional<Checkpoint> find(std::optional<int> frame) const;
    /// In what the scene that is to go on differs from the one that was saved, and the program from
    /// the one that saved it, in words. Empty: the same bits will come.
    std::vector<std::string> changes_since(const Checkpoint& saved) const;
    /// Forgets what comes after a frame.
    void remove_after(int frame);
    std::filesystem::path file(int frame) const;

private:
    std::filesystem::path folder_;
    int keep_;
    const Simulation& simulation_;
    Sections sections_;       ///< what the scene is and what the program; the rest is of a frame
    std::optional<int> last_; ///< saved by this run, or gone on from
};

/// Takes the figures of the frames before from a checkpoint. `post` may be null.
void restore_summary(const Checkpoint& saved, RunSummary& summary, RunPost* post);

/// Copies the files of a run, up to what a run that goes on needs of them, into a directory of its
/// own: what comes after `frame` is left for it to cut off. Throws FileError.
void copy_run(const std::filesystem::path& from, const std::filesystem::path& to,
              std::optional<int> frame);

} // namespace muslin
