#include "referee/protocols/motion.h"

#include "muslin/math/vec.h"

#include <Eigen/Dense>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace muslin::referee {

using std::numbers::pi;

std::string HangingSheet::name() const {
    return fmt::format("mode {}, {} {}, {} fps", mode, vertex_count(mesh, vertices), name_of(mesh),
                       fps);
}

HangingMode theory_of(const HangingSheet& s) {
    return hanging_modes(s.mode, s.length, s.density, s.rigidity, gravity).back();
}

namespace {

// Sum of squares that is left of the samples, by the best a, b and d for w and c.
double misfit(const std::vector<double>& samples, double interval, double w, double c) {
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    double squares = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const double t = interval * static_cast<double>(k), e = std::exp(-c * t);
        const Eigen::Vector3d row(e * std::cos(w * t), e * std::sin(w * t), 1);
        normal += row * row.transpose();
        right += samples[k] * row;
        squares += samples[k] * samples[k];
    }
    return squares - right.dot(normal.ldlt().solve(right));
}

} // namespace

Vibration fit_vibration(const std::vector<double>& samples, double interval, double near) {
    // A search on a grid that closes in: the misfit has one deep valley, and no start is needed.
    double w = 2 * pi * near, c = near, w_reach = 0.5 * w, c_reach = 1.4 * near;
    for (int level = 0; level < 12; ++level) {
        constexpr int side = 8;
        double best = std::numeric_limits<double>::infinity(), best_w = w, best_c = c;
        for (int i = -side; i <= side; ++i)
            for (int j = -side; j <= side; ++j) {
                const double at_w = w + w_reach * i / side, at_c = c + c_reach * j / side;
                const double value = misfit(samples, interval, at_w, at_c);
                if (value < best) {
                    best = value;
                    best_w = at_w;
                    best_c = at_c;
                }
            }
        w = best_w;
        c = best_c;
        w_reach *= 0.35;
        c_reach *= 0.35;
    }
    const double frequency = w / (2 * pi);
    return {std::exp(-c / frequency), frequency};
}

namespace {

// Tips move by a few hundredths of the wavelength there: the theory is of small motion.
double tip_amplitude(int mode) {
    return mode == 1 ? 0.02 : mode == 2 ? 0.008 : 0.004; // [m]
}

// Places along the sheet from its upper edge, as the mode's shape has them: as long as the sheet
// is under its own weight.
struct Shape {
    static constexpr int cells = 2000;
    std::vector<double> aside, down; ///< [m]

    Shape(const HangingSheet& s, const HangingMode& mode) {
        const double a = tip_amplitude(s.mode), cell = s.length / cells;
        down = {0};
        for (int k = 0; k <= cells; ++k)
            aside.push_back(a * mode.shape(1 - double(k) / cells));
        for (int k = 0; k < cells; ++k) {
            const double left = 1 - (k + 0.5) / cells; // of the length, below
            const double slope = a / s.length * mode.slope(left);
            const double strain = s.density * gravity * s.length * left / s.stretch;
            down.push_back(down.back() + cell * (1 + strain) * std::sqrt(1 - slope * slope));
        }
    }
    Vec3 at(double x, double part) const {
        const double place = std::clamp(part, 0.0, 1.0) * cells;
        const int k = std::min(static_cast<int>(place), cells - 1);
        const double f = place - k;
        return {x, -(down[k] + f * (down[k + 1] - down[k])),
                aside[k] + f * (aside[k + 1] - aside[k])};
    }
};

} // namespace

Vibration vibrate(const HangingSheet& s) {
    const double length = HangingSheet::length;
    Simulation simulation(
        scene_of(fmt::format(R"(
        [[cloth]]
        name = "sheet"
        mesh = {}
        position = [0, {}, 0]
        rotation = [90, 0, 0]
        material = "cotton"
        [[pin]]
        cloth = "sheet"
        box = {{ min = [-1, -1e-6, -1], max = [1, 1, 1] }}
    )",
                             sheet_mesh(s.mesh, s.vertices, length, length), -0.5 * length),
                 s.fps));
    const HangingMode mode = theory_of(s);
    const Shape shape(s, mode);
    State state = simulation.state();
    std::vector<double> weights; // of each particle in the mode's amplitude
    double norm = 0;
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
        Vec3& p = state.positions[i];
        const double part = -p.y / length, phi = mode.shape(1 - part);
        weights.push_back(simulation.model().mass[i] * phi);
        norm += weights.back() * phi;
        p = shape.at(p.x, part);
    }
    simulation.set_state(state);
    const auto amplitude = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < weights.size(); ++i)
            sum += weights[i] * simulation.state().positions[i].z;
        return sum / norm;
    };
    const double frequency = mode.omega / (2 * pi);
    std::vector<double> samples = {amplitude()};
    const int frames = frames_for(s.periods / frequency, s.fps);
    for (int k = 0; k < frames; ++k) {
        simulation.advance_frame();
        samples.push_back(amplitude());
    }
    return fit_vibration(samples, 1 / s.fps, frequency);
}

Pendulum swing_plate(double fps) {
    constexpr double length = pendulum_length;
    Simulation simulation(scene_of(fmt::format(R"(
        [[cloth]]
        name = "plate"
        mesh = {{ type = "lattice", width = 0.25, depth = {0}, rows = 24 }}
        position = [0, 0, {1}]
        [cloth.material]
        base = "cotton"
        density = 0.2
        stretch_u = 1e4
        stretch_v = 1e4
        shear = 5e3
        bend_u = 15
        bend_v = 15
        bend_damping = 0
        [[pin]]
        cloth = "plate"
        box = {{ min = [-1, -1, -1e-6], max = [1, 1, 1e-6] }}
    )",
                                               length, 0.5 * length),
                                   fps));
    const double mass = centre_of(simulation, "plate").mass;
    const double start = energy_of(simulation), first = 0.5 * mass * gravity * length;
    const double exact = plate_period(length, pi / 2, gravity);
    Pendulum out;
    double before = 0.5 * length, least = start;
    double energy_before = start;
    const int frames = frames_for(exact, fps);
    for (int k = 1; k <= frames; ++k) {
        simulation.advance_frame();
        const double now = centre_of(simulation, "plate").place.z; // the hinge is at z = 0
        const double energy = energy_of(simulation);
        if (out.period == 0 && now <= 0)
            out.period = 4 * (k - 1 + before / (before - now)) / fps;
        // What is left at a time between this frame and the one before.
        const auto left = [&](double time, double& kept) {
            const double part = time * fps - (k - 1);
            if (part > 0 && part <= 1)
                kept = 1 + (energy_before + part * (energy - energy_before) - start) / first;
        };
        left(0.5 * exact, out.kept_half);
        left(exact, out.kept);
        out.rise = std::max(out.rise, (energy - least) / first);
        least = std::min(least, energy);
        before = now;
        energy_before = energy;
    }
    return out;
}

Fall fall(double fps, double seconds) {
    Simulation simulation(scene_of(R"(
        [[cloth]]
        name = "sheet"
        mesh = { type = "irregular", width = 0.3, depth = 0.3, vertices = 500 }
        rotation = [20, 0, 30]
        material = "cotton"
    )",
                                   fps));
    const double start = centre_of(simulation, "sheet").place.y;
    const int frames = frames_for(seconds, fps);
    for (int k = 0; k < frames; ++k)
        simulation.advance_frame();
    return {start - centre_of(simulation, "sheet").place.y, frames / fps};
}

} // namespace muslin::referee
