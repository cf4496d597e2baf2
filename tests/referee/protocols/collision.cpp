#include "referee/protocols/collision.h"

#include <fmt/format.h>

#include <algorithm>

namespace muslin::referee {

std::string Collision::name() const {
    return fmt::format("two sheets of {}, mu {}, {} fps", vertices, friction, fps);
}

// Off the middle and at an angle, so that the sheets also begin to turn.
SceneDescription describe(const Collision& c) {
    return scene_of(fmt::format(R"(
        [world]
        gravity = [0, 0, 0]
        [[cloth]]
        name = "lower"
        mesh = {{ type = "irregular", width = 0.3, depth = 0.3, vertices = {1} }}
        material = {{ base = "cotton", friction = {0} }}
        velocity = [0, 1.5, 0]
        [[cloth]]
        name = "upper"
        mesh = {{ type = "irregular", width = 0.3, depth = 0.3, vertices = {1}, seed = 2 }}
        material = {{ base = "cotton", friction = {0} }}
        position = [0.09, 0.07, 0.045]
        rotation = [10, 30, -15]
        velocity = [-0.5, -0.5, 0.2]
    )",
                                c.friction, c.vertices),
                    c.fps);
}

Collided collide(const Collision& collision, double seconds) {
    Simulation simulation(describe(collision));
    const Momenta first = momenta_of(simulation);
    const double start = energy_of(simulation);
    double least = start;
    Collided out;
    const int frames = frames_for(seconds, collision.fps);
    for (int k = 0; k < frames; ++k) {
        simulation.advance_frame();
        const Momenta now = momenta_of(simulation);
        out.linear = std::max(out.linear, norm(now.linear - first.linear) / norm(first.linear));
        out.angular =
            std::max(out.angular, norm(now.angular - first.angular) / norm(first.angular));
        const double energy = energy_of(simulation);
        out.rise = std::max(out.rise, (energy - least) / start);
        least = std::min(least, energy);
    }
    return out;
}

} // namespace muslin::referee
