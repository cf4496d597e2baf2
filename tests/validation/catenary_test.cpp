// Protocol B7: a strip of length 1 m hung from its short edges, 0.8 m apart, takes the shape of a
// catenary. Sag 0.265438 m, end slope 55.925 degrees, horizontal pull 0.338202 rho_A g L. The two
// edges start 1 m apart and are brought together within a second.

#include "validation/scene_run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

namespace {

using namespace muslin;
using namespace muslin::validation;

struct Catenary {
    double sag, slope_degrees, pull; ///< [m], [degrees], in rho_A g L
    bool at_rest;
    std::vector<Vec3> midline;
};

Catenary hang(int rows) {
    const SceneDescription description = scene(fmt::format(R"(
        [time]
        frame_rate = 30
        [solver]
        tolerance = 1e-8
        [world]
        drag_coefficient = 0
        [[cloth]]
        name = "strip"
        mesh = {{ type = "lattice", width = 0.1, depth = 1, rows = {} }}
        [cloth.material]
        base = "cotton"
        density = 0.2
        stretch_u = 1e4
        stretch_v = 1e4
        shear = 1e3
        bend_u = 1e-7
        bend_v = 1e-7
        bend_damping = 0
        [[pin]]
        name = "left"
        cloth = "strip"
        box = {{ min = [-1, -1, -0.500001], max = [1, 1, -0.499999] }}
        motion = {{ translation = [ {{ t = 0, value = [0, 0, 0] }}, {{ t = 1, value = [0, 0, 0.1] }} ] }}
        [[pin]]
        name = "right"
        cloth = "strip"
        box = {{ min = [-1, -1, 0.499999], max = [1, 1, 0.500001] }}
        motion = {{ translation = [ {{ t = 0, value = [0, 0, 0] }}, {{ t = 1, value = [0, 0, -0.1] }} ] }}
    )",
                                                           rows));
    Simulation simulation(description);
    Catenary out{};
    out.at_rest = run_to_rest(simulation, 1e-5, 1500);
    const FrameReport last = simulation.advance_frame();
    // Rows across the strip by their pattern coordinate; the mean height of each.
    const std::vector<Vec3> x = simulation.positions("strip");
    const std::vector<Vec3>& start = simulation.model().cloths[0].surface.mesh.positions;
    out.midline.assign(rows + 1, {0, 0, 0});
    std::vector<int> count(rows + 1, 0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const int row = static_cast<int>(std::lround((start[i].z + 0.5) * rows));
        out.midline[row] += x[i];
        ++count[row];
    }
    for (int r = 0; r <= rows; ++r)
        out.midline[r] *= 1.0 / count[r];
    out.sag = -out.midline[rows / 2].y;
    // The first link hangs below the chord's tangent by half its own turn; take the tangent at
    // the end from the first two links.
    const auto angle = [&](int r) {
        const Vec3 d = out.midline[r + 1] - out.midline[r];
        return std::atan2(-d.y, d.z);
    };
    out.slope_degrees = (1.5 * angle(0) - 0.5 * angle(1)) * 180 / std::numbers::pi;
    out.pull = std::abs(pin_force(last, "left").z) / 0.1 / (0.2 * 9.81 * 1.0);
    return out;
}

TEST(Catenary, MatchesTheCatenaryAndConverges) {
    double previous = 0;
    bool first = true;
    for (int rows : {12, 24, 50}) {
        const Catenary c = hang(rows);
        EXPECT_TRUE(c.at_rest) << rows << " rows";
        const double error = std::abs(c.sag / 0.265438 - 1);
        write_row("catenary", "rows,sag,slope_degrees,pull",
                  fmt::format("{},{},{},{}", rows, c.sag, c.slope_degrees, c.pull), first);
        if (!first) {
            EXPECT_LT(error, previous) << "the error must fall with refinement";
        }
        first = false;
        previous = error;
        if (rows == 50) {
            EXPECT_NEAR(c.sag, 0.265438, 0.005 * 0.265438);
            EXPECT_NEAR(c.slope_degrees, 55.925, 0.005 * 55.925);
            EXPECT_NEAR(c.pull, 0.338202, 0.005 * 0.338202);
            for (int r = 0; r <= rows; ++r)
                write_row("catenary_shape", "z,y",
                          fmt::format("{},{}", c.midline[r].z, c.midline[r].y), r == 0);
        }
    }
}

} // namespace
