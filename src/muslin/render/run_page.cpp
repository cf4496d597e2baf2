#include "muslin/render/run_page.h"

#include "muslin/render/frame_setup.h"
#include "muslin/render/html.h"
#include "muslin/render/run_survey.h"

#include <algorithm>

namespace muslin {

namespace {

namespace fs = std::filesystem;

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

} // namespace

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

} // namespace muslin
