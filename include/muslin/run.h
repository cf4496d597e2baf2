#pragma once

#include "muslin/report.h"
#include "muslin/scene.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace muslin::api {

struct RunOptions {
    std::filesystem::path directory = {}; ///< that files go to; it is made
    bool resume = false;                  ///< go on from the last frame that the directory has
    int threads = 0;                      ///< that compute; 0: those of the machine
    std::function<void(const Progress&)> progress = {};
    std::function<void(const FrameReport&, const Verdict&)> frame = {}; ///< after every frame
    std::function<void(const std::string&)> warn = {};
    std::function<bool()> stop = {}; ///< asked after every frame, once it is saved
};

/// What report.json in the directory says (docs/output.md).
struct Certificate {
    int frames = 0;
    bool passed = false;      ///< whether all frames keep the limits of the scene
    bool interrupted = false; ///< RunOptions::stop was true
    Verdict worst, last;      ///< over all frames; of the last
    Energies energies;        ///< at the end
    int seams_open = 0;       ///< joints, at the end
    int steps = 0;
    double seconds = 0; ///< of computing
    std::string hash;   ///< of the last frame
};

/// Runs all frames of a scene and writes point caches, meshes, statistics and the certificate
/// (docs/output.md). Throws InputError and FileError, and SimulationError with everything up to the
/// last good frame saved.
Certificate run(const Scene& scene, const RunOptions& options);

/// Writes the frames of a run in another format: "pc2", "mdd", "obj", "ply", "usda", "glb" or
/// "vtu" (docs/formats.md). `output`: a file or a folder, as the format has it; empty: beside the
/// run. Gives the path that was written.
std::filesystem::path export_run(const std::filesystem::path& directory, const std::string& format,
                                 const std::filesystem::path& output = {});

} // namespace muslin::api
