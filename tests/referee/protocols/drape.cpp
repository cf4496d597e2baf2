#include "referee/protocols/drape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace muslin::referee {

using std::numbers::pi;

Shadow shadow_of(std::span<const Vec3> x, std::span<const std::array<int, 3>> triangles,
                 double reach, double cell) {
    const int n = static_cast<int>(2 * reach / cell);
    std::vector<char> covered(static_cast<std::size_t>(n) * n, 0);
    const auto flat = [&](const Vec3& p) {
        return Vec2{(p.x + reach) / cell, (p.z + reach) / cell};
    };
    for (const auto& t : triangles) {
        const Vec2 a = flat(x[t[0]]), b = flat(x[t[1]]), c = flat(x[t[2]]);
        const auto [x0, x1] = std::minmax({a.x, b.x, c.x});
        const auto [y0, y1] = std::minmax({a.y, b.y, c.y});
        for (int j = std::max(0, int(y0)); j <= std::min(n - 1, int(y1)); ++j)
            for (int i = std::max(0, int(x0)); i <= std::min(n - 1, int(x1)); ++i) {
                const Vec2 p = {i + 0.5, j + 0.5};
                const double u = cross(b - a, p - a), v = cross(c - b, p - b),
                             w = cross(a - c, p - c);
                if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0))
                    covered[static_cast<std::size_t>(j) * n + i] = 1;
            }
    }
    Shadow out;
    out.outline.assign(360, 0);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            if (!covered[static_cast<std::size_t>(j) * n + i])
                continue;
            out.area += cell * cell;
            const double px = (i + 0.5) * cell - reach, pz = (j + 0.5) * cell - reach;
            const double turn = std::atan2(pz, px) / (2 * pi) + 1;
            const std::size_t k = static_cast<std::size_t>(360 * turn) % 360;
            out.outline[k] = std::max(out.outline[k], std::hypot(px, pz));
        }
    return out;
}

int count_folds(const std::vector<double>& outline, double least) {
    // From the highest place once around: a fold is a rise of more than `least` after a fall of
    // more than `least`. What is smaller is the mesh's own jaggedness.
    const std::size_t n = outline.size();
    const std::size_t top = std::max_element(outline.begin(), outline.end()) - outline.begin();
    int folds = 0;
    bool falling = true;
    double extreme = outline[top]; // the highest since it last fell, or the lowest since it rose
    for (std::size_t k = 1; k <= n; ++k) {
        const double r = outline[(top + k) % n];
        if (falling && r < extreme - least) {
            ++folds; // the top that has just ended
            falling = false;
            extreme = r;
        } else if (!falling && r > extreme + least) {
            falling = true;
            extreme = r;
        }
        extreme = falling ? std::max(extreme, r) : std::min(extreme, r);
    }
    return folds;
}

namespace {

double rms_speed(const Simulation& simulation) {
    double sum = 0, mass = 0;
    for (std::size_t i = 0; i < simulation.model().mass.size(); ++i) {
        const Vec3& v = simulation.state().velocities[i];
        sum += simulation.model().mass[i] * dot(v, v);
        mass += simulation.model().mass[i];
    }
    return std::sqrt(sum / mass);
}

// Until it has been slower than `rest` [m/s] for a quarter of a second, or `most` [s] are over.
Drape run_to_rest(Simulation& simulation, double fps, double rest, double most, double reach,
                  double cell, double least_fold) {
    int calm = 0;
    Drape out;
    const int frames = frames_for(most, fps);
    for (int k = 1; k <= frames && calm < 0.25 * fps; ++k) {
        simulation.advance_frame();
        out.speed = rms_speed(simulation);
        calm = out.speed < rest ? calm + 1 : 0;
        out.time = k / fps;
    }
    const Shadow shadow =
        shadow_of(simulation.state().positions, simulation.model().dynamics.triangles, reach, cell);
    out.shadow = shadow.area;
    out.folds = count_folds(shadow.outline, least_fold);
    return out;
}

// Air is part of a drape's scene: it takes the speed that the fall leaves.
SceneDescription in_air(const std::string& text, double fps,
                        const std::vector<std::string>& overrides) {
    std::vector<std::string> all = {"world.drag_coefficient=1"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return scene_of(text, fps, all);
}

} // namespace

SceneDescription describe(const SphereDrape& d) {
    const double turn = 2 * pi * d.variant / 5, off = d.variant == 1 ? 0 : 1e-3;
    return in_air(fmt::format(R"(
        [[cloth]]
        name = "sheet"
        mesh = {}
        material = "cotton"
        position = [{}, 0.226, {}]
        [[body]]
        name = "ball"
        mesh = {{ type = "sphere", radius = 0.22, rings = 32, segments = 64 }}
        friction = 0.3
    )",
                              sheet_mesh(d.mesh, d.vertices, 1, 1, d.variant), off * std::cos(turn),
                              off * std::sin(turn)),
                  d.fps, d.overrides);
}

Drape run_drape(const SphereDrape& d) {
    Simulation simulation(describe(d));
    return run_to_rest(simulation, d.fps, 5e-3, 4, 0.8, 1e-3, 0.015);
}

SceneDescription describe(const CusickDrape& d) {
    return in_air(fmt::format(R"(
        [[cloth]]
        name = "disc"
        mesh = {{ type = "disc", radius = {}, vertices = {}, seed = {} }}
        material = "{}"
        position = [0, 0.0005, 0]
        [[body]]
        name = "support"
        mesh = {{ type = "cylinder", radius = {}, height = 0.3, segments = 120 }}
        position = [0, -0.15, 0]
        [[pin]]
        cloth = "disc"
        box = {{ min = [-0.06, -1, -0.06], max = [0.06, 1, 0.06] }} # as the upper disc holds it
    )",
                              d.radius, d.vertices, d.seed, d.material, d.support),
                  d.fps, d.overrides);
}

Drape run_drape(const CusickDrape& d) {
    Simulation simulation(describe(d));
    return run_to_rest(simulation, d.fps, 2e-3, 4, 0.16, 2.5e-4, 4e-3);
}

double drape_coefficient(double shadow) {
    constexpr double r = CusickDrape::radius, s = CusickDrape::support;
    return (shadow - pi * s * s) / (pi * (r * r - s * s));
}

DrapeMean mean_of(const std::vector<Drape>& drapes, const std::function<double(double)>& of) {
    DrapeMean out;
    double low = 1e9, high = -1e9, few = 1e9, many = -1e9;
    for (const Drape& d : drapes) {
        const double value = of(d.shadow);
        out.value += value / static_cast<double>(drapes.size());
        out.folds += d.folds / static_cast<double>(drapes.size());
        low = std::min(low, value);
        high = std::max(high, value);
        few = std::min<double>(few, d.folds);
        many = std::max<double>(many, d.folds);
        out.speed = std::max(out.speed, d.speed);
    }
    out.spread = 0.5 * (high - low);
    out.folds_spread = 0.5 * (many - few);
    return out;
}

namespace {
// The cells of each row that is not a comment.
std::vector<std::vector<std::string>> read_rows(const std::filesystem::path& file) {
    std::vector<std::vector<std::string>> out;
    std::ifstream in(file);
    if (!in)
        throw std::runtime_error("cannot read " + file.string());
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        std::vector<std::string> cells;
        std::istringstream text(line);
        for (std::string cell; std::getline(text, cell, ',');)
            cells.push_back(cell);
        out.push_back(std::move(cells));
    }
    return out;
}
} // namespace

std::map<std::string, DrapeMean> read_truths(const std::filesystem::path& file) {
    std::map<std::string, DrapeMean> out;
    for (const auto& cells : read_rows(file)) {
        DrapeMean truth;
        truth.value = std::stod(cells.at(1));
        truth.spread = std::stod(cells.at(2));
        truth.folds = std::stod(cells.at(3));
        truth.folds_spread = std::stod(cells.at(4));
        out[cells.at(0)] = truth;
    }
    return out;
}

std::map<std::string, Range> read_ranges(const std::filesystem::path& file) {
    std::map<std::string, Range> out;
    for (const auto& cells : read_rows(file))
        out[cells.at(0)] = {std::stod(cells.at(1)), std::stod(cells.at(2))};
    return out;
}

} // namespace muslin::referee
