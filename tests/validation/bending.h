#pragma once

// The measurements of the bending protocols B1 to B6 and D2 (docs/validation.md): the tests take a
// few, tests/validation/sweep all of them.

#include "validation/elastica.h"
#include "validation/strip.h"

namespace muslin::validation {

/// Measured and exact, dimensionless.
struct Measured {
    double value = 0, reference = 0;
    double error() const { return value / reference - 1; }
};

/// The free edge of a strip that came to rest, from its effective clamp.
struct Bent {
    double drop = 0, reach = 0;  ///< of the middle of the free edge [m]
    double effective_length = 0; ///< [m]
    double spread = 0;           ///< of the heights along the free edge [m]
    double speed = 0;            ///< largest that is left [m/s]
};

inline Bent let_bend(Strip s) {
    s.drag = 1.5; // near critical for the slowest motion; of no effect at rest
    s.more += to_rest_settings(0.05);
    Simulation simulation(describe(s));
    const double clamp = effective_clamp(simulation, s), edge = s.length - 1e-6;
    run_to_rest(simulation, 1e-5 * s.length, 1000);
    const Place middle = place_of(simulation, {-0.1 * s.width, 0, edge}, {0.1 * s.width, 0, 1});
    return {-middle.mean.y, middle.mean.z - clamp, s.length - clamp,
            place_of(simulation, {-1, 0, edge}, {1, 0, 1}).spread,
            largest_speed(simulation.state())};
}

/// Where the effective clamp will be: half a row behind the free part of M1 and M4 [m].
inline double effective_length(const Strip& s) {
    return s.length + 0.5 * s.row();
}

/// B1: height over width of a cantilever under its own weight. gamma counts with the free length
/// and half a row; the reference with the effective clamp of the mesh.
struct Cantilever {
    Measured ratio;
    double gamma = 0;  ///< of the effective length
    double spread = 0; ///< of the tip's height, over L
    double speed = 0;  ///< over L [1/s]
};
inline Cantilever cantilever(Strip s, double gamma) {
    const double weight = s.density * norm(s.gravity);
    s.rigidity = weight * std::pow(effective_length(s), 3) / gamma;
    const Bent b = let_bend(s);
    const double found = weight * std::pow(b.effective_length, 3) / s.rigidity;
    const ElasticaEnd exact = heavy_cantilever(found);
    return {{b.drop / b.reach, exact.drop / exact.reach},
            found,
            b.spread / s.length,
            b.speed / s.length};
}

/// B3: a load at the free edge.
struct TipLoad {
    Measured drop, shortening; ///< over L
    double speed = 0;          ///< over L [1/s]
};
inline TipLoad tip_load(Strip s, double alpha) {
    s.gravity = {0, 0, 0};
    const double force = alpha * s.rigidity / std::pow(effective_length(s), 2) * s.width;
    s.more += fmt::format(R"(
        [[load]]
        cloth = "strip"
        box = {{ min = [-1, -1, {}], max = [1, 1, 1] }}
        force = [0, {}, 0]
    )",
                          s.length - 1e-3 * s.row(), -force);
    const Bent b = let_bend(s);
    const double l = b.effective_length;
    const ElasticaEnd exact = loaded_cantilever(force / s.width * l * l / s.rigidity);
    return {{b.drop / l, exact.drop}, {1 - b.reach / l, 1 - exact.reach}, b.speed / s.length};
}

/// B6: a strip whose pinned short edges approach.
struct Euler {
    Measured height, force; ///< over L; P L^2 / D
    double speed = 0;       ///< over L [1/s]
};
inline Euler euler(Strip s, double shortening) {
    s.gravity = {0, 0, 0};
    s.clamped = false;
    const double way = 0.5 * shortening * s.length;
    for (const double side : {-1.0, 1.0})
        s.more += fmt::format(R"(
        [[pin]]
        name = "{}"
        cloth = "strip"
        box = {{ min = [-1, -1, {}], max = [1, 1, {}] }}
        motion = {{ translation = [ {{ t = 0, value = [0, 0, 0] }}, {{ t = 1, value = [0, 0, {}] }} ] }}
    )",
                              side < 0 ? "near" : "far", side < 0 ? -1 : s.length - 1e-6,
                              side < 0 ? 1e-6 : 1, -side * way);
    s.more += to_rest_settings(0.05);
    Simulation simulation(describe(s));
    State start = simulation.state();
    for (Vec3& p : start.positions)
        p.y = 1e-3 * s.length * std::sin(std::numbers::pi * p.z / s.length);
    simulation.set_state(start);
    for (int i = 0; i < 20; ++i)
        simulation.advance_frame();
    run_to_rest(simulation, 1e-5 * s.length, 1000);
    const FrameReport last = simulation.advance_frame();
    const double half = 0.5 * s.length, near = 0.3 * s.row();
    const double height =
        place_of(simulation, {-0.1 * s.width, 0, half - near}, {0.1 * s.width, 0, half + near})
            .mean.y;
    const double push = std::abs(pin_force(last, "near").z) / s.width;
    const Buckled exact = buckled(shortening);
    return {{height / s.length, exact.height},
            {push * s.length * s.length / s.rigidity, exact.force},
            largest_speed(simulation.state()) / s.length};
}

/// B4: a strip on edge under its own weight, at several gammas from the greatest down. The fit is
/// for offsets of a few hundredths of L; beyond them offset^2 grows faster than gamma.
struct Lateral {
    std::vector<double> gamma, offset; ///< of the effective length; tip beside the plane, over L
    double critical = 0;               ///< where offset^2, linear in gamma, leaves zero
};
/// The zero of offset^2 as a line in gamma, by least squares over what has buckled.
inline double leaves_zero(const Lateral& l) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < l.gamma.size(); ++i) {
        const double g = l.gamma[i], square = l.offset[i] * l.offset[i];
        if (l.offset[i] < 3e-3)
            continue;
        n += 1;
        x += g;
        y += square;
        xx += g * g;
        xy += g * square;
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    return (x - y / slope) / n;
}

inline Lateral lateral(Strip s, const std::vector<double>& gammas) {
    s.gravity = {-9.81, 0, 0};
    s.drag = 0.5;
    Lateral out;
    State before;
    for (const double gamma : gammas) {
        Strip one = s;
        one.rigidity = s.density * 9.81 * std::pow(effective_length(s), 3) / gamma;
        one.more += to_rest_settings(0.05);
        Simulation simulation(describe(one));
        State start = simulation.state();
        if (before.positions.empty()) {
            for (Vec3& p : start.positions)
                if (p.z > 0)
                    p.y = 1e-4 * s.length * std::pow(p.z / s.length, 2);
        } else {
            start.positions = before.positions;
        }
        simulation.set_state(start);
        for (int i = 0; before.positions.empty() && i < 50; ++i)
            simulation.advance_frame(); // from the kick: slow at first
        for (int still = 0, frames = 0; still < 10 && frames < 3000; ++frames)
            still = run_to_rest(simulation, 1e-5 * s.length, 1) ? still + 1 : 0;
        before = simulation.state();
        const Place tip = place_of(simulation, {-1, 0, s.length - 1e-6}, {1, 0, 1});
        out.gamma.push_back(gamma);
        out.offset.push_back(std::abs(tip.mean.y) / s.length);
    }
    out.critical = leaves_zero(out);
    return out;
}

/// D2: free vibration of a clamped strip in its first or second mode.
struct Beam {
    Measured frequency;              ///< [Hz]
    std::vector<double> time, modal; ///< [s]; the mode's amplitude over the one given
};
inline Beam beam(Strip s, int mode, double periods) {
    s.gravity = {0, 0, 0};
    const double root = mode == 1 ? 1.8751040687 : 4.6940911330;
    const double l = effective_length(s);
    const double omega = root * root * std::sqrt(s.rigidity / s.density) / (l * l);
    const double period = 2 * std::numbers::pi / omega, samples = 40;
    s.more += fmt::format(R"(
        [time]
        frame_rate = {}
    )",
                          samples / period);
    SceneDescription description = describe(s);
    description.parts["integrator"] = {"variable_step", {}};
    Simulation simulation(description);
    const double ratio = (std::cosh(root) + std::cos(root)) / (std::sinh(root) + std::sin(root));
    const auto shape = [&](double z) {
        const double q = root * (z + 0.5 * s.row()) / l;
        return z <= 0 ? 0 : std::cosh(q) - std::cos(q) - ratio * (std::sinh(q) - std::sin(q));
    };
    const std::vector<double>& mass = simulation.model().mass;
    State start = simulation.state();
    const std::vector<Vec3> rest = start.positions;
    const double amplitude = 0.005 * s.length; // of half the tip's way
    double norm = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        start.velocities[i] = {0, amplitude * omega * shape(rest[i].z), 0};
        norm += mass[i] * shape(rest[i].z) * shape(rest[i].z);
    }
    simulation.set_state(start);
    Beam out;
    out.time = {0};
    out.modal = {0};
    std::vector<double> crossings;
    for (int frame = 1; frame <= periods * samples + 3; ++frame) {
        simulation.advance_frame();
        double sum = 0;
        for (std::size_t i = 0; i < rest.size(); ++i)
            sum += mass[i] * shape(rest[i].z) * simulation.state().positions[i].y;
        out.time.push_back(frame * period / samples);
        out.modal.push_back(sum / (norm * amplitude));
        const double a = out.modal[frame - 1], b = out.modal[frame];
        if (frame > 1 && a * b < 0)
            crossings.push_back((frame - 1 + a / (a - b)) * period / samples);
    }
    // Crossings are half a period apart; the first lies at half a period.
    out.frequency = {0.5 * static_cast<double>(crossings.size()) / crossings.back(), 1 / period};
    return out;
}

} // namespace muslin::validation
