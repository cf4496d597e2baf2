#pragma once

#include "muslin/render/run_files.h"
#include "muslin/render/run_view.h"

#include <string>
#include <vector>

namespace muslin {

/// InputError about an option of render_run.
[[noreturn]] void bad_option(const char* key, std::string expected, std::string found);
void require_frame(const char* key, int frame, int frames);
void report_progress(const RunViewOptions& options, std::size_t done, std::size_t total);

/// The frames of a movie or page.
std::vector<int> movie_frames(const RunFiles& run, const RunViewOptions& options);

/// Where everything is over the frames that will be shown, and the camera that sees it all.
struct Survey {
    Camera camera;
    Box box;
    std::vector<Box> surface_boxes;
};
Survey survey(RunFiles& run, const std::vector<int>& frames, const RunViewOptions& options);

} // namespace muslin
