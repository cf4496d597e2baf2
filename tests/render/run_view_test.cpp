#include "muslin/render/run_view.h"

#include "muslin/base/error.h"
#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/mesh/generators.h"
#include "muslin/render/color_map.h"
#include "muslin/render/image.h"
#include "scenes.h"

#include <gtest/gtest.h>

#include <limits>

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

TEST(RunView, BodiesThatAreNotVisibleDoNotShow) {
    const ScratchDirectory run("run");
    write_run(run.path());
    const auto picture = [&](const char* name) {
        render_run(run.path(), small(run / name));
        return slurp(run / name);
    };
    const std::string shown = picture("shown.png");
    const auto report = run / "report.json";
    std::ofstream(report) << R"({"bodies": [{"name": "ball", "visible": false}]})";
    const std::string hidden = picture("hidden.png");
    std::filesystem::remove(report);
    std::filesystem::remove(run / "body-ball.obj");
    EXPECT_NE(hidden, shown);
    EXPECT_EQ(hidden, picture("without.png"));
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

TEST(RunView, NumbersOfASheetStandOutFromAnyBackground) {
    const ScratchDirectory run("run");
    write_run(run.path());
    for (const double shade : {0.05, 0.95}) {
        RunViewOptions options = small(run / "sheet.png");
        options.sheet = ContactSheet{2, {8, 8}};
        options.background = Vec3{shade, shade, shade};
        options.ground = false;
        render_run(run.path(), options);
        const Image sheet = read_image(options.output);
        int contrast = 0; // in the corner where the number is
        for (int y = 4; y < 20; ++y)
            for (int x = 4; x < 24; ++x)
                contrast =
                    std::max(contrast, std::abs(sheet.pixel(x, y)[1] - sheet.pixel(0, 0)[1]));
        EXPECT_GT(contrast, 120) << shade;
    }
}

TEST(RunView, MovieHoldsTheRun) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "run.mp4");
    EXPECT_EQ(render_run(run.path(), options).frames, frame_count);
    EXPECT_EQ(slurp(options.output).substr(4, 4), "ftyp");
}

TEST(RunView, SameRunGivesTheSameBytes) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "first.png");
    options.color = Field::speed;
    options.subdivide = 1;
    options.marking = Marking::always;
    options.caption = "{scene} {frame} {time}";
    render_run(run.path(), options);
    options.output = run / "second.png";
    render_run(run.path(), options);
    EXPECT_EQ(slurp(run / "first.png"), slurp(run / "second.png"));
    options.caption.clear();
    render_run(run.path(), options);
    EXPECT_NE(slurp(run / "first.png"), slurp(run / "second.png"));
}

/// The sheet sinks at 0.05 m a frame; seen from above it has one colour, that of its speed.
TEST(RunView, ColorsAreThoseOfTheLegend) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "speed.png");
    options.view = {0, 90};
    options.frame = 3;
    options.ground = options.shadows = false;
    options.color = Field::speed;
    const double speed = 0.05 * 30; // no report.json: 30 frames a second
    options.range = {0.0, 2 * speed};
    render_run(run.path(), options);
    const Vec3 found = mean_color(read_image(options.output), {100, 60});
    const Vec3 wanted = color_of(0.5, 0, 1);
    for (int c = 0; c < 3; ++c) // as bright as the light makes it, in the same proportions
        EXPECT_NEAR(found[c] / found.y, wanted[c] / wanted.y, 0.15) << c;
    options.range = {0.0, 100 * speed};
    render_run(run.path(), options);
    const Vec3 slow = mean_color(read_image(options.output), {100, 60});
    EXPECT_GT(slow.x, found.x + 60);
    options.range = {2.0, 1.0};
    EXPECT_NE(message_of<InputError>(run.path(), options).find("LOW:HIGH"), std::string::npos);
    options.range = {1e18, 1e18 + 128};
    EXPECT_NE(message_of<InputError>(run.path(), options).find("well below"), std::string::npos);
    options.range.reset();
    options.own_range = true; // 1.5 m/s is its end
    render_run(run.path(), options);
    const Vec3 fastest = mean_color(read_image(options.output), {100, 60});
    EXPECT_LT(fastest.y, 0.7 * found.y);
    options.own_range = false;
    options.color = Field::contact;
    EXPECT_NE(message_of<InputError>(run.path(), options).find("contact"), std::string::npos);
}

TEST(RunView, PicturesAreNumberedByFrame) {
    const ScratchDirectory run("run"), out("out");
    write_run(run.path());
    RunViewOptions options = small(out / "f-###.png");
    options.first_frame = 2;
    options.last_frame = 8;
    options.frame_step = 3;
    EXPECT_EQ(render_run(run.path(), options).frames, 3);
    EXPECT_EQ(out.entries(), 3U);
    for (const char* name : {"f-002.png", "f-005.png", "f-008.png"})
        EXPECT_EQ(read_image(out / name).width, 320) << name;
    options.output = out / "folder/deeper";
    options.frame_step = std::numeric_limits<int>::max();
    EXPECT_EQ(render_run(run.path(), options).frames, 1) << "the step leads beyond every frame";
    options.frame_step = 3;
    options.last_frame = 2;
    render_run(run.path(), options);
    EXPECT_EQ(slurp(out / "folder/deeper/0002.png").size(), slurp(out / "f-002.png").size());
    options.output = "/proc/nowhere/####.png";
    EXPECT_NE(message_of<FileError>(run.path(), options).find("/proc/nowhere"), std::string::npos);
}

TEST(RunView, TurntableGoesAroundAndKeepsTheSceneInView) {
    const ScratchDirectory run("run"), out("out");
    write_run(run.path());
    RunViewOptions options = small(out / "turn");
    options.width = 96;
    options.height = 64;
    options.turntable = true;
    options.frame = 4;
    options.ground = false;
    EXPECT_EQ(render_run(run.path(), options).frames, 120);
    EXPECT_EQ(
        static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(out / "turn"),
                                               std::filesystem::directory_iterator())),
        120U);
    // A square sheet over a ball looks the same after a quarter, and not after an eighth.
    const Image start = read_image(out / "turn/0000.png"),
                eighth = read_image(out / "turn/0015.png"),
                quarter = read_image(out / "turn/0030.png");
    const auto difference = [](const Image& a, const Image& b) {
        double sum = 0;
        for (std::size_t i = 0; i < a.rgb.size(); ++i)
            sum += std::abs(a.rgb[i] - b.rgb[i]);
        return sum / static_cast<double>(a.rgb.size());
    };
    EXPECT_LT(difference(start, quarter), 0.25 * difference(start, eighth));
    for (const Image& image : {start, eighth, quarter}) // nothing touches the border
        for (int x = 0; x < image.width; ++x) {
            EXPECT_NEAR(image.pixel(x, 0)[0], start.pixel(0, 0)[0], 2);
            EXPECT_NEAR(image.pixel(x, image.height - 1)[0], start.pixel(0, 0)[0], 2);
        }
    options.output = out / "turn.gif";
    options.frame.reset();
    EXPECT_EQ(render_run(run.path(), options).frames, frame_count);
    options.output = out / "turn.png";
    EXPECT_NE(message_of<InputError>(run.path(), options).find("turntable"), std::string::npos);
}

int reds(const std::filesystem::path& file) {
    const Image image = read_image(file);
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            count += image.pixel(x, y)[0] > 2 * image.pixel(x, y)[1] ? 1 : 0;
    return count;
}

/// At its last frame the sheet, at 0.6 m, has gone into a ball that reaches up to 0.7 m.
TEST(RunView, MarksWhatIntersectsWhereTheRunCountedIt) {
    const ScratchDirectory run("run");
    write_run(run.path());
    SphereSettings ball;
    ball.radius = 0.35;
    write_mesh(run / "body-ball.obj", moved(make_sphere(ball), {0, 0.35, 0}));
    RunViewOptions options = small(run / "marked.png");
    render_run(run.path(), options);
    EXPECT_EQ(reds(options.output), 0) << "no figures, no search";
    std::ofstream(run / "stats.jsonl") << R"({"frame":7,"body_intersections":0})" << '\n'
                                       << R"({"frame":8,"body_intersections":20})" << '\n';
    render_run(run.path(), options);
    EXPECT_GT(reds(options.output), 100);
    options.frame = 7; // not counted there
    render_run(run.path(), options);
    EXPECT_EQ(reds(options.output), 0);
    options.marking = Marking::always;
    render_run(run.path(), options);
    EXPECT_GT(reds(options.output), 0) << "at 0.65 m it is inside too";
    options.frame = 0;
    render_run(run.path(), options);
    EXPECT_EQ(reds(options.output), 0) << "above the ball";
    options.frame = 8;
    options.marking = Marking::never;
    render_run(run.path(), options);
    EXPECT_EQ(reds(options.output), 0);
}

TEST(RunView, TextureNeedsAPictureAndCoordinates) {
    const ScratchDirectory run("run");
    write_run(run.path());
    Image red(8, 8);
    for (std::size_t i = 0; i < red.rgb.size(); i += 3)
        red.rgb[i] = 255;
    write_png(run / "red.png", red);
    RunViewOptions options = small(run / "textured.png");
    options.texture = run / "red.png";
    render_run(run.path(), options);
    EXPECT_GT(reds(options.output), 1000);
    options.texture = run / "none.png";
    EXPECT_NE(message_of<FileError>(run.path(), options).find("none.png"), std::string::npos);
    options.texture = run / "sheet.obj";
    EXPECT_NE(message_of<InputError>(run.path(), options).find("a PNG or JPEG"), std::string::npos);
}

TEST(RunView, CameraGoesWhereItIsTold) {
    const ScratchDirectory run("run");
    write_run(run.path());
    RunViewOptions options = small(run / "far.png");
    options.ground = false;
    const auto covered = [&] {
        render_run(run.path(), options);
        const Image image = read_image(options.output);
        int count = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                count += std::abs(image.pixel(x, y)[2] - image.pixel(0, 0)[2]) > 6 ? 1 : 0;
        return count;
    };
    const int whole = covered();
    options.zoom = 0.5;
    EXPECT_NEAR(covered(), 0.25 * whole, 0.05 * whole);
    options.look_at = Vec3{50, 0, 0};
    EXPECT_EQ(covered(), 0);
    options.look_at.reset();
    options.zoom = 1;
    options.vertical_fov = 60; // wider, but closer: it still fills the picture
    EXPECT_GT(covered(), 0.5 * whole);
    options.vertical_fov = 28;
    write_mesh(run / "body-wall.obj", moved(make_grid({}), {20, 0, 0}));
    const int with_wall = covered();
    EXPECT_LT(with_wall, 0.1 * whole) << "a wall far away makes everything small";
    options.fit_cloth = true;
    EXPECT_GT(covered(), 0.5 * whole);
    options.zoom = 0;
    EXPECT_NE(message_of<InputError>(run.path(), options).find("zoom"), std::string::npos);
}

TEST(RunView, NothingIsLeftOfAWorkThatWasGivenUp) {
    const ScratchDirectory run("run"), out("out");
    write_run(run.path());
    for (const char* name : {"a.mp4", "a.html", "a.png"}) {
        RunViewOptions options = small(out / name);
        if (options.output.extension() == ".png")
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
    EXPECT_NE(message_of<InputError>(run.path(), small("x.avi")).find(".png, .mp4, .gif"),
              std::string::npos);
    RunViewOptions slow = small("x.html");
    slow.playback_rate = 10;
    EXPECT_NE(message_of<InputError>(run.path(), slow).find("a movie as output"),
              std::string::npos);
    GridSettings other;
    other.columns = 5;
    write_mesh(run / "sheet.obj", make_grid(other));
    EXPECT_NE(message_of<InputError>(run.path(), small("x.png")).find("different runs"),
              std::string::npos);
}

} // namespace
} // namespace muslin
