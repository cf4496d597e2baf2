#include "commands.h"
#include "progress.h"

#include "muslin/render/run_view.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>

namespace muslin::cli {
namespace {

// What a page says about its run, from report.json; empty where there is none yet.
void describe_run(const std::filesystem::path& directory, RunViewOptions& options) {
    std::ifstream stream(directory / "report.json");
    const auto report = nlohmann::json::parse(stream, nullptr, false);
    if (!report.is_object())
        return;
    options.title = report.value("title", report.value("scene", ""));
    options.frames_per_second = report.value("frame_rate", 30.0);
    options.statistics = fmt::format(
        "{} particles, recipe {}\n{} frames, {} steps, {:.1f} ms a frame\nedge ratio {:.3f} to "
        "{:.3f}, self-intersections {}\n{}",
        report.value("particles", 0), report.value("recipe", ""), report.value("frames", 0),
        report.value("steps", 0), 1e3 * report.value("seconds_per_frame", 0.0),
        report.value("stretch_min", 1.0), report.value("stretch_max", 1.0),
        report.value("self_intersections", 0),
        report.value("passed", false) ? "passed" : "not passed");
}

} // namespace

int render(const RenderArguments& arguments) {
    RunViewOptions options;
    options.output = arguments.output.empty()
                         ? std::filesystem::path(arguments.directory) / "frame.png"
                         : std::filesystem::path(arguments.output);
    if (arguments.frame >= 0)
        options.frame = arguments.frame;
    if (!arguments.sheet.empty())
        options.sheet = ContactSheet{std::min<int>(4, static_cast<int>(arguments.sheet.size())),
                                     arguments.sheet};
    options.width = arguments.width;
    options.height = arguments.height;
    options.wireframe = arguments.wireframe;
    options.checker = arguments.checker;
    describe_run(arguments.directory, options);
    const auto start = std::chrono::steady_clock::now();
    {
        Progress progress(options.output.filename().string(), arguments.quiet);
        options.progress = [&](int done, int total) {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
            if (total > 1)
                progress.show(done, total, passed.count(), "drawn");
        };
        render_run(arguments.directory, options);
    }
    if (!arguments.quiet)
        fmt::print("{}: written\n", options.output.string());
    return 0;
}

} // namespace muslin::cli
