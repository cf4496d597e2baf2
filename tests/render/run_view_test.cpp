#include "muslin/render/run_view.h"

#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/mesh/generators.h"
#include "scenes.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing;

constexpr int frame_count = 9;

PolygonMesh moved(PolygonMesh mesh, const Vec3& by) {
    for (Vec3& p : mesh.positions)
        p += by;
    return mesh;
}

/// A sheet that sinks towards a ball, as a run would leave it.
void write_run(const std::filesystem::path& directory) {
    GridSettings grid;
    grid.columns = grid.rows = 21;
    const PolygonMesh sheet = moved(make_grid(grid), {0, 1, 0});
    write_mesh(directory / "sheet.obj", sheet);
    Pc2Writer cache(directory / "sheet.pc2", static_cast<int>(sheet.positions.size()));
    for (int f = 0; f < frame_count; ++f)
        cache.append(moved(sheet, {0, -0.05 * f, 0}).positions);
    SphereSettings ball;
    ball.radius = 0.25;
    write_mesh(directory / "body-ball.obj", moved(make_sphere(ball), {0, 0.25, 0}));
}

RunViewOptions small(const std::filesystem::path& output) {
    RunViewOptions options;
    options.output = output;
    options.width = 320;
    options.height = 180;
    return options;
}

template <class Error>
std::string message_of(const std::filesystem::path& directory, const RunViewOptions& options) {
    try {
        render_run(directory, options);
    } catch (const Error& error) {
        return error.what();
    }
    ADD_FAILURE() << "no error of this kind";
    return "";
}

TEST(RunView, StillShowsTheLastFrameUnlessAskedForAnother) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "last.png");
    std::vector<std::pair<int, int>> progress;
    options.progress = [&](int done, int total) { progress.emplace_back(done, total); };
    EXPECT_EQ(render_run(run.path(), options).frames, 1);
    EXPECT_EQ(progress, (std::vector<std::pair<int, int>>{{1, 1}}));
    options.output = run / "named.png";
    options.frame = frame_count - 1;
    render_run(run.path(), options);
    EXPECT_EQ(slurp(run / "named.png"), slurp(run / "last.png"));
    options.frame = 0;
    render_run(run.path(), options);
    EXPECT_NE(slurp(run / "named.png"), slurp(run / "last.png"));
    options.frame.reset();
    options.checker = true; // a run's meshes carry their material coordinates
    render_run(run.path(), options);
    EXPECT_NE(slurp(run / "named.png"), slurp(run / "last.png"));
}

TEST(RunView, ContactSheetTilesItsFrames) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "sheet.png");
    options.sheet = ContactSheet{3, {}};
    EXPECT_EQ(render_run(run.path(), options).frames, 6);
    const std::string png = slurp(options.output);
    const auto number = [&](std::size_t at) { // big-endian, in the head of a PNG
        return static_cast<unsigned char>(png[at + 2]) * 256 +
               static_cast<unsigned char>(png[at + 3]);
    };
    EXPECT_EQ(number(16), 3 * (320 / 3));
    EXPECT_EQ(number(20), 2 * (106 * 180 / 320));
    options.sheet = ContactSheet{2, {0, 4, frame_count}};
    EXPECT_NE(message_of<InputError>(run.path(), options).find("0 .. 8"), std::string::npos);
}

TEST(RunView, MovieHoldsTheRun) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "run.mp4");
    EXPECT_EQ(render_run(run.path(), options).frames, frame_count);
    EXPECT_EQ(slurp(options.output).substr(4, 4), "ftyp");
}

TEST(RunView, PageHoldsTheRunAndTakesFewerFramesWhenTooLarge) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "run.html");
    options.statistics = "self intersections 0";
    EXPECT_EQ(render_run(run.path(), options).frames, frame_count);
    const std::string page = slurp(options.output);
    EXPECT_NE(page.find("self intersections 0"), std::string::npos);
    EXPECT_NE(page.find(R"("name":"sheet","vertices":441,"triangles":800,"frames":9)"),
              std::string::npos);
    EXPECT_NE(page.find(R"("name":"ball")"), std::string::npos);
    options.max_page_bytes = 441 * 8 * frame_count / 2;
    const RunViewReport fewer = render_run(run.path(), options);
    EXPECT_EQ(fewer.frame_step, 2);
    EXPECT_EQ(fewer.frames, 5);
    EXPECT_NE(slurp(options.output).find(R"("frameStep":2)"), std::string::npos);
}

TEST(RunView, NothingIsLeftOfAWorkThatWasGivenUp) {
    const ScratchDirectory run("run"), out("out");
    write_run(run.path());
    for (const char* name : {"a.mp4", "a.html", "a.png"}) {
        RunViewOptions options = small(out / name);
        options.sheet = ContactSheet{};
        options.progress = [](int, int) { throw std::runtime_error("enough"); };
        EXPECT_THROW(render_run(run.path(), options), std::runtime_error);
        EXPECT_EQ(out.entries(), 0U) << name;
    }
}

TEST(RunView, ErrorsSayWhatIsWrong) {
    const ScratchDirectory run("run"), empty("empty");
    write_run(run.path());
    EXPECT_NE(message_of<FileError>("/nonexistent/run", small("x.png")).find("no such directory"),
              std::string::npos);
    EXPECT_NE(message_of<FileError>(run / "sheet.obj", small("x.png")).find("not a directory"),
              std::string::npos);
    EXPECT_NE(message_of<InputError>(empty.path(), small("x.png")).find("NAME.pc2"),
              std::string::npos);
    RunViewOptions late = small("x.png");
    late.frame = frame_count;
    EXPECT_NE(message_of<InputError>(run.path(), late).find("0 .. 8"), std::string::npos);
    EXPECT_NE(message_of<InputError>(run.path(), small("x.gif")).find(".png, .mp4 or .html"),
              std::string::npos);
    GridSettings other;
    other.columns = 5;
    write_mesh(run / "sheet.obj", make_grid(other));
    EXPECT_NE(message_of<InputError>(run.path(), small("x.png")).find("different runs"),
              std::string::npos);
}

} // namespace
} // namespace muslin
