#include "muslin/render/run_survey.h"

#include "muslin/base/error.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <numbers>

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

std::vector<int> movie_frames(const RunSurfaces& run, const RunViewOptions& options) {
    const int last = options.last_frame.value_or(run.frames() - 1);
    require_frame("frames", options.first_frame, run.frames());
    require_frame("frames", last, run.frames());
    if (last < options.first_frame)
        bad_option("frames", fmt::format("a last frame of {} or later", options.first_frame),
                   fmt::format("{}", last));
    std::vector<int> frames;
    for (std::int64_t frame = options.first_frame; frame <= last; frame += options.frame_step)
        frames.push_back(static_cast<int>(frame));
    return frames;
}

Vec3 turned(const Vec3& point, const Vec3& center, double degrees) {
    const double angle = degrees * std::numbers::pi / 180, c = std::cos(angle), s = std::sin(angle);
    const Vec3 d = point - center;
    return center + Vec3{c * d.x + s * d.z, d.y, c * d.z - s * d.x};
}

namespace {

/// Calls see(surface, positions) for every surface at every frame.
template <class See>
void look_through(RunSurfaces& run, const std::vector<int>& frames, See&& see) {
    for (std::size_t s = 0; s < run.surfaces().size(); ++s) {
        RunSurface& surface = run.surfaces()[s];
        const std::size_t count = surface.moves() ? frames.size() : 1;
        for (std::size_t i = 0; i < count; ++i) {
            surface.show(frames[i]);
            see(s, surface.mesh().positions);
        }
    }
}

/// As if the scene turned: what it sweeps must fit into the picture.
void add_turned(CameraFramer& framer, std::span<const Vec3> points, const Vec3& center) {
    constexpr int directions = 16;
    std::vector<Vec3> moved(points.size());
    for (int i = 0; i < directions; ++i) {
        for (std::size_t v = 0; v < points.size(); ++v)
            moved[v] = turned(points[v], center, 360.0 * i / directions);
        framer.add(moved);
    }
}

} // namespace

Survey survey(RunSurfaces& run, const std::vector<int>& frames, const RunViewOptions& options) {
    Survey out;
    FramingSettings framing;
    framing.view = options.view;
    framing.aspect = static_cast<double>(options.width) / options.height;
    framing.vertical_fov = options.vertical_fov;
    CameraFramer framer(framing);
    const auto counts = [&](std::size_t s) {
        return !options.fit_cloth || !run.surfaces()[s].is_body();
    };
    out.surface_boxes.resize(run.surfaces().size());
    look_through(run, frames, [&](std::size_t s, std::span<const Vec3> points) {
        out.surface_boxes[s].add(points);
        if (!options.turntable && counts(s))
            framer.add(points);
    });
    for (const SceneBounds& box : out.surface_boxes)
        if (!box.empty())
            out.box.add(std::array{box.lower, box.upper});
    if (options.turntable)
        look_through(run, frames, [&](std::size_t s, std::span<const Vec3> points) {
            if (counts(s))
                add_turned(framer, points, out.box.center());
        });
    out.camera = framer.camera();
    const Vec3 away = (1 / options.zoom) * (out.camera.eye - out.camera.target);
    if (options.look_at)
        out.camera.target = *options.look_at;
    out.camera.eye = out.camera.target + away;
    return out;
}

} // namespace muslin
