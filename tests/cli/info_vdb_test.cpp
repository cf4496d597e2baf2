#include "cli/command_line.h"
#include "levelset/shapes.h"

#include "muslin/io/atomic_file.h"
#include "muslin/io/vdb_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;
using namespace muslin::levelset_testing;
using Json = nlohmann::json;

TEST(InfoVdb, TellsTheGridsOfAFile) {
    const Scratch scratch("vdb");
    const auto mesh = sphere(0.3, 12);
    ::muslin::write_vdb(scratch / "ball.vdb",
                        ::muslin::LevelSet::from_mesh(view(mesh), {0.05, 0.1}));
    const Outcome text = muslin("info " + (scratch / "ball.vdb"));
    EXPECT_EQ(text.code, 0) << text.text;
    EXPECT_NE(text.text.find("OpenVDB, 1 grid\n"), std::string::npos) << text.text;
    EXPECT_NE(text.text.find("'distance': float, level set; voxel 0.05 x 0.05 x 0.05"),
              std::string::npos)
        << text.text;
    const Json json = Json::parse(muslin("info --json " + (scratch / "ball.vdb")).text);
    EXPECT_EQ(json["grids"].size(), 1u);
    EXPECT_GT(json["grids"][0]["active_voxels"], 1000);
    EXPECT_NEAR(json["grids"][0]["low"][1], -0.5, 0.051);

    ::muslin::write_file_atomically(scratch / "text.vdb", "no grid");
    const Outcome broken = muslin("info " + (scratch / "text.vdb"));
    EXPECT_EQ(broken.code, 2);
    EXPECT_NE(broken.text.find("expected an OpenVDB file"), std::string::npos) << broken.text;
    EXPECT_EQ(muslin("info " + (scratch / "absent.vdb")).code, 4);
}

} // namespace
