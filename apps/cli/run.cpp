#include "commands.h"
#include "export.h"
#include "progress.h"
#include "signals.h"

#include "muslin/base/error.h"
#include "muslin/engine/recipe.h"
#include "muslin/run/certificate.h"
#include "muslin/run/run.h"
#include "muslin/scene/builtin.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>

namespace muslin::cli {
namespace {

std::filesystem::path output_directory(const std::string& given, const SceneDescription& scene) {
    return given.empty() ? std::filesystem::path("out") / scene.name : std::filesystem::path(given);
}

void warn_about_contact(const SceneDescription& scene, bool quiet) {
    if (quiet || scene.bodies.empty() ||
        choose_recipe(scene.recipe, scene.parts).parts.at("contact") != "none")
        return;
    complain(fmt::format("warning: recipe '{}' has no contact: bodies are drawn, the cloth "
                         "passes through them",
                         scene.recipe));
}

/// A run that was stopped before its first frame.
struct Stopped {};

void stop_if_asked() {
    if (stop_signal() != 0)
        throw Stopped();
}

std::optional<ResumeOptions> resume_options(const RunArguments& arguments, Progress& progress) {
    if (!arguments.resume && !arguments.resume_changed && arguments.resume_from.empty() &&
        !arguments.resume_frame)
        return {};
    ResumeOptions out;
    out.from = arguments.resume_from;
    out.frame = arguments.resume_frame;
    out.allow_changes = arguments.resume_changed;
    const bool quiet = arguments.quiet || arguments.json;
    out.begin = [quiet, &progress](int frame, const std::vector<std::string>& changes) {
        progress.resume_after(frame);
        if (quiet)
            return;
        fmt::print("goes on after frame {}\n", frame);
        for (const std::string& change : changes)
            fmt::print("changed since: {}\n", change);
    };
    return out;
}

RunSummary run_with_progress(const SceneDescription& scene, const std::filesystem::path& directory,
                             const RunArguments& arguments) {
    const bool quiet = arguments.quiet || arguments.json;
    note_first_signal();
    Progress progress(scene.name, quiet);
    const auto began = std::chrono::steady_clock::now();
    const auto seconds_since_start = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    };
    RunOptions options;
    options.directory = directory;
    options.resume = resume_options(arguments, progress);
    options.keep_checkpoints = arguments.keep_checkpoints;
    options.stop = [] { return stop_signal() != 0; };
    options.prepare = [&](int done, int all, double seconds) {
        stop_if_asked();
        progress.show(done, all, seconds, "level sets of bodies");
    };
    std::optional<Progress> dressing;
    options.dress = [&, last = DressingPhase::done](DressingPhase phase, int done, int most,
                                                    const FrameReport& r) mutable {
        stop_if_asked();
        if (phase != last)
            dressing.emplace(fmt::format("{}: {}", scene.name, phase_name(phase)), quiet);
        last = phase;
        dressing->show(done, most, seconds_since_start(),
                       r.joints_open > 0 ? fmt::format("{} joints open, widest {:.0f} mm",
                                                       r.joints_open, 1e3 * r.seam_gap)
                                         : fmt::format("{} steps", r.steps));
    };
    options.progress = [&](const FrameRecord& record, int frames) {
        dressing.reset();
        const FrameReport& r = record.report;
        progress.show(r.frame, frames, record.wall_seconds,
                      fmt::format("{} steps, stretch {:.3f}..{:.3f}, {:.1f} ms, {:.0f} MB", r.steps,
                                  record.verdict.stretch_min, record.verdict.stretch_max,
                                  1e3 * r.seconds.total(), 1e-6 * peak_memory_bytes()));
    };
    options.warn = [&](const std::string& text) {
        if (quiet)
            return;
        progress.break_line();
        if (dressing)
            dressing->break_line();
        complain("warning: " + text);
    };
    options.begin = [&] {
        remove_exports(directory);
        dressing.reset();
        progress.begin(scene.time.frames);
    };
    RunSummary summary;
    try {
        summary = run_scene(scene, options);
    } catch (const Stopped&) {
        summary.interrupted = true;
    }
    handle_signals();
    progress.break_line();
    // In its last frame there is nothing to go on with, but what would come after the run does not.
    summary.interrupted = stop_signal() != 0;
    if (summary.interrupted)
        complain(
            fmt::format("stopped after {} of {} frames{}", summary.frames, scene.time.frames,
                        summary.frames < scene.time.frames ? "; --resume goes on from there" : ""));
    return summary;
}

void print_summary(const SceneDescription& scene, const RunSummary& s,
                   const std::filesystem::path& directory) {
    fmt::print("{}: {} frames, {} steps ({} rejected), {} CG iterations, {:.1f} ms a frame\n",
               scene.name, s.frames, s.steps, s.rejected_steps, s.cg_iterations,
               1e3 * s.seconds.total() / std::max(1, s.frames));
    fmt::print("edge ratio {:.4f} to {:.4f} over all frames, {:.4f} to {:.4f} at the last; "
               "principal stretch {:.4f} to {:.4f} over all frames\n",
               s.worst.stretch_min, s.worst.stretch_max, s.last.stretch_min, s.last.stretch_max,
               s.worst.principal_min, s.worst.principal_max);
    std::string bodies;
    if (!scene.bodies.empty())
        bodies = fmt::format(", with bodies: {}", s.worst.body_intersections);
    if (s.worst.body_penetration_max)
        bodies += fmt::format(", deepest in one {:.3g} m", *s.worst.body_penetration_max);
    fmt::print("self-intersections: {}{} at worst; limits {}\n", s.worst.self_intersections, bodies,
               s.passed ? "kept" : "NOT kept");
    if (s.post)
        fmt::print("pushed out of bodies by {:.3g} mm at most; wrinkle height {:.3g} mm before, "
                   "{:.3g} mm after; plain projection {:.3g} mm\n",
                   1e3 * s.post->largest_move, 1e3 * s.post->wrinkle.before,
                   1e3 * s.post->wrinkle.after, 1e3 * s.post->wrinkle.plain);
    fmt::print("results in {}\n", directory.string());
}

/// The title of a scene, also where files that it needs are not there.
std::string scene_title(const BuiltinFile& file) {
    constexpr std::string_view key = "title = \"";
    const std::size_t begin = file.text.find(key) + key.size();
    return std::string(file.text.substr(begin, file.text.find('"', begin) - begin));
}

} // namespace

int run(const RunArguments& arguments) {
    const std::vector<AnimationFormat> formats = parse_exports(arguments.exports, "--export");
    SceneDescription scene = load_scene(arguments.scene, arguments.overrides,
                                        {.allow_outside = arguments.allow_outside});
    if (arguments.frames > 0)
        scene.time.frames = arguments.frames;
    const bool quiet = arguments.quiet || arguments.json;
    warn_about_contact(scene, quiet);
    const std::filesystem::path directory = output_directory(arguments.output, scene);
    const RunSummary summary = run_with_progress(scene, directory, arguments);
    if (summary.interrupted)
        return 128 + stop_signal();
    export_run(directory, formats, quiet);
    if (arguments.json) {
        std::ifstream report(directory / "report.json");
        fmt::print("{}", std::string(std::istreambuf_iterator<char>(report), {}));
    } else if (!quiet) {
        print_summary(scene, summary, directory);
    }
    return 0;
}

int demo(const DemoArguments& arguments) {
    if (arguments.list) {
        for (const BuiltinFile& file : builtin_scenes())
            fmt::print("{:36} {}\n", file.name, scene_title(file));
        return 0;
    }
    const std::string name = arguments.scene.empty() ? "garments/dress-twirl" : arguments.scene;
    const SceneDescription scene = load_scene(name, {}, {.allow_outside = arguments.allow_outside});
    const std::filesystem::path directory = output_directory(arguments.output, scene);
    warn_about_contact(scene, false);
    const RunSummary summary = run_with_progress(scene, directory, {});
    if (summary.interrupted)
        return 128 + stop_signal();
    print_summary(scene, summary, directory);

    RenderArguments picture;
    picture.directory = directory.string();
    for (const char* file : {"movie.mp4", "page.html", "picture.png"}) {
        picture.output = (directory / file).string();
        render(picture);
    }
    const std::filesystem::path cache = directory / (scene.cloths.front().name + ".pc2");
    fmt::print("\nmovie  {}\npage   {}  (open it in a browser)\npicture {}\ncache  {}\n",
               (directory / "movie.mp4").string(), (directory / "page.html").string(),
               (directory / "picture.png").string(), cache.string());
    return 0;
}

} // namespace muslin::cli
