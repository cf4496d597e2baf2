#include "muslin/garment/fit.h"

#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace muslin {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int around_count = 120; // sides of every tube

/// A tube around the y axis, or round a parallel of it, of `rows` rows of quads, whose pattern is
/// `width` around (u) and as high as the tube (v). Its first half is the panel "front".
PolygonMesh tube(double radius, double width, double x = 0, int rows = 20, double low = 0,
                 double high = 1) {
    constexpr int sides = around_count;
    PolygonMesh out;
    out.group_names = {"front", "back"};
    for (int j = 0; j <= rows; ++j)
        for (int i = 0; i <= sides; ++i) {
            const double y = low + (high - low) * j / rows, part = double(i) / sides;
            if (i < sides)
                out.positions.push_back(
                    {x + radius * std::cos(2 * pi * part), y, -radius * std::sin(2 * pi * part)});
            out.texcoords.push_back({width * part, y - low});
        }
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < sides; ++i) {
            for (const auto& [a, b] : {std::pair{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}) {
                out.corner_vertex.push_back(b * sides + a % sides);
                out.corner_texcoord.push_back(b * (sides + 1) + a);
            }
            out.face_begin.push_back(static_cast<int>(out.corner_vertex.size()));
            out.face_group.push_back(i < sides / 2 ? 0 : 1);
        }
    return out;
}

/// A tube with lids.
Body solid(double radius, double x = 0, double low = -1, double high = 2, int rows = 10) {
    Body out;
    out.name = "solid";
    out.mesh = tube(radius, 1, x, rows, low, high);
    out.triangles = triangulate(out.mesh).triangles;
    const int count = static_cast<int>(out.mesh.positions.size());
    out.mesh.positions.push_back({x, low, 0});
    out.mesh.positions.push_back({x, high, 0});
    for (int i = 0; i < around_count; ++i) {
        const int next = (i + 1) % around_count;
        out.triangles.push_back({count, next, i});
        out.triangles.push_back({count + 1, count - around_count + i, count - around_count + next});
    }
    return out;
}

Material fabric() {
    Material out;
    out.stretch_u = 400, out.stretch_v = 700, out.shear = 30;
    out.thickness = 1e-3;
    return out;
}

struct Dressed {
    State state;
    Model model;
};

Dressed dressed(const PolygonMesh& cloth, std::vector<Body> bodies) {
    Dressed out;
    ClothInput input;
    input.name = "sleeve";
    input.mesh = cloth;
    input.material = fabric();
    out.model = build_model({input}, {}, out.state);
    out.model.bodies = std::move(bodies);
    return out;
}

TEST(Fit, ATubeStretchedOnACylinderHasItsTensionAndPressure) {
    constexpr double radius = 0.1;
    const double around = 2 * around_count * std::sin(pi / around_count) * radius;
    Dressed d = dressed(tube(radius + 0.001, around * 1.01 / 1.05), {solid(radius)});
    // Held up by its own tension: T / R on every part of the surface.
    const double tension = 400 * 0.05, pressure = tension / (radius + 0.001);
    std::vector<double> area(d.model.mass.size(), 0);
    for (const auto& [i, j, k] : d.model.dynamics.triangles)
        for (const int p : {i, j, k})
            area[p] += norm(cross(d.state.positions[j] - d.state.positions[i],
                                  d.state.positions[k] - d.state.positions[i])) /
                       6;
    for (const double a : area)
        d.state.contact_force.push_back(pressure * a);

    const std::vector<ClothFit> fit = measure_fit(d.model, d.state, {});
    ASSERT_EQ(fit.size(), 1u);
    ASSERT_EQ(fit[0].parts.size(), 3u);
    const char* const names[] = {"sleeve", "front", "back"};
    for (std::size_t i = 0; i < 3; ++i) {
        const PartFit& part = fit[0].parts[i];
        SCOPED_TRACE(part.name);
        EXPECT_EQ(part.name, names[i]);
        EXPECT_NEAR(part.area, around * 1.01 / 1.05 / (i == 0 ? 1 : 2), 1e-9);
        for (const double s : {part.stretch_u.mean, part.stretch_u.p95, part.stretch_u.max})
            EXPECT_NEAR(s, 5, 1e-6);
        EXPECT_NEAR(part.stretch_v.max, 0, 1e-6);
        for (const double t : {part.tension_u.mean, part.tension_u.max, part.tension.mean,
                               part.tension.p95, part.tension.max})
            EXPECT_NEAR(t, tension, 1e-6);
        EXPECT_NEAR(part.tension_v.max, 0, 1e-6);
        ASSERT_TRUE(part.pressure);
        EXPECT_NEAR(part.pressure->mean, pressure, 1e-6);
        ASSERT_TRUE(part.ease);
        EXPECT_NEAR(part.ease->mean, 0.001, 1e-9);
        EXPECT_NEAR(part.ease->contact, 1, 1e-9);
    }
}

TEST(Fit, AWiderTubeHasEaseAllAround) {
    Dressed d = dressed(tube(0.11, 2 * pi * 0.11), {solid(0.1)});
    const NamedHeight at[] = {{"waist", 0.4}, {"above", 1.5}};
    const ClothFit fit = measure_fit(d.model, d.state, {}, at).at(0);
    ASSERT_TRUE(fit.parts[1].ease);
    EXPECT_NEAR(fit.parts[1].ease->mean, 0.010, 1e-9);
    EXPECT_NEAR(fit.parts[1].ease->min, 0.010, 1e-9);
    EXPECT_EQ(fit.parts[1].ease->contact, 0);
    EXPECT_FALSE(fit.parts[1].pressure);
    ASSERT_EQ(fit.girths.size(), 2u);
    EXPECT_EQ(fit.girths[0].name, "waist");
    EXPECT_EQ(fit.girths[1].name, "tightest");
    for (const NamedGirth& girth : fit.girths) {
        EXPECT_NEAR(girth.girth.ease(), 2 * pi * 0.010, 2e-5);
        EXPECT_NEAR(girth.girth.body, 2 * pi * 0.1, 1e-4);
    }
    // Off the axis by the whole gap: it touches on one side, and the girth is as wide.
    for (Vec3& p : d.state.positions)
        p.x += 0.012;
    const ClothFit shifted = measure_fit(d.model, d.state, {}, at).at(0);
    EXPECT_NEAR(shifted.parts[0].ease->min, -0.002, 1e-6);
    EXPECT_NEAR(shifted.girths[0].girth.ease(), 2 * pi * 0.010, 2e-5);
    // No heights given: those of a standing body, 3 m tall from -1 m.
    EXPECT_NEAR(measure_fit(d.model, d.state, {}).at(0).girths[0].girth.height, -1 + 3 * 0.62,
                1e-12);
}

TEST(Fit, HeightsAreThoseOfTheBodysOwnShape) {
    Body body = solid(0.1, 0, 0, 1.7, 170);
    for (Vec3& p : body.mesh.positions) {
        const auto bump = [&](double y) { return std::exp(-std::pow((p.y - y) / 0.08, 2)); };
        const double wide = 1 + 0.4 * bump(1.25) - 0.2 * bump(1.05) + 0.5 * bump(0.86);
        p = {wide * p.x, p.y, wide * p.z};
    }
    const std::vector<NamedHeight> found =
        body_heights(Slices({body.mesh.positions, body.triangles}));
    const double wanted[] = {1.25, 1.05, 0.86};
    ASSERT_EQ(found.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(found[i].height, wanted[i], 0.011) << found[i].name;
}

TEST(Fit, GirthsFollowLegsAndATapeSpansThem) {
    const double offset = 0.2;
    const std::vector<Body> legs = {solid(0.1, -offset), solid(0.1, offset)};
    std::vector<Slices> bodies;
    for (const Body& leg : legs)
        bodies.emplace_back(TriangleView{leg.mesh.positions, leg.triangles});
    PolygonMesh trousers = tube(0.13, 1, -offset);
    const PolygonMesh other = tube(0.12, 1, offset);
    const TriangleMesh left = triangulate(trousers), right = triangulate(other);
    std::vector<Vec3> positions = left.positions;
    std::vector<std::array<int, 3>> triangles = left.triangles;
    for (auto t : right.triangles) {
        for (int& v : t)
            v += static_cast<int>(left.positions.size());
        triangles.push_back(t);
    }
    positions.insert(positions.end(), right.positions.begin(), right.positions.end());
    const std::vector<Girth> pair = girths_at(Slices({positions, triangles}), bodies, 0.5);
    ASSERT_EQ(pair.size(), 2u);
    EXPECT_NEAR(pair[0].ease(), 2 * pi * 0.03, 1e-4);
    EXPECT_NEAR(pair[1].ease(), 2 * pi * 0.02, 1e-4);

    const TriangleMesh skirt = triangulate(tube(0.4, 1));
    const std::vector<Girth> one =
        girths_at(Slices({skirt.positions, skirt.triangles}), bodies, 0.05); // at a row of vertices
    ASSERT_EQ(one.size(), 1u);
    EXPECT_NEAR(one[0].body, 2 * pi * 0.1 + 4 * offset, 1e-4);
    // An open strip is no girth.
    std::vector<std::array<int, 3>> open(skirt.triangles);
    std::erase_if(open, [&](const auto& t) {
        return std::any_of(t.begin(), t.end(), [&](int v) { return skirt.positions[v].x > 0.399; });
    });
    EXPECT_TRUE(girths_at(Slices({skirt.positions, open}), bodies, 0.05).empty());
}

TEST(Fit, TensionKnowsRestStretchesShearAndTheLimitOfThreads) {
    Dressed d = dressed(tube(0.105, 2 * around_count * std::sin(pi / around_count) * 0.1), {});
    RestStretch elastic;
    elastic.b_u = Animated<double>(0.9);
    elastic.b_v = Animated<double>(1.0);
    for (int t = 0; t < static_cast<int>(d.model.dynamics.triangles.size()); ++t)
        elastic.triangles.push_back(t);
    d.model.rest_stretches = {elastic};
    const auto largest = [&](const ThreadLaw& law) {
        return triangle_tensions(d.model, d.state, law)[7].largest;
    };
    EXPECT_NEAR(largest({}), 400 * 0.15, 1e-9);
    EXPECT_NEAR(largest({0.1, 10}), 400 * (0.15 + 10 * (1.05 - 0.99)), 1e-9);

    d.model.rest_stretches.clear();
    for (Vec3& p : d.state.positions) { // twisted: shear g, threads along v longer
        const double turn = 0.02 * p.y / 0.105, c = std::cos(turn), s = std::sin(turn);
        p = {c * p.x - s * p.z, p.y, s * p.x + c * p.z};
    }
    const TriangleTension t = triangle_tensions(d.model, d.state, {})[7];
    EXPECT_NEAR(t.along_u, 400 * 0.05, 1e-6);
    const double shear = 30 * 1.05 * 0.02, along_v = 700 * (std::sqrt(1 + 4e-4) - 1);
    EXPECT_NEAR(t.along_v, along_v, 1e-3);
    EXPECT_NEAR(t.largest,
                0.5 * (20 + along_v) +
                    std::sqrt(0.25 * (20 - along_v) * (20 - along_v) + shear * shear),
                1e-3);
    EXPECT_TRUE(measure_fit(d.model, d.state, {}).at(0).girths.empty());
}

} // namespace
} // namespace muslin
