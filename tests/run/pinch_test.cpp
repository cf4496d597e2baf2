// Cloth between parts of a body that overlap.
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/generators.h"
#include "muslin/run/dress.h"
#include "muslin/run/dressed_body.h"
#include "muslin/run/judge.h"
#include "muslin/scene/load.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace muslin {
namespace {

/// Two balls of radius 0.1 m as one mesh, `apart` [m] from each other along x.
PolygonMesh two_balls(double apart) {
    const PolygonMesh ball = make_sphere({0.1, 16, 32});
    PolygonMesh out;
    for (const double side : {-1.0, 1.0}) {
        const int first = static_cast<int>(out.positions.size());
        const int corners = static_cast<int>(out.corner_vertex.size());
        for (const Vec3& p : ball.positions)
            out.positions.push_back(p + Vec3{side * (0.1 + apart / 2), 0, 0});
        for (const int v : ball.corner_vertex)
            out.corner_vertex.push_back(first + v);
        for (int f = 1; f <= ball.face_count(); ++f)
            out.face_begin.push_back(corners + ball.face_begin[f]);
    }
    return out;
}

// A body that closes on cloth and overlaps itself there: the cloth keeps still in between, and is
// outside when the body opens.
TEST(Pinch, ClothStaysCalmAndComesFree) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pinch";
    std::filesystem::create_directories(folder);
    const double apart[] = {0.04, -0.01, -0.01, 0.04}; // [m], 0.4 s each
    for (int k = 0; k < 4; ++k)
        write_mesh(folder / ("balls.000" + std::to_string(k) + ".obj"), two_balls(apart[k]));
    write_mesh(folder / "wide.obj", two_balls(1.2)); // no panel is laid out between them else
    std::ofstream(folder / "strip.toml") << R"(
unit = "m"
[[panel]]
name = "strip"
rotation = [0, 90, 0]
points = [[-0.06, -0.1], [0.06, -0.1], [0.06, 0.1], [-0.06, 0.1]]
)";
    const SceneDescription description = parse_scene(R"(
[time]
frames = 39
[world]
gravity = [0, 0, 0]
[dressing]
sew = 0.1
settle = 0
preroll = 0.3
slim = 0
cache = "none"
[[body]]
name = "balls"
mesh = "wide.obj"
animation = { path = "balls.####.obj", frame_rate = 2.5 }
[[garment]]
name = "strip"
pattern = "strip.toml"
resolution = 0.02
material = "cotton-poplin"
)",
                                                     "test.toml", folder, "test");
    Simulation simulation(description);
    dress(description, simulation, {});
    const Judge judge(simulation.model());
    int pinched = 0;
    for (int frame = 1; frame <= 39; ++frame) {
        const FrameReport report = simulation.advance_frame();
        const Verdict verdict = judge.judge(simulation.state().positions, simulation.state().time);
        EXPECT_EQ(verdict.self_intersections, 0) << frame;
        EXPECT_EQ(verdict.body_intersections, 0) << frame;
        EXPECT_LT(*verdict.body_penetration_max, 1e-4) << frame;
        EXPECT_TRUE(report.released.empty()) << frame;
        pinched += verdict.pinched_intersections;
        if (frame >= 20 && frame <= 24) { // closed for 0.27 s and more
            EXPECT_LT(report.kinetic, 1e-6) << frame;
        }
        if (frame == 39) { // open
            EXPECT_EQ(verdict.pinched_intersections + verdict.pinched_vertices, 0);
        }
    }
    EXPECT_GT(pinched, 0) << "the cloth was between what overlaps";
    std::filesystem::remove_all(folder);
}

TEST(Pinch, SkinUnderClothStaysBackInWhatIsDrawn) {
    Body body;
    body.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    body.parted = {{{0, {0, 0.01, 0}}, {1, {0, 0.01, 0}}}};
    const Vec3 cloth[] = {{0.01, 0.01, 0.01}, {2, 0, 0}, {1, 0.0475, 0}}; // the last half way
    std::vector<Vec3> x(3);
    dressed_positions(body, 0, cloth, x);
    EXPECT_EQ(x[0].y, 0);
    EXPECT_NEAR(x[1].y, 0.005, 1e-15);
    EXPECT_EQ(x[2].y, 0);
    dressed_positions(body, 0, std::span(cloth).first(1), x);
    EXPECT_EQ(x[1].y, 0.01) << "no cloth there";
}

} // namespace
} // namespace muslin
