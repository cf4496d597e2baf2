#include "muslin/render/run_pictures.h"

#include "muslin/base/error.h"
#include "muslin/render/color_map.h"
#include "muslin/render/legend.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace muslin {

namespace {

RenderSettings render_settings(const RunViewOptions& options, const SceneBounds& box) {
    RenderSettings settings;
    settings.width = options.width;
    settings.height = options.height;
    settings.wireframe = options.wireframe;
    settings.checker = options.checker;
    settings.flat = options.flat;
    settings.ground = options.ground;
    settings.shadows = options.shadows;
    settings.background = options.background.value_or(settings.background);
    settings.mark_color = alarm_color;
    settings.even_light = options.color ? even_light_of_colors : 0;
    settings.bounds = box;
    return settings;
}

std::vector<int> frames_of(std::span<const Shot> shots) {
    std::vector<int> frames;
    for (const Shot& shot : shots)
        frames.push_back(shot.frame);
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    return frames;
}

void require_field(const RunReader& run, std::size_t cloths, Field field) {
    for (std::size_t cloth = 0; cloth < cloths; ++cloth)
        if (run.has_field(cloth, field))
            return;
    throw InputError({{run.directory().string()},
                      "color",
                      "a field that the run has",
                      std::string(info(field).name),
                      "no cloth of this run kept it; stretch, shear, bending and speed are always "
                      "there"});
}

void require_texture_coordinates(RunSurfaces& run, const char* option) {
    for (const RunSurface& surface : run.surfaces())
        if (!surface.is_body() && !surface.mesh().material.empty())
            return;
    throw InputError({{run.reader().directory().string()},
                      option,
                      "a cloth whose mesh has texture coordinates",
                      "none",
                      ""});
}

/// The frames whose figures count crossings; the start, which has none, goes with the first.
std::vector<char> frames_to_mark(const RunReader& run, Marking marking) {
    std::vector<char> out(static_cast<std::size_t>(run.frames()), marking == Marking::always);
    if (marking != Marking::counted)
        return out;
    for (const FrameFigures& figures : run.figures()) {
        const bool any =
            figures.self_intersections + figures.body_intersections + figures.crossings > 0;
        if (figures.frame >= 0 && figures.frame < run.frames())
            out[static_cast<std::size_t>(figures.frame)] = any;
        if (figures.frame == 1)
            out[0] = any;
    }
    return out;
}

void replace_all(std::string& text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

} // namespace

RunPictures::RunPictures(RunSurfaces& run, const RunViewOptions& options,
                         std::span<const Shot> shots)
    : run_(run), options_(options), all_(survey(run, frames_of(shots), options)),
      settings_(render_settings(options, all_.box)),
      to_mark_(frames_to_mark(run.reader(), options.marking)) {
    if (options.color) {
        require_field(run.reader(), run.reader().cloths().size(), *options.color);
        low_ = options.range ? (*options.range)[0] : info(*options.color).low;
        high_ = options.range ? (*options.range)[1] : info(*options.color).high;
        if (options.own_range)
            choose_range(frames_of(shots));
    }
    std::shared_ptr<const Image> texture;
    if (!options.texture.empty()) {
        require_texture_coordinates(run, "texture");
        texture = std::make_shared<Image>(read_image(options.texture));
    }
    if (options.checker)
        require_texture_coordinates(run, "checker");
    run.subdivide(options.subdivide);
    for (RunSurface& surface : run.surfaces())
        if (!surface.is_body())
            surface.set_texture(texture, options.texture_size);
}

Image RunPictures::take(const Shot& shot, int width, int height) {
    run_.show(shot.frame);
    color_cloths(shot.frame);
    mark(shot.frame);
    Camera camera = all_.camera;
    camera.eye = turned(camera.eye, all_.box.center(), shot.turn);
    camera.target = turned(camera.target, all_.box.center(), shot.turn);
    settings_.width = width;
    settings_.height = height;
    return renderer_.draw(run_.meshes(), camera, settings_);
}

Image RunPictures::take(const Shot& shot) {
    Image image = take(shot, options_.width, options_.height);
    add_legend(image);
    draw_caption(image, caption(shot.frame));
    return image;
}

void RunPictures::add_legend(Image& image) const {
    if (options_.color)
        Legend(image.width, image.height, info(*options_.color), low_, high_).draw(image);
}

/// Of each frame its own 99.5 %, so that memory does not grow with the frames; the largest counts,
/// and becomes a number that a legend can show.
void RunPictures::choose_range(const std::vector<int>& frames) {
    RunReader& reader = run_.reader();
    double most = 0;
    for (const int frame : frames)
        for (std::size_t cloth = 0; cloth < reader.cloths().size(); ++cloth)
            if (reader.has_field(cloth, *options_.color)) {
                reader.read_field(cloth, *options_.color, frame, values_);
                if (values_.empty())
                    continue;
                const auto place =
                    values_.begin() +
                    static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(values_.size() - 1));
                std::nth_element(values_.begin(), place, values_.end());
                most = std::max(most, *place);
            }
    low_ = 0;
    if (const std::vector<double> ticks = round_ticks(0, most, 5); ticks.size() > 1) {
        const double step = ticks[1] - ticks[0];
        high_ = step * std::ceil(most / step - 1e-9);
    }
}

void RunPictures::color_cloths(int frame) {
    if (!options_.color)
        return;
    RunReader& reader = run_.reader();
    for (std::size_t cloth = 0; cloth < reader.cloths().size(); ++cloth) // cloths come first
        if (reader.has_field(cloth, *options_.color)) {
            reader.read_field(cloth, *options_.color, frame, values_);
            run_.surfaces()[cloth].set_values(values_, low_, high_);
        }
}

void RunPictures::mark(int frame) {
    if (to_mark_[static_cast<std::size_t>(frame)])
        run_.mark(frame);
    else
        run_.unmark();
}

std::string RunPictures::caption(int frame) const {
    std::string text = options_.caption;
    replace_all(text, "{frame}", fmt::format("{}", frame));
    replace_all(text, "{time}", fmt::format("{:.2f}", frame / run_.reader().frame_rate()));
    replace_all(text, "{scene}", run_.reader().name());
    return text;
}

} // namespace muslin
