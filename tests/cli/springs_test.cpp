// Springs and their potentials as users meet them: counts, and formulas that have no value.
#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;
using Json = nlohmann::json;

std::string net(const std::string& material) {
    return "recipe = \"bridson03\"\n[parts]\nin_plane = \"mass_spring\"\n"
           "bending = \"flexion_springs\"\ncontact = \"none\"\nstrain_limit = \"none\"\n"
           "[time]\nframes = 3\n[[cloth]]\nname = \"net\"\n"
           "mesh = { type = \"grid\", width = 0.23, depth = 0.29, columns = 24, rows = 30 }\n"
           "[cloth.material]\nbase = \"cotton\"\n" +
           material + "[[pin]]\nvertices = [0, 23]\n";
}

TEST(SpringCommands, CheckCountsTheSpringsOfThePaper) {
    const Scratch folder("springs");
    const std::string scene = folder.write("net.toml", net(""));
    const Json check = Json::parse(muslin("check --json " + scene).text);
    EXPECT_EQ(check["particles"], 720);
    EXPECT_EQ(check["triangles"], 1334);
    EXPECT_EQ(check["springs"]["structural"], 1386);
    EXPECT_EQ(check["springs"]["shear"], 1334);
    EXPECT_EQ(check["springs"]["flexion"], 1332);
    EXPECT_NE(muslin("check " + scene)
                  .text.find("4052 springs: 1386 structural, 1334 shear, 1332 flexion"),
              std::string::npos);
}

TEST(SpringCommands, AFormulaThatIsWrongAtRestIsExitTwoWithItsColumn) {
    const Scratch folder("springs-bad");
    const std::string scene = folder.write("net.toml", net("potential = \"k/2*(d - x)^2\"\n"));
    const Outcome parse = muslin("run " + scene + " -o " + (folder / "run"));
    EXPECT_EQ(parse.code, 2);
    EXPECT_NE(parse.text.find("at column 10"), std::string::npos) << parse.text;
    const std::string pole = folder.write("pole.toml", net("potential = \"k*l^2/s\"\n"));
    EXPECT_EQ(muslin("run " + pole + " -o " + (folder / "run")).code, 2);
    EXPECT_FALSE(std::filesystem::exists(folder / "run"));
}

TEST(SpringCommands, AFormulaThatOverflowsIsExitThreeAndNoFileHasANumberThatIsNone) {
    const Scratch folder("springs-overflow");
    const std::string scene =
        folder.write("net.toml", net("spring_structural = 5\npotential = \"k*l^2*exp(1e4*s)\"\n"));
    const Outcome run = muslin("run " + scene + " -o " + (folder / "run"));
    EXPECT_EQ(run.code, 3) << run.text;
    // What is not finite would be written as null.
    std::ifstream stats(folder / "run/stats.jsonl");
    for (std::string line; std::getline(stats, line);) {
        const Json frame = Json::parse(line);
        for (const auto& [kind, energy] : frame["energy"].items())
            EXPECT_TRUE(energy.is_number()) << line;
        EXPECT_TRUE(frame["stretch_max"].is_number()) << line;
    }
}

} // namespace
