// From pieces of cloth to particles, layers, masses and hinges.
#include "muslin/model/build_model.h"

#include "linalg/dense.h"
#include "muslin/base/error.h"
#include "muslin/mesh/generators.h"
#include "muslin/pattern/irregular_sheet.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace muslin::test {
namespace {

using Joints = std::vector<std::vector<StitchingLayer::Vertex>>;

ClothInput piece(const std::string& name, PolygonMesh mesh, double density = 0.2) {
    ClothInput cloth;
    cloth.name = name;
    cloth.mesh = std::move(mesh);
    cloth.material.density = density;
    return cloth;
}
PolygonMesh irregular(int vertices, unsigned seed) {
    return make_irregular({.width = 0.6, .depth = 0.4, .vertices = vertices, .seed = seed});
}
double total(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(BuildModel, MassIsDensityTimesAreaAndAThirdOfEachTriangles) {
    for (int vertices : {20, 300}) {
        State start;
        const Model model = build_model({piece("a", irregular(vertices, 1), 0.2)}, {}, start);
        EXPECT_EQ(model.particle_count(), vertices);
        EXPECT_NEAR(total(model.mass), 0.2 * 0.24, 1e-14);
        std::vector<double> mass(vertices, 0.0);
        for (std::size_t t = 0; t < model.dynamics.triangles.size(); ++t) {
            const auto& p = model.dynamics.pattern[t];
            const double area = 0.5 * std::abs(cross(p[1] - p[0], p[2] - p[0]));
            for (int i : model.dynamics.triangles[t])
                mass[i] += 0.2 * area / 3;
        }
        for (int i = 0; i < vertices; ++i)
            EXPECT_NEAR(model.mass[i], mass[i], 1e-15 * mass[i] * 4);
    }
}

// Mass comes from the pattern, not from where the cloth happens to be.
TEST(BuildModel, MassIsThatOfThePatternWhateverThePlace) {
    PolygonMesh mesh = irregular(50, 2);
    for (Vec3& x : mesh.positions)
        x = 3.0 * Vec3{x.z, x.x, x.y};
    State start;
    EXPECT_NEAR(total(build_model({piece("a", mesh)}, {}, start).mass), 0.2 * 0.24, 1e-14);
}

TEST(BuildModel, VerticesKeepTheUsersOrder) {
    PolygonMesh mesh = irregular(400, 3);
    Random random(3);
    for (Vec3& x : mesh.positions)
        x += random.vec(0.01);
    State start;
    const Model model = build_model({piece("a", mesh)}, {}, start);
    const std::vector<int>& particle = model.cloths[0].surface.vertex_particle;
    std::vector<int> sorted = particle;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < 400; ++i)
        EXPECT_EQ(sorted[i], i); // each particle once
    EXPECT_NE(particle, sorted); // numbered for locality, not as they came

    std::vector<Vec3> positions;
    surface_positions(model.cloths[0], start, positions);
    ASSERT_EQ(positions.size(), mesh.positions.size());
    for (int i = 0; i < 400; ++i)
        EXPECT_EQ(norm(positions[i] - mesh.positions[i]), 0) << i;
}

/// Triangles as sets of (place, pattern) corners, whatever their order and numbers.
std::multiset<std::array<double, 15>> geometry(const std::vector<std::array<int, 3>>& triangles,
                                               const std::vector<std::array<Vec2, 3>>& pattern,
                                               std::span<const Vec3> x) {
    std::multiset<std::array<double, 15>> out;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        int first = 0; // start at the corner of the smallest pattern coordinates
        for (int i = 1; i < 3; ++i)
            if (std::pair(pattern[t][i].x, pattern[t][i].y) <
                std::pair(pattern[t][first].x, pattern[t][first].y))
                first = i;
        std::array<double, 15> key;
        for (int i = 0; i < 3; ++i) {
            const int c = (first + i) % 3;
            const Vec3& p = x[triangles[t][c]];
            const double corner[5] = {p.x, p.y, p.z, pattern[t][c].x, pattern[t][c].y};
            std::copy(corner, corner + 5, key.begin() + 5 * i);
        }
        out.insert(key);
    }
    return out;
}

TEST(BuildModel, TrianglesKeepPlacePatternAndOrientation) {
    const PolygonMesh mesh = irregular(150, 4);
    State start;
    const Model model = build_model({piece("a", mesh)}, {}, start);
    TriangleMesh plain = triangulate(mesh);
    set_material_coordinates(plain, mesh, RestShape::texcoords);
    EXPECT_EQ(geometry(model.dynamics.triangles, model.dynamics.pattern, start.positions),
              geometry(plain.triangles, plain.material, mesh.positions));
    EXPECT_EQ(model.collision.triangles, model.dynamics.triangles);
    EXPECT_EQ(model.cloths[0].triangle_range[0], 0);
    EXPECT_EQ(model.cloths[0].triangle_range[1], static_cast<int>(model.dynamics.triangles.size()));
}

// 3 F = 2 hinges + boundary edges.
TEST(BuildModel, EveryInnerEdgeIsAHinge) {
    State start;
    const Model model = build_model({piece("a", make_grid({.columns = 7, .rows = 5}))}, {}, start);
    const int faces = 2 * 6 * 4, boundary = 2 * (6 + 4);
    EXPECT_EQ(static_cast<int>(model.dynamics.triangles.size()), faces);
    EXPECT_EQ(static_cast<int>(model.dynamics.hinges.size()), (3 * faces - boundary) / 2);
    for (const Hinge& h : model.dynamics.hinges) {
        const auto& [a, b, c, d] = h.v;
        const auto has = [&](int t, std::array<int, 3> corners) { // in this rotation
            const auto& tri = model.dynamics.triangles[t];
            for (int k = 0; k < 3;
                 ++k, std::rotate(corners.begin(), corners.begin() + 1, corners.end()))
                if (tri == corners)
                    return true;
            return false;
        };
        EXPECT_TRUE(has(h.t[0], {a, b, c}));
        EXPECT_TRUE(has(h.t[1], {b, a, d}));
    }
}

/// A panel of a sleeve: a grid bent to half of a tube, its pattern moved away and turned.
PolygonMesh half_sleeve(int columns, int rows, bool back, const Vec2& pattern_at, double turn) {
    PolygonMesh mesh = make_grid({.width = 0.3, .depth = 0.5, .columns = columns, .rows = rows});
    const double radius = 0.3 / 3.141592653589793;
    for (Vec3& x : mesh.positions) {
        const double a = x.x / radius + (back ? 3.141592653589793 : 0);
        x = {radius * std::sin(a), radius * std::cos(a), x.z};
    }
    for (Vec2& p : mesh.texcoords)
        p = pattern_at + Vec2{std::cos(turn) * p.x - std::sin(turn) * p.y,
                              std::sin(turn) * p.x + std::cos(turn) * p.y};
    return mesh;
}

// A sleeve of two panels [BW98 2.1, footnote 3]: particles on the seams have two (u, v).
TEST(BuildModel, ASleeveOfTwoPanelsKeepsBothPatternsAtItsSeams) {
    const int columns = 6, rows = 9;
    ClothInput front = piece("front", half_sleeve(columns, rows, false, {0, 0}, 0), 0.2);
    ClothInput back = piece("back", half_sleeve(columns, rows, true, {7, 3}, 0.8), 0.5);
    front.velocity = {1, 0, 0};
    back.velocity = {0, 3, 0};
    for (Vec3& x : back.mesh.positions) // slightly off: a joined particle starts at the mean
        x += Vec3{0.001, 0, 0};
    Joints joints;
    for (int r = 0; r < rows; ++r) {
        joints.push_back({{0, r * columns}, {1, r * columns + columns - 1}});
        joints.push_back({{0, r * columns + columns - 1}, {1, r * columns}});
    }
    State start;
    const Model model = build_model({front, back}, joints, start);
    EXPECT_EQ(model.particle_count(), 2 * columns * rows - 2 * rows);
    EXPECT_EQ(start.positions.size(), model.mass.size());
    EXPECT_NEAR(total(model.mass), (0.2 + 0.5) * 0.15, 1e-14);

    const int faces = 2 * 2 * (columns - 1) * (rows - 1), boundary = 2 * 2 * (columns - 1);
    EXPECT_EQ(static_cast<int>(model.dynamics.triangles.size()), faces);
    EXPECT_EQ(static_cast<int>(model.dynamics.hinges.size()), (3 * faces - boundary) / 2);

    std::map<int, std::set<std::pair<double, double>>> patterns; // of each particle
    for (int t = 0; t < faces; ++t) {
        const int cloth = model.dynamics.triangle_cloth[t];
        EXPECT_TRUE(t >= model.cloths[cloth].triangle_range[0] &&
                    t < model.cloths[cloth].triangle_range[1]);
        for (int i = 0; i < 3; ++i) {
            const Vec2& p = model.dynamics.pattern[t][i];
            patterns[model.dynamics.triangles[t][i]].insert({p.x, p.y});
        }
    }
    std::set<int> seam;
    for (const auto& joint : joints) {
        const int a = model.cloths[0].surface.vertex_particle[joint[0].vertex];
        const int b = model.cloths[1].surface.vertex_particle[joint[1].vertex];
        EXPECT_EQ(a, b);
        EXPECT_TRUE(seam.insert(a).second);
        const Vec3 mean =
            0.5 * (front.mesh.positions[joint[0].vertex] + back.mesh.positions[joint[1].vertex]);
        EXPECT_LT(norm(start.positions[a] - mean), 1e-15);
        EXPECT_LT(norm(start.velocities[a] - Vec3{0.5, 1.5, 0}), 1e-15);
        const Vec2 u = front.mesh.texcoords[joint[0].vertex],
                   v = back.mesh.texcoords[joint[1].vertex];
        EXPECT_EQ(patterns[a], (std::set<std::pair<double, double>>{{u.x, u.y}, {v.x, v.y}}));
    }
    for (const auto& [particle, set] : patterns)
        EXPECT_EQ(set.size(), seam.contains(particle) ? 2u : 1u);

    // Hinges across the seams: one for each of their edges.
    int across = 0;
    for (const Hinge& h : model.dynamics.hinges)
        across += model.dynamics.triangle_cloth[h.t[0]] != model.dynamics.triangle_cloth[h.t[1]];
    EXPECT_EQ(across, 2 * (rows - 1));
    EXPECT_EQ(model.stitching.joints.size(), joints.size());
}

// Joints that share a vertex are one: n-way.
TEST(BuildModel, JointsChain) {
    PolygonMesh panel = make_grid({.columns = 2, .rows = 2});
    State start;
    const Model model = build_model({piece("a", panel), piece("b", panel), piece("c", panel)},
                                    {{{0, 0}, {1, 0}}, {{1, 0}, {2, 0}}}, start);
    EXPECT_EQ(model.particle_count(), 12 - 2);
    EXPECT_EQ(model.cloths[0].surface.vertex_particle[0],
              model.cloths[2].surface.vertex_particle[0]);
}

TEST(BuildModel, SeveralClothsKeepTheirMaterialsAndRanges) {
    State start;
    ClothInput a = piece("a", irregular(40, 5), 0.1), b = piece("b", irregular(60, 6), 0.4);
    a.material.thickness = 1e-3;
    b.material.friction = 0.9;
    for (Vec3& x : b.mesh.positions)
        x.y += 0.1;
    const Model model = build_model({a, b}, {}, start);
    EXPECT_EQ(model.particle_count(), 100);
    EXPECT_NEAR(total(model.mass), 0.24 * 0.5, 1e-14);
    double mass_a = 0;
    for (int p : model.cloths[0].surface.vertex_particle) {
        mass_a += model.mass[p];
        EXPECT_EQ(model.collision.thickness[p], 1e-3);
    }
    EXPECT_NEAR(mass_a, 0.24 * 0.1, 1e-14);
    for (int p : model.cloths[1].surface.vertex_particle)
        EXPECT_EQ(model.collision.friction[p], 0.9);
    EXPECT_EQ(model.cloths[0].triangle_range[1], model.cloths[1].triangle_range[0]);
    for (const Hinge& h : model.dynamics.hinges)
        EXPECT_EQ(model.dynamics.triangle_cloth[h.t[0]], model.dynamics.triangle_cloth[h.t[1]]);
}

TEST(BuildModel, SaysWhichClothCannotBeSimulated) {
    const auto key_of = [](std::vector<ClothInput> cloths, const Joints& joints) -> std::string {
        State start;
        try {
            build_model(std::move(cloths), joints, start);
        } catch (const InputError& error) {
            EXPECT_FALSE(error.problem().expected.empty() || error.problem().found.empty());
            return error.problem().key;
        }
        return "no error";
    };
    const PolygonMesh good = make_grid({.columns = 3, .rows = 3});
    PolygonMesh flat_pattern = good, unused = good;
    for (Vec2& p : flat_pattern.texcoords)
        p.y = 0;
    unused.positions.push_back({0, 0, 0});
    EXPECT_EQ(key_of({piece("fine", good)}, {}), "no error");
    EXPECT_NE(key_of({piece("fine", good), piece("flat", flat_pattern)}, {}).find("'flat'"),
              std::string::npos);
    EXPECT_NE(key_of({piece("loose", unused)}, {}).find("'loose'"), std::string::npos);
    // Three panels along one edge.
    Joints three;
    for (int r = 0; r < 3; ++r)
        three.push_back({{0, 3 * r}, {1, 3 * r}, {2, 3 * r}});
    EXPECT_NE(key_of({piece("a", good), piece("b", good), piece("c", good)}, three), "no error");
    // A triangle with two corners joined.
    EXPECT_NE(key_of({piece("a", good)}, {{{0, 0}, {0, 1}}}), "no error");
}

TEST(BuildModel, NoClothIsAnEmptyModel) {
    State start;
    const Model model = build_model({}, {}, start);
    EXPECT_EQ(model.particle_count(), 0);
    EXPECT_TRUE(start.positions.empty());
}

} // namespace
} // namespace muslin::test
