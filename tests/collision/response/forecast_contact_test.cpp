// Cloth against bodies by forecasting, with fields in closed form.

#include "muslin/collision/response/forecast_contact.h"

#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;

constexpr double thickness = 2e-3; // of the cloth [m]
constexpr double mu = 0.3;

Vec3 unit(const Vec3& a) {
    return (1 / norm(a)) * a;
}

// A half space that moves as a whole; its body has the number 0.
class PlaneField final : public MovingField {
public:
    PlaneField(const Vec3& normal, const Vec3& velocity)
        : normal_(unit(normal)), velocity_(velocity) {}
    void set_time(double time, double) override { shift_ = time * velocity_; }
    void sample(std::span<const Vec3> places, std::span<FieldSample> out) const override {
        for (std::size_t i = 0; i < places.size(); ++i)
            out[i] = {distance(places[i]), normal_, velocity_, 0, false};
    }
    Pinch pinch(const Vec3&) const override { return {}; }
    double distance(const Vec3& x) const { return dot(normal_, x - shift_); }

private:
    Vec3 normal_, velocity_, shift_ = {0, 0, 0};
};

// A sheet of 5 x 5 particles, level at a height, and a step as an integrator would propose it.
struct Sheet {
    explicit Sheet(double height, double body_thickness = 0) {
        ClothInput cloth;
        cloth.name = "sheet";
        cloth.mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 5, .rows = 5});
        for (Vec3& p : cloth.mesh.positions)
            p.y += height;
        cloth.material.thickness = thickness;
        cloth.material.friction = mu;
        model = build_model({cloth}, {}, begin);
        Body body;
        body.name = "plane";
        body.thickness = body_thickness;
        model.bodies.push_back(body);
    }
    // Velocities at the begin and at the end; positions move by their mean.
    ContactReport step(ForecastContact& contact, const Vec3& v0, const Vec3& v1, double h) {
        begin.velocities.assign(begin.positions.size(), v0);
        constraints.merge_by_particle();
        contact.sense({conditions, begin, h, constraints}, profile);
        end = begin;
        end.time = begin.time + h;
        for (std::size_t i = 0; i < end.positions.size(); ++i) {
            end.velocities[i] = v1;
            end.positions[i] += 0.5 * h * (v0 + v1);
        }
        for (const ParticleConstraint& c : constraints.list())
            for (int k = 0; k < c.count; ++k) {
                end.positions[c.particle] +=
                    (c.position[k] - dot(c.direction[k], end.positions[c.particle])) *
                    c.direction[k];
                end.velocities[c.particle] +=
                    (c.velocity[k] - dot(c.direction[k], end.velocities[c.particle])) *
                    c.direction[k];
            }
        return contact.resolve({conditions, begin, h, constraints, {}, false}, end, profile);
    }
    Model model;
    Conditions conditions;
    State begin, end;
    ConstraintSet constraints;
    Profile profile;
};

ForecastContact make(const Sheet& sheet, const Vec3& normal, const Vec3& velocity,
                     double relaxation) {
    ForecastContactSettings settings;
    settings.relaxation = relaxation;
    return ForecastContact(sheet.model, settings, std::make_unique<PlaneField>(normal, velocity));
}

TEST(ForecastContact, KeepsHalfTheClothAndTheBodysThicknessOffAMovingPlane) {
    const double h = 5e-3, kept = thickness / 2 + 3e-3;
    Sheet sheet(0.006, 3e-3);
    ForecastContact contact = make(sheet, {0, 1, 0}, {0, 0.4, 0}, 0);
    const ContactReport report = sheet.step(contact, {0, -1, 0}, {0, -1.2, 0}, h);
    EXPECT_EQ(report.contacts, 25);
    for (std::size_t i = 0; i < 25; ++i) {
        EXPECT_NEAR(sheet.end.positions[i].y, 0.4 * h + kept, 1e-10);
        EXPECT_NEAR(sheet.end.velocities[i].y, 0.4, 1e-10) << "it goes with the plane";
        EXPECT_NEAR(sheet.end.contact_force[i], sheet.model.mass[i] * 1.6 / h, 1e-9);
    }
}

TEST(ForecastContact, VelocitiesOfTheStepAndOfItsEndLoseTheirOwnFriction) {
    const double h = 2e-3, g = 10;
    Sheet sheet(thickness / 2);
    ForecastContact contact = make(sheet, {0, 1, 0}, {0, 0, 0}, 0);
    // At rest on the plane across it, sliding along it, under its weight alone.
    sheet.step(contact, {1, 0, 0}, {1, -g * h, 0}, h);
    for (std::size_t i = 0; i < 25; ++i) {
        const Vec3 way = sheet.end.positions[i] - sheet.begin.positions[i];
        EXPECT_NEAR(way.x, h * (1 - mu * g * h / 2), 1e-13);
        EXPECT_NEAR(way.y, 0, 1e-13);
        EXPECT_NEAR(sheet.end.velocities[i].x, 1 - mu * g * h, 1e-12);
        EXPECT_NEAR(sheet.end.velocities[i].y, 0, 1e-12);
        EXPECT_NEAR(sheet.end.contact_force[i], sheet.model.mass[i] * g, 1e-9) << "its weight";
    }
}

TEST(ForecastContact, WhatIsInsideComesOutAtTheRelaxationTimeWhateverTheStep) {
    for (const double h : {1e-3, 2e-3, 4e-3}) {
        Sheet sheet(thickness / 2 - 5e-3);
        ForecastContact contact = make(sheet, {0, 1, 0}, {0, 0, 0}, 20e-3);
        Vec3 v = {0, 0, 0};
        for (double t = 0; t < 20e-3 - h / 2; t += h) {
            sheet.step(contact, v, v, h);
            v = sheet.end.velocities[0];
            sheet.begin = sheet.end;
        }
        const double depth = thickness / 2 - sheet.end.positions[0].y;
        EXPECT_NEAR(depth, 5e-3 * std::exp(-1), 0.15 * 5e-3 * std::exp(-1)) << h;
        EXPECT_NEAR(v.y, depth / 20e-3, 1e-9) << "and is not thrown";
    }
}

TEST(ForecastContact, PinsAreKept) {
    const double h = 5e-3;
    Sheet sheet(0);
    ParticleConstraint pin;
    pin.particle = 3;
    pin.count = 3;
    ParticleConstraint line = pin; // one that slides along (1, 1, 0)
    line.particle = 7;
    line.count = 2;
    const Vec3 along = unit({1, 1, 0});
    const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, across[] = {unit({1, -1, 0}), {0, 0, 1}};
    for (int k = 0; k < 3; ++k) {
        pin.direction[k] = axes[k];
        pin.velocity[k] = 0;
        pin.position[k] = dot(axes[k], sheet.begin.positions[3]);
    }
    for (int k = 0; k < 2; ++k) {
        line.direction[k] = across[k];
        line.velocity[k] = 0;
        line.position[k] = dot(across[k], sheet.begin.positions[7]);
    }
    sheet.constraints.add(pin);
    sheet.constraints.add(line);
    ForecastContact contact = make(sheet, {0, 1, 0}, {0, 0, 0}, 0);
    sheet.step(contact, {0, -1, 0}, {0, -1, 0}, h);
    EXPECT_EQ(norm(sheet.end.positions[3] - sheet.begin.positions[3]), 0);
    EXPECT_EQ(norm(sheet.end.velocities[3]), 0);
    const Vec3 way = sheet.end.positions[7] - sheet.begin.positions[7];
    EXPECT_NEAR(norm(way - dot(way, along) * along), 0, 1e-15);
    EXPECT_NEAR(sheet.end.positions[7].y, thickness / 2, 1e-12) << "along the line to the plane";
    EXPECT_NEAR(sheet.end.positions[0].y, thickness / 2, 1e-12);
}

} // namespace
