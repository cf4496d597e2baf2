#include "referee/protocols/energy.h"

#include "validation/equilibrium.h"

#include <fmt/format.h>

#include <algorithm>

namespace muslin::referee {

namespace {

struct Track {
    double first = 0, least = 0, rise = 0; ///< [J]
};
Track follow(Simulation& simulation, int frames) {
    Track out;
    out.first = out.least = energy_of(simulation);
    for (int k = 0; k < frames; ++k) {
        simulation.advance_frame();
        const double energy = energy_of(simulation);
        out.rise = std::max(out.rise, energy - out.least);
        out.least = std::min(out.least, energy);
    }
    return out;
}

struct StandingStrip {
    static constexpr double length = 0.2, width = 0.1; // of the free part [m]
    static constexpr double density = 0.2;             // [kg/m^2]
    static constexpr int rows = 20;
    static constexpr double row = length / rows;
    double gamma;
    double rigidity = density * gravity * length * length * length / gamma;

    SceneDescription describe(double push, double fps) const {
        std::string text = fmt::format(R"(
        [[cloth]]
        name = "strip"
        mesh = {{ type = "lattice", width = {}, depth = {}, rows = {} }}
        position = [0, {}, 0]
        rotation = [90, 0, 0]
        material = {{ base = "cotton", density = {}, bend_u = {}, bend_v = {} }}
        [[pin]]
        cloth = "strip"
        box = {{ min = [-1, -1, -1], max = [1, {}, 1] }}
    )",
                                       width, length + row, rows + 1, 0.5 * (length - row), density,
                                       rigidity, rigidity, 1e-3 * row);
        if (push > 0)
            text += fmt::format(R"(
        [[load]]
        cloth = "strip"
        box = {{ min = [-1, {}, -1], max = [1, 1, 1] }}
        force = [0, 0, {}]
    )",
                                length - 1e-3 * row, push);
        return scene_of(text, fps);
    }
};

std::vector<char> held_by_clamp(const Simulation& at_start) {
    std::vector<char> held;
    for (const Vec3& p : at_start.state().positions)
        held.push_back(p.y < 1e-3 * StandingStrip::row);
    return held;
}

} // namespace

EnergyRise release_strip(double gamma, double alpha, double fps, double seconds) {
    using S = StandingStrip;
    const S strip = {gamma};
    const double push = alpha * strip.rigidity / (S::length * S::length) * S::width;
    Simulation loaded(strip.describe(push, fps));
    const std::vector<char> held = held_by_clamp(loaded);
    State state = loaded.state();
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i])
            state.positions[i].z += 0.3 * S::length * std::pow(state.positions[i].y / S::length, 2);
    loaded.set_state(state);
    validation::Equilibrium(loaded, held).find(1e-8 * S::length, 0.05 * S::length);

    Simulation rest(strip.describe(0, fps)), free(strip.describe(0, fps));
    rest.set_state(loaded.state());
    free.set_state(loaded.state());
    validation::Equilibrium(rest, held).find(1e-8 * S::length, 0.05 * S::length);
    const double at_rest = energy_of(rest);
    const Track track = follow(free, frames_for(seconds, fps));
    const double above = track.first - at_rest;
    return {track.rise / above, above};
}

SceneDescription describe_drop(Ground ground, int vertices, double fps) {
    const bool ball = ground == Ground::ball;
    return scene_of(fmt::format(R"(
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "irregular", width = 0.3, depth = 0.3, vertices = {} }}
        position = [0, {}, 0]
        material = "cotton"
        [[body]]
        mesh = {}
    )",
                                vertices, ball ? 0.2 : 0.15,
                                ball ? R"({ type = "sphere", radius = 0.1 })"
                                     : R"({ type = "box", size = [1, 0.1, 1] })"),
                    fps);
}

EnergyRise drop_sheet(Ground ground, int vertices, double fps, double seconds) {
    Simulation simulation(describe_drop(ground, vertices, fps));
    const Track track = follow(simulation, frames_for(seconds, fps));
    return {track.rise / (track.first - track.least), track.first - track.least};
}

} // namespace muslin::referee
