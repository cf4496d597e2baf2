// Runs that stop at any frame and go on from a file, with every recipe and contact: the same bits
// as one that never stopped.
#include "muslin/base/archive.h"
#include "muslin/engine/simulation.h"
#include "muslin/run/checkpoint.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace muslin {
namespace {

struct Interrupted {
    const char* name;
    const char* scene;
    std::vector<std::string> overrides;
    int before, after; ///< frames, until it stops and from there on
    bool touches = true;
};

void PrintTo(const Interrupted& run, std::ostream* out) {
    *out << run.name;
}

class Resume : public ::testing::TestWithParam<Interrupted> {
protected:
    std::filesystem::path file() const {
        return std::filesystem::path(::testing::TempDir()) /
               (std::string("resume-") + GetParam().name);
    }
    void TearDown() override { std::filesystem::remove(file()); }
};

TEST_P(Resume, GoesOnWithTheSameBits) {
    const Interrupted& run = GetParam();
    const SceneDescription scene = load_scene(run.scene, run.overrides);
    Simulation whole(scene);
    FrameReport report;
    while (whole.frame() < run.before)
        report = whole.advance_frame();
    EXPECT_EQ(report.contacts > 0, run.touches) << "the scene is to be stopped in the thick of it";
    save_checkpoint(file(), whole.state(), whole.frame(), {{"simulation", whole.memory()}},
                    Durability::process);

    Simulation resumed(scene);
    const Checkpoint read = load_state(file(), resumed.start_model());
    resumed.continue_from(read.state, read.frame, read.sections.at("simulation"));
    for (int k = 0; k < run.after; ++k)
        ASSERT_EQ(resumed.advance_frame().hash, whole.advance_frame().hash)
            << "frame " << whole.frame();
    EXPECT_EQ(resumed.memory(), whole.memory());
}

const std::vector<Interrupted> runs = {
    {"muslin", "drape-sphere", {"cloth.sheet.mesh.resolution=41"}, 16, 6},
    {"muslin_twist", "twist", {"cloth.tube.mesh.segments=24", "cloth.tube.mesh.bands=40"}, 40, 3},
    {"muslin_sewn", "sewn-panels", {}, 20, 30, false},
    {"bw98", "bw98/cylinder-drape", {}, 25, 5},
    {"bw98_sleeve", "bw98/sleeve", {}, 40, 4},
    {"bridson03", "bridson03/creases", {}, 5, 1},
    {"volino95", "volino95/ribbon-fall", {}, 12, 2},
    {"bayraktar07", "bayraktar07/table-26x26", {}, 60, 4},
    {"ohta95", "ohta95/folded", {}, 40, 3, false},
    {"ohta95_table", "ohta95/table", {}, 20, 3},
};
INSTANTIATE_TEST_SUITE_P(Recipes, Resume, ::testing::ValuesIn(runs),
                         [](const auto& run) { return std::string(run.param.name); });

} // namespace
} // namespace muslin
