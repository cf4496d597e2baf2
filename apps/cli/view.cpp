#include "commands.h"

#include "muslin/base/error.h"
#include "muslin/base/parallel.h"
#include "viewer/viewer.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <memory>

namespace muslin::cli {
namespace {

// "1280x720": both from 320x240, below which nothing fits, to what OpenGL can draw.
void read_size(const std::string& text, viewer::ViewArguments& arguments) {
    const char *begin = text.data(), *end = begin + text.size();
    const auto width = std::from_chars(begin, end, arguments.width);
    const bool cross = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
    const auto height =
        cross ? std::from_chars(width.ptr + 1, end, arguments.height) : std::from_chars_result{};
    if (!cross || height.ec != std::errc() || height.ptr != end || arguments.width < 320 ||
        arguments.height < 240 || arguments.width > 8192 || arguments.height > 8192)
        throw InputError(
            {{}, "--size", "WIDTHxHEIGHT, 320x240 to 8192x8192", "'" + text + "'", ""});
}

} // namespace

void add_view(CLI::App& app, std::function<int()>& command) {
    struct Options {
        viewer::ViewArguments view;
        std::string size;
        bool closed_panel = false, play = false;
        int threads = 0;
    };
    const auto options = std::make_shared<Options>();
    viewer::ViewArguments& view = options->view;
    auto* word = app.add_subcommand(
        "view", "A window: simulate a scene and pull the cloth, or play a finished run");
    word->add_option("INPUT", view.inputs,
                     "A scene or a run's directory; two are shown side by side")
        ->required()
        ->expected(1, 2);
    word->add_option("--recipe", view.recipes, "Of the scene; twice: side by side")
        ->allow_extra_args(false);
    word->add_option("--set", view.overrides, "Change a key of the scene: key.path=value")
        ->allow_extra_args(false);
    word->add_flag("--allow-outside", view.allow_outside,
                   "Let the scene name files outside its directory");
    word->add_option("--size", options->size, "Of the window [1280x720]");
    word->add_option("--threads", options->threads, "Threads to use [all]")->check(whole_number(1));
    word->add_option("--frames", view.frames, "End after so many frames")->check(whole_number(1));
    word->add_option("--screenshot", view.screenshot, "A PNG of the window when it ends");
    word->add_option("--log", view.log, "A file for a line of JSON per frame");
    word->add_option("--color", view.color, "Colour by a field: stretch, shear, bending, ...");
    word->add_flag("--wireframe", view.wireframe, "Draw the edges");
    word->add_flag("--checker", view.checker, "Draw the pattern's grid");
    word->add_flag("--smooth", view.smooth, "Draw a finer cloth over the simulated one");
    word->add_flag("--flat", view.flat, "Draw triangles flat");
    word->add_flag("--no-panel", options->closed_panel, "Without the panel at the side");
    word->add_flag("--hidden", view.hidden, "Do not show the window");
    auto* paused = word->add_flag("--paused", view.paused, "Begin at a standstill");
    word->add_flag("--play", options->play, "Begin at once, as without it")->excludes(paused);
    word->callback([options, &command] {
        command = [options] {
            options->view.panel = !options->closed_panel;
            if (!options->size.empty())
                read_size(options->size, options->view);
            if (options->threads > 0)
                set_thread_count(options->threads);
            return viewer::view(options->view);
        };
    });
}

} // namespace muslin::cli
