#include "muslin/render/run_view.h"

#include "muslin/base/error.h"
#include "muslin/io/atomic_file.h"
#include "muslin/io/mesh_sequence.h"
#include "muslin/io/text.h"
#include "muslin/render/legend.h"
#include "muslin/render/movie.h"
#include "muslin/render/run_page.h"
#include "muslin/render/run_pictures.h"
#include "muslin/render/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {

namespace {

namespace fs = std::filesystem;

void require_number(const char* key, double value, double low, double high, const char* unit) {
    if (!(value >= low && value <= high))
        bad_option(key, fmt::format("{} .. {}{}", low, high, unit), fmt::format("{}", value));
}

void require_options(const RunViewOptions& options) {
    require_number("width", options.width, 16, 8192, " pixels");
    require_number("height", options.height, 16, 8192, " pixels");
    require_number("fov", options.vertical_fov, 1, 150, " degrees");
    require_number("zoom", options.zoom, 0.01, 1000, "");
    require_number("azimuth", options.view.azimuth, -1e6, 1e6, " degrees");
    require_number("elevation", options.view.elevation, -90, 90, " degrees");
    if (options.look_at)
        for (int axis = 0; axis < 3; ++axis)
            require_number("look-at", (*options.look_at)[axis], -1e6, 1e6, " m");
    require_number("subdivide", options.subdivide, 0, 4, " levels");
    require_number("texture-size", options.texture_size, 1e-4, 1e4, " m");
    require_number("fps", options.playback_rate.value_or(30), 0.01, 1000, "");
    if (options.range) {
        const auto [low, high] = *options.range;
        // A scale that no float tells from a point has neither colours nor ticks.
        const double least = 1e-6 * std::max(std::abs(low), std::abs(high));
        if (!(high - low > least && std::isfinite(high - low)))
            bad_option("range", "two numbers LOW:HIGH, the first well below the second",
                       fmt::format("{}:{}", low, high));
    }
    if ((options.range || options.own_range) && !options.color)
        bad_option("range", "together with a field (color)", "none");
    if (options.frame_step < 1)
        bad_option("frame_step", "1 or more", fmt::format("{}", options.frame_step));
    if (options.sheet &&
        (options.sheet->columns < 1 || options.sheet->columns > options.width / 16))
        bad_option("columns", fmt::format("1 .. {}", options.width / 16),
                   fmt::format("{}", options.sheet->columns));
}

std::vector<int> sheet_frames(const RunSurfaces& run, const ContactSheet& sheet) {
    std::vector<int> frames = sheet.frames;
    for (const int frame : frames)
        require_frame("sheet", frame, run.frames());
    if (frames.empty()) {
        const int count = std::min(2 * sheet.columns, run.frames());
        for (int i = 0; i < count; ++i) // rounded, so that the first and the last are among them
            frames.push_back(count == 1 ? run.frames() - 1
                                        : ((run.frames() - 1) * i + (count - 1) / 2) / (count - 1));
    }
    return frames;
}

/// The pictures of a movie or folder.
std::vector<Shot> movie_shots(const RunSurfaces& run, const RunViewOptions& options) {
    constexpr int turn_pictures = 120; // of a scene that stands still: four seconds
    std::vector<Shot> shots;
    if (options.turntable && options.frame) {
        require_frame("frame", *options.frame, run.frames());
        for (int i = 0; i < turn_pictures; ++i)
            shots.push_back({*options.frame, 360.0 * i / turn_pictures});
        return shots;
    }
    const std::vector<int> frames = movie_frames(run, options);
    for (std::size_t i = 0; i < frames.size(); ++i)
        shots.push_back({frames[i], options.turntable ? 360.0 * static_cast<double>(i) /
                                                            static_cast<double>(frames.size())
                                                      : 0.0});
    return shots;
}

RunViewReport write_still(RunSurfaces& run, const RunViewOptions& options) {
    const Shot shot{options.frame.value_or(run.frames() - 1)};
    require_frame("frame", shot.frame, run.frames());
    RunPictures pictures(run, options, std::span(&shot, 1));
    write_png(options.output, pictures.take(shot));
    report_progress(options, 1, 1);
    return {1, 1};
}

/// Dark letters on a light picture, light ones on a dark one.
Vec3 ink_on(const std::array<std::uint8_t, 3>& background) {
    const int lightness = 2 * background[0] + 7 * background[1] + background[2];
    return lightness > 10 * 110 ? TextStyle().color : Vec3{0.93, 0.93, 0.92};
}

RunViewReport write_sheet(RunSurfaces& run, const RunViewOptions& options) {
    std::vector<Shot> shots;
    for (const int frame : sheet_frames(run, *options.sheet))
        shots.push_back({frame});
    const int columns = std::min(options.sheet->columns, static_cast<int>(shots.size()));
    const int rows = (static_cast<int>(shots.size()) + columns - 1) / columns;
    const int width = options.width / columns;
    const int height = std::max(1, width * options.height / options.width);
    if (rows * height > 32768)
        bad_option("sheet", "fewer frames or more columns", fmt::format("{} rows", rows));

    RunPictures pictures(run, options, shots);
    Image sheet(columns * width, rows * height);
    for (std::size_t i = 0; i < shots.size(); ++i) {
        const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
        Image tile = pictures.take(shots[i], width, height);
        const double size = std::clamp(height / 14.0, 11.0, 40.0);
        draw_caption(tile, pictures.caption(shots[i].frame));
        draw_text(tile, fmt::format("{}", shots[i].frame), 0.8 * size, 1.6 * size,
                  {.size = size, .color = ink_on(tile.pixel(0, 0))});
        if (row == 0 && column == columns - 1)
            pictures.add_legend(tile);
        paste(sheet, tile, column * width, row * height);
        report_progress(options, i + 1, shots.size());
    }
    // Tiles left over in the last row take the background's colour.
    Image blank(width, height);
    const auto background = sheet.pixel(0, 0);
    for (std::size_t i = 0; i < blank.rgb.size(); ++i)
        blank.rgb[i] = background[i % 3];
    for (int i = static_cast<int>(shots.size()); i < rows * columns; ++i)
        paste(sheet, blank, i % columns * width, i / columns * height);
    write_png(options.output, sheet);
    return {static_cast<int>(shots.size()), 1};
}

RunViewReport write_movie(RunSurfaces& run, const RunViewOptions& options) {
    const std::vector<Shot> shots = movie_shots(run, options);
    MovieSettings movie;
    movie.width = options.width;
    movie.height = options.height;
    movie.frames_per_second =
        options.playback_rate.value_or(run.reader().frame_rate() / options.frame_step);
    MovieWriter writer(options.output, movie);
    RunPictures pictures(run, options, shots);
    for (std::size_t i = 0; i < shots.size(); ++i) {
        writer.add(pictures.take(shots[i]));
        report_progress(options, i + 1, shots.size());
    }
    writer.finish();
    return {static_cast<int>(shots.size()), options.frame_step};
}

/// frames/####.png as it is, FOLDER/####.png of a folder.
MeshSequence numbered_files(const fs::path& output) {
    return parse_pattern(is_pattern(output) ? output : output / "####.png");
}

RunViewReport write_sequence(RunSurfaces& run, const RunViewOptions& options) {
    const std::vector<Shot> shots = movie_shots(run, options);
    const bool numbered_by_picture = options.turntable && options.frame;
    RunPictures pictures(run, options, shots);
    const MeshSequence files = numbered_files(options.output);
    make_folder(files.folder);
    for (std::size_t i = 0; i < shots.size(); ++i) {
        const int number = numbered_by_picture ? static_cast<int>(i) : shots[i].frame;
        write_png(files.file(number), pictures.take(shots[i]));
        report_progress(options, i + 1, shots.size());
    }
    return {static_cast<int>(shots.size()), options.frame_step};
}

bool is_sequence_name(const fs::path& output) {
    if (is_pattern(output))
        return lower_case_ending(output) == ".png";
    std::error_code ignored;
    return !output.has_filename() || fs::is_directory(output, ignored) || !output.has_extension();
}

/// An option that the output has no use for is a mistake, not a wish to be passed over.
void require_fitting(const RunViewOptions& options, bool page, bool sequence, bool movie) {
    const bool picture = !page && !sequence && !movie;
    const std::string output = options.output.string();
    if (options.turntable && !sequence && !movie)
        bad_option("turntable", "a movie or a folder of pictures as output", output);
    if (options.frame && !picture && !options.turntable)
        bad_option("frame", "a .png as output, or a turntable; frames choose those of a movie",
                   output);
    if (options.playback_rate && !movie)
        bad_option("fps", "a movie as output", output);
    if (options.sheet && !picture)
        bad_option("sheet", "a .png as output", output);
    if (picture && (options.first_frame != 0 || options.last_frame || options.frame_step != 1))
        bad_option("frames", "a movie, a page or numbered pictures (frames/####.png) as output",
                   output);
}

/// What the page has as buttons or does not have.
void require_fitting_page(const RunViewOptions& options) {
    const auto refuse = [&](const char* key, bool given) {
        if (given)
            bad_option(key, "a picture or a movie as output", options.output.string());
    };
    refuse("wireframe", options.wireframe);
    refuse("checker", options.checker);
    refuse("flat", options.flat);
    refuse("mark", options.marking == Marking::always);
    refuse("no-mark", options.marking == Marking::never);
    refuse("no-ground", !options.ground);
    refuse("no-shadows", !options.shadows);
    refuse("background", options.background.has_value());
    refuse("caption", !options.caption.empty());
    refuse("subdivide", options.subdivide > 0);
    refuse("texture", !options.texture.empty());
}

/// Before hours are spent on what cannot be kept.
void require_folder_of(const fs::path& output) {
    const fs::path folder = output.parent_path();
    std::error_code ignored;
    if (!folder.empty() && !fs::is_directory(folder, ignored))
        throw FileError(
            output.string(),
            fmt::format("cannot be written: {} {}", folder.string(),
                        fs::exists(folder, ignored) ? "is not a directory" : "does not exist"));
}

} // namespace

RunViewReport render_run(const fs::path& directory, const RunViewOptions& options) {
    require_options(options);
    const std::string ending = lower_case_ending(options.output);
    const bool page = options.page || ending == ".html";
    const bool sequence = !page && is_sequence_name(options.output);
    const bool movie = !page && is_movie_name(options.output);
    if (!page && !sequence && !movie && ending != ".png")
        bad_option("output",
                   "a name that ends in .png, .mp4, .gif, .webp or .html, a row of # as in "
                   "frames/####.png, or a folder",
                   options.output.string());
    require_fitting(options, page, sequence, movie);
    if (page)
        require_fitting_page(options);
    RunSurfaces run(directory);
    if (!sequence)
        require_folder_of(options.output);
    if (sequence)
        return write_sequence(run, options);
    if (movie)
        return write_movie(run, options);
    if (page)
        return write_page(run, options);
    return options.sheet ? write_sheet(run, options) : write_still(run, options);
}

} // namespace muslin
