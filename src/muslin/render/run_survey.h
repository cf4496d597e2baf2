#pragma once

#include "muslin/render/run_surfaces.h"
#include "muslin/render/run_view.h"

#include <string>
#include <vector>

namespace muslin {

/// InputError about an option of render_run.
[[noreturn]] void bad_option(const char* key, std::string expected, std::string found);
void require_frame(const char* key, int frame, int frames);
void report_progress(const RunViewOptions& options, std::size_t done, std::size_t total);

/// A point turned around the vertical through `center`.
Vec3 turned(const Vec3& point, const Vec3& center, double degrees);

/// The frames of a movie, page or folder.
std::vector<int> movie_frames(const RunSurfaces& run, const RunViewOptions& options);

/// Where everything is over the frames that will be shown, and the camera that sees it all.
struct Survey {
    Camera camera; ///< with a turntable: at the start of its way around the middle of the box
    SceneBounds box;
    std::vector<SceneBounds> surface_boxes;
};
Survey survey(RunSurfaces& run, const std::vector<int>& frames, const RunViewOptions& options);

} // namespace muslin
