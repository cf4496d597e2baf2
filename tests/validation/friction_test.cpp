// Protocols C1 and C2: a sheet on a plane slides, stops and stays as Coulomb says, whichever way
// the mesh lies on the plane and the plane in space.

#include "validation/scene_run.h"

#include "muslin/math/rotation.h"
#include "test_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <numbers>
#include <span>
#include <sstream>
#include <string_view>

namespace {

using namespace muslin;
using namespace muslin::validation;

constexpr double mu = 0.3;
constexpr double g = 9.81; // [m/s^2]
constexpr double degree = std::numbers::pi / 180;

// The turns about x, then y, then z [degrees] that make up a rotation.
Vec3 angles_of(const Mat3& r) {
    return (1 / degree) * Vec3{std::atan2(r.m[2][1], r.m[2][2]), -std::asin(r.m[2][0]),
                               std::atan2(r.m[1][0], r.m[0][0])};
}

// How the sheet lies on the plane, and about which axis the plane is tilted [degrees].
struct Lie {
    const char* name;
    const char* mesh;
    double mesh_turn, tilt_turn;
};

const char* const grid = R"({ type = "grid", width = 0.1, depth = 0.1, resolution = 11 })";
const char* const lattice = R"({ type = "lattice", width = 0.1, depth = 0.1, rows = 10 })";
const char* const irregular = R"({ type = "irregular", width = 0.1, depth = 0.1, vertices = 121 })";

const Lie lies[] = {
    {"grid, tilted about z", grid, 0, 0},
    {"grid turned by 37 degrees", grid, 37, 0},
    {"lattice, tilted about x", lattice, 0, 90},
    {"irregular, tilted about an axis between", irregular, 15, 217},
};

// Who keeps the sheet on the plane, with what steps. An explicit scheme takes no longer steps than
// its threads allow: those of 5 N/m allow about 1 ms, so that both of its rows are much the same
// and one lie does for the first.
struct Method {
    const char* name;
    const char* recipe;
    const char* contact;
    double step; ///< [s]
    const char* threads;
    std::size_t lies;                 ///< how many of them
    const char* integrator = nullptr; ///< if not the recipe's
};

const Method methods[] = {
    {"1ms", "muslin", "implicit_contact", 1e-3, "", 4},
    {"10ms", "muslin", "implicit_contact", 1e-2, "", 4},
    {"forecast1ms", "bridson03", "forecast_contact", 1e-3,
     "stretch_u = 5, stretch_v = 5, stretch_damping = 1e-3, ", 1},
    {"forecast10ms", "bridson03", "forecast_contact", 1e-2,
     "stretch_u = 5, stretch_v = 5, stretch_damping = 1e-3, ", 4},
    {"correction1ms", "bridson03", "correction_contact", 1e-3,
     "stretch_u = 5, stretch_v = 5, stretch_damping = 1e-3, ", 1},
    {"correction10ms", "bridson03", "correction_contact", 1e-2,
     "stretch_u = 5, stretch_v = 5, stretch_damping = 1e-3, ", 2, "euler_cromer"},
    {"forecast_implicit10ms", "muslin", "forecast_contact", 1e-2, "", 4},
};

struct Slope {
    Vec3 normal, down; ///< unit; `down` lies in the plane
    SceneDescription scene;
};

// A sheet at rest, or with `speed` [m/s] along `down`, on the upper side of a large box.
Slope make_slope(const Lie& lie, double tilt, const Method& method, double speed) {
    const Mat3 turn = rotation_degrees({0, lie.tilt_turn, 0});
    const Mat3 plane = turn * rotation_degrees({0, 0, -tilt}) * transpose(turn);
    const Mat3 sheet = plane * rotation_degrees({0, lie.mesh_turn, 0});
    Slope slope;
    slope.normal = plane * Vec3{0, 1, 0};
    slope.down = plane * (turn * Vec3{1, 0, 0});
    const Vec3 box_angles = angles_of(plane * turn), sheet_angles = angles_of(sheet);
    const Vec3 middle = slope.down - 0.1 * slope.normal; // of the box
    const double thickness = 1e-3;
    const Vec3 start = (thickness / 2) * slope.normal, velocity = speed * slope.down;
    const auto list = [](const Vec3& a) { return fmt::format("[{}, {}, {}]", a.x, a.y, a.z); };
    slope.scene = parse_scene(
        fmt::format(R"(
        recipe = "{}"
        parts.contact = "{}"
        {}
        {}
        [time]
        frame_rate = 100
        max_step = {}
        [world]
        drag_coefficient = 0
        [[cloth]]
        name = "sheet"
        mesh = {}
        position = {}
        rotation = {}
        velocity = {}
        material = {{ base = "cotton", {}density = 0.2, thickness = {}, friction = {} }}
        [[body]]
        name = "plane"
        mesh = {{ type = "box", size = [4, 0.2, 4] }}
        position = {}
        rotation = {}
        friction = {}
    )",
                    method.recipe, method.contact,
                    method.integrator ? fmt::format("parts.integrator = \"{}\"", method.integrator)
                                      : "",
                    method.contact == std::string_view("forecast_contact")
                        ? "level_sets = { voxel = 0.05, band = 0.2, cache = \"none\" }"
                        : "",
                    method.step, lie.mesh, list(start), list(sheet_angles), list(velocity),
                    method.threads, thickness, mu, list(middle), list(box_angles), mu),
        "friction", ".", "friction");
    return slope;
}

struct Motion {
    double x, v; ///< of the centre of mass, along `down`
};

Motion motion(const Simulation& simulation, const Slope& slope) {
    Motion sum = {0, 0};
    double mass = 0;
    for (std::size_t i = 0; i < simulation.model().mass.size(); ++i) {
        const double m = simulation.model().mass[i];
        sum.x += m * dot(slope.down, simulation.state().positions[i]);
        sum.v += m * dot(slope.down, simulation.state().velocities[i]);
        mass += m;
    }
    return {sum.x / mass, sum.v / mass};
}

// a of x = x0 + v0 t + a t^2 / 2 by least squares. The times are 0.01 k s.
double fitted_acceleration(const std::vector<double>& x) {
    Mat3 normal = Mat3::zero();
    Vec3 right = {0, 0, 0};
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double t = 0.01 * static_cast<double>(k);
        const Vec3 row = {1, t, t * t / 2};
        normal += outer(row, row);
        right += x[k] * row;
    }
    return (inverse(normal) * right).z;
}

struct Slide {
    double acceleration;
    double sideways; ///< [m]
};

Slide slide(const Lie& lie, double tilt, const Method& method) {
    const Slope slope = make_slope(lie, tilt, method, 0);
    Simulation simulation(slope.scene);
    const Vec3 across = cross(slope.normal, slope.down);
    const auto aside = [&] {
        double sum = 0;
        for (const Vec3& p : simulation.state().positions)
            sum += dot(across, p);
        return sum / static_cast<double>(simulation.state().positions.size());
    };
    const double start = aside();
    std::vector<double> x = {motion(simulation, slope).x};
    for (int k = 0; k < 100; ++k) {
        simulation.advance_frame();
        x.push_back(motion(simulation, slope).x);
    }
    return {fitted_acceleration(x), aside() - start};
}

class Incline : public testing::TestWithParam<Method> {};

TEST_P(Incline, SlidesAsCoulombSays) {
    const Method& method = GetParam();
    for (const double tilt : {18.699, 26.699}) {
        const double expected = g * (std::sin(tilt * degree) - mu * std::cos(tilt * degree));
        for (const Lie& lie : std::span(lies).first(method.lies)) {
            const Slide s = slide(lie, tilt, method);
            std::cout << fmt::format("C1 {}, {} degrees, {}: a = {:.5f} m/s^2, {:+.2f} % "
                                     "from {:.5f}; {:.2e} m sideways\n",
                                     method.name, tilt, lie.name, s.acceleration,
                                     100 * (s.acceleration / expected - 1), expected, s.sideways);
            EXPECT_NEAR(s.acceleration, expected, std::max(0.02 * expected, 0.01)) << lie.name;
            EXPECT_NEAR(s.sideways, 0, 1e-3) << lie.name;
        }
    }
}

TEST_P(Incline, StaysBelowTheFrictionCone) {
    const Method& method = GetParam();
    for (const Lie& lie : std::span(lies).first(method.lies)) {
        const Slope slope = make_slope(lie, 16.199, method, 0);
        Simulation simulation(slope.scene);
        const double start = motion(simulation, slope).x;
        double at_one_second = 0, worst = 0;
        for (int k = 1; k <= 500; ++k) {
            simulation.advance_frame();
            const double x = motion(simulation, slope).x - start;
            worst = std::max(worst, std::abs(x));
            if (k == 100)
                at_one_second = x;
        }
        const double end = motion(simulation, slope).x - start;
        std::cout << fmt::format("C1 {}, 16.199 degrees, {}: drift {:.2e} m in 5 s, of "
                                 "which {:.2e} m in the first\n",
                                 method.name, lie.name, end, at_one_second);
        EXPECT_LT(worst, 1e-3) << lie.name;
    }
}

TEST_P(Incline, StopsAsCoulombSays) {
    const Method& method = GetParam();
    const double distance = 1 / (2 * mu * g), time = 1 / (mu * g);
    const double tolerance = method.step < 5e-3 ? 0.02 : 0.05;
    for (const Lie& lie : std::span(lies).first(method.lies)) {
        const Slope slope = make_slope(lie, 0, method, 1);
        Simulation simulation(slope.scene);
        const double start = motion(simulation, slope).x;
        double stopped = 0;
        Motion before = motion(simulation, slope);
        for (int k = 1; k <= 60; ++k) {
            simulation.advance_frame();
            const Motion now = motion(simulation, slope);
            // Between the frames, along the line that the speed was on.
            if (stopped == 0 && now.v < 1e-3)
                stopped = 0.01 * (k - 1) + before.v / (mu * g);
            before = now;
        }
        const double way = before.x - start;
        std::cout << fmt::format("C2 {}, {}: stops after {:.5f} m ({:+.2f} %), {:.4f} s "
                                 "({:+.2f} %); then {:.1e} m/s\n",
                                 method.name, lie.name, way, 100 * (way / distance - 1), stopped,
                                 100 * (stopped / time - 1), before.v);
        EXPECT_NEAR(way, distance, tolerance * distance) << lie.name;
        EXPECT_NEAR(stopped, time, tolerance * time) << lie.name;
        EXPECT_LT(std::abs(before.v), 1e-4) << "it stays where it stopped";
    }
}

INSTANTIATE_TEST_SUITE_P(Steps, Incline, testing::ValuesIn(methods),
                         [](const auto& suite) { return suite.param.name; });

// The references of this test are those of the table.
TEST(Friction, FormulasAgreeWithTheTable) {
    MUSLIN_NEED_VALIDATION(file, "incline.csv");
    std::ifstream in(file);
    int rows = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream text(line);
        double row[6];
        char comma;
        if (!(text >> row[0] >> comma >> row[1] >> comma >> row[2] >> comma >> row[3]))
            continue;
        if (row[0] != mu)
            continue;
        ++rows;
        const double a = row[2] * degree;
        EXPECT_NEAR(std::max(0.0, g * (std::sin(a) - mu * std::cos(a))), row[3], 1e-6);
    }
    EXPECT_EQ(rows, 7);
}

} // namespace
