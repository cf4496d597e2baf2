// Protocol B8: a hanging sheet lengthens by rho_A g L^2 / (2 Y); a strip pulled to the stretch
// lambda pulls back with P = Y (lambda - 1) per width, the law of this model.

#include "validation/scene_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::validation;

std::string material(double stiffness) {
    return fmt::format("{{ base = \"cotton\", density = 0.2, stretch_u = {0}, stretch_v = {0}, "
                       "shear = 500 }}",
                       stiffness);
}

// The lowest edge's mean drop below its rest place.
double hanging_elongation(const std::string& mesh, double stiffness) {
    Simulation simulation(scene(fmt::format(R"(
        [solver]
        tolerance = 1e-8
        [world]
        drag_coefficient = 0
        [[cloth]]
        name = "sheet"
        mesh = {}
        rotation = [90, 0, 0]
        material = {}
        [[pin]]
        cloth = "sheet"
        box = {{ min = [-1, 0.499999, -1], max = [1, 0.500001, 1] }}
    )",
                                            mesh, material(stiffness))));
    EXPECT_TRUE(run_to_rest(simulation, 1e-7, 400)) << mesh;
    const std::vector<Vec3> x = simulation.positions("sheet");
    const std::vector<Vec3>& start = simulation.model().cloths[0].surface.mesh.positions;
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (start[i].y < -0.499999) {
            sum += start[i].y - x[i].y;
            ++count;
        }
    return sum / count;
}

TEST(Stretch, HangingSheetLengthensByItsWeight) {
    const double stiffness = 1000, expected = 0.2 * 9.81 / (2 * stiffness);
    bool first = true;
    for (const std::string mesh :
         {"{ type = \"lattice\", width = 0.5, depth = 1, rows = 20 }",
          "{ type = \"irregular\", width = 0.5, depth = 1, vertices = 800 }",
          "{ type = \"grid\", width = 0.5, depth = 1, columns = 11, rows = 21 }"}) {
        const double elongation = hanging_elongation(mesh, stiffness);
        EXPECT_NEAR(elongation, expected, 0.005 * expected) << mesh;
        write_row(
            "hanging", "mesh,elongation,expected",
            fmt::format("\"{}\",{},{}", mesh.substr(10, mesh.find(',') - 11), elongation, expected),
            first);
        first = false;
    }
}

// Force per width of an irregular strip whose ends are held at the stretch lambda.
double uniaxial_force(double lambda, double stiffness) {
    const double shift = 0.5 * (lambda - 1);
    const auto motion = [&](double sign) {
        return fmt::format("motion = {{ translation = [ {{ t = 0, value = [0,0,0] }}, {{ t = 0.5, "
                           "value = [0,0,{}] }} ] }}",
                           sign * shift);
    };
    Simulation simulation(scene(fmt::format(R"(
        [solver]
        tolerance = 1e-10
        [world]
        gravity = [0, 0, 0]
        drag_coefficient = 0
        [[cloth]]
        name = "strip"
        mesh = {{ type = "irregular", width = 0.2, depth = 1, vertices = 700 }}
        material = {}
        [[pin]]
        name = "near"
        cloth = "strip"
        box = {{ min = [-1, -1, -0.500001], max = [1, 1, -0.499999] }}
        {}
        [[pin]]
        name = "far"
        cloth = "strip"
        box = {{ min = [-1, -1, 0.499999], max = [1, 1, 0.500001] }}
        {}
    )",
                                            material(stiffness), motion(-1), motion(1))));
    for (int i = 0; i < 15; ++i) // while the ends move
        simulation.advance_frame();
    EXPECT_TRUE(run_to_rest(simulation, 1e-9, 2000));
    const FrameReport report = simulation.advance_frame();
    const double near = -pin_force(report, "near").z, far = pin_force(report, "far").z;
    EXPECT_NEAR(near, far, 1e-6 * std::abs(far)) << "the ends pull alike";
    return far / 0.2;
}

TEST(Stretch, UniaxialLawIsLinear) {
    bool first = true;
    for (double lambda : {1.001, 1.01, 1.05, 1.1, 1.2}) {
        const double force = uniaxial_force(lambda, 2000);
        EXPECT_NEAR(force, 2000 * (lambda - 1), 1e-6 * 2000 * (lambda - 1)) << lambda;
        write_row("uniaxial", "stretch,force,expected",
                  fmt::format("{},{},{}", lambda, force, 2000 * (lambda - 1)), first);
        first = false;
    }
}

} // namespace
