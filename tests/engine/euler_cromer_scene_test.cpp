// The integrator euler_cromer in scenes: its keys and what frames report [Volino95 3.2, 3.6].
#include "muslin/base/error.h"
#include "muslin/engine/simulation.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

SceneDescription scene_of(const std::string& solver, const std::string& contact = "none") {
    return parse_scene(R"(
recipe = "bw98"
[parts]
in_plane = "strain_rosette"
bending = "bend_volino"
integrator = "euler_cromer"
contact = ")" + contact + R"("
[solver]
)" + solver + R"(
[[cloth]]
name = "sheet"
mesh = { type = "irregular", width = 0.3, depth = 0.3, vertices = 120 }
material = { base = "cotton", stretch_u = 40, stretch_v = 40, stretch_damping = 0.1 }
[[pin]]
cloth = "sheet"
vertices = [0, 1]
)",
                       "test.toml", {}, "test");
}

FrameReport third_frame(const std::string& solver) {
    Simulation simulation(scene_of(solver));
    simulation.advance_frame();
    simulation.advance_frame();
    return simulation.advance_frame();
}

TEST(EulerCromerScene, KeysReachTheIntegrator) {
    const FrameReport plain = third_frame("local_rates = false\nlimit_damping = false"),
                      local = third_frame("limit_damping = false"),
                      limited = third_frame("limit_damping = true"), usual = third_frame("");
    EXPECT_GT(plain.element_evaluations, 0);
    EXPECT_NEAR(plain.kinetic, local.kinetic, 0.02 * plain.kinetic);
    EXPECT_GE(local.step_max, 0.99 * plain.step_max);
    EXPECT_LT(limited.steps, 0.7 * plain.steps);
    EXPECT_EQ(usual.steps, limited.steps) << "the default";
    EXPECT_EQ(plain.damped_particles + local.damped_particles + limited.damped_particles, 0);
}

TEST(EulerCromerScene, WrongKeysAreRefused) {
    for (const char* solver : {"local_rates = 1", "stability_control = \"yes\"",
                               "limit_damping = 0.5", "rates = true"}) {
        SCOPED_TRACE(solver);
        EXPECT_THROW(scene_of(solver), InputError);
    }
    EXPECT_THROW(Simulation(scene_of("", "bw98_contact")), InputError);
}

} // namespace
} // namespace muslin
