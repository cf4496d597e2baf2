// Any object by any source of motion, all interacting [Volino95 5]: a small sheet falls on
// something that stands still or rises by keys, formula or frames, be it a solid, an open surface
// or cloth. One case for each cell of the table in docs/animation.md, and the sources of what falls
// on what.
#include "muslin/engine/simulation.h"
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/measure.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace muslin {
namespace {

enum class Thing { solid, surface, cloth };
enum class Mover { fixed, keys, formula, frames };

constexpr double speed = 0.2; // upward [m/s]
constexpr int frames = 12;    // of 1/30 s

struct Case {
    Thing thing;
    Mover mover;
    bool correction; ///< by parts.contact = "correction_contact", else by recipe muslin
};

class Sources : public ::testing::TestWithParam<Case> {
protected:
    Sources() {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        std::string name = test->name();
        std::replace(name.begin(), name.end(), '/', '_');
        folder_ = std::filesystem::path(::testing::TempDir()) / ("muslin_sources_" + name);
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        mesh_ = GetParam().thing == Thing::solid ? make_box({{0.3, 0.04, 0.3}, 4})
                                                 : make_grid({0.3, 0.3, 7, 7});
        PolygonMesh moved = mesh_;
        for (int k = 0; k <= frames; ++k) {
            for (std::size_t i = 0; i < moved.positions.size(); ++i)
                moved.positions[i] = mesh_.positions[i] + Vec3{0, speed * k / 30, 0};
            write_mesh(folder_ / fmt::format("plate.{:04}.obj", k), moved);
        }
    }
    ~Sources() override {
        std::error_code error;
        std::filesystem::remove_all(folder_, error);
    }

    SceneDescription scene() const {
        const auto [thing, mover, correction] = GetParam();
        std::string how;
        if (mover == Mover::keys)
            how = fmt::format("motion = {{ translation = [{{ t = 0, value = [0, 0, 0] }}, "
                              "{{ t = 1, value = [0, {}, 0] }}] }}\n",
                              speed);
        else if (mover == Mover::formula)
            how = fmt::format("motion = {{ translation = [0, \"{} * t\", 0] }}\n", speed);
        else if (mover == Mover::frames)
            how = "animation = \"plate.####.obj\"\n";
        std::string text =
            correction ? "recipe = \"bridson03\"\n[parts]\ncontact = \"correction_contact\"\n" : "";
        const std::string shear = correction ? "" : "shear = 20, "; // of no springs along edges
        text += "[time]\nframes = 12\n[[cloth]]\nname = \"sheet\"\n"
                "mesh = { type = \"grid\", width = 0.15, depth = 0.15, resolution = 7 }\n"
                "rotation = [0, 20, 0]\n"
                "material = { base = \"cotton\", stretch_u = 100, stretch_v = 100, " +
                shear + "thickness = 0.004 }\n";
        text += fmt::format("position = [0, {}, 0]\n", thing == Thing::solid ? 0.035 : 0.015);
        if (thing == Thing::cloth)
            text += "[[cloth]]\nname = \"plate\"\nmesh = \"plate.0000.obj\"\n"
                    "material = { base = \"cotton\", stretch_u = 100, stretch_v = 100, " +
                    shear +
                    "thickness = 0.004 }\n"
                    "[[pin]]\ncloth = \"plate\"\nbox = { min = [-1, -1, -1], max = [1, 1, 1] }\n";
        else
            text += "[[body]]\nname = \"plate\"\nmesh = \"plate.0000.obj\"\n";
        return parse_scene(text + how, "test.toml", folder_, "test");
    }

    std::filesystem::path folder_;
    PolygonMesh mesh_;
};

TEST_P(Sources, CarryWhatFallsOnThem) {
    const bool is_cloth = GetParam().thing == Thing::cloth;
    Simulation simulation(scene());
    for (int k = 0; k < frames; ++k)
        simulation.advance_frame();
    const Model& model = simulation.model();
    const double time = frames / 30.0, rise = GetParam().mover == Mover::fixed ? 0 : speed * time;

    std::vector<Vec3> plate(mesh_.positions.size()), sheet;
    if (is_cloth)
        for (std::size_t v = 0; v < plate.size(); ++v)
            plate[v] = simulation.state().positions[model.cloths[1].surface.vertex_particle[v]];
    else
        body_positions(model.bodies[0], time, plate);
    for (std::size_t v = 0; v < plate.size(); ++v)
        EXPECT_LT(norm(plate[v] - mesh_.positions[v] - Vec3{0, rise, 0}), 1e-6) << v;

    for (const int p : model.cloths[0].surface.vertex_particle)
        sheet.push_back(simulation.state().positions[p]);
    const double top = rise + (GetParam().thing == Thing::solid ? 0.02 : 0);
    for (const Vec3& p : sheet) {
        EXPECT_GT(p.y, top);        // nothing fell through
        EXPECT_LT(p.y, top + 0.02); // and all of it lies there
    }
    const auto triangles = triangulate(model.cloths[0].surface.mesh).triangles;
    const auto others = triangulate(mesh_).triangles;
    EXPECT_EQ(count_intersections_between({sheet, triangles}, {plate, others}), 0u);
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
    constexpr const char* things[] = {"Solid", "Surface", "Cloth"};
    constexpr const char* movers[] = {"Fixed", "Keys", "Formula", "Frames"};
    return fmt::format("{}{}{}", things[static_cast<int>(info.param.thing)],
                       movers[static_cast<int>(info.param.mover)],
                       info.param.correction ? "Corrected" : "");
}

std::vector<Case> all_cases() {
    std::vector<Case> out;
    for (const bool correction : {false, true})
        for (const Thing thing : {Thing::solid, Thing::surface, Thing::cloth})
            for (const Mover mover : {Mover::fixed, Mover::keys, Mover::formula, Mover::frames})
                out.push_back({thing, mover, correction});
    return out;
}

INSTANTIATE_TEST_SUITE_P(All, Sources, ::testing::ValuesIn(all_cases()), name_of);

// Its meshes end where its pin does: held on it would stand still, let go without a velocity too.
TEST(DrivenCloth, GoesOnWithItsVelocityWhenLetGo) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "muslin_driven_cloth";
    std::filesystem::create_directories(folder);
    const PolygonMesh start = make_grid({0.3, 0.3, 5, 5});
    PolygonMesh moved = start;
    for (int k = 0; k <= 6; ++k) {
        for (std::size_t i = 0; i < moved.positions.size(); ++i)
            moved.positions[i] = start.positions[i] + Vec3{speed * k / 30, 0, 0};
        write_mesh(folder / fmt::format("flag.{:04}.obj", k), moved);
    }
    for (const char* recipe : {"muslin", "volino95"}) {
        SCOPED_TRACE(recipe);
        Simulation simulation(
            parse_scene(fmt::format("recipe = \"{}\"\n", recipe) +
                            "[world]\ngravity = [0, 0, 0]\nair_density = 0\n"
                            "[[cloth]]\nname = \"flag\"\nmesh = \"flag.0000.obj\"\n"
                            "material = { base = \"cotton\", stretch_u = 100, stretch_v = 100 }\n"
                            "[[pin]]\nbox = { min = [-1, -1, -1], max = [1, 1, 1] }\n"
                            "animation = \"flag.####.obj\"\nend = 0.2\n",
                        "test.toml", folder, "test"));
        for (int k = 0; k < frames; ++k)
            simulation.advance_frame();
        const Model& model = simulation.model();
        for (std::size_t v = 0; v < start.positions.size(); ++v) {
            const int p = model.cloths[0].surface.vertex_particle[v];
            const Vec3 expected = start.positions[v] + Vec3{speed * frames / 30, 0, 0};
            EXPECT_LT(norm(simulation.state().positions[p] - expected), 1e-6) << v;
        }
    }
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace muslin
