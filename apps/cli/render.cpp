#include "commands.h"
#include "progress.h"

#include "muslin/base/error.h"
#include "muslin/render/run_view.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <filesystem>

namespace muslin::cli {
namespace {

[[noreturn]] void bad_usage(const char* option, const std::string& expected,
                            const std::string& found) {
    throw InputError({{}, option, expected, found, ""});
}

template <class Number>
std::optional<Number> to_number(std::string_view text) {
    Number value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == at)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

/// FIRST:LAST[:STEP], where each may be left out.
void read_frames(const std::string& text, RunViewOptions& options) {
    if (text.empty())
        return;
    const std::vector<std::string> parts = split(text, ':');
    const auto part = [&](std::size_t i) -> std::optional<int> {
        if (i >= parts.size() || parts[i].empty())
            return std::nullopt;
        const std::optional<int> number = to_number<int>(parts[i]);
        if (!number || *number < 0 || (i == 2 && *number == 0))
            bad_usage("--frames", "FIRST:LAST or FIRST:LAST:STEP, whole numbers", text);
        return number;
    };
    if (parts.size() < 2 || parts.size() > 3)
        bad_usage("--frames", "FIRST:LAST or FIRST:LAST:STEP, whole numbers", text);
    options.first_frame = part(0).value_or(0);
    options.last_frame = part(1);
    options.frame_step = part(2).value_or(1);
}

void read_colors(const RenderArguments& arguments, RunViewOptions& options) {
    if (!arguments.color.empty()) {
        options.color = field_by_name(arguments.color);
        if (!options.color)
            bad_usage("--color", "one of " + field_names(), arguments.color);
    }
    options.own_range = arguments.range == "auto";
    if (!arguments.range.empty() && !options.own_range) {
        const std::vector<std::string> parts = split(arguments.range, ':');
        const auto low = to_number<double>(parts[0]);
        const auto high = parts.size() == 2 ? to_number<double>(parts[1]) : std::nullopt;
        if (!low || !high)
            bad_usage("--range", "two numbers LOW:HIGH, or auto", arguments.range);
        options.range = {*low, *high};
    }
}

/// #rrggbb, or three numbers from 0 to 1.
Vec3 read_background(const std::string& text) {
    const auto refuse = [&] {
        bad_usage("--background", "#rrggbb, or three numbers 0 .. 1 as in 0.9,0.9,0.9", text);
    };
    Vec3 color{};
    if (text.size() == 7 && text[0] == '#') {
        for (int c = 0; c < 3; ++c) {
            int value = 0;
            const char* begin = text.data() + 1 + 2 * c;
            const auto [end, failure] = std::from_chars(begin, begin + 2, value, 16);
            if (failure != std::errc() || end != begin + 2 || value < 0)
                refuse();
            color[c] = value / 255.0;
        }
        return color;
    }
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() != 3)
        refuse();
    for (int c = 0; c < 3; ++c) {
        const auto value = to_number<double>(parts[static_cast<std::size_t>(c)]);
        if (!value || !(*value >= 0 && *value <= 1))
            refuse();
        color[c] = *value;
    }
    return color;
}

/// Of a contact sheet: full rows where three, four or five make them.
int columns_of(std::size_t frames) {
    if (frames <= 4)
        return static_cast<int>(frames);
    return frames % 4 == 0 ? 4 : frames % 3 == 0 ? 3 : frames % 5 == 0 ? 5 : 4;
}

RunViewOptions to_options(const RenderArguments& arguments) {
    RunViewOptions options;
    options.output = arguments.output.empty() ? std::filesystem::path(arguments.directory) /
                                                    (arguments.html ? "page.html" : "frame.png")
                                              : std::filesystem::path(arguments.output);
    options.page = arguments.html;
    if (arguments.frame >= 0)
        options.frame = arguments.frame;
    if (!arguments.sheet.empty())
        options.sheet = ContactSheet{columns_of(arguments.sheet.size()), arguments.sheet};
    read_frames(arguments.frames, options);
    options.width = arguments.width;
    options.height = arguments.height;
    options.playback_rate = arguments.fps;
    options.view = {arguments.azimuth, arguments.elevation};
    options.fit_cloth = arguments.fit == "cloth";
    options.vertical_fov = arguments.fov;
    options.zoom = arguments.zoom;
    if (!arguments.look_at.empty())
        options.look_at = Vec3{arguments.look_at[0], arguments.look_at[1], arguments.look_at[2]};
    options.turntable = arguments.turntable;
    options.wireframe = arguments.wireframe;
    options.checker = arguments.checker;
    options.flat = arguments.flat;
    options.ground = !arguments.no_ground;
    options.shadows = !arguments.no_shadows;
    if (!arguments.background.empty())
        options.background = read_background(arguments.background);
    options.subdivide = arguments.subdivide;
    read_colors(arguments, options);
    options.texture = arguments.texture;
    options.texture_size = arguments.texture_size;
    options.marking = arguments.mark      ? Marking::always
                      : arguments.no_mark ? Marking::never
                                          : Marking::counted;
    options.caption = arguments.caption;
    return options;
}

/// Options under the names that the user has typed.
void draw(const std::string& directory, const RunViewOptions& options) {
    try {
        render_run(directory, options);
    } catch (const InputError& error) {
        Problem problem = error.problem();
        if (!problem.where.file.empty() || problem.key.empty())
            throw;
        problem.key = problem.key == "output" ? "-o" : "--" + problem.key;
        throw InputError(problem);
    }
}

} // namespace

void add_render_options(CLI::App& word, RenderArguments& a) {
    word.add_option("DIR", a.directory, "A run's directory")->required();
    word.add_option("-o,--output", a.output,
                    "A .png picture; an .mp4, .gif or .webp movie; an .html page; pictures by "
                    "frames/####.png or a folder [DIR/frame.png]");
    word.add_flag("--html", a.html,
                  "A page that plays in a browser, alone in one file [DIR/page.html]");
    word.add_flag("--quiet", a.quiet, "Print nothing");

    const char* const when = "What to show";
    word.add_option("--frame", a.frame, "Frame of a picture [the last]")
        ->check(whole_number(0))
        ->group(when);
    word.add_option("--frames", a.frames,
                    "FIRST:LAST[:STEP] of a movie, page or folder; each may be left out [all]")
        ->group(when);
    word.add_option("--sheet", a.sheet, "Frames to put side by side in one picture, 0,20,40")
        ->delimiter(',')
        ->group(when);
    word.add_option("--fps", a.fps, "Pictures a second of a movie [the run's]")->group(when);
    word.add_option("--width", a.width, "Pixels, 16 to 8192 [1280]")->group(when);
    word.add_option("--height", a.height, "Pixels, 16 to 8192 [720]")->group(when);
    word.add_option("--caption", a.caption,
                    "A line of text; {frame}, {time}, {scene} are filled in")
        ->group(when);

    const char* const camera = "Camera";
    word.add_option("--azimuth", a.azimuth, "Degrees; 0 looks along -z, 90 along -x [32]")
        ->group(camera);
    word.add_option("--elevation", a.elevation, "Degrees; 90 looks straight down [22]")
        ->group(camera);
    word.add_option("--fit", a.fit, "What must be in the picture: all, or cloth alone [all]")
        ->check(CLI::IsMember({"all", "cloth"}))
        ->group(camera);
    word.add_option("--zoom", a.zoom, "2 is twice as close [1]")->group(camera);
    word.add_option("--fov", a.fov, "Vertical field of view, degrees [28]")->group(camera);
    word.add_option("--look-at", a.look_at, "Middle of the picture X,Y,Z in m [the scene's]")
        ->delimiter(',')
        ->expected(3)
        ->group(camera);
    word.add_flag("--turntable", a.turntable,
                  "Go once around: of --frame alone, or while the run plays")
        ->group(camera);

    const char* const surface = "Surface";
    word.add_option("--color", a.color, "Colour by a field, with a legend: " + field_names())
        ->group(surface);
    word.add_option("--range", a.range,
                    "LOW:HIGH of the colours, or auto for what the run has [the field's]")
        ->group(surface);
    word.add_flag("--checker", a.checker, "Draw the pattern's grid, 5 cm wide")->group(surface);
    auto* texture = word.add_option("--texture", a.texture, "A PNG or JPEG laid on the pattern")
                        ->group(surface);
    word.add_option("--texture-size", a.texture_size, "Its width on the cloth in m [0.2]")
        ->needs(texture)
        ->group(surface);
    word.add_option("--subdivide", a.subdivide, "Levels of smooth subdivision, 0 to 4 [0]")
        ->group(surface);
    word.add_flag("--wireframe", a.wireframe, "Draw the edges")->group(surface);
    word.add_flag("--flat", a.flat, "Shade each triangle flat")->group(surface);
    auto* mark =
        word.add_flag("--mark", a.mark, "Look for intersections in every frame and mark them red")
            ->group(surface);
    word.add_flag("--no-mark", a.no_mark, "Mark none [where the run counted some]")
        ->excludes(mark)
        ->group(surface);

    const char* const stage = "Stage";
    word.add_flag("--no-ground", a.no_ground, "No floor")->group(stage);
    word.add_flag("--no-shadows", a.no_shadows, "No shadows")->group(stage);
    word.add_option("--background", a.background, "#rrggbb or R,G,B from 0 to 1")->group(stage);
}

int render(const RenderArguments& arguments) {
    RunViewOptions options = to_options(arguments);
    const auto start = std::chrono::steady_clock::now();
    {
        Progress progress(options.output.filename().string(), arguments.quiet);
        options.progress = [&](int done, int total) {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
            if (total > 1)
                progress.show(done, total, passed.count(), "drawn");
        };
        draw(arguments.directory, options);
    }
    if (!arguments.quiet)
        fmt::print("{}: written\n", options.output.string());
    return 0;
}

} // namespace muslin::cli
