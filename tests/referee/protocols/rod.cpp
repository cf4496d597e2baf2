#include "referee/protocols/rod.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace muslin::referee {

using std::numbers::pi;

namespace {
constexpr double stretch = 9000; // of cotton along its warp [N/m]
// Rigidity [N m]: the closed forms are those of a limp strip. Cotton's own would bear D / 2 R^2 on
// the curve, 3 % of what hangs on the lighter side of a heavy strip.
constexpr double limp = 1e-7;

// The tension at a place of the strip, from the near end, as its end loads cause it: even where it
// hangs, exponential on the rod, whatever friction there is.
double tension(const RodStrip& s, double place) {
    if (s.near_mass <= 0 || s.far_mass <= 0)
        return 0;
    const double part = std::clamp((place - s.near) / (pi * s.arc_radius()), 0.0, 1.0);
    return gravity * s.near_mass * std::pow(s.far_mass / s.near_mass, part);
}

Vec3 place_on(const RodStrip& s, double along, double across) {
    // `along` counts from where the strip meets the rod.
    const double r = s.arc_radius(), arc = pi * r;
    if (along < 0)
        return {-r, along, across};
    if (along > arc)
        return {r, arc - along, across};
    return {-r * std::cos(along / r), r * std::sin(along / r), across};
}

// Means of the heights of the particles of both ends.
struct Ends {
    double near = 0, far = 0;
};
struct EndRows {
    std::vector<int> near, far;

    EndRows(const Simulation& at_start, double length) {
        const Cloth& cloth = at_start.model().cloths[0];
        const auto& flat = cloth.surface.mesh.positions;
        for (std::size_t i = 0; i < flat.size(); ++i) {
            if (flat[i].z < -0.5 * length + 1e-6)
                near.push_back(cloth.particles[i]);
            if (flat[i].z > 0.5 * length - 1e-6)
                far.push_back(cloth.particles[i]);
        }
    }
    Ends heights(const Simulation& simulation) const {
        Ends out;
        for (const int i : near)
            out.near += simulation.state().positions[i].y / static_cast<double>(near.size());
        for (const int i : far)
            out.far += simulation.state().positions[i].y / static_cast<double>(far.size());
        return out;
    }
};

} // namespace

double RodStrip::length() const {
    return near + far + pi * arc_radius();
}

SceneDescription describe(const RodStrip& s) {
    const double length = s.length(), end = 0.5 * length;
    std::string text = fmt::format(
        R"(
        [[cloth]]
        name = "strip"
        mesh = {{ type = "grid", width = {}, depth = {}, columns = {}, rows = {} }}
        position = [0, 1, 0]
        material = {{ base = "cotton", density = {}, friction = {}, bend_u = {}, bend_v = {} }}
        [[body]]
        name = "rod"
        mesh = {{ type = "cylinder", radius = {}, height = {}, segments = 180 }}
        rotation = [90, 0, 0]
        friction = {}
    )",
        s.width, length, std::lround(s.width / s.edge) + 1, std::lround(length / s.edge) + 1,
        s.density, s.mu, limp, limp, s.radius, 3 * s.width, s.mu);
    for (const auto& [mass, z] : {std::pair{s.near_mass, -end}, std::pair{s.far_mass, end}})
        if (mass > 0)
            text += fmt::format(R"(
        [[weight]]
        cloth = "strip"
        box = {{ min = [-1, 0, {}], max = [1, 2, {}] }}
        mass = {}
    )",
                                z - 1e-6, z + 1e-6, mass);
    if (s.balanced > 0)
        text += fmt::format(R"(
        [[load]]
        cloth = "strip"
        box = {{ min = [-1, 0, {}], max = [1, 2, {}] }}
        force = [{{ t = {}, value = [0, {}, 0] }}, {{ t = {}, value = [0, 0, 0] }}]
    )",
                            -end - 1e-6, -end + 1e-6, s.balanced,
                            (s.near - s.far) * s.width * s.density * gravity, 4 * s.balanced);
    return scene_of(text, s.fps);
}

std::unique_ptr<Simulation> lay_over_rod(const RodStrip& s) {
    auto simulation = std::make_unique<Simulation>(describe(s));
    // Stretched places from the near end, at even places of the flat strip.
    constexpr int cells = 2000;
    const double cell = s.length() / cells;
    std::vector<double> stretched = {0};
    for (int k = 0; k < cells; ++k)
        stretched.push_back(stretched.back() +
                            cell * (1 + tension(s, (k + 0.5) * cell) / (stretch * s.width)));
    const auto at = [&](double place) {
        const double x = std::clamp(place / cell, 0.0, double(cells));
        const int k = std::min(static_cast<int>(x), cells - 1);
        return stretched[k] + (x - k) * (stretched[k + 1] - stretched[k]);
    };
    State state = simulation->state();
    for (Vec3& p : state.positions)
        p = place_on(s, at(p.z + 0.5 * s.length()) - at(s.near), p.x);
    simulation->set_state(state);
    return simulation;
}

std::vector<double> slide_over_rod(const RodStrip& s, double seconds, double enough) {
    const EndRows rows(Simulation(describe(s)), s.length());
    const auto simulation = lay_over_rod(s);
    const Ends start = rows.heights(*simulation);
    std::vector<double> out;
    const int frames = frames_for(seconds, s.fps);
    for (int k = 0; k < frames && (out.empty() || out.back() < enough); ++k) {
        simulation->advance_frame();
        const Ends now = rows.heights(*simulation);
        out.push_back(0.5 * (now.near - start.near - (now.far - start.far)));
    }
    return out;
}

double slip_ratio(const std::function<RodStrip(double)>& make, double low, double high,
                  int bisections, double seconds, double enough) {
    const auto slips = [&](double ratio) {
        return slide_over_rod(make(ratio), seconds, enough).back() >= enough;
    };
    if (!slips(high))
        return high;
    if (slips(low))
        return low;
    for (int k = 0; k < bisections; ++k) {
        const double middle = std::sqrt(low * high);
        (slips(middle) ? high : low) = middle;
    }
    return std::sqrt(low * high);
}

} // namespace muslin::referee
