// Where motion comes from: formulas, frames from files, for bodies and for what is pinned.
#include "scene/scene_testing.h"

#include "muslin/io/mesh_file.h"
#include "muslin/io/pc2.h"
#include "muslin/scene/build_scene.h"

#include <cmath>
#include <functional>

namespace muslin {
namespace {

using testing::parse;
using testing::problem_in;
using testing::problem_of;
using testing::with_sheet;

/// A scene of one second with every value that may be a formula; `{}` stands for the formula.
struct Animatable {
    const char* key;
    std::string scene;
    std::function<double(const SceneDescription&, double)> value; ///< at a time
    bool is_vector;
};

std::vector<Animatable> all_animatable() {
    const std::string time = "[time]\nframes = 30\nframe_rate = 30\n";
    const auto with = [&](const std::string& rest) { return with_sheet(time + rest); };
    const std::string body = "[[body]]\nmesh = { type = \"box\" }\n";
    const std::string pin = "[[pin]]\nvertices = [0]\n";
    return {{"world.wind", with("[world]\nwind = {}\n"),
             [](const auto& s, double t) { return s.world.wind.at(t).x; }, true},
            {"body[0].motion.translation", with(body + "motion = { translation = {} }\n"),
             [](const auto& s, double t) { return s.bodies[0].motion.translation.at(t).x; }, true},
            {"body[0].motion.rotation", with(body + "motion = { rotation = {} }\n"),
             [](const auto& s, double t) { return s.bodies[0].motion.rotation.at(t).x; }, true},
            {"pin[0].motion.translation", with(pin + "motion = { translation = {} }\n"),
             [](const auto& s, double t) { return s.pins[0].motion.translation.at(t).x; }, true},
            {"pin[0].motion.rotation", with(pin + "motion = { rotation = {} }\n"),
             [](const auto& s, double t) { return s.pins[0].motion.rotation.at(t).x; }, true},
            {"rest_stretch[0].b_u", with("[[rest_stretch]]\nb_u = {}\n"),
             [](const auto& s, double t) { return s.rest_stretches[0].b_u.at(t); }, false},
            {"rest_stretch[0].b_v", with("[[rest_stretch]]\nb_v = {}\n"),
             [](const auto& s, double t) { return s.rest_stretches[0].b_v.at(t); }, false},
            {"pull[0].target", with("[[pull]]\nvertices = [0]\ntarget = {}\n"),
             [](const auto& s, double t) { return s.pulls[0].target.at(t).x; }, true},
            {"load[0].force", with("[[load]]\nvertices = [0]\nforce = {}\n"),
             [](const auto& s, double t) { return s.loads[0].force.at(t).x; }, true},
            {"sticking[0].strength",
             with(body + "[[sticking]]\nvertices = [0]\nbody = \"body\"\nstrength = {}\n"),
             [](const auto& s, double t) { return s.stickings[0].strength.at(t); }, false}};
}

std::string filled(const Animatable& one, const std::string& formula) {
    const std::string text = one.is_vector ? "[\"" + formula + "\", 0, 0]" : '"' + formula + '"';
    std::string out = one.scene;
    return out.replace(out.find("{}"), 2, text);
}

TEST(Formulas, StandWhereverAValueMayChange) {
    for (const Animatable& one : all_animatable()) {
        const SceneDescription scene = parse(filled(one, "1 + 0.5 * sin(2 * pi * t)"));
        for (const double t : {0.0, 0.25, 0.6})
            EXPECT_NEAR(one.value(scene, t), 1 + 0.5 * std::sin(2 * M_PI * t), 1e-12) << one.key;
    }
}

TEST(Formulas, AreRefusedWhereTheyHaveNoValueInTheTimeOfTheScene) {
    for (const Animatable& one : all_animatable()) {
        const Problem p = problem_in(filled(one, "1 + 1 / (t - 0.5)"));
        EXPECT_EQ(p.key, one.key);
        EXPECT_GT(p.where.line, 2) << one.key;
        EXPECT_NE(p.expected.find("a formula that gives a"), std::string::npos) << p.expected;
        EXPECT_NE(p.found.find("from \"1 + 1 / (t - 0.5)\" at t = "), std::string::npos) << p.found;
        EXPECT_NO_THROW(parse(filled(one, "1 + 0.1 / (t + 0.5)"))) << one.key;
        EXPECT_EQ(problem_in(filled(one, "1 + tt")).found, "'tt' at column 5 of \"1 + tt\"");
        EXPECT_EQ(problem_in(filled(one, "exp(1000 * t)")).key, one.key);
    }
}

TEST(Formulas, KeepTheRangeOfTheirKey) {
    const auto found = [](const std::string& formula) {
        return problem_in(with_sheet("[[rest_stretch]]\nb_u = \"" + formula + "\"\n"));
    };
    EXPECT_EQ(found("1 - t").key, "rest_stretch[0].b_u");
    EXPECT_EQ(found("1 - t").expected,
              "a formula that gives a number from 0.05 to 20 at any time of the scene");
    EXPECT_NE(found("100 * t").found.find("0 from \"100 * t\" at t = 0 s"), std::string::npos);
}

TEST(Formulas, AreCheckedWhileTheyAct) {
    const std::string pin = "[time]\nframes = 60\n[[pin]]\nvertices = [0]\n"
                            "motion = { translation = [0, \"sqrt(t - 1)\", 0] }\n";
    EXPECT_EQ(problem_in(with_sheet(pin)).key, "pin[0].motion.translation");
    EXPECT_NO_THROW(parse(with_sheet(pin + "start = 1\n")));
}

TEST(Formulas, OutsideTheTimesThatWereCheckedStopTheSimulation) {
    const SceneDescription scene =
        parse(with_sheet("[time]\nframes = 30\n[world]\nwind = [0, 0, \"sqrt(2 - t)\"]\n"));
    EXPECT_EQ(scene.world.wind.at(1).z, 1);
    try {
        scene.world.wind.at(3);
        FAIL();
    } catch (const SimulationError& error) {
        EXPECT_NE(std::string(error.what()).find("world.wind: expected"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("\"sqrt(2 - t)\" at t = 3 s"), std::string::npos)
            << error.what();
    }
}

TEST(Formulas, MayBeMixedWithNumbersAndGivenOnTheCommandLine) {
    const SceneDescription scene = parse(
        with_sheet("[world]\nwind = [1.5, \"2 * t\", -3]\n[[rest_stretch]]\nname = \"all\"\n"),
        {"rest_stretch.all.b_u=1 + 0.1 * t"});
    EXPECT_EQ(norm(scene.world.wind.at(2) - Vec3{1.5, 4, -3}), 0);
    EXPECT_NEAR(scene.rest_stretches[0].b_u.at(2), 1.2, 1e-15);
    EXPECT_FALSE(scene.world.wind.is_constant());
    EXPECT_TRUE(parse(with_sheet("[world]\nwind = [1, \"pi\", 0]\n")).world.wind.is_constant());
}

TEST(Wind, MayBeAFieldOverPlaceAndTime) {
    const SceneDescription scene =
        parse(with_sheet("[world]\nwind = [\"-z * t\", 1.5, \"x + y\"]\n"));
    EXPECT_FALSE(scene.world.wind.is_uniform());
    EXPECT_EQ(norm(scene.world.wind.at_place(2, {3, 4, 5}) - Vec3{-10, 1.5, 7}), 0);
    EXPECT_FALSE(build_scene(scene).conditions.air.wind.is_uniform());
    EXPECT_TRUE(parse(with_sheet("[world]\nwind = [\"t\", 0, 0]\n")).world.wind.is_uniform());
    // Nothing else is anywhere in particular.
    EXPECT_EQ(problem_in(with_sheet("[[load]]\nvertices = [0]\nforce = [\"1 + x\", 0, 0]\n")).found,
              "'x' at column 5 of \"1 + x\"");
    EXPECT_EQ(problem_in(with_sheet("[world]\nwind = [0, \"2 * xx\", 0]\n")).found,
              "'xx' at column 5 of \"2 * xx\"");
}

TEST(Wind, IsRefusedWhereItIsNotFiniteAtTheStart) {
    const SceneDescription scene = // the sheet lies at y = 0
        parse(with_sheet("[world]\nwind = [0, 0, \"1 / (y + t - 1)\"]\n"));
    const Problem p = problem_of([&] { build_scene(scene); });
    EXPECT_EQ(p.key, "world.wind");
    EXPECT_GT(p.where.line, 2);
    EXPECT_NE(p.found.find("inf from \"1 / (y + t - 1)\" at t = 1 s, x = "), std::string::npos)
        << p.found;
    EXPECT_NO_THROW(
        build_scene(parse(with_sheet("[world]\nwind = [0, 0, \"1 / (y + t + 1)\"]\n"))));
}

TEST(Air, KeysKeepTheirRanges) {
    const std::string recipe = "recipe = \"bayraktar07\"\n";
    EXPECT_EQ(parse(with_sheet(recipe + "[world]\nviscous_drag = 0.3\n")).world.viscous_drag, 0.3);
    EXPECT_EQ(problem_in(with_sheet("[world]\nviscous_drag = -1\n")).key, "world.viscous_drag");
    EXPECT_EQ(parse(with_sheet(recipe + "[solver]\nerror = 1e-4\nadaptive = false\n")).solver.error,
              1e-4);
    EXPECT_EQ(problem_in(with_sheet("[solver]\nerror = 0\n")).key, "solver.error");
    EXPECT_EQ(problem_in(with_sheet("[solver]\nerror = 1\n")).key, "solver.error");
    EXPECT_EQ(problem_in(with_sheet("[solver]\nadaptive = 1\n")).key, "solver.adaptive");
}

TEST(Formulas, AreNoKeyframesAndNoPlainNumbers) {
    EXPECT_EQ(problem_in(with_sheet("[world]\nwind = \"t\"\n")).expected, "three numbers [m/s]");
    EXPECT_EQ(problem_in(with_sheet("[world]\nwind = [{ t = 0, value = [0, \"t\", 0] }]\n")).key,
              "world.wind[0].value[1]");
    EXPECT_EQ(problem_in(with_sheet("[world]\nair_density = \"t\"\n")).key, "world.air_density");
    EXPECT_EQ(problem_in(with_sheet("[world]\nwind = [0, \"t\"]\n")).expected,
              "three numbers [m/s]");
}

// A spinning body turns by its formula in the model, and counts as moving.
TEST(Formulas, TurnABody) {
    const Body body = build_scene(parse(with_sheet("[[body]]\nmesh = { type = \"box\" }\n"
                                                   "motion = { rotation = [0, 0, \"90 * t\"] }\n")))
                          .model.bodies.at(0);
    EXPECT_TRUE(is_moving(body));
    std::vector<Vec3> x(body.mesh.positions.size());
    body_positions(body, 1, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 p = body.mesh.positions[i];
        EXPECT_LT(norm(x[i] - Vec3{-p.y, p.x, p.z}), 1e-14);
    }
}

// A box that rises by 0.1 m a frame, as numbered meshes and as a point cache, and a sheet likewise.
class Frames : public ::testing::Test {
protected:
    Frames() {
        write("box", make_box({}));
        write("sheet", make_grid({.columns = 3, .rows = 3}));
    }
    void write(const std::string& name, const PolygonMesh& mesh) {
        Pc2Writer cache(folder_.path() / (name + ".pc2"), static_cast<int>(mesh.positions.size()));
        PolygonMesh moved = mesh;
        for (int k = 0; k < 3; ++k) {
            write_mesh(folder_.path() / (name + ".000" + std::to_string(k) + ".obj"), moved);
            cache.append(moved.positions);
            for (Vec3& p : moved.positions)
                p.y += 0.1;
        }
    }
    std::string body_scene(const std::string& animation) const {
        return folder_.write("scene.toml",
                             with_sheet("[time]\nframe_rate = 10\n[[body]]\nname = \"box\"\n"
                                        "mesh = \"box.0000.obj\"\nposition = [0, 2, 0]\nscale = "
                                        "0.5\nanimation = " +
                                        animation + "\n"));
    }
    std::string pin_scene(const std::string& lines, const std::string& cloth = "") const {
        return folder_.write("pinned.toml",
                             "[time]\nframe_rate = 10\n[[cloth]]\nname = \"sheet\"\n"
                             "mesh = \"sheet.0000.obj\"\n" +
                                 cloth + "[[pin]]\nname = \"all\"\nvertices = [0, 4, 8]\n" + lines);
    }
    testing::TemporaryFolder folder_;
};

TEST_F(Frames, OfNumberedMeshesDeformABodyAsACacheDoes) {
    for (const char* animation : {"\"box.####.obj\"", "\"box.pc2\"", "{ path = \"box.#.obj\" }"}) {
        const Body body = build_scene(load_scene(body_scene(animation))).model.bodies.at(0);
        ASSERT_EQ(body.frames.size(), 3u);
        EXPECT_EQ(body.frame_rate, 10);
        std::vector<Vec3> x(body.mesh.positions.size());
        body_positions(body, 0.15, x);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_LT(norm(x[i] - body.mesh.positions[i] - Vec3{0, 0.075, 0}), 1e-6);
    }
    EXPECT_EQ(build_scene(load_scene(body_scene("{ path = \"box.####.obj\", frame_rate = 24 }")))
                  .model.bodies.at(0)
                  .frame_rate,
              24);
}

TEST_F(Frames, OfNumberedMeshesMustFit) {
    const auto problem = [&](const std::string& animation) {
        return problem_of([&] { build_scene(load_scene(body_scene(animation))); });
    };
    EXPECT_EQ(problem("\"none.####.obj\"").found, "none in the folder");
    EXPECT_EQ(problem("\"none.####.obj\"").key, "body[0].animation");
    EXPECT_EQ(problem("\"nowhere/box.####.obj\"").expected, "a folder that can be read");
    EXPECT_EQ(problem("\"box.####.off\"").key, "body[0].animation");
    EXPECT_EQ(problem("\"sheet.####.obj\"").key, "body 'box': animation");
    EXPECT_EQ(problem("\"sheet.####.obj\"").expected, "meshes of 8 vertices, as the mesh has");
    write_mesh(folder_.path() / "box.0004.obj", make_box({}));
    EXPECT_EQ(problem("\"box.####.obj\"").found, "no box.0003.obj");
    std::filesystem::remove(folder_.path() / "box.0004.obj");
    PolygonMesh turned = make_box({});
    std::swap(turned.corner_vertex[0], turned.corner_vertex[1]);
    for (int k = 0; k < 2; ++k)
        write_mesh(folder_.path() / ("other.000" + std::to_string(k) + ".obj"), turned);
    EXPECT_EQ(problem("\"other.####.obj\"").expected,
              "meshes with the polygons of the mesh, in its order");
}

TEST_F(Frames, MovePinnedVertices) {
    for (const char* animation : {"\"sheet.####.obj\"", "\"sheet.pc2\""}) {
        const BuiltScene built = build_scene(load_scene(pin_scene(
            "animation = " + std::string(animation) + "\nend = 1\n", "position = [1, 0, 0]\n")));
        const Pin& pin = built.conditions.pins.at(0);
        ASSERT_EQ(pin.frames.size(), 3u);
        EXPECT_EQ(pin.frame_rate, 10);
        for (std::size_t i = 0; i < pin.particles.size(); ++i)
            for (int k = 0; k < 3; ++k)
                EXPECT_LT(norm(pin.frames[k][i] - pin.start[i] - Vec3{0, 0.1 * k, 0}), 1e-6);
    }
}

TEST_F(Frames, OfAPinBeginWhereTheClothDoes) {
    const auto build = [&](const std::string& lines, const std::string& cloth) {
        return build_scene(load_scene(pin_scene(lines, cloth)));
    };
    // The second frame as the cloth's mesh.
    const auto shifted = [&](const std::string& lines) {
        std::string text = testing::read_file(pin_scene(lines));
        text.replace(text.find("sheet.0000"), 10, "sheet.0001");
        return build_scene(load_scene(folder_.write("later.toml", text)));
    };
    const Problem p = problem_of([&] { shifted("animation = \"sheet.pc2\"\n"); });
    EXPECT_EQ(p.key, "pin 'all': animation");
    EXPECT_EQ(p.found, "one 0.1 m off");
    EXPECT_NO_THROW(shifted("animation = \"sheet.pc2\"\nstart = 0.1\n"));
    EXPECT_NO_THROW(build("animation = \"sheet.pc2\"\n", ""));
}

TEST_F(Frames, OfAPinGoWithPointsAndDirectionsAlone) {
    const auto problem = [&](const std::string& lines) {
        return problem_of([&] { load_scene(pin_scene("animation = \"sheet.pc2\"\n" + lines)); });
    };
    EXPECT_EQ(problem("hold = \"sphere\"\ncenter = [0, 0, 0]\nradius = 1\n").key,
              "pin[0].animation");
    EXPECT_NO_THROW(load_scene(
        pin_scene("animation = \"sheet.pc2\"\nhold = \"directions\"\ndirections = [[0, 1, 0]]\n")));
    EXPECT_EQ(problem_of([&] {
                  build_scene(load_scene(pin_scene("animation = \"box.pc2\"\n")));
              }).expected,
              "a point cache of 9 points, one for each vertex of the mesh");
}

TEST(Bodies, MayBeInvisible) {
    const std::string body = "[[body]]\nmesh = { type = \"box\" }\n";
    EXPECT_TRUE(build_scene(parse(with_sheet(body))).model.bodies.at(0).visible);
    EXPECT_FALSE(
        build_scene(parse(with_sheet(body + "visible = false\n"))).model.bodies.at(0).visible);
    EXPECT_EQ(problem_in(with_sheet(body + "visible = 0\n")).key, "body[0].visible");
}

TEST(Garments, ReachTheModelWithTheirPanelsAsPattern) {
    const Model model = build_scene(parse("[[cloth]]\nname = \"a\"\nmesh = { type = \"shirt\" }\n"
                                          "[[cloth]]\nname = \"b\"\nmesh = { type = \"shorts\" }\n"
                                          "[[body]]\nmesh = { type = \"drum\", paddles = 4 }\n"))
                            .model;
    EXPECT_EQ(model.cloths[0].surface.rest, RestShape::texcoords);
    EXPECT_EQ(model.cloths[1].surface.rest, RestShape::texcoords);
    const auto key = [](const std::string& mesh) {
        return problem_in("[[cloth]]\nmesh = { " + mesh + " }\n").key;
    };
    EXPECT_EQ(key("type = \"shirt\", edge = 0.4"), "cloth[0].mesh.edge");
    EXPECT_EQ(key("type = \"shirt\", neck = 1"), "cloth[0].mesh.neck");
    EXPECT_EQ(key("type = \"shirt\", leg = 1"), "cloth[0].mesh.leg");
    EXPECT_EQ(key("type = \"shorts\", rise = 1"), "cloth[0].mesh.rise");
    EXPECT_EQ(key("type = \"drum\", paddle_height = 1"), "cloth[0].mesh.paddle_height");
    EXPECT_EQ(key("type = \"drum\", paddles = -1"), "cloth[0].mesh.paddles");
}

TEST(Furniture, IsReadWithItsSettings) {
    const Model model =
        build_scene(parse(with_sheet("[[body]]\nmesh = { type = \"table\", sides = 8, legs = 1, "
                                     "leg_sides = 6 }\n"
                                     "[[body]]\nmesh = { type = \"chair\", back = 0 }\n")))
            .model;
    EXPECT_EQ(model.bodies.at(0).triangles.size(), 48u);
    EXPECT_EQ(model.bodies.at(1).triangles.size(), 60u);
    const auto key = [](const std::string& mesh) {
        return problem_in("[[cloth]]\nmesh = { " + mesh + " }\n").key;
    };
    EXPECT_EQ(key("type = \"table\", legs = 0.5"), "cloth[0].mesh.legs");
    EXPECT_EQ(key("type = \"table\", leg_size = 0.4"), "cloth[0].mesh.leg_size");
    EXPECT_EQ(key("type = \"table\", thickness = 2"), "cloth[0].mesh.thickness");
    EXPECT_EQ(key("type = \"table\", back = 1"), "cloth[0].mesh.back");
    EXPECT_EQ(key("type = \"chair\", back = -1"), "cloth[0].mesh.back");
    EXPECT_EQ(key("type = \"chair\", sides = 5"), "cloth[0].mesh.sides");
}

} // namespace
} // namespace muslin
