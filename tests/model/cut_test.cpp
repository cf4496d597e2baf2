// Sewn cloth cut apart again: a particle for each point, and each triangle at its own points.
#include "muslin/model/cut.h"

#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

ClothInput sheet(const std::string& name, int columns, int rows) {
    ClothInput cloth;
    cloth.name = name;
    cloth.mesh = make_grid({.columns = columns, .rows = rows});
    cloth.material.density = 0.2;
    return cloth;
}

TEST(CutApart, ClothThatIsNotSewnStaysAsItIs) {
    State start;
    const Model model = build_model({sheet("a", 7, 5), sheet("b", 3, 4)}, {}, start);
    const Model cut = cut_apart(model);
    EXPECT_EQ(cut.dynamics.triangles, model.dynamics.triangles);
    EXPECT_EQ(cut.mass, model.mass);
    for (std::size_t c = 0; c < 2; ++c)
        EXPECT_EQ(cut.cloths[c].particles, model.cloths[c].particles);
}

// A sheet sewn to a tube, and another sewn to its rim: corners are told apart by their place in the
// pattern, which is another one at each point.
TEST(CutApart, EachTriangleIsAtItsOwnPoints) {
    constexpr int columns = 7, rows = 5;
    std::vector<std::vector<StitchingLayer::Vertex>> joints;
    for (int row = 0; row < rows; ++row)
        joints.push_back({{0, row * columns}, {0, row * columns + columns - 1}});
    for (int column = 1; column < 4; ++column)
        joints.push_back({{0, column}, {1, 4 - column}}); // as borders meet
    State start;
    const Model sewn =
        build_model({sheet("tube", columns, rows), sheet("flap", 5, 3)}, joints, start);
    const Model cut = cut_apart(sewn);
    ASSERT_EQ(sewn.particle_count(), columns * rows + 5 * 3 - rows - 3);
    ASSERT_EQ(cut.particle_count(), columns * rows + 5 * 3);
    ASSERT_EQ(cut.dynamics.triangles.size(), sewn.dynamics.triangles.size());
    std::vector<Vec2> place(cut.mass.size());
    for (const Cloth& cloth : cut.cloths)
        for (std::size_t v = 0; v < cloth.surface.vertex_particle.size(); ++v)
            place[cloth.surface.vertex_particle[v]] = cloth.surface.mesh.texcoords[v];
    for (std::size_t t = 0; t < cut.dynamics.triangles.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Vec2 apart = place[cut.dynamics.triangles[t][k]] - cut.dynamics.pattern[t][k];
            EXPECT_LT(norm(apart), 1e-12) << "triangle " << t;
        }
}

} // namespace
} // namespace muslin
