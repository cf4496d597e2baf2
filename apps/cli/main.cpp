#include "commands.h"
#include "signals.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "muslin/io/read_file.h"
#include "muslin/run/version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <functional>
#include <string>
#include <system_error>
#include <unistd.h>

namespace {

// Exit codes that scripts rely on.
constexpr int bad_input = 2, cannot_go_on = 3, cannot_access = 4;

// What was printed is an output as any file is.
void flush_output() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        throw muslin::FileError("standard output", "cannot be written: " + muslin::system_reason());
}

// A file that is opened must not get the number of a stream that the caller closed: what is printed
// would go into it. In its place comes one that cannot be written either.
void fill_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/dev/null", O_RDONLY); // gets the lowest number that is free
}

int report(const std::function<int()>& command) {
    using muslin::cli::complain;
    try {
        const int code = command();
        flush_output();
        return code;
    } catch (const muslin::InputError& error) {
        complain(error.what());
        return bad_input;
    } catch (const muslin::SimulationError& error) {
        complain(std::string("the simulation cannot go on: ") + error.what());
        return cannot_go_on;
    } catch (const muslin::FileError& error) {
        complain(error.what());
        return cannot_access;
    } catch (const std::system_error& error) { // of the file system, and of streams
        complain(error.what());
        return cannot_access;
    } catch (const std::bad_alloc&) {
        complain("out of memory: give it more, or the scene fewer vertices");
        return cannot_go_on;
    }
}

/// One line, as for any other mistake.
std::string usage_message(const CLI::App* app, const CLI::Error& error) {
    std::string word;
    for (const CLI::App* used : app->get_subcommands())
        word = " " + used->get_name();
    std::string text = error.what();
    if (const auto found = app->remaining(); word.empty() && !found.empty())
        text = fmt::format("expected a command, found '{}'", found.front());
    std::replace(text.begin(), text.end(), '\n', ' ');
    return fmt::format("muslin{}: {} (muslin{} --help explains)\n", word, text, word);
}

/// A variable of a script that is empty by mistake is no wish for the default.
void refuse_empty_values(CLI::App& word) {
    for (CLI::Option* option : word.get_options([](const CLI::Option* o) {
             return o->get_type_size_max() > 0 && o->get_name() != "--caption";
         }))
        option->check(CLI::Validator(
            [](const std::string& text) {
                return text.empty() ? std::string("expected a value, found an empty one")
                                    : std::string();
            },
            ""));
}

} // namespace

// Where nobody can read it the exit code must do.
void muslin::cli::complain(const std::string& text) {
    std::fputs(("muslin: " + text + "\n").c_str(), stderr);
}

CLI::Validator muslin::cli::whole_number(int low) {
    return {[low](const std::string& text) {
                int value = 0;
                const char* end = text.data() + text.size();
                const auto result = std::from_chars(text.data(), end, value);
                if (result.ec == std::errc() && result.ptr == end && value >= low)
                    return std::string();
                return fmt::format("expected a whole number, {} or more, found '{}'", low, text);
            },
            ""};
}

CLI::Validator muslin::cli::positive_number() {
    return {[](const std::string& text) {
                double value = 0;
                const char* end = text.data() + text.size();
                const auto result = std::from_chars(text.data(), end, value);
                if (result.ec == std::errc() && result.ptr == end && value > 0 &&
                    std::isfinite(value))
                    return std::string();
                return fmt::format("expected a positive number, found '{}'", text);
            },
            ""};
}

int main(int argc, char** argv) {
    using namespace muslin::cli;
    fill_closed_streams();
    handle_signals();
    CLI::App app{"Muslin, an open cloth and garment simulator"};
    app.set_version_flag("--version", muslin::build_text() + "\nviewer      yes");
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 2 bad usage or input, 3 the simulation could not go on, "
               "4 cannot read or write files, 129, 130 or 143 interrupted.");
    std::function<int()> command;
    bool json = false, allow_outside = false;
    const auto add_allow_outside = [](CLI::App* word, bool& flag) {
        word->add_flag("--allow-outside", flag, "Let the scene name files outside its directory");
    };

    RunArguments run_arguments;
    int threads = 0;
    auto* run_word = app.add_subcommand("run", "Simulate a scene");
    run_word
        ->add_option("SCENE", run_arguments.scene, "A TOML file or the name of a built-in scene")
        ->required();
    run_word->add_option("-o,--output", run_arguments.output, "Directory for results [out/NAME]");
    run_word->add_option("--frames", run_arguments.frames, "Frames to simulate [the scene's]")
        ->check(whole_number(1));
    run_word
        ->add_option("--set", run_arguments.overrides,
                     "Change a key of the scene: key.path=value (may be repeated)")
        ->allow_extra_args(false);
    run_word->add_option("--threads", threads, "Threads to use [all]")->check(whole_number(1));
    run_word
        ->add_option("--export", run_arguments.exports,
                     "Also write the result as mdd, obj, ply, usda, glb, vtu (comma between)")
        ->allow_extra_args(false);
    run_word->add_flag(
        "--resume", run_arguments.resume,
        "Go on after the last frame that a run into the same directory has saved; from the start "
        "where there is none");
    run_word->add_option("--resume-from", run_arguments.resume_from,
                         "Go on from the run in another directory, which stays as it is");
    run_word
        ->add_option("--resume-frame", run_arguments.resume_frame,
                     "Go on after this frame instead of the last [one of those that were kept]")
        ->check(whole_number(0));
    run_word->add_flag("--resume-changed", run_arguments.resume_changed,
                       "Go on although the scene or the program has changed, and say in what");
    run_word
        ->add_option("--keep-checkpoints", run_arguments.keep_checkpoints,
                     "Keep one in so many frames to go on from later [10; 0: the last alone]")
        ->check(whole_number(0));
    add_allow_outside(run_word, run_arguments.allow_outside);
    run_word->add_flag("--quiet", run_arguments.quiet, "Print nothing");
    run_word->add_flag("--json", run_arguments.json, "Print the report as JSON");
    run_word->callback([&] { command = [&] { return run(run_arguments); }; });

    std::string name;
    std::vector<std::string> overrides;
    auto* check_word =
        app.add_subcommand("check", "Validate everything a run would read; simulate nothing");
    check_word->add_option("SCENE", name, "A TOML file or the name of a built-in scene")
        ->required();
    check_word->add_option("--set", overrides, "Change a key of the scene")
        ->allow_extra_args(false);
    add_allow_outside(check_word, allow_outside);
    check_word->add_flag("--json", json, "Print as JSON");
    check_word->callback(
        [&] { command = [&] { return check(name, overrides, json, allow_outside); }; });

    auto* info_word = app.add_subcommand(
        "info",
        "What a mesh, pattern, character, cache, scene, checkpoint, run or exported file holds");
    info_word
        ->add_option("FILE", name,
                     "A mesh, character (.gltf .glb), cache, scene (.toml), sewing pattern (.toml, "
                     ".json or the name of a built-in one), fabric (.json), checkpoint (.state), "
                     ".usda, .pvd, .vtu or .vdb file, or a run's directory")
        ->required();
    add_allow_outside(info_word, allow_outside);
    info_word->add_flag("--json", json, "Print as JSON");
    std::string drawing;
    info_word->add_option("-o,--output", drawing, "Draw a sewing pattern: FILE.svg or FILE.png");
    info_word->callback(
        [&] { command = [&] { return info(name, json, drawing, allow_outside); }; });

    std::vector<std::string> inputs;
    auto* measure_word =
        app.add_subcommand("measure", "Intersections and stretch of a finished run or of meshes");
    measure_word->add_option("INPUT", inputs, "A run's directory, or mesh files")->required();
    bool fit = false;
    std::vector<double> heights;
    auto* fit_flag = measure_word->add_flag(
        "--fit", fit, "How the garments of a run sit at its last frame: tension, pressure, ease");
    measure_word->add_option("--height", heights, "Girths at this height too [m] (may be repeated)")
        ->allow_extra_args(false)
        ->needs(fit_flag);
    measure_word->add_flag("--json", json, "Print as JSON");
    measure_word->callback([&] {
        command = [&] { return fit ? measure_fit(inputs, heights, json) : measure(inputs, json); };
    });

    ConvertArguments convert_arguments;
    auto* convert_word =
        app.add_subcommand("convert", "Between the formats of meshes and of animations");
    convert_word
        ->add_option(
            "IN", convert_arguments.in,
            "A mesh (.obj .ply .off), a character (.gltf .glb), a cache (.pc2 .mdd), a run's "
            "directory, or a sequence of meshes: its folder or NAME.####.obj")
        ->required();
    convert_word
        ->add_option("OUT", convert_arguments.out,
                     "By its ending .obj .ply .off .vtu one frame; .pc2 .mdd .usda .glb .pvd "
                     "NAME.####.obj NAME.####.ply all; a folder with --format")
        ->required();
    convert_word->add_option("--mesh", convert_arguments.mesh,
                             "The mesh that a cache moves [the .obj of its name beside it]");
    convert_word
        ->add_option("--frame", convert_arguments.frame, "One frame [all; for one mesh, the last]")
        ->check(whole_number(0));
    convert_word->add_option("--format", convert_arguments.format,
                             "pc2, mdd, obj, ply, usda, glb or vtu [by the ending of OUT]");
    convert_word->add_option("--cloth", convert_arguments.cloth,
                             "One cloth or body of several, by name");
    convert_word
        ->add_option("--frame-rate", convert_arguments.frame_rate,
                     "Frames a second, where IN does not say [30]")
        ->check(positive_number());
    convert_word->add_option("--clip", convert_arguments.clip,
                             "The clip of a character, by name; none for its own pose [its only "
                             "clip]");
    convert_word->add_flag("--quiet", convert_arguments.quiet, "Print nothing");
    convert_word->callback([&] { command = [&] { return convert(convert_arguments); }; });

    auto* recipes_word = app.add_subcommand("recipes", "The recipes and their parts");
    recipes_word->add_flag("--json", json, "Print as JSON");
    recipes_word->callback([&] { command = [&] { return recipes(json); }; });

    auto* materials_word = app.add_subcommand("materials", "The fabrics, with units and sources");
    std::vector<std::string> fabrics;
    materials_word->add_option("NAME", fabrics,
                               "Only these: names, or .toml and .json files [all built-in ones]");
    materials_word->add_flag("--allow-outside", allow_outside,
                             "Let a file name another outside its directory");
    materials_word->add_flag("--json", json, "Print as JSON");
    materials_word->callback(
        [&] { command = [&] { return materials(fabrics, json, allow_outside); }; });

    std::string out, body;
    auto* new_word =
        app.add_subcommand("new", "A starter scene from a cloth mesh and an optional body");
    new_word->add_option("CLOTH", name, "A mesh file")->required();
    new_word->add_option("BODY", body, "A mesh file");
    new_word->add_option("-o,--output", out, "The scene to write [CLOTH's name .toml]");
    new_word->callback([&] { command = [&] { return create(name, body, out); }; });

    DemoArguments demo_arguments;
    auto* demo_word = app.add_subcommand("demo", "Run and render a built-in scene");
    demo_word->add_option("NAME", demo_arguments.scene, "The scene [dress-twirl]");
    demo_word->add_option("-o,--output", demo_arguments.output, "Directory [out/NAME]");
    add_allow_outside(demo_word, demo_arguments.allow_outside);
    demo_word->add_flag("--list", demo_arguments.list, "List the built-in scenes");
    demo_word->callback([&] { command = [&] { return demo(demo_arguments); }; });

    RenderArguments render_arguments;
    auto* render_word = app.add_subcommand(
        "render", "Pictures, movies or a page of a finished run, without a display");
    add_render_options(*render_word, render_arguments);
    render_word->callback([&] { command = [&] { return render(render_arguments); }; });

    add_post(app, command);
    add_untangle(app, command);
    add_view(app, command);

    app.failure_message(usage_message);
    for (CLI::App* word : app.get_subcommands([](const CLI::App*) { return true; }))
        refuse_empty_values(*word);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : bad_input;
    }
    if (threads > 0)
        muslin::set_thread_count(threads);
    return report(command);
}
