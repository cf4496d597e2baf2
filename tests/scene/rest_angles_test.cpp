// Where the angles come from at which cloth rests.
#include "muslin/io/mesh_file.h"
#include "muslin/kernels/bend_bw.h"
#include "muslin/mesh/generators.h"
#include "muslin/scene/build_scene.h"
#include "scene_testing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace muslin {
namespace {

using testing::problem_in;
using testing::TemporaryFolder;

constexpr double degree = std::numbers::pi / 180;

Model model_of(const std::string& text, const std::filesystem::path& folder = ".") {
    return build_scene(parse_scene(text, "test", folder, "test")).model;
}

std::string sheet(const std::string& more) {
    return "[[cloth]]\nmesh = { type = \"grid\", columns = 9, rows = 9 }\n" + more;
}

TEST(RestAngles, AreFlatUnlessAskedFor) {
    EXPECT_TRUE(model_of(sheet("")).dynamics.rest_angles.empty());
    EXPECT_TRUE(model_of(sheet("rest_angles = \"flat\"\n")).dynamics.rest_angles.empty());
}

TEST(RestAngles, OfTheMeshAreThoseOfTheStart) {
    const std::string ball = R"(
        [[cloth]]
        mesh = { type = "sphere", radius = 0.2, rings = 8, segments = 12 }
        rotation = [30, 40, 50]
        rest_angles = "mesh"
    )";
    const BuiltScene built = build_scene(parse_scene(ball, "test", ".", "test"));
    const DynamicsLayer& layer = built.model.dynamics;
    ASSERT_EQ(layer.rest_angles.size(), layer.hinges.size());
    for (std::size_t h = 0; h < layer.hinges.size(); ++h) {
        const auto& v = layer.hinges[h].v;
        const auto& x = built.start.positions;
        EXPECT_NEAR(layer.rest_angles[h], bend_state(x[v[0]], x[v[1]], x[v[2]], x[v[3]]).angle,
                    1e-14);
        EXPECT_GT(layer.rest_angles[h], -1e-9) << "a ball has ridges only";
    }
    EXPECT_GT(*std::max_element(layer.rest_angles.begin(), layer.rest_angles.end()), 20 * degree);
}

TEST(RestAngles, OfARegionAreCreases) {
    const Model model = model_of(sheet("[[rest_angle]]\nangle = 60\n"
                                       "box = { min = [-0.01, -1, -1], max = [0.01, 1, 1] }\n"));
    const DynamicsLayer& layer = model.dynamics;
    int creased = 0;
    for (const double angle : layer.rest_angles) {
        EXPECT_TRUE(angle == 0 || std::abs(angle - 60 * degree) < 1e-15);
        creased += angle != 0 ? 1 : 0;
    }
    EXPECT_EQ(creased, 8) << "the eight edges along the middle line";
    const Model whole = model_of(sheet("[[rest_angle]]\nangle = -5\n"));
    EXPECT_EQ(std::count(whole.dynamics.rest_angles.begin(), whole.dynamics.rest_angles.end(),
                         -5 * degree),
              static_cast<std::ptrdiff_t>(whole.dynamics.hinges.size()));
}

TEST(RestAngles, OfAFileNeedItsVertices) {
    const TemporaryFolder temporary;
    const std::filesystem::path& folder = temporary.path();
    PolygonMesh sculpted = make_grid({1, 1, 9, 9, Diagonals::alternating});
    for (Vec3& p : sculpted.positions)
        p.y = 0.3 * std::abs(p.x); // a valley along x = 0
    write_mesh(folder / "sculpted.obj", sculpted);
    const Model model = model_of(sheet("rest_angles = \"sculpted.obj\"\n"), folder);
    int bent = 0;
    for (const double angle : model.dynamics.rest_angles) {
        const bool is_bent = std::abs(angle) > 1e-6;
        bent += is_bent ? 1 : 0;
        EXPECT_NEAR(angle, is_bent ? -2 * std::atan(0.3) : 0, 1e-6);
    }
    EXPECT_EQ(bent, 8);

    write_mesh(folder / "sculpted.obj", make_grid({1, 1, 8, 9, Diagonals::alternating}));
    try {
        model_of(sheet("rest_angles = \"sculpted.obj\"\n"), folder);
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().found, "72");
        EXPECT_NE(error.problem().expected.find("81"), std::string::npos);
    }
    std::filesystem::remove(folder / "sculpted.obj");
    EXPECT_THROW(model_of(sheet("rest_angles = \"sculpted.obj\"\n"), folder), InputError);
}

TEST(RestAngles, BadOnesAreTold) {
    EXPECT_EQ(problem_in(sheet("rest_angles = \"bent\"\n")).key, "cloth[0].rest_angles");
    EXPECT_EQ(problem_in(sheet("[[rest_angle]]\nangle = 180\n")).key, "rest_angle[0].angle");
    EXPECT_EQ(problem_in(sheet("[[rest_angle]]\n")).key, "rest_angle[0].angle");
    EXPECT_THROW(model_of(sheet("[[rest_angle]]\nangle = 9\nvertices = [3]\n")), InputError);
}

} // namespace
} // namespace muslin
