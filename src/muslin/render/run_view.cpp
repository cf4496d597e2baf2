#include "muslin/render/run_view.h"

#include "muslin/render/movie.h"
#include "muslin/render/run_page.h"
#include "muslin/render/run_survey.h"
#include "muslin/render/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {

namespace {

namespace fs = std::filesystem;

void require_options(const RunViewOptions& options) {
    if (options.width < 16 || options.width > 8192)
        bad_option("width", "16 .. 8192 pixels", fmt::format("{}", options.width));
    if (options.height < 16 || options.height > 8192)
        bad_option("height", "16 .. 8192 pixels", fmt::format("{}", options.height));
    if (!(options.frames_per_second > 0) || !std::isfinite(options.frames_per_second))
        bad_option("frames_per_second", "a positive number",
                   fmt::format("{}", options.frames_per_second));
    if (options.frame_step < 1)
        bad_option("frame_step", "1 or more", fmt::format("{}", options.frame_step));
    if (options.sheet &&
        (options.sheet->columns < 1 || options.sheet->columns > options.width / 16))
        bad_option("columns", fmt::format("1 .. {}", options.width / 16),
                   fmt::format("{}", options.sheet->columns));
}

RenderSettings render_settings(const RunViewOptions& options, const Survey& all) {
    RenderSettings settings;
    settings.width = options.width;
    settings.height = options.height;
    settings.wireframe = options.wireframe;
    settings.checker = options.checker;
    settings.flat = options.flat;
    settings.ground = options.ground;
    settings.bounds = all.box;
    return settings;
}

std::vector<int> sheet_frames(const RunFiles& run, const ContactSheet& sheet) {
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

RunViewReport write_still(RunFiles& run, const RunViewOptions& options) {
    const int frame = options.frame.value_or(run.frames() - 1);
    require_frame("frame", frame, run.frames());
    const Survey all = survey(run, {frame}, options);
    Renderer renderer;
    write_png(options.output,
              renderer.draw(run.meshes(), all.camera, render_settings(options, all)));
    report_progress(options, 1, 1);
    return {1, 1};
}

RunViewReport write_sheet(RunFiles& run, const RunViewOptions& options) {
    const std::vector<int> frames = sheet_frames(run, *options.sheet);
    const int columns = std::min(options.sheet->columns, static_cast<int>(frames.size()));
    const int rows = (static_cast<int>(frames.size()) + columns - 1) / columns;
    const Survey all = survey(run, frames, options);
    RenderSettings settings = render_settings(options, all);
    settings.width = options.width / columns;
    settings.height = std::max(1, settings.width * options.height / options.width);
    if (rows * settings.height > 32768)
        bad_option("sheet", "fewer frames or more columns", fmt::format("{} rows", rows));

    Renderer renderer;
    Image sheet(columns * settings.width, rows * settings.height);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        run.show(frames[i]);
        const int x = static_cast<int>(i) % columns * settings.width;
        const int y = static_cast<int>(i) / columns * settings.height;
        paste(sheet, renderer.draw(run.meshes(), all.camera, settings), x, y);
        const double size = std::clamp(settings.height / 14.0, 11.0, 40.0);
        draw_text(sheet, fmt::format("{}", frames[i]), x + 0.8 * size, y + 1.6 * size,
                  {.size = size});
        report_progress(options, i + 1, frames.size());
    }
    // Tiles left over in the last row take the background's colour.
    Image blank(settings.width, settings.height);
    const auto background = sheet.pixel(settings.width - 1, 0);
    for (std::size_t i = 0; i < blank.rgb.size(); ++i)
        blank.rgb[i] = background[i % 3];
    for (int i = static_cast<int>(frames.size()); i < rows * columns; ++i)
        paste(sheet, blank, i % columns * settings.width, i / columns * settings.height);
    write_png(options.output, sheet);
    return {static_cast<int>(frames.size()), 1};
}

RunViewReport write_movie(RunFiles& run, const RunViewOptions& options) {
    const std::vector<int> frames = movie_frames(run, options);
    MovieSettings movie;
    movie.width = options.width;
    movie.height = options.height;
    movie.frames_per_second = options.frames_per_second / options.frame_step;
    MovieWriter writer(options.output, movie);
    const Survey all = survey(run, frames, options);
    const RenderSettings settings = render_settings(options, all);
    Renderer renderer;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        run.show(frames[i]);
        writer.add(renderer.draw(run.meshes(), all.camera, settings));
        report_progress(options, i + 1, frames.size());
    }
    writer.finish();
    return {static_cast<int>(frames.size()), options.frame_step};
}

} // namespace

RunViewReport render_run(const fs::path& directory, const RunViewOptions& options) {
    require_options(options);
    const std::string ending = options.output.extension().string();
    RunFiles run(directory);
    if (ending == ".png")
        return options.sheet ? write_sheet(run, options) : write_still(run, options);
    if (ending == ".mp4")
        return write_movie(run, options);
    if (ending == ".html")
        return write_page(run, directory, options);
    bad_option("output", "a file name that ends in .png, .mp4 or .html", options.output.string());
}

} // namespace muslin
