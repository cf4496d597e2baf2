#pragma once

#include <string>
#include <vector>

namespace muslin::viewer {

/// What `muslin view` was asked for.
struct ViewArguments {
    std::vector<std::string> inputs;    ///< one or two: scenes or directories of runs
    std::vector<std::string> recipes;   ///< of the scene; two: side by side
    std::vector<std::string> overrides; ///< key.path=value, of scenes
    bool allow_outside = false;         ///< scenes may name files outside their directories
    int width = 1280, height = 720;     ///< of the window [screen units]
    int frames = 0;                     ///< end after so many frames; 0: when the user ends it
    std::string screenshot;             ///< a PNG of the window's last frame
    std::string log;                    ///< a file for a JSON line per frame
    std::string color;                  ///< name of the field to colour by at first
    bool hidden = false;                ///< the window is made, and not shown
    bool paused = false;
    bool panel = true;
    bool wireframe = false, checker = false, smooth = false, flat = false;
};

/// Opens the window and returns the exit code when it is closed. Throws InputError for inputs that
/// `muslin run` would refuse, before any window is there; FileError where there is no display.
int view(const ViewArguments& arguments);

} // namespace muslin::viewer
