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

// How a drape is measured, and when it is at rest.
struct Measure {
    double rest;        ///< speed below which it is slow [m/s]
    double reach, cell; ///< of the shadow [m]
    double least_fold;  ///< [m]
};
constexpr Measure sphere_measure = {5e-3, 0.8, 1e-3, 0.015};
constexpr Measure cusick_measure = {2e-3, 0.16, 2.5e-4, 4e-3};

void measure_shadow(const Simulation& simulation, const Measure& measure, Drape& out) {
    const Shadow shadow =
        shadow_of(simulation.state().positions, simulation.model().dynamics.triangles,
                  measure.reach, measure.cell);
    out.shadow = shadow.area;
    out.folds = count_folds(shadow.outline, measure.least_fold);
}

// Until it has been slow for a quarter of a second, or `most` [s] are over.
Drape run_to_rest(Simulation& simulation, double fps, double most, const Measure& measure) {
    int calm = 0;
    Drape out;
    const int frames = frames_for(most, fps);
    for (int k = 1; k <= frames && calm < 0.25 * fps; ++k) {
        simulation.advance_frame();
        out.speed = rms_speed(simulation);
        calm = out.speed < measure.rest ? calm + 1 : 0;
        out.time = k / fps;
    }
    measure_shadow(simulation, measure, out);
    return out;
}

// Until it is slow and its shadow no longer changes (drape.h), or `most` [s] are over.
Drape settle(Simulation& simulation, double fps, double most, const Measure& measure) {
    std::vector<double> shadows; // by frame
    int calm = 0;
    Drape out;
    const int frames = frames_for(most, fps), half = frames_for(0.5, fps);
    for (int k = 1; k <= frames; ++k) {
        simulation.advance_frame();
        out.speed = rms_speed(simulation);
        calm = out.speed < measure.rest ? calm + 1 : 0;
        out.time = k / fps;
        measure_shadow(simulation, measure, out);
        shadows.push_back(out.shadow);
        out.change = k > half ? out.shadow / shadows[k - 1 - half] - 1 : 1;
        if (k % 5 == 0)
            fmt::print(stderr, "      {:.2f} s: {:.5f} m^2, {} folds, {:.1e} m/s\n", out.time,
                       out.shadow, out.folds, out.speed);
        if (k >= 2 * half && calm >= 0.25 * fps && std::abs(out.change) < 5e-3)
            break;
    }
    return out;
}

// `Test` is a SphereDrape or a CusickDrape.
template <class Test>
void refine(Test test, const std::vector<int>& sizes, double most, const Measure& measure,
            const DrapeDone& done) {
    std::unique_ptr<Simulation> before;
    std::vector<Vec3> flat_before;
    for (const int vertices : sizes) {
        test.vertices = vertices;
        auto simulation = std::make_unique<Simulation>(describe(test));
        const std::vector<Vec3> flat = simulation->state().positions;
        if (before) {
            State state = simulation->state();
            state.positions = bend_like(flat_before, before->state().positions,
                                        before->model().dynamics.triangles, flat);
            simulation->set_state(state);
        }
        done(static_cast<int>(flat.size()), settle(*simulation, test.fps, most, measure));
        before = std::move(simulation);
        flat_before = flat;
    }
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
    return run_to_rest(simulation, d.fps, 8, sphere_measure);
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
    return run_to_rest(simulation, d.fps, 4, cusick_measure);
}

std::vector<Vec3> bend_like(std::span<const Vec3> flat, std::span<const Vec3> bent,
                            std::span<const std::array<int, 3>> triangles,
                            std::span<const Vec3> points) {
    const auto plan = [](const Vec3& p) { return Vec2{p.x, p.z}; };
    // Weights of a triangle's corners; all of them positive inside.
    const auto weights = [&](const std::array<int, 3>& t, const Vec2& p) {
        const Vec2 a = plan(flat[t[0]]), b = plan(flat[t[1]]), c = plan(flat[t[2]]);
        const double all = cross(b - a, c - a);
        return std::array{cross(b - p, c - p) / all, cross(c - p, a - p) / all,
                          cross(a - p, b - p) / all};
    };
    // Triangles by the squares that they reach into, about one a square.
    double size = 0;
    for (const Vec3& p : flat)
        size = std::max({size, std::abs(p.x), std::abs(p.z)});
    const int n = std::max(1, static_cast<int>(std::sqrt(triangles.size())));
    const auto square = [&](double x) {
        return std::clamp(static_cast<int>(n * (x / size + 1) / 2), 0, n - 1);
    };
    std::vector<std::vector<int>> in_square(static_cast<std::size_t>(n) * n);
    std::vector<int> all(triangles.size());
    for (std::size_t k = 0; k < triangles.size(); ++k) {
        all[k] = static_cast<int>(k);
        const auto& t = triangles[k];
        const auto [x0, x1] = std::minmax({flat[t[0]].x, flat[t[1]].x, flat[t[2]].x});
        const auto [z0, z1] = std::minmax({flat[t[0]].z, flat[t[1]].z, flat[t[2]].z});
        for (int j = square(z0); j <= square(z1); ++j)
            for (int i = square(x0); i <= square(x1); ++i)
                in_square[static_cast<std::size_t>(j) * n + i].push_back(all[k]);
    }
    std::vector<Vec3> out;
    for (const Vec3& point : points) {
        std::array<double, 3> best = {-1e9, 0, 0};
        int holder = -1;
        const auto look = [&](const std::vector<int>& among) {
            for (const int k : among) {
                const auto w = weights(triangles[k], plan(point));
                if (holder < 0 ||
                    std::min({w[0], w[1], w[2]}) > std::min({best[0], best[1], best[2]})) {
                    best = w;
                    holder = k;
                }
            }
        };
        look(in_square[static_cast<std::size_t>(square(point.z)) * n + square(point.x)]);
        if (std::min({best[0], best[1], best[2]}) < -1e-9)
            look(all); // outside the outline, which a finer mesh follows more closely
        const auto& t = triangles[holder];
        out.push_back(best[0] * bent[t[0]] + best[1] * bent[t[1]] + best[2] * bent[t[2]]);
    }
    return out;
}

void refine_drape(SphereDrape drape, const std::vector<int>& sizes, double most,
                  const DrapeDone& done) {
    refine(std::move(drape), sizes, most, sphere_measure, done);
}

void refine_drape(CusickDrape drape, const std::vector<int>& sizes, double most,
                  const DrapeDone& done) {
    refine(std::move(drape), sizes, most, cusick_measure, done);
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
        out.time = std::max(out.time, d.time);
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
