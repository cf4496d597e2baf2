#include "muslin/run/run.h"

#include "muslin/base/error.h"
#include "muslin/engine/start_check.h"
#include "muslin/run/certificate.h"
#include "muslin/run/run_checkpoint.h"
#include "muslin/run/run_files.h"
#include "muslin/run/run_inputs.h"
#include "muslin/run/run_post.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>

namespace muslin {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void add_frame(RunSummary& s, const FrameRecord& record) {
    const FrameReport& r = record.report;
    s.step_min = s.frames == 0 ? r.step_min : std::min(s.step_min, r.step_min);
    s.step_max = std::max(s.step_max, r.step_max);
    ++s.frames;
    s.steps += r.steps;
    s.rejected_steps += r.rejected_steps;
    s.cg_iterations += r.cg_iterations;
    s.unconverged_steps += r.unconverged_steps;
    s.element_evaluations += r.element_evaluations;
    s.damped_particles += r.damped_particles;
    s.impacts += r.impacts;
    s.crossings = r.crossings;
    s.seams_open = r.joints_open;
    s.released += static_cast<int>(r.released.size());
    s.seconds += r.seconds;
    s.kinetic = r.kinetic;
    s.elastic = r.elastic;
    s.gravity = r.gravity;
    s.hash = r.hash;
    s.last = record.verdict;
    widen(s.worst, record.verdict);
}

// Says what contact had to let go of, and when the last of it is apart again.
void warn_of(const FrameReport& frame, int crossings_before, const RunOptions& options) {
    if (!options.warn)
        return;
    if (!frame.released.empty())
        options.warn(fmt::format(
            "frame {}: no room is left between {}{}: contact there is let go until they part",
            frame.frame, frame.released.front(),
            frame.released.size() == 1
                ? std::string()
                : fmt::format(", and {} pairs more", frame.released.size() - 1)));
    for (const std::string& refusal : frame.joints_refused)
        options.warn(fmt::format("frame {}: {}", frame.frame, refusal));
    if (crossings_before > 0 && frame.crossings == 0)
        options.warn(fmt::format("frame {}: all that crossed is apart again", frame.frame));
}

void warn_of_start(const SceneDescription& scene, const Simulation& simulation,
                   const RunOptions& options) {
    const auto warn = [&](const std::string& text) {
        if (options.warn)
            options.warn(text);
    };
    for (const std::string& warning : mesh_warnings(simulation.model()))
        warn(warning);
    if (const auto& done = simulation.untangled())
        warn("the start was tangled: " + describe(done->report));
    for (const Tangle& tangle : check_start(scene, simulation.model(), simulation.state()))
        warn("the start is tangled: " + describe(tangle));
}

/// Says which files of the level sets' cache were broken, each once. Those of a body that deforms
/// are read as the run comes to them.
class LevelSetWarnings {
public:
    LevelSetWarnings(const Simulation& simulation, const RunPost* post, const RunOptions& options)
        : simulation_(simulation), post_(post), options_(options) {}
    void tell() {
        if (const auto* contact = simulation_.contact())
            if (const auto work = contact->level_sets())
                tell(work->warnings, of_contact_);
        if (post_)
            tell(post_->level_sets().warnings, of_post_);
    }

private:
    void tell(const std::vector<std::string>& warnings, std::size_t& told) {
        for (; told < warnings.size(); ++told)
            if (options_.warn)
                options_.warn(warnings[told]);
    }

    const Simulation& simulation_;
    const RunPost* post_; ///< may be null
    const RunOptions& options_;
    std::size_t of_contact_ = 0, of_post_ = 0; ///< told so far
};

/// The state that a run begins with, and where it goes on.
struct Beginning {
    std::optional<Checkpoint> saved; ///< to go on from; none: from the start
    std::vector<std::string> changes;
};

Beginning find_beginning(const Simulation& simulation, const RunOptions& options,
                         const RunCheckpoints& checkpoints) {
    Beginning out;
    if (!options.resume)
        return out;
    out.saved = checkpoints.find(options.resume->frame);
    if (!out.saved)
        return out;
    const std::filesystem::path file = checkpoints.file(out.saved->frame);
    out.changes = checkpoints.changes_since(*out.saved);
    if (!out.changes.empty() && !options.resume->allow_changes)
        throw InputError(
            {{file.string(), 0, 0},
             "scene",
             "the one that was saved",
             fmt::format("{}{}", out.changes.front(),
                         out.changes.size() == 1
                             ? std::string()
                             : fmt::format(" (and {} changes more)", out.changes.size() - 1)),
             "--resume-changed goes on with it all the same"});
    check_fits(file, out.saved->state, simulation.start_model());
    return out;
}

// What is refused leaves the directory as it is: it may hold another run.
Beginning begin_with(const SceneDescription& scene, const Simulation& simulation,
                     const RunOptions& options, const RunCheckpoints& checkpoints) {
    if (!options.resume || options.resume->from.empty())
        return find_beginning(simulation, options, checkpoints);
    const ResumeOptions& resume = *options.resume;
    Beginning out =
        find_beginning(simulation, options, RunCheckpoints(resume.from, 0, scene, simulation));
    copy_run(resume.from, options.directory,
             out.saved && out.saved->frame > 0 ? std::optional(out.saved->frame) : resume.frame);
    return out;
}

// Takes the simulation to where it was. After a change the parts of the recipe begin anew.
void go_back(const Checkpoint& saved, bool changed, const std::filesystem::path& file,
             Simulation& simulation) {
    State state = saved.state;
    if (changed)
        state.parts = {};
    try {
        simulation.continue_from(state, saved.frame);
    } catch (const HistoryError& error) {
        throw FileError(file.string(),
                        std::string("cannot resume: checkpoint of another scene: ") + error.what());
    }
}

// What takes long of bodies that deform.
void prepare(Simulation& simulation, const RunOptions& options) {
    const auto began = Clock::now();
    simulation.prepare([&](int done, int all) {
        if (options.prepare)
            options.prepare(done, all, seconds_since(began));
    });
}

} // namespace

RunSummary run_scene(const SceneDescription& scene, const RunOptions& options) {
    Simulation simulation(scene);
    simulation.on_stall([&](const Stall& stall) {
        if (options.warn)
            options.warn(describe(stall));
    });
    warn_of_start(scene, simulation, options);
    check_post(scene, simulation.recipe(), simulation.model());
    protect_inputs(scene, options.directory);
    const RunLock lock(options.directory);
    RunCheckpoints checkpoints(options.directory, options.keep_checkpoints, scene, simulation);
    checkpoints.remove_unfinished();
    const Beginning beginning = begin_with(scene, simulation, options, checkpoints);
    const bool resumes = beginning.saved.has_value();
    std::optional<Judge> judge(simulation.model());
    prepare(simulation, options);
    RunSummary summary;
    if (resumes) {
        Checkpoint start = checkpoints.start(); // what is fitted to the start needs its places
        start.state.parts = {};
        check_fits(checkpoints.file(start.frame), start.state, simulation.start_model());
        simulation.continue_from(start.state, start.frame);
    } else {
        summary.dressing = dress(scene, simulation, {options.dress, options.warn});
    }
    const std::unique_ptr<RunPost> post = RunPost::make(scene, simulation);
    if (resumes) {
        const Checkpoint& saved = *beginning.saved;
        go_back(saved, !beginning.changes.empty(), checkpoints.file(saved.frame), simulation);
        restore_summary(saved, summary, post.get());
        summary.resumed.push_back({saved.frame, beginning.changes});
        if (options.resume->begin)
            options.resume->begin(saved.frame, beginning.changes);
    }
    if (simulation.merges() > 0)
        judge.emplace(simulation.model());
    if (options.begin)
        options.begin();
    if (post && !resumes)
        post->process_frame(); // the start
    LevelSetWarnings level_set_warnings(simulation, post.get(), options);
    level_set_warnings.tell();
    if (!resumes)
        checkpoints.clear(); // before the files that they belong to
    RunFiles files(options.directory, scene, simulation, post.get(),
                   resumes ? std::optional(KeptFrames{summary.frames, !beginning.changes.empty()})
                           : std::nullopt);
    if (resumes)
        checkpoints.remove_after(
            beginning.saved->frame); // once it is known that their files will do
    else
        checkpoints.save_start();

    int last_crossings = summary.crossings;
    const auto began = Clock::now();
    try {
        while (simulation.frame() < scene.time.frames && !summary.interrupted) {
            FrameRecord record;
            const int merges = simulation.merges();
            record.report = simulation.advance_frame();
            const auto judged = Clock::now();
            if (simulation.merges() != merges)
                judge.emplace(simulation.model());
            if (post)
                record.post = post->process_frame();
            record.verdict =
                post ? record.post->verdict
                     : judge->judge(simulation.state().positions, simulation.state().time);
            record.judge_seconds = seconds_since(judged);
            record.wall_seconds = seconds_since(began);
            add_frame(summary, record);
            files.append(simulation, record);
            if (checkpoints.stays(simulation.frame()))
                files.synchronise();
            checkpoints.save(summary, post.get());
            warn_of(record.report, last_crossings, options);
            last_crossings = record.report.crossings;
            if (options.progress)
                options.progress(record, scene.time.frames);
            summary.interrupted = options.stop && options.stop();
        }
    } catch (const SimulationError& error) {
        summary.error = error.what();
        files.write_report(scene, simulation, summary);
        throw;
    }
    summary.interrupted = summary.interrupted && simulation.frame() < scene.time.frames;
    level_set_warnings.tell();
    if (summary.crossings > 0 && options.warn && !summary.interrupted)
        options.warn(fmt::format("{} crossings of an edge and a face remain at the last frame",
                                 summary.crossings));
    if (post)
        summary.post = post->summary();
    summary.passed = !summary.interrupted && keeps(scene.limits, summary.worst, summary.seams_open);
    files.write_report(scene, simulation, summary);
    return summary;
}

} // namespace muslin
