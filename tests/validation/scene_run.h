#pragma once

#include "muslin/engine/simulation.h"
#include "muslin/scene/load.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace muslin::validation {

/// A scene written as text, of the recipe that docs/validation.md reports on, or of another.
inline SceneDescription scene(const std::string& text, const std::string& recipe = "bw98") {
    return parse_scene(text, "validation", ".", "validation",
                       std::vector<std::string>{"recipe=" + recipe});
}

inline double largest_speed(const State& state) {
    double worst = 0;
    for (const Vec3& v : state.velocities)
        worst = std::max(worst, norm(v));
    return worst;
}

/// Advances until nothing moves faster than `speed` [m/s]; false if `frames` were not enough.
inline bool run_to_rest(Simulation& simulation, double speed, int frames) {
    for (int i = 0; i < frames; ++i) {
        simulation.advance_frame();
        if (largest_speed(simulation.state()) < speed)
            return true;
    }
    return false;
}

inline Vec3 pin_force(const FrameReport& report, const std::string& name) {
    for (const PinForce& pin : report.pin_forces)
        if (pin.region == name)
            return pin.force;
    throw std::logic_error("no pin " + name);
}

/// Appends a row to a table that scripts/plot-validation draws (docs/validation.md).
inline void write_row(const std::string& table, const std::string& header, const std::string& row,
                      bool first) {
    const std::filesystem::path folder = "validation-results";
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / (table + ".csv"), first ? std::ios::trunc : std::ios::app);
    if (first)
        out << header << '\n';
    out << row << '\n';
}

} // namespace muslin::validation
