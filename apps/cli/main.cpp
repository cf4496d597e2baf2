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
#include <memory>
#include <string>
#include <system_error>
#include <unistd.h>

namespace {

using namespace muslin::cli;

// Exit codes that scripts rely on.
constexpr int internal_error = 1, bad_input = 2, cannot_go_on = 3, cannot_access = 4;

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

void add_allow_outside(CLI::App* word, bool& flag) {
    word->add_flag("--allow-outside", flag, "Let the scene name files outside its directory");
}

void add_run(CLI::App& app, std::function<int()>& command) {
    const auto a = std::make_shared<RunArguments>();
    auto* word = app.add_subcommand("run", "Simulate a scene");
    word->add_option("SCENE", a->scene, "A TOML file or the name of a built-in scene")->required();
    word->add_option("-o,--output", a->output, "Directory for results [out/NAME]");
    word->add_option("--frames", a->frames, "Frames to simulate [the scene's]")
        ->check(whole_number(1));
    word->add_option("--set", a->overrides,
                     "Change a key of the scene: key.path=value (may be repeated)")
        ->allow_extra_args(false);
    word->add_option("--threads", a->threads, "Threads to use [all]")->check(whole_number(1));
    word->add_option("--export", a->exports,
                     "Also write the result as mdd, obj, ply, usda, glb, vtu (comma between)")
        ->allow_extra_args(false);
    word->add_flag(
        "--resume", a->resume,
        "Go on after the last frame that a run into the same directory has saved; from the start "
        "where there is none");
    word->add_option("--resume-from", a->resume_from,
                     "Go on from the run in another directory, which stays as it is");
    word->add_option("--resume-frame", a->resume_frame,
                     "Go on after this frame instead of the last [one of those that were kept]")
        ->check(whole_number(0));
    word->add_flag("--resume-changed", a->resume_changed,
                   "Go on although the scene or the program has changed, and say in what");
    word->add_option("--keep-checkpoints", a->keep_checkpoints,
                     "Keep one in so many frames to go on from later [10; 0: the last alone]")
        ->check(whole_number(0));
    add_allow_outside(word, a->allow_outside);
    word->add_flag("--quiet", a->quiet, "Print nothing");
    word->add_flag("--json", a->json, "Print the report as JSON");
    word->callback([a, &command] {
        command = [a] {
            if (a->threads > 0)
                muslin::set_thread_count(a->threads);
            return run(*a);
        };
    });
}

void add_check(CLI::App& app, std::function<int()>& command) {
    struct Arguments {
        std::string scene;
        std::vector<std::string> overrides;
        bool json = false, allow_outside = false;
    };
    const auto a = std::make_shared<Arguments>();
    auto* word =
        app.add_subcommand("check", "Validate everything a run would read; simulate nothing");
    word->add_option("SCENE", a->scene, "A TOML file or the name of a built-in scene")->required();
    word->add_option("--set", a->overrides, "Change a key of the scene")->allow_extra_args(false);
    add_allow_outside(word, a->allow_outside);
    word->add_flag("--json", a->json, "Print as JSON");
    word->callback([a, &command] {
        command = [a] { return check(a->scene, a->overrides, a->json, a->allow_outside); };
    });
}

void add_info(CLI::App& app, std::function<int()>& command) {
    struct Arguments {
        std::string file, drawing;
        bool json = false, allow_outside = false;
    };
    const auto a = std::make_shared<Arguments>();
    auto* word = app.add_subcommand(
        "info",
        "What a mesh, pattern, character, cache, scene, checkpoint, run or exported file holds");
    word->add_option("FILE", a->file,
                     "A mesh, character (.gltf .glb), cache, scene (.toml), sewing pattern (.toml, "
                     ".json or the name of a built-in one), fabric (.json), checkpoint (.state), "
                     ".usda, .pvd, .vtu or .vdb file, or a run's directory")
        ->required();
    add_allow_outside(word, a->allow_outside);
    word->add_flag("--json", a->json, "Print as JSON");
    word->add_option("-o,--output", a->drawing, "Draw a sewing pattern: FILE.svg or FILE.png");
    word->callback([a, &command] {
        command = [a] { return info(a->file, a->json, a->drawing, a->allow_outside); };
    });
}

void add_measure(CLI::App& app, std::function<int()>& command) {
    struct Arguments {
        std::vector<std::string> inputs;
        std::vector<double> heights;
        bool fit = false, json = false;
    };
    const auto a = std::make_shared<Arguments>();
    auto* word =
        app.add_subcommand("measure", "Intersections and stretch of a finished run or of meshes");
    word->add_option("INPUT", a->inputs, "A run's directory, or mesh files")->required();
    auto* fit =
        word->add_flag("--fit", a->fit,
                       "How the garments of a run sit at its last frame: tension, pressure, ease");
    word->add_option("--height", a->heights, "Girths at this height too [m] (may be repeated)")
        ->allow_extra_args(false)
        ->needs(fit);
    word->add_flag("--json", a->json, "Print as JSON");
    word->callback([a, &command] {
        command = [a] {
            return a->fit ? measure_fit(a->inputs, a->heights, a->json)
                          : measure(a->inputs, a->json);
        };
    });
}

void add_convert(CLI::App& app, std::function<int()>& command) {
    const auto a = std::make_shared<ConvertArguments>();
    auto* word = app.add_subcommand("convert", "Between the formats of meshes and of animations");
    word->add_option(
            "IN", a->in,
            "A mesh (.obj .ply .off), a character (.gltf .glb), a cache (.pc2 .mdd), a run's "
            "directory, or a sequence of meshes: its folder or NAME.####.obj")
        ->required();
    word->add_option("OUT", a->out,
                     "By its ending .obj .ply .off .vtu one frame; .pc2 .mdd .usda .glb .pvd "
                     "NAME.####.obj NAME.####.ply all; a folder with --format")
        ->required();
    word->add_option("--mesh", a->mesh,
                     "The mesh that a cache moves [the .obj of its name beside it]");
    word->add_option("--frame", a->frame, "One frame [all; for one mesh, the last]")
        ->check(whole_number(0));
    word->add_option("--format", a->format,
                     "pc2, mdd, obj, ply, usda, glb or vtu [by the ending of OUT]");
    word->add_option("--cloth", a->cloth, "One cloth or body of several, by name");
    word->add_option("--frame-rate", a->frame_rate, "Frames a second, where IN does not say [30]")
        ->check(positive_number());
    word->add_option("--clip", a->clip,
                     "The clip of a character, by name; none for its own pose [its only clip]");
    word->add_flag("--quiet", a->quiet, "Print nothing");
    word->callback([a, &command] { command = [a] { return convert(*a); }; });
}

void add_recipes(CLI::App& app, std::function<int()>& command) {
    const auto json = std::make_shared<bool>(false);
    auto* word = app.add_subcommand("recipes", "The recipes and their parts");
    word->add_flag("--json", *json, "Print as JSON");
    word->callback([json, &command] { command = [json] { return recipes(*json); }; });
}

void add_materials(CLI::App& app, std::function<int()>& command) {
    struct Arguments {
        std::vector<std::string> names;
        bool json = false, allow_outside = false;
    };
    const auto a = std::make_shared<Arguments>();
    auto* word = app.add_subcommand("materials", "The fabrics, with units and sources");
    word->add_option("NAME", a->names,
                     "Only these: names, or .toml and .json files [all built-in ones]");
    word->add_flag("--allow-outside", a->allow_outside,
                   "Let a file name another outside its directory");
    word->add_flag("--json", a->json, "Print as JSON");
    word->callback([a, &command] {
        command = [a] { return materials(a->names, a->json, a->allow_outside); };
    });
}

void add_new(CLI::App& app, std::function<int()>& command) {
    struct Arguments {
        std::string cloth, body, scene;
    };
    const auto a = std::make_shared<Arguments>();
    auto* word =
        app.add_subcommand("new", "A starter scene from a cloth mesh and an optional body");
    word->add_option("CLOTH", a->cloth, "A mesh file")->required();
    word->add_option("BODY", a->body, "A mesh file");
    word->add_option("-o,--output", a->scene, "The scene to write [CLOTH's name .toml]");
    word->callback(
        [a, &command] { command = [a] { return create(a->cloth, a->body, a->scene); }; });
}

void add_demo(CLI::App& app, std::function<int()>& command) {
    const auto a = std::make_shared<DemoArguments>();
    auto* word = app.add_subcommand("demo", "Run and render a built-in scene");
    word->add_option("NAME", a->scene, "The scene [dress-twirl]");
    word->add_option("-o,--output", a->output, "Directory [out/NAME]");
    add_allow_outside(word, a->allow_outside);
    word->add_flag("--list", a->list, "List the built-in scenes");
    word->callback([a, &command] { command = [a] { return demo(*a); }; });
}

void add_render(CLI::App& app, std::function<int()>& command) {
    const auto a = std::make_shared<RenderArguments>();
    auto* word = app.add_subcommand(
        "render", "Pictures, movies or a page of a finished run, without a display");
    add_render_options(*word, *a);
    word->callback([a, &command] { command = [a] { return render(*a); }; });
}

int run_command(int argc, char** argv) {
    fill_closed_streams();
    handle_signals();
    CLI::App app{"Muslin, an open cloth and garment simulator"};
    app.set_version_flag("--version", muslin::build_text() + "\nviewer      yes");
    app.require_subcommand(1);
    app.footer("Exit codes: 0 done, 2 bad usage or input, 3 the simulation could not go on, "
               "4 cannot read or write files, 129, 130 or 143 interrupted.");
    std::function<int()> command;
    for (const auto add :
         {add_run, add_check, add_info, add_measure, add_convert, add_recipes, add_materials,
          add_new, add_demo, add_render, add_post, add_untangle, add_view})
        add(app, command);
    app.failure_message(usage_message);
    for (CLI::App* word : app.get_subcommands([](const CLI::App*) { return true; }))
        refuse_empty_values(*word);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : bad_input;
    }
    return report(command);
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
    try {
        return run_command(argc, argv);
    } catch (const std::exception& error) { // a mistake of ours, not of the user's
        std::fputs("muslin: internal error: ", stderr);
        std::fputs(error.what(), stderr);
        std::fputs("\n", stderr);
        return internal_error;
    }
}
