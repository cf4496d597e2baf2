#include "muslin/run.h"

#include "muslin/api/guard.h"
#include "muslin/api/scene_parts.h"
#include "muslin/api/simulation_parts.h"
#include "muslin/io/animation_writer.h"
#include "muslin/run/run.h"

#include <fmt/format.h>

namespace muslin::api {
namespace {

muslin::RunOptions to_engine(const RunOptions& options) {
    muslin::RunOptions out;
    out.directory = options.directory;
    if (options.resume)
        out.resume.emplace();
    out.warn = options.warn;
    out.stop = options.stop;
    out.progress = [options](const FrameRecord& record, int frames) {
        if (options.frame)
            options.frame(to_public(record.report), to_public(record.verdict));
        if (options.progress)
            options.progress({"frames", record.report.frame, frames,
                              static_cast<double>(record.report.frame) / frames});
    };
    if (options.progress) {
        out.prepare = [tell = options.progress](int done, int all, double) {
            tell({"prepare", done, all, all > 0 ? static_cast<double>(done) / all : 1});
        };
        out.dress = [tell = options.progress](DressingPhase phase, int done, int most,
                                              const muslin::FrameReport&) {
            tell({phase_name(phase), done, most, most > 0 ? static_cast<double>(done) / most : 1});
        };
    }
    return out;
}

} // namespace

Certificate run(const Scene& scene, const RunOptions& options) {
    ThreadTeam team(options.threads);
    const TeamScope scope(&team);
    return guarded(&scene.parts(), [&] {
        const RunSummary s = run_scene(read(scene), to_engine(options));
        Certificate out;
        out.frames = s.frames;
        out.passed = s.passed;
        out.interrupted = s.interrupted;
        out.worst = to_public(s.worst);
        out.last = to_public(s.last);
        out.energies = {s.kinetic, s.elastic, s.gravity};
        out.seams_open = s.seams_open;
        out.steps = s.steps;
        out.seconds = s.seconds.total();
        out.hash = s.hash;
        return out;
    });
}

std::filesystem::path export_run(const std::filesystem::path& directory, const std::string& format,
                                 const std::filesystem::path& output) {
    return guarded(nullptr, [&] {
        const auto wanted = animation_format_by_name(format);
        if (!wanted)
            reject("format", "one of " + animation_format_names(), "'" + format + "'");
        const auto source = open_animation(directory);
        const std::filesystem::path out =
            output.empty() ? animation_output(*wanted, directory, source->name()) : output;
        write_animation(*wanted, out, *source);
        return out;
    });
}

} // namespace muslin::api
