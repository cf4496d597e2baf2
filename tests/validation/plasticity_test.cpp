// Time effects of volino95 [Volino95 3.4] in simulations: what is strained beyond its yield keeps
// the rest of it, and loses it with its relaxation time.

#include "validation/scene_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

using namespace muslin;
using namespace muslin::validation;

constexpr double young = 2e5, thickness = 5e-4;

// Two triangles, pulled along x by `most` until 0.3 s and then let go, across free. Lengths of the
// sheet along x at the end of each frame.
struct Pull {
    std::vector<double> time, strain;
};
Pull pull(double yield, double relaxation, double most, const std::string& integrator,
          double frame_rate) {
    Simulation simulation(scene(fmt::format(R"(
        parts.in_plane = "strain_rosette"
        parts.bending = "none"
        parts.contact = "none"
        parts.integrator = "{}"
        [time]
        frame_rate = {}
        [world]
        gravity = [0, 0, 0]
        drag_coefficient = 0
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "grid", width = 0.1, depth = 0.1, columns = 2, rows = 2 }}
        material = {{ density = 0.05, young = {}, thickness = {}, yield_stretch = {}, relaxation_time = {}, stretch_damping = 0.1 }}
        [[pin]]
        name = "left"
        hold = "directions"
        directions = [[1, 0, 0], [0, 1, 0]]
        box = {{ min = [-1, -1, -1], max = [-0.049, 1, 1] }}
        [[pin]]
        name = "right"
        hold = "directions"
        directions = [[1, 0, 0], [0, 1, 0]]
        box = {{ min = [0.049, -1, -1], max = [1, 1, 1] }}
        motion = {{ translation = [ {{ t = 0, value = [0,0,0] }}, {{ t = 0.2, value = [{},0,0] }} ] }}
        end = 0.3
    )",
                                            integrator, frame_rate, young, thickness, yield,
                                            relaxation, 0.1 * most)));
    Pull out;
    while (simulation.state().time < 1.2) {
        simulation.advance_frame();
        const std::vector<Vec3> x = simulation.positions("sheet");
        const std::vector<Vec3>& start = simulation.model().cloths[0].surface.mesh.positions;
        double length = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            length += 0.5 * (start[i].x > 0 ? x[i].x : -x[i].x);
        out.time.push_back(simulation.state().time);
        out.strain.push_back(length / 0.1 - 1);
    }
    return out;
}

// The set is what exceeded the yield; it then decays as exp(-t / T), at any step.
TEST(Plasticity, ASheetPulledBeyondItsYieldKeepsTheRestAndLosesItWithItsTime) {
    const double yield = 0.02, most = 0.1, time = 0.4;
    for (const std::string integrator : {"backward_euler", "variable_step"})
        for (const double rate : {60.0, 240.0}) {
            const Pull kept = pull(yield, 1e9, most, integrator, rate);
            EXPECT_NEAR(kept.strain.back() / (most - yield), 1, 0.01) << integrator << rate;
            const Pull lost = pull(yield, time, most, integrator, rate);
            for (std::size_t i = 0; i < lost.time.size(); ++i) {
                const double since = lost.time[i] - 0.3;
                if (since < 0.1) // while it springs back
                    continue;
                const double expected = (most - yield) * std::exp(-since / time);
                EXPECT_NEAR(lost.strain[i] / expected, 1, 0.01) << integrator << lost.time[i];
            }
        }
    EXPECT_NEAR(pull(1, 1e9, most, "backward_euler", 60).strain.back(), 0, 1e-4) << "elastic";
}

// A sheet of 30 x 30 vertices held at its sides, pressed down in the middle by 6 cm until 0.4 s:
// how deep it is below its sides in the end and on the way.
struct Dent {
    double pressed, kept, later, last; ///< at 0.4, 0.8, 1.2 and 2 s [m]
};
Dent dent(const std::string& material) {
    Simulation simulation(scene(fmt::format(R"(
        parts.in_plane = "strain_rosette"
        parts.bending = "bend_volino"
        parts.contact = "none"
        [time]
        frame_rate = 50
        [solver]
        tolerance = 1e-3
        [world]
        gravity = [0, 0, 0]
        linear_drag = 0.5
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "irregular", width = 0.4, depth = 0.4, vertices = 900 }}
        material = {{ density = 0.3, young = 2e7, thickness = 5e-4, compression_stiffness = 1, {} }}
        [[region]]
        name = "middle"
        cloth = "sheet"
        box = {{ min = [-0.03, -1, -0.03], max = [0.03, 1, 0.03] }}
        [[pin]]
        region = "middle"
        motion = {{ translation = [ {{ t = 0, value = [0,0,0] }}, {{ t = 0.3, value = [0,-0.06,0] }} ] }}
        end = 0.4
        [[pin]]
        cloth = "sheet"
        box = {{ min = [-1, -1, 0.199], max = [1, 1, 1] }}
        [[pin]]
        cloth = "sheet"
        box = {{ min = [-1, -1, -1], max = [1, 1, -0.199] }}
    )",
                                            material)));
    const auto depth = [&](double until) {
        while (simulation.state().time < until - 1e-9)
            simulation.advance_frame();
        double sum = 0;
        int count = 0;
        for (const int p : simulation.model().regions[0].particles) {
            sum -= simulation.state().positions[p].y;
            ++count;
        }
        return sum / count;
    };
    Dent out;
    out.pressed = depth(0.4);
    out.kept = depth(0.8);
    out.later = depth(1.2);
    out.last = depth(2);
    return out;
}

TEST(Plasticity, ADentedSheetKeepsItsDentUntilItsRelaxationTime) {
    const Dent elastic = dent("yield_stretch = 1");
    const Dent plastic = dent("yield_stretch = 0.005, yield_bend = 10");
    const Dent relaxing = dent("yield_stretch = 0.005, yield_bend = 10, relaxation_time = 0.2");
    fmt::print("depth [mm] pressed, at 0.8, 1.2, 2 s: elastic {:.1f} {:.1f} {:.1f} {:.1f}, plastic "
               "{:.1f} {:.1f} {:.1f} {:.1f}, relaxing {:.1f} {:.1f} {:.1f} {:.1f}\n",
               1e3 * elastic.pressed, 1e3 * elastic.kept, 1e3 * elastic.later, 1e3 * elastic.last,
               1e3 * plastic.pressed, 1e3 * plastic.kept, 1e3 * plastic.later, 1e3 * plastic.last,
               1e3 * relaxing.pressed, 1e3 * relaxing.kept, 1e3 * relaxing.later,
               1e3 * relaxing.last);
    EXPECT_LT(std::abs(elastic.kept), 0.006);
    EXPECT_GT(plastic.kept, 0.03);
    EXPECT_GT(plastic.last, 0.95 * plastic.kept);
    EXPECT_LT(std::abs(relaxing.last), 0.006);
}

} // namespace
