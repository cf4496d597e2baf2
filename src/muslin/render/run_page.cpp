#include "muslin/render/run_page.h"

#include "muslin/render/frame_setup.h"
#include "muslin/render/html.h"
#include "muslin/render/page_certificate.h"
#include "muslin/render/run_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace muslin {

namespace {

PageSettings page_settings(RunSurfaces& run, const RunViewOptions& options,
                           const std::vector<int>& frames, const Survey& all) {
    PageSettings page;
    const auto& certificate = run.reader().certificate();
    page.title =
        certificate && !certificate->title.empty() ? certificate->title : run.reader().name();
    describe_certificate(certificate, page);
    page.series = page_series(run.reader().figures(), frames);
    page.camera = all.camera;
    page.box = all.box;
    page.ground_height = ground_height(all.box, {});
    page.aspect = static_cast<double>(options.width) / options.height;
    page.color = options.color ? info(*options.color).name : "";
    page.fit_colors = options.own_range;
    page.frames_per_second = run.reader().frame_rate();
    page.first_frame = options.first_frame;
    page.frame_step = options.frame_step;
    return page;
}

void add_meshes(HtmlPage& page, RunSurfaces& run, const Survey& all) {
    for (std::size_t s = 0; s < run.surfaces().size(); ++s) {
        const RunSurface& surface = run.surfaces()[s];
        page.add_mesh({surface.name(), surface.mesh().triangles, surface.mesh().front_color,
                       surface.mesh().back_color, all.surface_boxes[s],
                       static_cast<int>(surface.mesh().positions.size()), surface.moves(),
                       surface.is_body()});
    }
}

/// The fields that some cloth has, in the order of the page's numbers. Surfaces begin with the
/// cloths, in the reader's order.
std::vector<Field> add_fields(HtmlPage& page, RunReader& reader, const RunViewOptions& options) {
    std::vector<Field> fields;
    for (const Field field : all_fields) {
        bool has = false;
        for (std::size_t cloth = 0; cloth < reader.cloths().size(); ++cloth)
            has = has || reader.has_field(cloth, field);
        if (!has)
            continue;
        const FieldInfo& what = info(field);
        const auto [low, high] = options.color == field && options.range
                                     ? *options.range
                                     : std::array{what.low, what.high};
        page.add_field(
            {std::string(what.name), std::string(what.label), std::string(what.unit), low, high});
        fields.push_back(field);
    }
    return fields;
}

void add_frame(HtmlPage& page, RunSurfaces& run, const std::vector<Field>& fields, int frame,
               bool first) {
    for (std::size_t s = 0; s < run.surfaces().size(); ++s) {
        RunSurface& surface = run.surfaces()[s];
        if (!first && !surface.moves())
            continue;
        surface.show(frame);
        page.add_frame(static_cast<int>(s), surface.mesh().positions);
    }
    RunReader& reader = run.reader();
    std::vector<double> values;
    for (std::size_t f = 0; f < fields.size(); ++f)
        for (std::size_t cloth = 0; cloth < reader.cloths().size(); ++cloth)
            if (reader.has_field(cloth, fields[f])) {
                reader.read_field(cloth, fields[f], frame, values);
                page.add_values(static_cast<int>(f), static_cast<int>(cloth), values);
            }
}

void describe_page(HtmlPage& page, const std::vector<int>& frames, int step) {
    page.add_figure(
        {"Positions shown", fmt::format("to {:.1g} mm", 1e3 * page.position_error()), {}, false});
    if (step > 1)
        page.add_figure(
            {"Frames shown", fmt::format("{}, every {}", frames.size(), step), {}, false});
}

} // namespace

RunViewReport write_page(RunSurfaces& run, RunViewOptions options) {
    for (;;) {
        const std::vector<int> frames = movie_frames(run, options);
        const Survey all = survey(run, frames, options);
        HtmlPage page(page_settings(run, options, frames, all));
        add_meshes(page, run, all);
        const std::vector<Field> fields = add_fields(page, run.reader(), options);
        const std::size_t bare = page.size();
        std::size_t done = 0;
        while (done < frames.size() && (done < 2 || page.size() <= options.max_page_bytes)) {
            add_frame(page, run, fields, frames[done], done == 0);
            report_progress(options, ++done, frames.size());
        }
        if (page.size() <= options.max_page_bytes || frames.size() <= 2) {
            describe_page(page, frames, options.frame_step);
            page.write(options.output);
            return {static_cast<int>(frames.size()), options.frame_step};
        }
        // Too large: as many frames as would fit at the bytes that a frame has taken so far.
        const double frame_bytes =
            static_cast<double>(page.size() - bare) / static_cast<double>(done);
        const double room = static_cast<double>(options.max_page_bytes) - static_cast<double>(bare);
        const double fitting = std::max(room / frame_bytes, 2.0);
        const double factor = std::ceil(static_cast<double>(frames.size()) / fitting);
        options.frame_step *= static_cast<int>(std::max(factor, 2.0));
    }
}

} // namespace muslin
