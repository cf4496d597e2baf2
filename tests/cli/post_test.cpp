#include "cli/command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

namespace fs = std::filesystem;
using muslin::testing::muslin;
using muslin::testing::Outcome;
using muslin::testing::Scratch;
using Json = nlohmann::json;

Json report_in(const std::string& directory) {
    std::ifstream stream(directory + "/report.json");
    return Json::parse(stream);
}

/// A sheet that lies on a ball, which grows a little once the run is over: the cloth is in it.
void make_run(const Scratch& scratch) {
    const std::string scene = scratch.write("lie.toml", R"(
[time]
frames = 12
[limits]
body_intersections = 0
[[cloth]]
name = "sheet"
mesh = { type = "grid", width = 0.4, depth = 0.4, resolution = 25 }
position = [0, 0.203, 0]
[[body]]
name = "ball"
mesh = { type = "sphere", radius = 0.2 }
)");
    ASSERT_EQ(muslin("run " + scene + " --quiet -o " + (scratch / "run")).code, 0);
    std::ifstream in(scratch / "run/body-ball.obj");
    std::string text, line;
    while (std::getline(in, line)) {
        double x = 0, y = 0, z = 0;
        if (std::sscanf(line.c_str(), "v %lf %lf %lf", &x, &y, &z) == 3)
            line = "v " + std::to_string(1.015 * x) + " " + std::to_string(1.015 * y) + " " +
                   std::to_string(1.015 * z);
        text += line + "\n";
    }
    in.close();
    scratch.write("run/body-ball.obj", text);
}

TEST(Post, PushesARunOutOfItsBodiesAndLeavesARun) {
    const Scratch scratch("post");
    make_run(scratch);
    const Outcome outcome = muslin("post " + (scratch / "run/"));
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_NE(outcome.text.find("survey 12/12"), std::string::npos) << outcome.text;
    EXPECT_NE(outcome.text.find("post 12/12"), std::string::npos);
    EXPECT_NE(outcome.text.find("wrinkle height"), std::string::npos);
    EXPECT_NE(outcome.text.find("limits kept"), std::string::npos) << outcome.text;
    const std::string out = scratch / "run-post";
    const Json report = report_in(out);
    EXPECT_EQ(report["body_intersections"], 0);
    EXPECT_EQ(report["body_penetration_max"], 0.0);
    EXPECT_EQ(report["passed"], true);
    EXPECT_GT(report["post"]["body_intersections_before"], 0);
    EXPECT_GT(report["post"]["depth"], 0.001);
    EXPECT_TRUE(fs::exists(out + "/scene.toml"));
    // Other words take it for what it is.
    const Json measured = Json::parse(muslin("measure --json " + out).text)[0];
    EXPECT_EQ(measured["body_intersections"], 0);
    EXPECT_NEAR(measured["stretch_max"], report["stretch_max"], 1e-6);
    EXPECT_EQ(muslin("convert --quiet " + out + " " + (scratch / "cloth.mdd")).code, 0);
    EXPECT_EQ(muslin("info " + out).code, 0);
    EXPECT_EQ(muslin("render --quiet --width 200 --height 120 " + out).code, 0);
}

TEST(Post, SaysWhatIsWrong) {
    const Scratch scratch("post-errors");
    const auto expect_error = [](int code, const std::string& words, const std::string& arguments) {
        const Outcome outcome = muslin("post " + arguments);
        EXPECT_EQ(outcome.code, code) << outcome.text;
        EXPECT_NE(outcome.text.find(words), std::string::npos) << outcome.text;
        EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    };
    expect_error(4, "no such directory", scratch / "nothing");
    expect_error(2, "the directory of a run", scratch.path().string());
    ASSERT_EQ(muslin("run two-corner-sheet --frames 1 --quiet --set "
                     "cloth.sheet.mesh.vertices=100 -o " +
                     (scratch / "run"))
                  .code,
              0);
    expect_error(2, "a run with bodies", scratch / "run");
    expect_error(2, "--tau", (scratch / "run") + " --epsilon 2mm --tau 2mm");
    expect_error(2, "'3in'", (scratch / "run") + " --epsilon 3in");
    expect_error(2, "--depth", (scratch / "run") + " --depth -1mm");
    expect_error(2, "at most 0.05 m", (scratch / "run") + " --epsilon 60mm");
    expect_error(2, "subdivide", (scratch / "run") + " --subdivide 7");
    EXPECT_FALSE(fs::exists(scratch / "run-post"));
}

// Of a report that a hand or a disk has damaged: one line, and nothing is written.
TEST(Post, ADamagedReportIsRefused) {
    const Scratch scratch("post-damaged");
    make_run(scratch);
    const Json whole = report_in(scratch / "run");
    const auto expect_refused = [&](const std::string& words) {
        const Outcome outcome = muslin("post --quiet " + (scratch / "run"));
        EXPECT_EQ(outcome.code, 2) << outcome.text;
        EXPECT_NE(outcome.text.find(words), std::string::npos) << words << ": " << outcome.text;
        EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
        EXPECT_FALSE(fs::exists(scratch / "run-post"));
    };
    const std::vector<std::array<std::string, 3>> cases = {
        {"/last_frame", "5", "report.json: last_frame: expected an object, found 5"},
        {"/last_frame", "[]", "last_frame: expected an object, found an array of 0"},
        {"/cloths", "3", "cloths: expected an array of cloths, found 3"},
        {"/cloths", "[1]", "cloths[0]: expected an object, found 1"},
        {"/cloths/0/name", "1", "cloths[0], name: expected the name of a cloth, found 1"},
        {"/cloths/0/rest", "5", "cloths[0], rest: expected"},
        {"/cloths/0/thickness", "1e308", "cloths[0], thickness: expected a thickness from 0 to"},
        {"/cloths/0/thickness", "-1", "cloths[0], thickness: expected a thickness from 0 to"},
        {"/limits", "[1]", "limits: expected an object"},
        {"/limits/body_intersections", "1e300", "limits, body_intersections: expected"},
        {"/seams_open", "\"x\"", "seams_open: expected"},
        {"/deep", std::string(200, '[') + std::string(200, ']'), "more than 100 levels"},
    };
    for (const auto& [key, value, words] : cases) {
        Json damaged = whole;
        damaged[Json::json_pointer(key)] = Json::parse(value);
        scratch.write("run/report.json", damaged.dump());
        expect_refused(words);
    }
    scratch.write("run/report.json", "[]");
    expect_refused("report.json: expected the report of a run, an object in JSON, found array");
    scratch.write("run/report.json", whole.dump());
    for (const char* line : {R"({"frame":"x"})", R"({"frame":1e300})", R"({"time":1})"}) {
        scratch.write("run/stats.jsonl", std::string(line) + "\n");
        expect_refused("stats.jsonl: line 1, frame: expected the number of a frame");
    }
    // A run that was cut off has half a line.
    scratch.write("run/stats.jsonl", "{\"frame\":1,\"steps\":7}\n{\"frame\":2,\"st");
    EXPECT_EQ(muslin("post --quiet " + (scratch / "run")).code, 0);
}

TEST(Post, ADamagedFitIsRefused) {
    const Scratch scratch("fit-damaged");
    make_run(scratch);
    Json report = report_in(scratch / "run");
    const auto measure = [&](const char* fit) {
        report["fit"] = Json::parse(fit);
        scratch.write("run/report.json", report.dump());
        return muslin("measure --fit --height 0.2 " + (scratch / "run"));
    };
    const std::vector<std::array<const char*, 2>> cases = {
        {"5", "report.json: fit: expected an array of cloths, found 5"},
        {"[1]", "fit[0]: expected an object, found 1"},
        {R"([{"cloth":1}])", "fit[0], cloth: expected the name of a cloth, found 1"},
        {R"([{"cloth":"sheet"}])", "fit[0], parts: expected an array of parts, found nothing"},
        {R"([{"cloth":"sheet","parts":[{"part":"all","area":"x"}],"girths":[]}])",
         "fit[0], parts[0], area: expected a number"},
        {R"([{"cloth":"sheet","parts":[{"part":"all","area":1,"ease":{"mean":1}}],"girths":[]}])",
         "fit[0], parts[0], ease, min: expected a number, found nothing"},
        {R"([{"cloth":"sheet","parts":[],"girths":{}}])", "fit[0], girths: expected"},
    };
    for (const auto& [fit, words] : cases) {
        const Outcome outcome = measure(fit);
        EXPECT_EQ(outcome.code, 2) << outcome.text;
        EXPECT_NE(outcome.text.find(words), std::string::npos) << words << ": " << outcome.text;
        EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
    }
    EXPECT_EQ(measure(R"([{"cloth":"sheet","parts":[{"part":"all","area":1}],"girths":[]}])").code,
              0);
}

} // namespace
