#pragma once

// The measurements of the bending protocols B1 to B6 and D2 (docs/validation.md): the tests take a
// few, tests/validation/sweep all of them.

#include "validation/elastica.h"
#include "validation/equilibrium.h"
#include "validation/strip.h"

namespace muslin::validation {

/// Measured and exact, dimensionless.
struct Measured {
    double value = 0, reference = 0;
    double error() const { return value / reference - 1; }
};

/// The free edge of a strip at rest, from its effective clamp.
struct Bent {
    double drop = 0, reach = 0;  ///< of the middle of the free edge [m]
    double effective_length = 0; ///< [m]
    double spread = 0;           ///< of the heights along the free edge [m]
    double speed = 0;            ///< after a step of the simulation from there [m/s]
};

/// Brings the strip to where its forces are in balance, then takes a step of the simulation, whose
/// speed tells what is left [m/s]. A strip with drag goes there by itself.
inline double balance(Simulation& simulation, const Strip& s, const std::vector<char>& held) {
    if (s.drag > 0)
        run_to_rest(simulation, 1e-6 * s.length, 1000);
    else
        Equilibrium(simulation, held).find(1e-8 * s.length, 0.05 * s.length);
    simulation.advance_frame();
    const double speed = largest_speed(simulation.state());
    if (speed > 1e-5 * s.length)
        throw std::runtime_error("a strip is not at rest");
    return speed;
}

/// The particles of which `which` says that they are held where they start.
inline std::vector<char> held_where(const Simulation& at_start,
                                    const std::function<bool(const Vec3&)>& which) {
    std::vector<char> held;
    for (const Vec3& p : at_start.state().positions)
        held.push_back(which(p));
    return held;
}
inline std::vector<char> held_by_clamp(const Simulation& at_start, const Strip& s) {
    return held_where(at_start, [&](const Vec3& p) { return p.z < 1e-3 * s.row(); });
}

/// Starts from the curve `like`, which should be near and need not be right: nothing is left of it.
inline Bent let_bend(Strip s, const ElasticaEnd& like) {
    s.more += to_rest_settings(0.05);
    Simulation simulation(describe(s));
    const double clamp = effective_clamp(simulation, s), edge = s.length - 1e-6;
    const double length = s.length - clamp;
    const std::vector<char> held = held_by_clamp(simulation, s);
    State start = simulation.state();
    for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i]) {
            Vec3& p = start.positions[i];
            const double left = 1 - (p.z - clamp) / length;
            const double last = static_cast<double>(like.curve.size() - 1);
            const auto& at = like.curve[std::lround(std::max(0.0, left) * last)];
            p = {p.x, -length * (like.drop - at.drop), clamp + length * (like.reach - at.reach)};
        }
    if (s.drag == 0) // else released flat
        simulation.set_state(start);
    const double speed = balance(simulation, s, held);
    const Place middle = place_of(simulation, {-0.1 * s.width, 0, edge}, {0.1 * s.width, 0, 1});
    return {-middle.mean.y, middle.mean.z - clamp, length,
            place_of(simulation, {-1, 0, edge}, {1, 0, 1}).spread, speed};
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
    const Bent b = let_bend(s, heavy_cantilever(0.9 * gamma));
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
    const Bent b = let_bend(s, loaded_cantilever(0.9 * alpha));
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
    const std::vector<char> held =
        held_where(simulation, [&](const Vec3& p) { return p.z < 1e-6 || p.z > s.length - 1e-6; });
    State start = simulation.state();
    for (Vec3& p : start.positions)
        p.y = 1e-3 * s.length * std::sin(std::numbers::pi * p.z / s.length);
    simulation.set_state(start);
    for (int i = 0; i < 20; ++i)
        simulation.advance_frame();
    balance(simulation, s, held);
    const FrameReport last = simulation.advance_frame();
    const double half = 0.5 * s.length, near = 0.3 * s.row();
    // To either side: while the ends approach, a strip without drag may swing through.
    const double height = std::abs(
        place_of(simulation, {-0.1 * s.width, 0, half - near}, {0.1 * s.width, 0, half + near})
            .mean.y);
    const double push = std::abs(pin_force(last, "near").z) / s.width;
    const Buckled exact = buckled(shortening);
    return {{height / s.length, exact.height},
            {push * s.length * s.length / s.rigidity, exact.force},
            largest_speed(simulation.state()) / s.length};
}

/// B4: a strip on edge under its own weight, at several gammas from the greatest down, each from
/// the shape of the one before; the first from a tip bent aside by a tenth of L. The fit is for
/// offsets of a few hundredths of L; beyond them offset^2 grows faster than gamma.
struct Lateral {
    std::vector<double> gamma, offset; ///< of the effective length; tip beside the plane, over L
    double critical = 0;               ///< where offset^2, linear in gamma, leaves zero
    double speed = 0;                  ///< largest that was left, over L [1/s]
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
    Lateral out;
    State before;
    for (const double gamma : gammas) {
        Strip one = s;
        one.rigidity = s.density * 9.81 * std::pow(effective_length(s), 3) / gamma;
        one.more += to_rest_settings(0.05);
        Simulation simulation(describe(one));
        const std::vector<char> held = held_by_clamp(simulation, s);
        State start = simulation.state();
        if (before.positions.empty()) {
            for (std::size_t i = 0; i < held.size(); ++i)
                if (!held[i])
                    start.positions[i].y =
                        0.1 * s.length * std::pow(start.positions[i].z / s.length, 2);
        } else {
            start.positions = before.positions;
        }
        simulation.set_state(start);
        out.speed = std::max(out.speed, balance(simulation, s, held) / s.length);
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
