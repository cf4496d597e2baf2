#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/mesh/generators.h"
#include "muslin/render/page_certificate.h"
#include "muslin/render/run_view.h"
#include "scenes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace muslin {
namespace {

using namespace testing;
using Json = nlohmann::json;

constexpr int frame_count = 12;

/// A sheet whose vertices tremble, so that its frames do not pack to nothing, and a ball.
void write_run(const std::filesystem::path& directory) {
    GridSettings grid;
    grid.columns = grid.rows = 21;
    const PolygonMesh sheet = make_grid(grid);
    write_mesh(directory / "sheet.obj", sheet);
    Pc2Writer cache(directory / "sheet.pc2", static_cast<int>(sheet.positions.size()));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> tremble(-0.01, 0.01);
    for (int f = 0; f < frame_count; ++f) {
        std::vector<Vec3> positions = sheet.positions;
        for (Vec3& p : positions)
            p += Vec3{tremble(random), 0.5 - 0.03 * f + tremble(random), tremble(random)};
        cache.append(positions);
    }
    SphereSettings ball;
    ball.radius = 0.25;
    write_mesh(directory / "body-ball.obj", make_sphere(ball));
}

void write_text(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file) << text;
}

Json head_of(const std::filesystem::path& file) {
    const std::string page = slurp(file), open = "id=\"head\">";
    const std::size_t begin = page.find(open) + open.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::string value_of(const Json& head, const std::string& label) {
    for (const Json& figure : head["certificate"])
        if (figure["label"] == label)
            return figure["value"];
    return "";
}

RunViewOptions page_options(const std::filesystem::path& output) {
    RunViewOptions options;
    options.output = output;
    return options;
}

TEST(RunPage, HoldsSurfacesFieldsAndWhatTheReportProves) {
    const ScratchDirectory run("run");
    write_run(run.path());
    write_text(run / "report.json", R"({"scene": "fall", "title": "A fall", "program": "muslin 9",
        "recipe": "bw98", "frames": 11, "frames_wanted": 11, "frame_rate": 25, "steps": 44,
        "threads": 2, "particles": 441, "triangles": 800, "seconds_per_frame": 0.0125,
        "stretch_max": 1.25, "stretch_min": 0.96, "self_intersections": 3, "body_intersections": 0,
        "body_penetration_max": 0.0015, "hash": "c0ffee", "passed": false,
        "limits": {"stretch_max": 1.1, "stretch_min": 0.9, "body_intersections": 0}})");
    std::string lines;
    for (int f = 1; f < frame_count; ++f)
        lines += fmt::format(
                     R"({{"frame": {}, "steps": 4, "contacts": {}, "energy": {{"kinetic": 0.5}}}})",
                     f, 10 * f) +
                 "\n";
    write_text(run / "stats.jsonl", lines);
    RunViewOptions options = page_options(run / "page");
    options.page = true; // whatever the name
    options.color = Field::shear;
    options.range = {5, 50};
    options.own_range = true;
    EXPECT_EQ(render_run(run.path(), options).frames, frame_count);

    const Json head = head_of(run / "page");
    EXPECT_EQ(head["title"], "A fall");
    EXPECT_EQ(head["fps"], 25);
    EXPECT_EQ(head["color"], "shear");
    EXPECT_EQ(head["fit"], true);
    ASSERT_EQ(head["meshes"].size(), 2U);
    EXPECT_EQ(head["meshes"][0]["name"], "sheet");
    EXPECT_EQ(head["meshes"][0]["vertices"], 441);
    EXPECT_EQ(head["meshes"][0]["frames"], frame_count);
    EXPECT_EQ(head["meshes"][1]["name"], "ball");
    EXPECT_EQ(head["meshes"][1]["frames"], 1);
    EXPECT_EQ(head["meshes"][1]["body"], true);
    std::vector<std::string> fields;
    for (const Json& field : head["fields"]) {
        fields.push_back(field["name"]);
        EXPECT_EQ(field["frames"], frame_count);
        EXPECT_EQ(field["meshes"], Json::array({0}));
    }
    EXPECT_EQ(fields, (std::vector<std::string>{"stretch", "shear", "bending", "speed"}));
    EXPECT_EQ(head["fields"][1]["low"], 5);
    EXPECT_EQ(head["fields"][1]["high"], 50);

    EXPECT_EQ(head["passed"], false);
    EXPECT_NE(head["verdict"].get<std::string>().find("broken"), std::string::npos);
    EXPECT_EQ(value_of(head, "Self-intersections"), "3");
    EXPECT_EQ(value_of(head, "Body intersections"), "0 (limit 0)");
    EXPECT_EQ(value_of(head, "Deepest inside a body"), "1.5 mm");
    EXPECT_EQ(value_of(head, "Longest edge / rest"), "1.2500 (limit 1.1)");
    EXPECT_EQ(value_of(head, "Shortest edge / rest"), "0.9600 (limit 0.9)");
    EXPECT_EQ(value_of(head, "Computed in"), "12 ms / frame, 2 threads");
    EXPECT_EQ(value_of(head, "Hash"), "c0ffee");
    EXPECT_NE(value_of(head, "Positions shown").find("mm"), std::string::npos);
    for (const Json& figure : head["certificate"]) {
        if (figure["label"] == "Longest edge / rest") {
            EXPECT_EQ(figure["kept"], false);
        } else if (figure.contains("kept")) {
            EXPECT_EQ(figure["kept"], true) << figure;
        }
    }
    const Json& contacts = head["series"][2];
    EXPECT_EQ(contacts["label"], "Contacts");
    EXPECT_TRUE(contacts["values"][0].is_null()); // the start has no figures
    EXPECT_EQ(contacts["values"][11], 110);
}

TEST(RunPage, LeavesOutBodiesThatAreNotVisible) {
    const ScratchDirectory run("run");
    write_run(run.path());
    write_mesh(run / "body-door.obj", make_box({{1, 1, 0.1}, 1}));
    write_text(run / "report.json",
               R"({"bodies": [{"name": "ball"}, {"name": "door", "visible": false}]})");
    render_run(run.path(), page_options(run / "page.html"));
    const Json meshes = head_of(run / "page.html")["meshes"];
    ASSERT_EQ(meshes.size(), 2U);
    EXPECT_EQ(meshes[0]["name"], "sheet");
    EXPECT_EQ(meshes[1]["name"], "ball");
}

TEST(RunPage, SaysThatThereIsNoReport) {
    const ScratchDirectory run("run");
    write_run(run.path());
    render_run(run.path(), page_options(run / "page.html"));
    const Json head = head_of(run / "page.html");
    EXPECT_FALSE(head.contains("passed"));
    EXPECT_NE(head["verdict"].get<std::string>().find("no certificate"), std::string::npos);
    EXPECT_EQ(head["title"], run.path().filename().string());
    EXPECT_TRUE(head["series"].empty());
}

TEST(RunPage, AnEarlyEndIsNoPass) {
    Certificate certificate;
    certificate.passed = true;
    certificate.error = "the step became too small";
    PageSettings page;
    describe_certificate(certificate, page);
    EXPECT_EQ(page.passed, false);
    EXPECT_NE(page.verdict.find("too small"), std::string::npos);
}

TEST(RunPage, TakesFewerFramesWhenTooLarge) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = page_options(run / "page.html");
    render_run(run.path(), options);
    const std::size_t whole = slurp(options.output).size();
    options.frame_step = 100; // one frame: all that does not grow with them
    render_run(run.path(), options);
    const std::size_t least = slurp(options.output).size();
    ASSERT_GT(whole, least + 20'000);
    options.frame_step = 1;
    options.max_page_bytes = least + (whole - least) / 2;
    const RunViewReport fewer = render_run(run.path(), options);
    EXPECT_GE(fewer.frame_step, 2);
    EXPECT_LE(fewer.frame_step, 3);
    EXPECT_EQ(fewer.frames, (frame_count + fewer.frame_step - 1) / fewer.frame_step);
    EXPECT_LT(slurp(options.output).size(), options.max_page_bytes + 10'000);
    const Json head = head_of(options.output);
    EXPECT_EQ(head["frameStep"], fewer.frame_step);
    EXPECT_NE(value_of(head, "Frames shown"), "");
    options.max_page_bytes = 1; // nothing fits: two frames all the same
    EXPECT_LE(render_run(run.path(), options).frames, 2);
}

} // namespace
} // namespace muslin
