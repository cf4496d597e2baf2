#include "muslin/run/cloth_fields.h"

#include "muslin/mesh/fields.h"
#include "muslin/run/fit_report.h"
#include "muslin/scene/load.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

namespace muslin {
namespace {

/// Two sheets of 1 x 0.5 m side by side, sewn along z = 0.
SceneDescription sewn_sheets() {
    return parse_scene(R"(
        [[cloth]]
        name = "left"
        mesh = { type = "grid", width = 1.0, depth = 0.5, columns = 21, rows = 11 }
        position = [0, 0, -0.25]
        material = { stretch_u = 800, stretch_v = 500, shear = 40, bend_u = 1e-5, bend_v = 1e-5, density = 0.1, base = "cotton" }
        [[cloth]]
        name = "right"
        mesh = { type = "grid", width = 1.0, depth = 0.5, columns = 21, rows = 11 }
        position = [0, 0, 0.25]
        material = { stretch_u = 800, stretch_v = 500, shear = 40, bend_u = 1e-5, bend_v = 1e-5, density = 0.1, base = "cotton" }
        [[region]]
        name = "left-seam"
        cloth = "left"
        box = { min = [-1, -1, -0.001], max = [1, 1, 0.001] }
        [[region]]
        name = "right-seam"
        cloth = "right"
        box = { min = [-1, -1, -0.001], max = [1, 1, 0.001] }
        [[stitch]]
        regions = ["left-seam", "right-seam"]
        distance = 1e-4
    )",
                       "test", ".", "test");
}

TEST(ClothFields, SeamTensionIsStiffnessTimesStrain) {
    const SceneDescription scene = sewn_sheets();
    Simulation simulation(scene);
    State state = simulation.state();
    for (Vec3& p : state.positions)
        p.z *= 1.02; // across the seam, by 2 %: v runs along -z
    simulation.set_state(state);

    ClothFields fields(simulation);
    fields.update();
    std::vector<std::vector<double>> values;
    for (std::size_t cloth = 0; cloth < 2; ++cloth) {
        const auto& names = fields.names(cloth);
        ASSERT_EQ(names, (std::vector<std::string>{"contact", "pinch", "seam"}));
        fields.read(cloth, values);
        int sewn = 0;
        for (std::size_t v = 0; v < values[2].size(); ++v) {
            const Vec3& start = simulation.model().cloths[cloth].surface.mesh.positions[v];
            const bool on_seam = std::abs(start.z) < 1e-6;
            sewn += on_seam ? 1 : 0;
            EXPECT_NEAR(values[2][v], on_seam ? 500 * 0.02 : 0, 1e-9) << v;
        }
        EXPECT_EQ(sewn, 21);
    }
}

TEST(ClothFields, ContactPressureOfASheetAtRestCarriesItsWeight) {
    SceneDescription scene = parse_scene(R"(
        [world]
        linear_drag = 0.5
        [[cloth]]
        name = "sheet"
        mesh = { type = "irregular", vertices = 400, width = 0.5, depth = 0.5 }
        position = [0, 0.002, 0]
        material = { stretch_u = 800, stretch_v = 800, shear = 40, bend_u = 1e-4, bend_v = 1e-4, density = 0.2, base = "cotton" }
        [[body]]
        name = "table"
        mesh = { type = "box", size = [1, 0.1, 1] }
        position = [0, -0.05, 0]
    )",
                                         "test", ".", "test");
    Simulation simulation(scene);
    ClothFields fields(simulation);
    std::vector<std::vector<double>> values;
    fields.update();
    fields.read(0, values);
    ASSERT_EQ(fields.names(0), (std::vector<std::string>{"contact", "pinch"}));
    EXPECT_EQ(std::accumulate(values[0].begin(), values[0].end(), 0.0), 0) << "before any step";
    for (int frame = 0; frame < 30; ++frame)
        simulation.advance_frame();
    fields.update();
    fields.read(0, values);
    const Model& model = simulation.model();
    const auto areas =
        vertex_areas(model.mass.size(), model.dynamics.triangles, model.dynamics.pattern);
    double force = 0;
    for (std::size_t v = 0; v < values[0].size(); ++v)
        force += values[0][v] * areas[model.cloths[0].surface.vertex_particle[v]];
    EXPECT_NEAR(force, 0.25 * 0.2 * 9.81, 0.05 * 0.25 * 0.2 * 9.81);
    EXPECT_EQ(std::accumulate(values[1].begin(), values[1].end(), 0.0), 0) << "nothing is pinched";
}

// A cuff 10 % too tight on a cylinder: where the forces balance, its tension T presses with T / R.
TEST(ClothFields, ATightCuffPressesAsItsTensionDemands) {
    const std::filesystem::path file =
        std::filesystem::path(::testing::TempDir()) / "muslin_tight_cuff.obj";
    constexpr int sides = 96, rows = 6;
    constexpr double radius = 0.1, gap = 0.002, height = 0.04;
    constexpr double around = 2 * std::numbers::pi * (radius + gap) / 1.1;
    std::ofstream obj(file);
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= sides; ++i) {
            const double angle = 2 * std::numbers::pi * i / sides;
            if (i < sides)
                obj << fmt::format("v {} {} {}\n", (radius + gap) * std::cos(angle),
                                   height * j / rows, -(radius + gap) * std::sin(angle));
            obj << fmt::format("vt {} {}\n", around * i / sides, height * j / rows);
        }
    obj << "g cuff\n";
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < sides; ++i) {
            obj << "f";
            for (const auto& [a, b] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}})
                obj << fmt::format(" {}/{}", b * sides + a % sides + 1, b * (sides + 1) + a + 1);
            obj << "\n";
        }
    obj.close();
    const SceneDescription scene = parse_scene(fmt::format(R"(
        [world]
        gravity = [0, 0, 0]
        linear_drag = 5
        [[cloth]]
        name = "cuff"
        mesh = {{ path = "{}", rest = "texcoords" }}
        material = {{ stretch_u = 300, stretch_v = 300, shear = 40, bend_u = 1e-6, bend_v = 1e-6, density = 0.2, thickness = 1e-3, base = "cotton" }}
        [[body]]
        name = "arm"
        mesh = {{ type = "cylinder", radius = {}, height = 0.2, segments = 96 }}
        position = [0, 0.02, 0]
    )",
                                                           file.string(), radius),
                                               "test", ".", "test", {}, {.allow_outside = true});
    Simulation simulation(scene);
    for (int frame = 0; frame < 15; ++frame)
        simulation.advance_frame();
    ClothFields fields(simulation);
    fields.update();
    std::vector<std::vector<double>> values;
    fields.read(0, values);
    ASSERT_EQ(fields.names(0), (std::vector<std::string>{"contact", "pinch", "tension"}));
    const double tension = std::accumulate(values[2].begin(), values[2].end(), 0.0) /
                           static_cast<double>(values[2].size());
    const auto fit = fit_json(simulation);
    ASSERT_EQ(fit.size(), 1u);
    const auto& part = fit[0]["parts"][1];
    EXPECT_EQ(part["part"], "cuff");
    EXPECT_EQ(part["kind"], "panel");
    // Cloth is pressed thinner than its thickness, and the cuff shrinks by that.
    const double now = radius + part["ease"]["mean"].get<double>();
    EXPECT_NEAR(tension, 300 * (1.1 * now / (radius + gap) - 1), 0.02 * tension);
    EXPECT_NEAR(part["tension"]["mean"].get<double>(), tension, 0.02 * tension);
    EXPECT_NEAR(part["pressure"]["mean"].get<double>(), tension / radius, 0.05 * tension / radius);
    EXPECT_GT(part["ease"]["contact"].get<double>(), 0.95);
    EXPECT_NEAR(fit[0]["girths"].back()["ease"].get<double>(),
                2 * std::numbers::pi * part["ease"]["mean"].get<double>(), 1e-3);
    std::filesystem::remove(file);
}

} // namespace
} // namespace muslin
