// Muslin as a library: load a built-in scene, advance it, read where the cloth is.
#include "muslin/engine/simulation.h"
#include "muslin/scene/load.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>

int main() {
    try {
        const auto scene = muslin::load_scene("two-corner-sheet");
        muslin::Simulation simulation(scene);
        const int frames = 5;
        for (int frame = 0; frame < frames; ++frame)
            simulation.advance_frame();

        double lowest = std::numeric_limits<double>::infinity();
        for (const muslin::Vec3& position : simulation.positions("sheet"))
            lowest = std::min(lowest, position.y);
        std::printf("lowest point after %d frames: %.4f m\n", frames, lowest);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
