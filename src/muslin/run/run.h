#pragma once

#include "muslin/engine/simulation.h"
#include "muslin/run/dress.h"
#include "muslin/run/judge.h"
#include "muslin/run/post.h"
#include "muslin/scene/description.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace muslin {

/// A frame of a run: what it took and what it is worth.
struct FrameRecord {
    FrameReport report;
    Verdict verdict;               ///< of what is written
    std::optional<PostFrame> post; ///< where it was pushed out of bodies
    double judge_seconds = 0;      ///< and of that
    double wall_seconds = 0;       ///< since the run began
};

/// How a run goes on that has begun before.
struct ResumeOptions {
    /// Another directory to go on from, whose files are copied first; empty: the run's own.
    std::filesystem::path from;
    std::optional<int> frame;   ///< to go on after; none: the last one that was saved
    bool allow_changes = false; ///< of the scene or the program: else these are refused
    /// Called with the frame that the run goes on after, and what has changed since it was saved.
    std::function<void(int frame, const std::vector<std::string>& changes)> begin;
};

struct RunOptions {
    std::filesystem::path directory;
    std::optional<ResumeOptions> resume;
    int keep_checkpoints = 10; ///< one of so many frames stays, to go on from later; 0: none
    /// Called after every frame; `frames` in all.
    std::function<void(const FrameRecord&, int frames)> progress;
    /// Called while the bodies of the scene are made ready, where that takes long.
    std::function<void(int done, int all, double seconds)> prepare;
    /// Called while garments are dressed, before the first frame.
    std::function<void(DressingPhase, int done, int most, const FrameReport&)> dress;
    /// Called once the scene is known to be sound, before the first file is written or replaced.
    std::function<void()> begin;
    /// Whether to stop: asked after every frame, once it is saved.
    std::function<bool()> stop;
    /// Called with what is doubtful about the scene, before it starts.
    std::function<void(const std::string&)> warn;
};

/// Where a run was gone on with.
struct ResumedRun {
    int frame = 0;
    std::vector<std::string> changes; ///< of the scene and the program, in words
};

/// The certificate of a run: worst figures over all frames, and whether they keep the limits.
struct RunSummary {
    int frames = 0;
    int steps = 0, rejected_steps = 0;
    double step_min = 0, step_max = 0;
    long cg_iterations = 0;
    int unconverged_steps = 0; ///< accepted with fewer solves than they needed
    long damped_particles = 0, element_evaluations = 0;
    long impacts = 0;   ///< pairs that impact zones kept from crossing
    int released = 0;   ///< contacts let go because no room was left
    int crossings = 0;  ///< of an edge and a face, let go, at the last frame
    int seams_open = 0; ///< joints, at the last frame
    Profile seconds;
    Verdict worst, last;
    std::vector<DressedPhase> dressing;           ///< what came before the first frame
    std::optional<PostSummary> post;              ///< where cloth was pushed out of bodies
    double kinetic = 0, elastic = 0, gravity = 0; ///< at the end [J]
    std::string hash;
    std::vector<ResumedRun> resumed;
    bool passed = false;
    bool interrupted = false; ///< RunOptions::stop was true
    std::string error;        ///< why the run ended early, if it did
};

/// Runs all frames of a scene and writes what docs/output.md lists into the directory:
/// NAME.obj and NAME.pc2 per cloth, body-NAME.obj per body and body-NAME.pc2 where it moves,
/// stats.jsonl, report.json, scene.toml, and in checkpoint/ what a run that is cut off goes on from
/// (run/run_checkpoint.h): resumed it gives the same bits as one that was not.
/// Nothing is written before the scene is known to be sound (engine/start_check.h). Throws
/// SimulationError after saving everything up to the last good frame; FileError when the directory
/// cannot be written, or another run is writing into it; InputError when a scene that is to go on
/// is another one than before.
RunSummary run_scene(const SceneDescription& scene, const RunOptions& options);

} // namespace muslin
