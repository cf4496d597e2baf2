// What collisions do to positions and speeds [Volino95 3.5], one by one and many at once.

#include "muslin/collision/response/correction.h"

#include "muslin/mesh/generators.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace muslin;

// Two triangles over each other, far from anything else; masses as given.
Model two_triangles(const std::vector<double>& mass) {
    Model model;
    model.mass = mass;
    model.dynamics.triangles = model.collision.triangles = {{0, 1, 2}, {3, 4, 5}};
    model.dynamics.pattern = {{Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}},
                              {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}}};
    model.collision.thickness.assign(6, 0.1);
    model.collision.friction.assign(6, 0.0);
    return model;
}

const std::vector<double> masses = {1, 2, 3, 4, 5, 6};

struct Collision {
    Model model = two_triangles(masses);
    Surfaces surfaces{model};
    Mobility mobility;
    std::vector<Vec3> begin, end, velocities;
    double h = 0.01;

    explicit Collision(double friction = 0) {
        model.collision.friction.assign(6, friction);
        surfaces.friction.assign(6, friction);
        ConstraintSet constraints;
        constraints.merge_by_particle();
        mobility.set(surfaces, constraints);
        // Vertex 0 over the inside of the second triangle.
        begin = {{0.2, 0.15, 0.2}, {1.3, 0.9, 0}, {0, 0.9, 1.2}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
        velocities.assign(6, {0, 0, 0});
    }

    OrientedContact contact() const {
        Contact c = make_contact(surfaces, {0, 1}, false);
        double distance;
        EXPECT_TRUE(set_closest(c, begin, distance));
        return {c, false};
    }

    void move() {
        end = begin;
        for (std::size_t i = 0; i < end.size(); ++i)
            end[i] += h * velocities[i];
    }

    Correction::Report apply(const OrientedContact& contact) {
        Correction correction(surfaces, {});
        return correction.apply({&contact, 1}, mobility, h, begin, end, velocities);
    }

    Vec3 momentum() const {
        Vec3 sum = {0, 0, 0};
        for (std::size_t i = 0; i < 6; ++i)
            sum += masses[i] * velocities[i];
        return sum;
    }
    Vec3 angular_momentum() const {
        Vec3 sum = {0, 0, 0};
        for (std::size_t i = 0; i < 6; ++i)
            sum += masses[i] * cross(end[i], velocities[i]);
        return sum;
    }
    Vec3 centre() const {
        Vec3 sum = {0, 0, 0};
        for (std::size_t i = 0; i < 6; ++i)
            sum += masses[i] * end[i];
        return sum;
    }
};

TEST(Correction, RestoresTheGapAndKeepsTheMassCentre) {
    Collision c;
    const OrientedContact contact = c.contact();
    c.velocities[0] = {0.3, -10, 0};
    c.move();
    const Vec3 centre = c.centre();
    EXPECT_LT(contact.contact.gap(c.end), 0.1);
    const auto report = c.apply(contact);
    EXPECT_EQ(report.contacts, 1);
    EXPECT_NEAR(contact.contact.gap(c.end), 0.1, 1e-12);
    EXPECT_LT(norm(c.centre() - centre), 1e-13);
}

TEST(Correction, StopsApproachAndLeavesSeparation) {
    Collision c;
    const OrientedContact contact = c.contact();
    c.velocities[0] = {0.3, -10, 0.1};
    c.move();
    const Vec3 before = c.momentum();
    c.apply(contact);
    const Vec3 relative = contact.contact.difference(c.velocities);
    // Up to the turn that gives back the angular momentum of a move off the normal.
    EXPECT_NEAR(dot(relative, contact.contact.normal), 0, 1e-5 * 10) << "perfectly inelastic";
    EXPECT_LT(norm(c.momentum() - before), 1e-12);

    Collision apart;
    apart.begin[0].y = 0.05; // too near, and leaving
    const OrientedContact near = apart.contact();
    apart.velocities[0] = {0, 1, 0};
    apart.move();
    apart.apply(near);
    EXPECT_NEAR(dot(near.contact.difference(apart.velocities), near.contact.normal), 1, 1e-12);
}

TEST(Correction, RubsByCoulombsLaw) {
    for (const double mu : {0.1, 0.3, 5.0}) {
        Collision c(mu);
        const OrientedContact contact = c.contact();
        c.velocities[0] = {4, -10, 3};
        c.move();
        c.apply(contact);
        // What the vertex loses is in proportion to the one inverse mass of both directions.
        const Vec3 relative = contact.contact.difference(c.velocities);
        const double left = std::max(0.0, 5 - mu * 10);
        EXPECT_NEAR(norm(tangential(relative, contact.contact.normal)), left, 0.02 * 10 * mu)
            << mu << ": but for the turn that angular momentum asks for";
        if (left > 0) {
            EXPECT_GT(dot(relative, Vec3{4, 0, 3}), 0) << "along the sliding";
        }
    }
}

TEST(Correction, KeepsBothMomenta) {
    for (const double mu : {0.0, 0.3}) {
        Collision c(mu);
        const OrientedContact contact = c.contact();
        c.velocities = {{4, -10, 3}, {1, 2, 3}, {-1, 0.5, 2}, {0, 1, 0}, {2, 1, -2}, {0.2, 0, 1}};
        c.move();
        const Vec3 linear = c.momentum(), angular = c.angular_momentum();
        c.apply(contact);
        EXPECT_LT(norm(c.momentum() - linear), 1e-13 * norm(linear)) << mu;
        EXPECT_LT(norm(c.angular_momentum() - angular), 1e-13 * norm(angular)) << mu;
    }
}

TEST(Correction, DrawsBackNoFasterThanItMay) {
    Collision c;
    c.begin[0].y = -0.3;
    OrientedContact contact = c.contact();
    contact.contact.normal = -contact.contact.normal; // it belongs above
    contact.wrong = true;
    c.move();
    const double before = contact.contact.gap(c.end);
    EXPECT_NEAR(before, -0.3, 1e-12);
    c.apply(contact);
    EXPECT_NEAR(contact.contact.gap(c.end) - before, CorrectionSettings{}.recovery * c.h, 1e-12);
    EXPECT_EQ(norm(contact.contact.difference(c.velocities)), 0) << "it is not thrown";
}

TEST(Correction, IteratesOverCollisionsThatShareAPoint) {
    // Vertex 0 between the second triangle below and vertex 1 above: both gaps are to hold.
    Collision c;
    c.begin[1] = {0.2, 0.9, 0.2};
    const OrientedContact lower = c.contact();
    Contact upper = lower.contact;
    upper.points = {1, 0, 0, 0};
    upper.weights = {1, -1, 0, 0};
    upper.normal = {0, 1, 0};
    upper.thickness = 0.9;
    c.velocities[0] = {0, -10, 0};
    c.velocities[1] = {0, -20, 0};
    c.move();
    const std::vector<OrientedContact> both = {lower, {upper, false}};
    Correction correction(c.surfaces, {});
    const auto report = correction.apply(both, c.mobility, c.h, c.begin, c.end, c.velocities);
    const double tolerance = 2e-4; // what 30 rounds leave of 0.1 m and 10 m/s
    EXPECT_LT(report.left, tolerance);
    EXPECT_GT(lower.contact.gap(c.end), 0.1 - tolerance);
    EXPECT_GT(upper.gap(c.end), upper.gap(c.begin) + 0.005 - tolerance);
    EXPECT_GT(dot(upper.normal, upper.difference(c.velocities)), -100 * tolerance);
    EXPECT_GT(dot(lower.contact.normal, lower.contact.difference(c.velocities)), -100 * tolerance);
}

} // namespace
