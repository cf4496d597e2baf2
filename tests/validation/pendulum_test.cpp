// Protocols D3 and D5: a stiff plate of 0.5 m hinged along one edge, released level, swings with a
// period of 1.36707 s, and the error of the first-order integrator halves with the step.

#include "validation/scene_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

namespace {

using namespace muslin;
using namespace muslin::validation;

// The period, as four times the time to the vertical: the swing's loss of height, which is the
// integrator's own, acts least there.
double period(double step, const std::string& linearise_at, bool write) {
    Simulation simulation(scene(fmt::format(R"(
        [time]
        frame_rate = {}
        [solver]
        tolerance = 1e-6
        linearise_at = "{}"
        [world]
        drag_coefficient = 0
        [[cloth]]
        name = "plate"
        mesh = {{ type = "lattice", width = 0.25, depth = 0.5, rows = 12 }}
        [cloth.material]
        base = "cotton"
        density = 0.2
        stretch_u = 1e4
        stretch_v = 1e4
        shear = 5e3
        bend_u = 15
        bend_v = 15
        stretch_damping = 0
        shear_damping = 0
        bend_damping = 0
        [[pin]]
        cloth = "plate"
        box = {{ min = [-1, -1, -0.250001], max = [1, 1, -0.249999] }}
    )",
                                            1 / step, linearise_at)));
    const std::vector<Vec3>& start = simulation.model().cloths[0].surface.mesh.positions;
    std::size_t tip = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
        if (start[i].z > 0.249999 && std::abs(start[i].x) < std::abs(start[tip].x) + 1e-9)
            tip = i;
    double before = start[tip].z + 0.25;
    for (int k = 1; k < 100000; ++k) {
        simulation.advance_frame();
        const Vec3 p = simulation.positions("plate")[tip];
        const double across = p.z + 0.25; // of the hinge line
        if (write)
            write_row(
                "pendulum", "time,angle_degrees",
                fmt::format("{},{}", k * step, std::atan2(across, -p.y) * 180 / std::numbers::pi),
                k == 1);
        if (across <= 0)
            return 4 * step * (k - 1 + before / (before - across));
        before = across;
    }
    return 0;
}

struct Order {
    double periods[3]; ///< at the step, its half and its quarter
    double ratio;      ///< of successive differences: 2 for a first-order method
    double limit;      ///< extrapolated to no step
};

Order order(double step, const std::string& linearise_at) {
    Order out{};
    for (int k = 0; k < 3; ++k)
        out.periods[k] = period(step / (1 << k), linearise_at, false);
    out.ratio = (out.periods[0] - out.periods[1]) / (out.periods[1] - out.periods[2]);
    out.limit = 2 * out.periods[2] - out.periods[1];
    return out;
}

// Lumped masses on 12 rows make the moment of inertia larger by h^2 / (2 L^2).
const double mesh_period = 1.36707 * std::sqrt(1 + 0.5 / 144);

TEST(Pendulum, Period) {
    EXPECT_NEAR(period(5e-4, "start", true), 1.36707, 0.01 * 1.36707);
    EXPECT_NEAR(period(2e-3, "predicted", false), 1.36707, 0.01 * 1.36707);
}

// D5: each halving of the step halves the error; the exact period of the mesh is the common limit,
// which cancels in the differences. The paper's linearisation at the start adds an error of second
// order in the step, in proportion to the stiffness, so it shows its order at smaller steps.
TEST(Pendulum, OrderInTheStep) {
    bool first = true;
    for (const auto& [step, where] : {std::pair(5e-4, "start"), std::pair(1e-3, "predicted")}) {
        const Order o = order(step, where);
        EXPECT_NEAR(o.ratio, 2, 0.3) << where;
        EXPECT_NEAR(o.limit, mesh_period, 0.002 * 1.36707) << where;
        for (int k = 0; k < 3; ++k) {
            write_row("pendulum_order", "linearise_at,step,period",
                      fmt::format("{},{},{}", where, step / (1 << k), o.periods[k]), first);
            first = false;
        }
    }
}

} // namespace
