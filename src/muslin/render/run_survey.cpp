#include "muslin/render/run_survey.h"

#include "muslin/base/error.h"

#include <fmt/format.h>

namespace muslin {

void bad_option(const char* key, std::string expected, std::string found) {
    throw InputError({{}, key, std::move(expected), std::move(found), ""});
}

void require_frame(const char* key, int frame, int frames) {
    if (frame < 0 || frame >= frames)
        bad_option(key, fmt::format("a frame of this run, 0 .. {}", frames - 1),
                   fmt::format("{}", frame));
}

void report_progress(const RunViewOptions& options, std::size_t done, std::size_t total) {
    if (options.progress)
        options.progress(static_cast<int>(done), static_cast<int>(total));
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

} // namespace muslin
