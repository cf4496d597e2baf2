// Connections in whole runs: formulas without a value, and the elongation limit.
#include "muslin/base/error.h"
#include "muslin/engine/simulation.h"
#include "muslin/integrators/integrator.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace muslin;

/// A net of springs that hangs by two corners, soft enough to be stretched by its weight.
SceneDescription hanging_net(const std::string& material, const std::string& integrator,
                             const std::string& more = {}) {
    return parse_scene(fmt::format(R"(
        [time]
        frames = 30
        {}
        [parts]
        in_plane = "mass_spring"
        bending = "flexion_springs"
        integrator = "{}"
        contact = "none"
        [[cloth]]
        name = "net"
        mesh = {{ type = "grid", width = 0.45, depth = 0.45, columns = 10, rows = 10, diagonals = "one" }}
        [cloth.material]
        base = "cotton"
        spring_structural = 3
        spring_shear = 1
        spring_flexion = 0.2
        spring_damping = 0.01
        {}
        [[pin]]
        vertices = [0, 9]
    )",
                                   more, integrator, material),
                       "test", ".", "test");
}

struct Outcome {
    bool failed = false;
    int frames = 0;
    double longest = 0; ///< edge over its rest length, at any frame
};

// Whatever happens, no frame has a value that is not finite.
Outcome run(const SceneDescription& scene, int frames) {
    Simulation simulation(scene);
    Outcome out;
    try {
        for (; out.frames < frames; ++out.frames) {
            const FrameReport report = simulation.advance_frame();
            EXPECT_TRUE(std::isfinite(report.kinetic) && std::isfinite(report.elastic));
            EXPECT_TRUE(all_finite(simulation.state()));
            const DynamicsLayer& layer = simulation.model().dynamics;
            for (std::size_t t = 0; t < layer.triangles.size(); ++t)
                for (int k = 0; k < 3; ++k) {
                    const int l = (k + 1) % 3;
                    const double d = norm(simulation.state().positions[layer.triangles[t][l]] -
                                          simulation.state().positions[layer.triangles[t][k]]);
                    out.longest =
                        std::max(out.longest, d / norm(layer.pattern[t][l] - layer.pattern[t][k]));
                }
        }
    } catch (const SimulationError&) {
        out.failed = true;
    }
    EXPECT_TRUE(all_finite(simulation.state())) << "the last good state is kept";
    return out;
}

const char* const integrators[] = {"backward_euler", "leapfrog_trapezoidal", "euler_cromer"};

// A pole at a strain of 0.4 in either sense is a limit that no step passes.
TEST(Springs, APoleOfAFormulaIsALimit) {
    const std::string pole = "potential = \"-k*l^2*0.08*log(1 - (s/0.4)^2)\"\n";
    for (const char* integrator : integrators) {
        SCOPED_TRACE(integrator);
        const Outcome free = run(hanging_net("", integrator), 10);
        EXPECT_FALSE(free.failed);
        const Outcome held = run(hanging_net(pole, integrator), 10);
        EXPECT_FALSE(held.failed);
        EXPECT_LT(held.longest, 1.4);
        EXPECT_GT(free.longest, 1.5);
    }
}

// Walls that nothing soft can stand before: the step is halved to the smallest, and the run ends.
TEST(Springs, OverflowAndDivisionByZeroEndTheRunWithoutAValueThatIsNone) {
    for (const char* integrator : integrators)
        for (const char* potential :
             {"k*l^2*(s^2 + step(0.0015, s)*exp(6e5*s))",
              "k*l^2*(s^2 + 1e-12/(s - 0.002)^2*step(0.0019, s)*exp(1e5*s))",
              "k*l^2*s^2/2 + 0*log(0.005 - s)"}) {
            SCOPED_TRACE(std::string(integrator) + ": " + potential);
            const Outcome out =
                run(hanging_net(fmt::format("potential = \"{}\"\n", potential), integrator), 3);
            EXPECT_TRUE(out.failed);
        }
}

// [Bayraktar07 (5)]: the longest spring of a soft net, without the limit and by its two readings.
TEST(Springs, TheElongationLimitShortensTheLongestSpring) {
    const std::string limit = "elongation_limit = 0.1\nelongation_law = ";
    const double without = run(hanging_net("", "backward_euler"), 25).longest;
    const double allowed = run(hanging_net(limit + "\"allowed\"\n", "backward_euler"), 25).longest;
    const double rest = run(hanging_net(limit + "\"rest\"\n", "backward_euler"), 25).longest;
    EXPECT_NEAR(without, 1.617, 0.02);
    EXPECT_NEAR(allowed, 1.502, 0.02);
    EXPECT_NEAR(rest, 1.475, 0.02);
    EXPECT_LT(rest, allowed);
}

} // namespace
