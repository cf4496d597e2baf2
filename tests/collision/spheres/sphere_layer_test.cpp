// Spheres that cover a surface [Ohta95, Collision detection]: the cover against a referee that cuts
// triangles into pieces in space, on meshes good and bad, at rest and stretched; who are
// neighbours.

#include "muslin/base/error.h"
#include "muslin/collision/spheres/sphere_layer.h"
#include "muslin/io/mesh_file.h"
#include "muslin/mesh/generators.h"
#include "muslin/pattern/irregular_sheet.h"
#include "test_data.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace muslin;

struct Sheet {
    std::vector<Vec3> positions;
    std::vector<std::array<int, 3>> triangles;
    std::vector<RestTriangle> rest;
};

Sheet sheet_of(const PolygonMesh& mesh) {
    Sheet sheet;
    sheet.positions = mesh.positions;
    sheet.triangles = triangulate(mesh).triangles;
    for (const auto& [a, b, c] : sheet.triangles)
        sheet.rest.push_back(flatten(sheet.positions[a], sheet.positions[b], sheet.positions[c]));
    return sheet;
}

// Triangles of all shapes: long needles, flat ones, very small ones, one without area.
Sheet needles() {
    Sheet sheet;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] { return Vec3{number(random), number(random), number(random)}; };
    for (int k = 0; k < 60; ++k) {
        const Vec3 a = 5.0 * vector(), along = vector();
        const double thin = std::pow(10.0, 3 * number(random) - 3);
        const Vec3 b = a + along;
        const Vec3 c = a + (0.5 + 0.5 * number(random)) * along + thin * vector();
        const int first = static_cast<int>(sheet.positions.size());
        sheet.positions.insert(sheet.positions.end(), {a, b, k == 0 ? 0.5 * (a + b) : c});
        sheet.triangles.push_back({first, first + 1, first + 2});
        sheet.rest.push_back(flatten(a, b, sheet.positions.back()));
    }
    return sheet;
}

// Whether every point of the triangle is in one of the spheres: in four pieces over and over, until
// each lies in one.
bool is_covered(const Vec3& a, const Vec3& b, const Vec3& c, const std::vector<Vec3>& middles,
                double radius, int depth) {
    std::vector<Vec3> near;
    const Vec3 centre = (1.0 / 3) * (a + b + c);
    const double size = std::max({norm(a - centre), norm(b - centre), norm(c - centre)});
    for (const Vec3& m : middles) {
        const double most = std::max({norm(m - a), norm(m - b), norm(m - c)});
        if (most <= radius)
            return true;
        if (norm(m - centre) <= radius + size)
            near.push_back(m);
    }
    if (depth == 0 || near.empty())
        return false;
    const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    return is_covered(a, ab, ca, near, radius, depth - 1) &&
           is_covered(ab, b, bc, near, radius, depth - 1) &&
           is_covered(ca, bc, c, near, radius, depth - 1) &&
           is_covered(ab, bc, ca, near, radius, depth - 1);
}

// The triangles with a point outside of all spheres. Which spheres: those of the triangle.
int uncovered(const Sheet& sheet, const SphereLayer& layer, const std::vector<Vec3>& positions,
              double radius, int leave_out = -1) {
    int open = 0;
    for (std::size_t t = 0; t < sheet.triangles.size(); ++t) {
        std::vector<Vec3> middles;
        for (const int s : layer.of_triangle(t))
            if (s != leave_out)
                middles.push_back(layer.middle(s, positions));
        const auto& [a, b, c] = sheet.triangles[t];
        open += !is_covered(positions[a], positions[b], positions[c], middles, radius, 14);
    }
    return open;
}

TEST(SphereLayer, CoversEverySurfaceAtRestAndStretched) {
    const Sheet sheets[] = {
        sheet_of(make_grid({.columns = 7, .rows = 5})),
        sheet_of(make_irregular({.vertices = 80, .jitter = 0.45})),
        sheet_of(make_sphere({.rings = 6, .segments = 9})),
        needles(),
    };
    for (const Sheet& sheet : sheets)
        for (const double part : {3.0, 1.0, 0.5, 0.3, 0.12}) {
            SphereLayerSettings settings;
            settings.radius = part * SphereLayer(sheet.triangles, sheet.rest, {}).radius();
            const SphereLayer layer(sheet.triangles, sheet.rest, settings);
            for (const SurfaceSphere& s : layer.spheres()) {
                EXPECT_NEAR(s.weights[0] + s.weights[1] + s.weights[2], 1, 1e-12);
                EXPECT_GE(std::min({s.weights[0], s.weights[1], s.weights[2]}), -1e-12);
            }
            EXPECT_EQ(uncovered(sheet, layer, sheet.positions, settings.radius / 1.1), 0) << part;
            // Longer by a tenth along one direction, half as long along another, sheared within
            // bounds: no principal stretch is above 1.1.
            std::vector<Vec3> stretched = sheet.positions;
            const Mat3 q = {{{2.0 / 3, 2.0 / 3, 1.0 / 3},
                             {-2.0 / 3, 1.0 / 3, 2.0 / 3},
                             {1.0 / 3, -2.0 / 3, 2.0 / 3}}};
            for (Vec3& x : stretched) {
                Vec3 y = q * x;
                y = {1.1 * y.x, 0.5 * y.y, 1.1 * y.z};
                x = transpose(q) * y;
            }
            EXPECT_EQ(uncovered(sheet, layer, stretched, (1 + 1e-9) * settings.radius), 0) << part;
        }
}

// The referee sees what is missing.
TEST(SphereLayer, TheRefereeSeesHoles) {
    const Sheet sheet = sheet_of(make_irregular({.vertices = 40}));
    SphereLayerSettings settings;
    settings.stretch = 0;
    const SphereLayer layer(sheet.triangles, sheet.rest, settings);
    int needed = 0;
    for (int s = 0; s < layer.count(); ++s)
        needed += uncovered(sheet, layer, sheet.positions, layer.radius(), s) > 0;
    EXPECT_GT(needed, layer.count() / 3);
    std::vector<Vec3> wide = sheet.positions;
    for (Vec3& x : wide)
        x *= 1.4;
    EXPECT_GT(uncovered(sheet, layer, wide, layer.radius()), 0);
}

TEST(SphereLayer, CoversARealMesh) {
    MUSLIN_NEED_DATA(file, "meshes/bunny_3k.off");
    const Sheet sheet = sheet_of(read_mesh(file));
    for (const double part : {1.0, 0.4}) {
        SphereLayerSettings settings;
        settings.radius = part * SphereLayer(sheet.triangles, sheet.rest, {}).radius();
        const SphereLayer layer(sheet.triangles, sheet.rest, settings);
        EXPECT_EQ(uncovered(sheet, layer, sheet.positions, settings.radius / 1.1), 0);
    }
}

TEST(SphereLayer, TheNumberGrowsAsAreaOverRadiusSquared) {
    const Sheet sheet = sheet_of(make_irregular({.vertices = 60}));
    const auto count = [&](double radius) {
        SphereLayerSettings settings;
        settings.radius = radius;
        return SphereLayer(sheet.triangles, sheet.rest, settings).count();
    };
    const double fine = count(0.016), finer = count(0.008);
    EXPECT_NEAR(finer / fine, 4, 0.6);
    // The best cover of the plane has one circle for 2.6 r^2.
    const double covered = 0.008 / 1.1;
    EXPECT_LT(finer, 2 / (2.598 * covered * covered));
    // What joins triangles is there once.
    const double coarse = count(10);
    EXPECT_EQ(coarse, 60);
}

TEST(SphereLayer, ARadiusTooSmallIsAnInputError) {
    const Sheet sheet = sheet_of(make_irregular({.vertices = 60}));
    SphereLayerSettings settings;
    settings.radius = 1e-5;
    try {
        SphereLayer(sheet.triangles, sheet.rest, settings);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "contact.sphere_radius");
        EXPECT_NE(std::string(error.what()).find("2000000"), std::string::npos) << error.what();
    }
}

TEST(SphereLayer, NeighboursAreThoseAlongTheSurface) {
    const Sheet sheet = sheet_of(make_irregular({.vertices = 120, .jitter = 0.45}));
    const SphereLayer layer(sheet.triangles, sheet.rest, {});
    const double r = layer.radius();
    const Rows near = layer.neighbours(sheet.triangles, sheet.rest, 4 * r);
    int listed = 0;
    for (int a = 0; a < layer.count(); ++a)
        for (int b = 0; b < layer.count(); ++b) {
            if (a == b)
                continue;
            const double straight =
                norm(layer.middle(a, sheet.positions) - layer.middle(b, sheet.positions));
            const bool is_near = std::binary_search(near[a].begin(), near[a].end(), b);
            listed += is_near;
            EXPECT_EQ(is_near, std::binary_search(near[b].begin(), near[b].end(), a));
            if (straight <= 2.5 * r) { // paths from middle to middle are not quite straight
                EXPECT_TRUE(is_near) << straight / r;
            }
            if (straight > 4 * r) {
                EXPECT_FALSE(is_near) << straight / r;
            }
        }
    EXPECT_GT(listed, 10 * layer.count());
}

// Two sheets whose borders are to be sewn: what is on both sides of the seam counts as near.
TEST(SphereLayer, ASeamCountsAsClosed) {
    Sheet sheet = sheet_of(make_grid({.columns = 3, .rows = 3}));
    const Sheet other = sheet;
    for (const auto& [a, b, c] : other.triangles)
        sheet.triangles.push_back({a + 9, b + 9, c + 9});
    sheet.rest.insert(sheet.rest.end(), other.rest.begin(), other.rest.end());
    const SphereLayer layer(sheet.triangles, sheet.rest, {});
    const std::vector<std::vector<int>> joints = {{2, 9}, {5, 12}, {8, 15}};
    const auto near = [&](const Rows& rows, int p, int q) {
        const auto row = rows[layer.at_point(p)];
        return std::binary_search(row.begin(), row.end(), layer.at_point(q));
    };
    const double reach = 4 * layer.radius();
    const Rows apart = layer.neighbours(sheet.triangles, sheet.rest, reach);
    const Rows sewn = layer.neighbours(sheet.triangles, sheet.rest, reach, joints);
    EXPECT_FALSE(near(apart, 5, 12));
    EXPECT_TRUE(near(sewn, 5, 12));
    EXPECT_TRUE(near(sewn, 4, 12));
    EXPECT_FALSE(near(sewn, 3, 14));
}

} // namespace
