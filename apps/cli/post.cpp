#include "commands.h"
#include "export.h"
#include "progress.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/run/post_run.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

namespace muslin::cli {
namespace {

namespace fs = std::filesystem;

struct PostArguments {
    std::string directory;
    std::string output; ///< empty: DIR-post
    std::string epsilon, tau, depth;
    int subdivide = 0, frames = 0, threads = 0;
    bool quiet = false, json = false;
};

/// "2mm", "0.2cm", "0.002" [m].
std::optional<double> read_length(const char* option, const std::string& text, double least,
                                  double most) {
    if (text.empty())
        return std::nullopt;
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end, text.data() + text.size());
    const double scale = unit.empty() || unit == "m" ? 1
                         : unit == "cm"              ? 1e-2
                         : unit == "mm"              ? 1e-3
                                                     : 0;
    if (failure != std::errc() || scale == 0 || !std::isfinite(value) || value < least ||
        value * scale > most)
        throw InputError({{},
                          option,
                          fmt::format("a length {} {} m, such as 2mm or 0.002",
                                      least > 0 ? "above 0 and at most" : "from 0 to", most),
                          "'" + text + "'",
                          {}});
    return value * scale;
}

PostDescription read_post(const PostArguments& a) {
    constexpr double least = 1e-9; // anything above zero
    PostDescription out;
    out.epsilon = read_length("--epsilon", a.epsilon, least, 0.05);
    out.tau = read_length("--tau", a.tau, least, 0.5);
    out.depth = read_length("--depth", a.depth, 0, 0.5);
    out.subdivide = a.subdivide;
    if (out.epsilon && out.tau && *out.tau < 1.5 * *out.epsilon)
        throw InputError(
            {{}, "--tau", "at least one and a half times --epsilon", "'" + a.tau + "'", {}});
    return out;
}

fs::path output_of(const PostArguments& a) {
    if (!a.output.empty())
        return a.output;
    fs::path run = fs::path(a.directory).lexically_normal();
    if (!run.has_filename()) // DIR/
        run = run.parent_path();
    if (run.filename() == "." || run.filename() == "..")
        run = fs::weakly_canonical(run);
    return run += "-post";
}

void print_result(const PostResult& r, const fs::path& directory) {
    const PostSummary& s = r.summary;
    constexpr double mm = 1e3;
    fmt::print("band {:.3g} to {:.3g} mm, depth {:.3g} mm; {:.1f} ms a frame\n",
               mm * r.band.epsilon, mm * r.band.tau, mm * r.band.depth,
               1e3 * s.seconds / std::max(1, s.frames));
    fmt::print("in the worst frame {} points moved, by {:.3g} mm at most; {} raised, by {:.3g} mm "
               "at most; {} pinched, {} not where they should be\n",
               s.moved, mm * s.largest_move, s.raised, mm * s.largest_raise, s.pinched,
               s.unreached);
    fmt::print("wrinkle height {:.3g} mm before, {:.3g} mm after; plain projection {:.3g} mm\n",
               mm * s.wrinkle.before, mm * s.wrinkle.after, mm * s.wrinkle.plain);
    fmt::print("self-intersections: {} before, {} after; with bodies: {} before, {} after at "
               "worst; limits {}\n",
               s.self_intersections_before, r.worst.self_intersections, s.body_intersections_before,
               r.worst.body_intersections, r.passed ? "kept" : "NOT kept");
    fmt::print("results in {}\n", directory.string());
}

int post(const PostArguments& arguments) {
    using Clock = std::chrono::steady_clock;
    if (arguments.threads > 0)
        set_thread_count(arguments.threads);
    const bool quiet = arguments.quiet || arguments.json;
    PostOptions options;
    options.run = arguments.directory;
    options.directory = output_of(arguments);
    options.post = read_post(arguments);
    options.frames = arguments.frames;
    options.begin = [&] { remove_exports(options.directory); };
    std::unique_ptr<Progress> progress;
    std::string shown;
    auto began = Clock::now();
    options.progress = [&](const char* pass, int frame, int frames, const PostFrame* done) {
        if (shown != pass) {
            progress = std::make_unique<Progress>(pass, quiet);
            shown = pass;
            began = Clock::now();
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        progress->show(frame, frames, seconds,
                       done ? fmt::format("{} moved by up to {:.3g} mm, {} crossings left",
                                          done->fold.moved, 1e3 * done->fold.largest_move,
                                          done->verdict.body_intersections)
                            : "how deep");
    };
    const PostResult result = post_run(options);
    progress.reset();
    if (arguments.json) {
        std::ifstream report(options.directory / "report.json");
        fmt::print("{}", std::string(std::istreambuf_iterator<char>(report), {}));
    } else if (!quiet) {
        print_result(result, options.directory);
    }
    return 0;
}

} // namespace

void add_post(CLI::App& app, std::function<int()>& command) {
    const auto a = std::make_shared<PostArguments>();
    auto* word = app.add_subcommand(
        "post", "Push the cloth of a finished run out of its bodies and keep its folds");
    word->add_option("DIR", a->directory, "A run's directory")->required();
    word->add_option("-o,--output", a->output, "Directory for results [DIR-post]");
    word->add_option("--epsilon", a->epsilon,
                     "The least distance to a body, such as 1mm [half the cloth's thickness, at "
                     "least 0.5mm]");
    word->add_option(
        "--tau", a->tau,
        "Cloth farther off stays where it is [epsilon + 4 (depth + epsilon), at most 0.5m]");
    word->add_option("--depth", a->depth,
                     "How deep in a body cloth may be [the deepest of all frames, at most 20mm]");
    word->add_option("--subdivide", a->subdivide, "Levels of smooth subdivision, 0 to 4 [0]")
        ->check(CLI::Range(0, 4));
    word->add_option("--frames", a->frames, "Only the first N frames [all]")
        ->check(whole_number(1));
    word->add_option("--threads", a->threads, "Threads to use [all]")->check(whole_number(1));
    word->add_flag("--quiet", a->quiet, "Print nothing");
    word->add_flag("--json", a->json, "Print the report as JSON");
    word->callback([a, &command] { command = [a] { return post(*a); }; });
}

} // namespace muslin::cli
