#include "referee/protocols/slope.h"

#include "muslin/math/rotation.h"
#include "referee/protocols/closed_forms.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace muslin::referee {

namespace {

constexpr double degree = std::numbers::pi / 180;

struct Directions {
    Vec3 normal, down;
};
Directions directions(const Slope& slope) {
    const double a = slope.angle * degree;
    return {{std::sin(a), std::cos(a), 0}, {std::cos(a), -std::sin(a), 0}};
}

std::string plane_text(const Slope& slope) {
    const auto [normal, down] = directions(slope);
    if (!slope.on_cloth)
        return fmt::format(R"(
        [[body]]
        name = "plane"
        mesh = {{ type = "box", size = [7, 0.2, 2] }}
        position = {}
        rotation = [0, 0, {}]
        friction = {}
    )",
                           list(3.0 * down - 0.1 * normal), -slope.angle, slope.mu);
    // A cloth held by all of its vertices: 1.4 m of it below the sheet.
    return fmt::format(R"(
        [[cloth]]
        name = "ground"
        mesh = {{ type = "grid", width = 1.5, depth = 0.42, columns = 101, rows = 29 }}
        position = {}
        rotation = [0, 0, {}]
        material = {{ base = "cotton", friction = {} }}
        [[pin]]
        cloth = "ground"
        box = {{ min = [-9, -9, -9], max = [9, 9, 9] }}
    )",
                       list(0.5 * down - 0.5 * cotton_thickness * normal), -slope.angle, slope.mu);
}

// Hangs from one edge and swings through about 90 degrees, 2 m beside the slope.
std::string heavy_text(const Slope& slope) {
    return fmt::format(R"(
        [[cloth]]
        name = "heavy"
        mesh = {{ type = "irregular", width = {0}, depth = {0}, vertices = 600 }}
        position = [0, 0.5, -2]
        material = {{ base = "cotton", density = {1} }}
        [[pin]]
        cloth = "heavy"
        box = {{ min = [-1, 0, {2}], max = [1, 1, {3}] }}
    )",
                       slope.size, 40 * slope.density, -2 - 0.5 * slope.size - 1e-6,
                       -2 - 0.5 * slope.size + 1e-6);
}

} // namespace

std::string Slope::name() const {
    return fmt::format("{} degrees, {} {}, {}, {} fps{}{}", angle, vertex_count(mesh, vertices),
                       name_of(mesh), height > 0 ? "dropped" : "placed", fps,
                       on_cloth ? ", on cloth" : "", beside_heavy ? ", beside 40 x" : "");
}

SceneDescription describe(const Slope& slope) {
    const auto [normal, down] = directions(slope);
    // Half the thickness over a body; over a cloth the half of that one too, which plane_text has.
    const double lift = 0.5 * cotton_thickness + slope.height;
    const std::string sheet = fmt::format(
        R"(
        [[cloth]]
        name = "sheet"
        mesh = {}
        position = {}
        rotation = [0, 0, {}]
        velocity = {}
        material = {{ base = "cotton", density = {}, thickness = {}, friction = {} }}
    )",
        sheet_mesh(slope.mesh, slope.vertices, slope.size, slope.size), list(lift * normal),
        -slope.angle, list(slope.speed * down), slope.density, cotton_thickness, slope.mu);
    return scene_of(sheet + plane_text(slope) + (slope.beside_heavy ? heavy_text(slope) : ""),
                    slope.fps);
}

double Slide::at(double when) const {
    for (std::size_t i = 0; i < time.size(); ++i)
        if (time[i] > when - 1e-9)
            return way[i];
    throw std::logic_error("the slide is shorter than that");
}

Slide slide(const Slope& slope, double seconds) {
    Simulation simulation(describe(slope));
    const Vec3 down = directions(slope).down;
    const double start = dot(down, centre_of(simulation, "sheet").place);
    Slide out;
    out.time = {0};
    out.way = {0};
    out.speed = {slope.speed};
    const int frames = frames_for(seconds, slope.fps);
    for (int k = 1; k <= frames; ++k) {
        simulation.advance_frame();
        const Centre centre = centre_of(simulation, "sheet");
        out.time.push_back(k / slope.fps);
        out.way.push_back(dot(down, centre.place) - start);
        out.speed.push_back(dot(down, centre.velocity));
    }
    return out;
}

double fitted_acceleration(const Slide& slide) {
    Mat3 normal = Mat3::zero();
    Vec3 right = {0, 0, 0};
    for (std::size_t k = 0; k < slide.time.size(); ++k) {
        const double t = slide.time[k];
        const Vec3 row = {1, t, t * t / 2};
        normal += outer(row, row);
        right += slide.way[k] * row;
    }
    return (inverse(normal) * right).z;
}

double reference_slide(const Slope& slope, const Slide& measured) {
    return coulomb_slide(slope.angle * degree, slope.mu, slope.height, measured.time.back(),
                         gravity);
}

} // namespace muslin::referee
