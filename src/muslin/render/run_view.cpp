#include "muslin/render/run_view.h"

#include "muslin/base/error.h"
#include "muslin/render/frame_setup.h"
#include "muslin/render/html.h"
#include "muslin/render/movie.h"
#include "muslin/render/run_files.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void bad_option(const char* key, std::string expected, std::string found) {
    throw InputError({{}, key, std::move(expected), std::move(found), ""});
}

void require_frame(const char* key, int frame, int frames) {
    if (frame < 0 || frame >= frames)
        bad_option(key, fmt::format("a frame of this run, 0 .. {}", frames - 1),
                   fmt::format("{}", frame));
}

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

/// Where everything is over the frames that will be shown, and the camera that sees it all.
struct Survey {
    Camera camera;
    Box box;
    std::vector<Box> surface_boxes;
};

Survey survey(RunFiles& run, const std::vector<int>& frames, const RunViewOptions& options) {
    Survey out;
    FramingSettings framing;
    framing.view = options.view;
    framing.aspect = static_cast<double>(options.width) / options.height;
    CameraFramer framer(framing);
    for (RunSurface& surface : run.surfaces()) {
        Box box;
        const std::size_t count = surface.moves() ? frames.size() : 1;
        for (std::size_t i = 0; i < count; ++i) {
            surface.show(frames[i]);
            box.add(surface.mesh().positions);
            framer.add(surface.mesh().positions);
        }
        if (!box.empty())
            out.box.add(std::array{box.lower, box.upper});
        out.surface_boxes.push_back(box);
    }
    out.camera = framer.camera();
    return out;
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

std::vector<int> movie_frames(const RunFiles& run, const RunViewOptions& options) {
    const int last = options.last_frame.value_or(run.frames() - 1);
    require_frame("first_frame", options.first_frame, run.frames());
    require_frame("last_frame", last, run.frames());
    if (last < options.first_frame)
        bad_option("last_frame", fmt::format("{} or later", options.first_frame),
                   fmt::format("{}", last));
    std::vector<int> frames;
    for (int frame = options.first_frame; frame <= last; frame += options.frame_step)
        frames.push_back(frame);
    return frames;
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

void report_progress(const RunViewOptions& options, std::size_t done, std::size_t total) {
    if (options.progress)
        options.progress(static_cast<int>(done), static_cast<int>(total));
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
        const int dot = std::max(2, settings.height / 90);
        stamp_number(sheet, frames[i], x + 4 * dot, y + 4 * dot, dot);
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

/// The step at which the moving surfaces fit into the page.
int page_step(RunFiles& run, const RunViewOptions& options) {
    std::size_t frame_bytes = 0;
    for (const RunSurface& surface : run.surfaces())
        if (surface.moves())
            frame_bytes += surface.mesh().positions.size() * HtmlPage::bytes_per_vertex * 4 / 3;
    const std::size_t bytes = frame_bytes * movie_frames(run, options).size();
    const std::size_t room = std::max<std::size_t>(options.max_page_bytes, 1);
    const std::size_t factor = std::max<std::size_t>(1, (bytes + room - 1) / room);
    return options.frame_step * static_cast<int>(std::min<std::size_t>(factor, 1 << 20));
}

RunViewReport write_page(RunFiles& run, const fs::path& directory, RunViewOptions options) {
    options.frame_step = page_step(run, options);
    const std::vector<int> frames = movie_frames(run, options);
    const Survey all = survey(run, frames, options);
    PageSettings page_settings;
    page_settings.title = options.title;
    if (page_settings.title.empty())
        page_settings.title = fs::weakly_canonical(directory).filename().string();
    page_settings.statistics = options.statistics;
    page_settings.camera = all.camera;
    page_settings.ground_height = ground_height(all.box, {});
    page_settings.frames_per_second = options.frames_per_second;
    page_settings.first_frame = options.first_frame;
    page_settings.frame_step = options.frame_step;
    HtmlPage page(page_settings);
    for (std::size_t s = 0; s < run.surfaces().size(); ++s) {
        const RunSurface& surface = run.surfaces()[s];
        page.add_mesh({surface.name(), surface.mesh().triangles, surface.mesh().front_color,
                       surface.mesh().back_color, all.surface_boxes[s],
                       static_cast<int>(surface.mesh().positions.size())});
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        for (std::size_t s = 0; s < run.surfaces().size(); ++s) {
            RunSurface& surface = run.surfaces()[s];
            if (i > 0 && !surface.moves())
                continue;
            surface.show(frames[i]);
            page.add_frame(static_cast<int>(s), surface.mesh().positions);
        }
        report_progress(options, i + 1, frames.size());
    }
    page.write(options.output);
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
