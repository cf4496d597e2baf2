// What goes on from a copy of a state, in memory or in a file, gives the same bits as a run that
// never stopped: every recipe, stopped in the thick of contact.
#include "muslin/base/archive.h"
#include "muslin/engine/simulation.h"
#include "muslin/run/checkpoint.h"
#include "muslin/run/serialise_state.h"
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

/// With the history of all parts.
std::string bytes_of(const State& state) {
    Archive archive;
    serialise(archive, state);
    return archive.take();
}

TEST_P(Resume, GoesOnWithTheSameBits) {
    const Interrupted& run = GetParam();
    const SceneDescription scene = load_scene(run.scene, run.overrides);
    Simulation whole(scene);
    FrameReport report;
    while (whole.frame() < run.before)
        report = whole.advance_frame();
    EXPECT_EQ(report.contacts > 0, run.touches) << "the scene is to be stopped in the thick of it";
    save_checkpoint(file(), whole.state(), whole.frame(), {}, Durability::process);

    Simulation copied(scene), resumed(scene);
    copied.continue_from(State(whole.state()), whole.frame());
    const Checkpoint read = load_state(file(), resumed.start_model());
    resumed.continue_from(read.state, read.frame);
    for (int k = 0; k < run.after; ++k) {
        const std::string hash = whole.advance_frame().hash;
        ASSERT_EQ(copied.advance_frame().hash, hash) << "a copy, frame " << whole.frame();
        ASSERT_EQ(resumed.advance_frame().hash, hash) << "from a file, frame " << whole.frame();
    }
    EXPECT_EQ(bytes_of(copied.state()), bytes_of(whole.state()));
    EXPECT_EQ(bytes_of(resumed.state()), bytes_of(whole.state()));
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
