// Which way triangles part that intersect, and how far: against exact answers whether they still
// do.

#include "muslin/collision/response/separation.h"

#include "muslin/collision/detect/body_offset.h"
#include "muslin/mesh/generators.h"
#include "muslin/mesh/predicates.h"
#include "muslin/mesh/triangle_mesh.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace muslin;

bool meet(const TrianglePoints& a, const TrianglePoints& b) {
    return triangles_meet({&a[0], &a[1], &a[2]}, {&b[0], &b[1], &b[2]});
}

TrianglePoints moved(TrianglePoints t, const Vec3& by) {
    for (Vec3& p : t)
        p += by;
    return t;
}

TEST(Meetings, TheWayPastIsTheLastPlaceWhereTheyMeet) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const auto vector = [&] { return Vec3{normal(random), normal(random), normal(random)}; };
    int met = 0;
    for (int k = 0; k < 20000; ++k) {
        const TrianglePoints a = {vector(), vector(), vector()}, b = {vector(), vector(), vector()};
        const Vec3 direction = normalized(vector());
        const double way = way_past(a, b, direction);
        if (!std::isfinite(way)) { // they miss each other wherever it goes
            EXPECT_FALSE(meet(a, b));
            continue;
        }
        ++met;
        EXPECT_TRUE(meet(moved(a, (way - 1e-7) * direction), b)) << k;
        EXPECT_FALSE(meet(moved(a, (way + 1e-7) * direction), b)) << k;
        if (meet(a, b)) {
            EXPECT_GE(way, 0) << k;
        }
    }
    EXPECT_GT(met, 5000);
}

TEST(Meetings, PlacesOfBothTrianglesAreTheWayApart) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    const auto vector = [&] { return Vec3{normal(random), normal(random), normal(random)}; };
    for (int k = 0; k < 1000; ++k) {
        const TrianglePoints a = {vector(), vector(), vector()}, b = {vector(), vector(), vector()};
        const Vec3 direction = normalized(vector());
        visit_meetings(a, b, direction, [&](const Meeting& m) {
            const auto on = [](const TrianglePoints& t, const Vec3& w) {
                return w.x * t[0] + w.y * t[1] + w.z * t[2];
            };
            const Vec3 d = on(b, m.second_weights) - on(a, m.first_weights);
            EXPECT_LT(norm(d - m.way * direction), 1e-7);
        });
    }
}

// A cloth of one triangle, and a body.
Model triangle_over(const PolygonMesh& mesh, double thickness) {
    Model model;
    model.mass = {1, 1, 1};
    model.dynamics.triangles = model.collision.triangles = {{0, 1, 2}};
    model.dynamics.pattern = {{Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}}};
    model.collision.thickness.assign(3, thickness);
    model.collision.friction.assign(3, 0.0);
    Body body;
    body.name = "body";
    body.mesh = mesh;
    body.triangles = triangulate(mesh).triangles;
    model.bodies.push_back(body);
    return model;
}

BoxSettings box_of(double size) {
    BoxSettings settings;
    settings.size = {size, size, size};
    return settings;
}

TEST(BodyOffset, ABoxBecomesALargerBox) {
    for (const bool cut : {false, true}) {
        PolygonMesh mesh = make_box(box_of(2));
        if (cut) { // every face with corners of its own, as files with normals have it
            PolygonMesh whole = mesh;
            mesh.positions.clear();
            for (int& v : mesh.corner_vertex) {
                mesh.positions.push_back(whole.positions[v]);
                v = static_cast<int>(mesh.positions.size()) - 1;
            }
        }
        const Model model = triangle_over(mesh, 0.02);
        const Surfaces surfaces(model);
        BodyOffset offset(surfaces, 0.01);
        std::vector<Vec3> points(surfaces.point_count());
        surfaces.place_bodies(0, points);
        offset.apply(points);
        for (std::size_t i = 3; i < points.size(); ++i)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(std::abs(points[i][axis]), 1.01, 1e-7) << cut;
    }
}

TEST(BodyOffset, EveryPlaneOfABallMovesByTheGap) {
    SphereSettings settings;
    settings.radius = 1;
    const Model model = triangle_over(make_sphere(settings), 0.02);
    const Surfaces surfaces(model);
    BodyOffset offset(surfaces, 0.01);
    std::vector<Vec3> before(surfaces.point_count());
    surfaces.place_bodies(0, before);
    std::vector<Vec3> after = before;
    offset.apply(after);
    for (int t = 1; t < static_cast<int>(surfaces.triangles.size()); ++t) {
        const Vec3 n = triangle_normal(surfaces, before, t);
        for (const int p : surfaces.triangles[t]) {
            EXPECT_GE(dot(n, after[p] - before[p]), 0.01 - 1e-7);
            EXPECT_LE(norm(after[p] - before[p]), 1.01 * 0.01); // 1 / cos 8 degrees
        }
    }
}

struct OverABox {
    Model model = triangle_over(make_box(box_of(2)), 0.02);
    Surfaces surfaces{model};
    std::vector<Vec3> points = std::vector<Vec3>(surfaces.point_count());
    OverABox(const Vec3& a, const Vec3& b, const Vec3& c) {
        surfaces.place_bodies(0, points);
        points[0] = a;
        points[1] = b;
        points[2] = c;
    }
    std::vector<int> intersected() const {
        std::vector<int> out;
        const auto at = [&](int t) {
            const auto& [a, b, c] = surfaces.triangles[t];
            return TrianglePoints{points[a], points[b], points[c]};
        };
        for (int t = 1; t < static_cast<int>(surfaces.triangles.size()); ++t)
            if (meet(at(0), at(t)))
                out.push_back(t);
        return out;
    }
};

TEST(MeanNormal, LeavesAnEdgeBetweenItsTwoFaces) {
    // Through the edge x = 1, y = 1: half of it over the top, half beside.
    OverABox c({0.8, 1.1, 0}, {1.1, 0.8, 0.1}, {1.1, 0.8, -0.1});
    const auto polygons = c.intersected();
    ASSERT_GE(polygons.size(), 2u);
    const WayOut out = mean_normal_way(c.surfaces, c.points, c.points, 0, polygons);
    EXPECT_NEAR(dot(out.direction, Vec3{1, 1, 0}), std::sqrt(2.0), 0.1);
    EXPECT_GT(out.way, 0.05);
    for (int k = 0; k < 3; ++k)
        c.points[k] += (out.way + 1e-9) * out.direction;
    EXPECT_TRUE(c.intersected().empty());
}

TEST(MeanNormal, OfOppositePolygonsIsTheShorterWay) {
    // Through a thin plate near its upper side: the mean of the two normals is nothing.
    BoxSettings plate;
    plate.size = {2, 0.1, 2};
    OverABox thin({0, -0.06, 0}, {0.3, 0.5, 0.3}, {0.1, 0.5, 0.4});
    thin.model.bodies[0].mesh = make_box(plate);
    thin.surfaces.place_bodies(0, thin.points);
    const auto polygons = thin.intersected();
    ASSERT_GE(polygons.size(), 2u);
    const WayOut out = mean_normal_way(thin.surfaces, thin.points, thin.points, 0, polygons);
    EXPECT_NEAR(out.direction.y, 1, 1e-12);
    EXPECT_NEAR(out.way, 0.11, 1e-9);
}

TEST(MeanNormal, GoesBackUpWhereItFellFlatOnACorner) {
    // Over the corner (1, 1, 1), all corners of the triangle beside the box: at the end it
    // intersects the two sides and not the top.
    OverABox c({1.2, 0.98, 0.6}, {0.6, 0.98, 1.2}, {1.3, 0.98, 1.3});
    std::vector<Vec3> before = c.points;
    for (int k = 0; k < 3; ++k)
        before[k].y = 1.01;
    const auto polygons = c.intersected();
    ASSERT_GE(polygons.size(), 2u);
    for (const int polygon : polygons)
        ASSERT_EQ(triangle_normal(c.surfaces, c.points, polygon).y, 0);
    const WayOut out = mean_normal_way(c.surfaces, before, c.points, 0, polygons);
    EXPECT_NEAR(out.direction.y, 1, 1e-12);
    EXPECT_NEAR(out.way, 0.02, 1e-12);
}

TEST(Separation, ContactsAreOfTheCornersThatAreInside) {
    OverABox c({0.1, 0.9, 0.1}, {0.5, 0.95, 0.2}, {0.3, 1.4, 0.5});
    const auto polygons = c.intersected();
    std::vector<Contact> contacts;
    append_contacts(c.surfaces, c.points, 0, polygons, {0, 1, 0}, 0.001, contacts);
    ASSERT_EQ(contacts.size(), 2u);
    EXPECT_NEAR(contacts[0].gap(c.points), -0.1, 1e-12);
    EXPECT_NEAR(contacts[1].gap(c.points), -0.05, 1e-12);
    EXPECT_EQ(contacts[0].thickness, 0.001);
}

TEST(Separation, ContactOfABodysCornerIsInTheTriangle) {
    // The corner (1, 1, 1) pokes through the middle.
    const Vec3 n = normalized({1, 1, 1}), e = normalized({1, -1, 0}), f = cross(n, e);
    const Vec3 middle = Vec3{1, 1, 1} - 0.05 * n;
    OverABox c(middle + f, middle - 0.5 * f + 0.9 * e, middle - 0.5 * f - 0.9 * e);
    const auto polygons = c.intersected();
    ASSERT_GE(polygons.size(), 3u);
    const WayOut out = mean_normal_way(c.surfaces, c.points, c.points, 0, polygons);
    EXPECT_GT(dot(out.direction, n), 0.9) << "one face of it is two polygons, others one";
    std::vector<Contact> contacts;
    append_contacts(c.surfaces, c.points, 0, polygons, out.direction, 0, contacts);
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].gap(c.points), -out.way, 1e-12);
    for (const int p : {0, 1, 2}) {
        const auto at = std::find(contacts[0].points.begin(), contacts[0].points.end(), p);
        ASSERT_NE(at, contacts[0].points.end());
        EXPECT_NEAR(std::abs(contacts[0].weights[at - contacts[0].points.begin()]), 1.0 / 3, 0.05);
    }
}

TEST(Separation, ClothGoesBackToWhereItCameFrom) {
    Model model;
    model.mass.assign(6, 1.0);
    model.dynamics.triangles = model.collision.triangles = {{0, 1, 2}, {3, 4, 5}};
    model.dynamics.pattern.assign(2, {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}});
    model.collision.thickness.assign(6, 0.01);
    model.collision.friction.assign(6, 0.0);
    const Surfaces surfaces(model);
    std::vector<Vec3> begin = {{0, 0, 0},       {1, 0, 0},   {0, 0, 1},
                               {0.2, 0.1, 0.2}, {1, 1, 0.4}, {0.4, 1, 1}};
    std::vector<Vec3> end = begin;
    end[3].y = -0.7; // most of the second is below now: the shorter way out is down
    const WayOut back = way_apart(surfaces, begin, end, 0, 1, false);
    EXPECT_NEAR(back.direction.y, -1, 1e-12) << "the first goes down, the second up";
    EXPECT_NEAR(back.way, 0.7, 1e-12);
    end[3].y = -0.1;
    const WayOut either = way_apart(surfaces, begin, end, 0, 1, true);
    EXPECT_LE(either.way, 0.1 + 1e-12) << "the shorter way is its own way back here";
    EXPECT_GT(either.way, 0);
}

} // namespace
