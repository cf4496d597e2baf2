#pragma once

#include "muslin/simulation.h"
#include "muslin/vec.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muslin::api {

/// 8-bit sRGB, three bytes a pixel, rows from top to bottom.
struct Picture {
    int width = 0, height = 0; ///< [pixels]
    std::vector<std::uint8_t> rgb;
};

struct PictureSettings {
    int width = 1280, height = 720;      ///< [pixels], 16 .. 8192
    double azimuth = 32, elevation = 22; ///< from where it is seen [degrees]; 0, 0 is from +z
    double zoom = 1;                     ///< 2: twice as near
    std::optional<Vec3> look_at = {};    ///< [m]; none: the middle of what there is
    bool wireframe = false;
    bool ground = true;
    /// Colours cloth by "stretch" or "shear", with the range that docs/rendering.md has.
    std::string color = {};
};

/// Draws what is there now, without a display. Throws FileError where no OpenGL driver starts,
/// InputError where a setting makes no sense.
Picture render(const Simulation& simulation, const PictureSettings& settings = {});

/// Throws FileError.
void write_png(const std::filesystem::path& file, const Picture& picture);

} // namespace muslin::api
