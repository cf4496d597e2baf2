#include "cli/command_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::run_command;
using muslin::testing::Scratch;
using Json = nlohmann::json;

std::string contents(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Commands, RunLeavesWhatTheContractLists) {
    const Scratch scratch("run");
    const Outcome outcome = muslin("run two-corner-sheet --frames 4 --set "
                                   "cloth.sheet.mesh.vertices=400 -o " +
                                   (scratch / "out"));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    const Json report = Json::parse(contents(scratch / "out/report.json"));
    EXPECT_EQ(report["frames"], 4);
    EXPECT_EQ(report["particles"], 400);
    EXPECT_EQ(report["passed"], true);
    std::istringstream lines(contents(scratch / "out/stats.jsonl"));
    std::string line;
    int frame = 0;
    while (std::getline(lines, line)) {
        const Json stats = Json::parse(line);
        EXPECT_EQ(stats["frame"], ++frame);
        for (const char* key :
             {"time", "steps", "rejected_steps", "step_min", "step_max", "cg_iterations",
              "contacts", "seconds", "energy", "stretch_max", "stretch_min", "self_intersections",
              "body_penetration_max", "hash"})
            EXPECT_TRUE(stats.contains(key)) << key;
        for (const char* key :
             {"total", "forces", "solve", "detect_self", "detect_body", "resolve", "other"})
            EXPECT_TRUE(stats["seconds"].contains(key)) << key;
    }
    EXPECT_EQ(frame, 4);
    const std::string cache = contents(scratch / "out/sheet.pc2");
    EXPECT_EQ(cache.size(), 32u + 5u * 400u * 12u) << "header and five samples of 400 points";
    EXPECT_EQ(cache.substr(0, 11), "POINTCACHE2");
    EXPECT_NE(contents(scratch / "out/sheet.obj").find("vt "), std::string::npos);
}

TEST(Commands, ProgressSaysHowLongAndHowMuchMemory) {
    const Scratch scratch("progress");
    const Outcome outcome = muslin("run two-corner-sheet --frames 3 --set "
                                   "cloth.sheet.mesh.vertices=100 -o " +
                                   (scratch / "out"));
    std::istringstream lines(outcome.text);
    for (int frame = 1; frame <= 3; ++frame) {
        std::string line;
        std::getline(lines, line);
        EXPECT_NE(line.find(fmt::format("{}/3", frame)), std::string::npos) << line;
        EXPECT_NE(line.find(" MB"), std::string::npos) << line;
        // After the first frame nobody can tell, after the last nobody needs to be told.
        EXPECT_EQ(line.find(" left") != std::string::npos, frame == 2) << line;
    }
}

TEST(Commands, QuietPrintsNothingAndJsonPrintsTheReport) {
    const Scratch scratch("quiet");
    const std::string words =
        "run two-corner-sheet --frames 1 --set cloth.sheet.mesh.vertices=100 -o " +
        (scratch / "out");
    EXPECT_EQ(muslin(words + " --quiet").text, "");
    const Outcome outcome = muslin(words + " --json");
    EXPECT_EQ(Json::parse(outcome.text)["frames"], 1);
}

TEST(Commands, MeasureAgreesWithTheReport) {
    const Scratch scratch("measure");
    ASSERT_EQ(muslin("run two-corner-sheet --frames 6 --quiet --set "
                     "cloth.sheet.mesh.vertices=400 -o " +
                     (scratch / "out"))
                  .code,
              0);
    const Json report = Json::parse(contents(scratch / "out/report.json"));
    const Json measured = Json::parse(muslin("measure --json " + (scratch / "out")).text)[0];
    // The cache holds single precision.
    EXPECT_NEAR(measured["stretch_max"], report["stretch_max"], 1e-5);
    EXPECT_NEAR(measured["principal_stretch_min"], report["principal_stretch_min"], 1e-5);
    EXPECT_EQ(measured["self_intersections"], report["self_intersections"]);
}

TEST(Commands, ConvertKeepsTheMeshAndTakesFrames) {
    const Scratch scratch("convert");
    ASSERT_EQ(muslin("run two-corner-sheet --frames 3 --quiet --set "
                     "cloth.sheet.mesh.vertices=200 -o " +
                     (scratch / "out"))
                  .code,
              0);
    ASSERT_EQ(muslin("convert " + (scratch / "out/sheet.pc2") + " " + (scratch / "last.ply")).code,
              0);
    ASSERT_EQ(muslin("convert " + (scratch / "last.ply") + " " + (scratch / "last.obj")).code, 0);
    const Json info = Json::parse(muslin("info --json " + (scratch / "last.obj")).text);
    EXPECT_EQ(info["vertices"], 200);
    EXPECT_EQ(info["defect"], nullptr);
    EXPECT_EQ(
        muslin("convert --frame 9 " + (scratch / "out/sheet.pc2") + " " + (scratch / "x.obj")).code,
        2);
}

TEST(Commands, NewMakesASceneThatRuns) {
    const Scratch scratch("new");
    ASSERT_EQ(muslin("run two-corner-sheet --frames 1 --quiet --set "
                     "cloth.sheet.mesh.vertices=200 -o " +
                     (scratch / "out"))
                  .code,
              0);
    const std::string scene = scratch / "start.toml";
    ASSERT_EQ(muslin("new " + (scratch / "out/sheet.obj") + " -o " + scene).code, 0);
    EXPECT_EQ(muslin("check " + scene).code, 0);
    EXPECT_EQ(muslin("run " + scene + " --frames 2 --quiet -o " + (scratch / "second")).code, 0);
    EXPECT_EQ(muslin("new " + (scratch / "out/sheet.obj") + " -o " + scene).code, 4)
        << "a scene that exists is not overwritten";
    const std::string apart = scratch / "second/apart.toml";
    const Outcome told = muslin("new " + (scratch / "out/sheet.obj") + " -o " + apart);
    EXPECT_NE(told.text.find("apart.toml --allow-outside'"), std::string::npos) << told.text;
    for (const std::string& word : {std::string("check "), std::string("info "),
                                    "untangle -o " + (scratch / "second/u.toml "),
                                    "run --frames 1 --quiet -o " + (scratch / "fourth "),
                                    std::string("view --hidden --frames 1 ")}) {
        const Outcome refused = muslin(word + apart);
        EXPECT_EQ(refused.code, 2) << word << refused.text;
        EXPECT_NE(refused.text.find("apart.toml:11:"), std::string::npos) << refused.text;
        EXPECT_NE(refused.text.find("cloth[0].mesh.path"), std::string::npos) << refused.text;
        if (word.starts_with("view")) // which wants a display
            continue;
        EXPECT_EQ(muslin(word + apart + " --allow-outside").code, 0) << word;
    }
    const std::string with_body = scratch / "body.toml";
    const std::string ball = scratch.write("ball.obj", "v 0 -3 0\nv 1 -4 0\nv 0 -4 1\nv -1 -4 -1\n"
                                                       "f 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n");
    ASSERT_EQ(muslin("new " + (scratch / "out/sheet.obj") + " " + ball + " -o " + with_body).code,
              0);
    const Outcome outcome = muslin("run " + with_body + " --set parts.contact=none --frames 1 -o " +
                                   (scratch / "third"));
    EXPECT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("no contact"), std::string::npos)
        << "a body that is not touched is said to be so";
    EXPECT_TRUE(std::filesystem::exists(scratch / "third/body-body.obj"));
}

TEST(Commands, NewMakesASceneOfAFileOfAnyName) {
    const Scratch scratch("new-names");
    const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const std::vector<std::array<std::string, 2>> cases = {{"two words", "two_words"},
                                                           {"my.shirt", "my_shirt"},
                                                           {"1st", "scene-1st"},
                                                           {"-dash", "dash"},
                                                           {"---", "scene"},
                                                           {"say\"so\"", "say_so_"},
                                                           {"back\\slash", "back_slash"},
                                                           {"two\nlines\x7f", "two_lines_"},
                                                           {"m\xc3\xbctze", "m\xc3\xbctze"}};
    const std::string enter = "cd " + scratch.path().string() + " && " + muslin::test::program();
    for (const auto& [stem, name] : cases) {
        scratch.write(stem + ".obj", mesh);
        const Outcome made = run_command(enter + " new './" + stem + ".obj'");
        EXPECT_EQ(made.code, 0) << stem << ": " << made.text;
        const Outcome checked = run_command(enter + " check " + name + ".toml");
        EXPECT_EQ(checked.code, 0) << stem << ": " << checked.text;
    }
    const Outcome told = run_command(enter + " new 1st.obj -o '" + (scratch / "a b.toml") + "'");
    EXPECT_NE(told.text.find("'muslin run \"" + (scratch / "a b.toml") + "\"'"), std::string::npos)
        << told.text;
    scratch.write("caf\xe9.obj", mesh);
    for (const char* files : {"'caf\xe9.obj'", "1st.obj 'caf\xe9.obj' -o c.toml"}) {
        const Outcome refused = run_command(enter + " new " + files);
        EXPECT_EQ(refused.code, 2) << refused.text;
        EXPECT_NE(refused.text.find("a path in UTF-8"), std::string::npos) << refused.text;
    }
    EXPECT_FALSE(std::filesystem::exists(scratch / "c.toml"));
}

// A sheet that stands in a box, and one that stands clear of it.
TEST(Commands, CheckAndRunRefuseATangledStart) {
    const Scratch scratch("tangled");
    const std::string text =
        "parts = { contact = \"none\" }\n[[cloth]]\nname = \"c\"\nmesh = { type = "
        "\"grid\", resolution = 5 }\n[[body]]\nname = \"block\"\n"
        "mesh = { type = \"box\", size = [0.5, 0.5, 0.5] }\n";
    const std::string scene = scratch.write("tangled.toml", text);
    const Outcome refused = muslin("check " + scene);
    EXPECT_EQ(refused.code, 2) << refused.text;
    for (const char* word : {"tangled.toml:2", "cloth 'c'", "body 'block'", "faces", "vertex 12",
                             "0.25 m deep", "allow_tangled"})
        EXPECT_NE(refused.text.find(word), std::string::npos) << word << ": " << refused.text;
    EXPECT_EQ(muslin("run " + scene + " --frames 1 -o " + (scratch / "out")).code, 2);
    EXPECT_FALSE(std::filesystem::exists(scratch / "out"));

    const std::string allow = " --set contact.allow_tangled=true";
    const Outcome warned = muslin("check " + scene + allow);
    EXPECT_EQ(warned.code, 0) << warned.text;
    EXPECT_NE(warned.text.find("warning"), std::string::npos);
    EXPECT_EQ(muslin("run " + scene + allow + " --frames 1 --quiet -o " + (scratch / "out")).code,
              0);
    const Outcome clear = muslin("check " + scene + " --set body.block.position=[0,-1,0]");
    EXPECT_EQ(clear.code, 0) << clear.text;
    EXPECT_NE(clear.text.find("sound"), std::string::npos);
}

TEST(Commands, MovingBodiesAreWrittenAndMeasured) {
    const Scratch scratch("moving");
    const std::string scene = scratch.write("moving.toml", R"(
parts = { contact = "none" }
[time]
frames = 6
frame_rate = 30
[world]
gravity = [0, 0, 0]
[limits]
body_intersections = 0
[[cloth]]
name = "sheet"
mesh = { type = "grid", resolution = 9 }
[[body]]
name = "block"
mesh = { type = "box", size = [0.4, 0.1, 0.4] }
position = [0, -0.2, 0]
motion = { translation = [{ t = 0, value = [0, 0, 0] }, { t = 0.1, value = [0, 0.17, 0] }] }
)");
    const std::string out = scratch / "out";
    ASSERT_EQ(muslin("run " + scene + " --quiet -o " + out).code, 0);
    const Json report = Json::parse(contents(out + "/report.json"));
    EXPECT_EQ(report["passed"], false) << "the block went through";
    EXPECT_EQ(report["limits"]["body_intersections"], 0);
    EXPECT_NEAR(report["body_penetration_max"], 0.02, 1e-9); // its top ends at y = 0.02
    EXPECT_EQ(Json::parse(muslin("info --json " + out + "/body-block.pc2").text)["samples"], 7);
    const Json measured = Json::parse(muslin("measure --json " + out).text)[0];
    EXPECT_EQ(measured["body_intersections"], report["body_intersections"]);
    EXPECT_NEAR(measured["body_penetration_max"], report["body_penetration_max"], 1e-6);
    // A run over it in which the block stands still leaves no cache of the earlier one behind.
    ASSERT_EQ(
        muslin("run " + scene + " --quiet --frames 1 --set body.block.motion={} -o " + out).code,
        0);
    EXPECT_FALSE(std::filesystem::exists(out + "/body-block.pc2"));
    EXPECT_TRUE(std::filesystem::exists(out + "/body-block.obj"));
}

TEST(Commands, ListsHaveTheirContents) {
    const Json recipes = Json::parse(muslin("recipes --json").text);
    EXPECT_EQ(recipes["recipes"][0]["name"], "muslin");
    const Json materials = Json::parse(muslin("materials --json").text);
    EXPECT_GE(materials.size(), 12u);
    for (const Json& m : materials) {
        EXPECT_FALSE(m["source"].get<std::string>().empty());
        EXPECT_GT(m["density"], 0);
    }
    EXPECT_NE(muslin("demo --list").text.find("two-corner-sheet"), std::string::npos);
    // The default recipe bends evenly on any mesh; hinges on right triangles do not, and check says
    // by how much.
    const Scratch scratch("grain");
    const std::string cloth =
        "[[cloth]]\nname = \"c\"\nmesh = { type = \"grid\", diagonals = \"one\" }\n";
    const std::string even = scratch.write("even.toml", cloth);
    const Json fine = Json::parse(muslin("check --json " + even).text)["cloths"][0];
    EXPECT_NEAR(fine["bend_lowest"], 1, 0.02);
    EXPECT_NEAR(fine["bend_highest"], 1, 0.02);
    EXPECT_EQ(fine["bend_even"], true);
    EXPECT_EQ(muslin("check " + even).text.find("% off"), std::string::npos);
    const std::string hinges =
        scratch.write("hinges.toml", "parts.bending = \"bend_bw\"\n" + cloth);
    const Json uneven = Json::parse(muslin("check --json " + hinges).text)["cloths"][0];
    EXPECT_NEAR(uneven["bend_lowest"], 0.75, 0.05);
    EXPECT_NEAR(uneven["bend_highest"], 3.0, 0.15);
    EXPECT_EQ(uneven["bend_even"], false);
    EXPECT_NE(muslin("check " + hinges).text.find("warning: more than 10 % off"),
              std::string::npos);
    // Edges as long as the bending length of cotton show none of its folds.
    EXPECT_EQ(fine["folds_resolved"], false);
    EXPECT_NE(muslin("check " + even).text.find("warning: edges of 22.8 mm"), std::string::npos);
    const std::string resolved = scratch.write(
        "resolved.toml", "[[cloth]]\nname = \"c\"\nmesh = { type = \"lattice\", width = 0.1, "
                         "depth = 0.1, rows = 30 }\n");
    EXPECT_EQ(muslin("check " + resolved).text.find("warning"), std::string::npos);
}

TEST(Commands, FitOfAGarmentIsReportedMeasuredAndDrawn) {
    const Scratch scratch("fit");
    // A band of two panels around a post, its pattern a tenth too narrow.
    std::string obj;
    constexpr int sides = 24;
    for (int i = 0; i < 2 * sides; ++i) {
        const double angle = 2 * 3.14159265358979 * (i % sides) / sides;
        obj += fmt::format("v {} {} {}\n", 0.105 * std::cos(angle), i < sides ? 0.0 : 0.03,
                           -0.105 * std::sin(angle));
    }
    for (int i = 0; i <= sides; ++i)
        for (const double v : {0.0, 0.03})
            obj += fmt::format("vt {} {}\n", 0.66 / 1.1 * i / sides, v);
    for (int i = 0; i < sides; ++i) {
        if (i % (sides / 2) == 0)
            obj += i == 0 ? "g front\n" : "g back\n";
        const int n = (i + 1) % sides;
        obj += fmt::format("f {}/{} {}/{} {}/{} {}/{}\n", i + 1, 2 * i + 1, n + 1, 2 * i + 3,
                           n + 1 + sides, 2 * i + 4, i + 1 + sides, 2 * i + 2);
    }
    scratch.write("band.obj", obj);
    scratch.write("knit.json",
                  R"({"density": 0.2, "stretching": [[50, 5, 90, 20], [50, 5, 90, 20],
                      [50, 5, 90, 20], [50, 5, 90, 20], [50, 5, 90, 20], [50, 5, 90, 20]],
                      "bending": [[4e-5, 4e-5, 4e-5, 4e-5, 4e-5], [4e-5, 4e-5, 4e-5, 4e-5, 4e-5],
                      [4e-5, 4e-5, 4e-5, 4e-5, 4e-5]]})");
    const std::string scene = scratch.write("band.toml", R"(
[time]
frames = 1
[world]
gravity = [0, 0, 0]
[[cloth]]
name = "band"
material = "knit.json"
mesh = { path = "band.obj", rest = "texcoords" }
[[body]]
name = "post"
mesh = { type = "cylinder", radius = 0.1, height = 0.2, segments = 24 }
)");
    const std::string out = scratch / "out";
    const Outcome ran = muslin("run " + scene + " --quiet -o " + out);
    ASSERT_EQ(ran.code, 0) << ran.text;
    const Json report = Json::parse(std::ifstream(out + "/report.json"));
    ASSERT_EQ(report["fit"][0]["parts"].size(), 3u);
    EXPECT_EQ(report["fit"][0]["parts"][2]["part"], "back");
    const Outcome table = muslin("measure " + out + " --fit --height 0.01");
    for (const char* word : {"band, frame 1:", "front", "tension", "tightest", "0.01 m"})
        EXPECT_NE(table.text.find(word), std::string::npos) << word << ": " << table.text;
    EXPECT_EQ(Json::parse(muslin("measure --json --fit " + out).text), report["fit"]);
    for (const char* field : {"tension", "ease"}) {
        const Outcome drawn = muslin("render " + out + " --quiet --width 64 --height 64 --color " +
                                     field + " -o " + (scratch / "picture.png"));
        EXPECT_EQ(drawn.code, 0) << drawn.text;
    }
    const Json fabric = Json::parse(muslin("info --json " + (scratch / "knit.json")).text);
    EXPECT_EQ(fabric["pulls"].size(), 9u);
    EXPECT_EQ(
        fabric["material"]["stretch_u"],
        Json::parse(muslin("materials --json " + (scratch / "knit.json")).text)[0]["stretch_u"]);
    // No panels, no fit: said so.
    ASSERT_EQ(muslin("run two-corner-sheet --quiet --frames 1 -o " + (scratch / "sheet")).code, 0);
    const Outcome none = muslin("measure --fit " + (scratch / "sheet"));
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.text.find("named panels"), std::string::npos) << none.text;
}

} // namespace
