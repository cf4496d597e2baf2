// What every force declares, and that it is all that it implements.
#include "forces/cloth.h"
#include "muslin/forces/air_vertices.h"
#include "muslin/forces/bend_shape.h"
#include "muslin/forces/bend_volino.h"
#include "muslin/forces/curvature_energy.h"
#include "muslin/forces/edge_springs.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/seams.h"
#include "muslin/forces/sticking.h"
#include "muslin/forces/strain_rosette.h"
#include "muslin/forces/stretch_shear.h"

#include <memory>
#include <string>

namespace muslin::test {
namespace {

struct Row {
    std::unique_ptr<Force> force;
    std::string name;
    ForceKind kind;
    std::string can;
};

template <class T, class... Arguments>
std::unique_ptr<Force> make(const Model& model, Arguments... arguments) {
    return std::make_unique<T>(model, arguments...);
}

std::vector<Row> all_rows(const Model& m) {
    using enum ForceKind;
    const std::string implicit = "linearised ", rows = implicit + "recorded ", damped = "damped ",
                      elements = "elements ", stiffening = "stiffening ", history = "history ",
                      stretch = "stretch ", domain = "domain ";
    const std::string links = implicit + damped + elements + stretch + domain;
    std::vector<Row> out;
    const auto add = [&](std::unique_ptr<Force> force, const char* name, ForceKind kind,
                         const std::string& can) {
        out.push_back({std::move(force), name, kind, can});
    };
    add(make<StretchShearForce>(m), "stretch_bw+shear_bw", in_plane, rows + damped + stretch);
    add(make<StrainRosetteForce>(m), "strain_rosette", in_plane,
        implicit + damped + elements + history + stretch);
    add(make<EdgeSpringForce>(m), "edge_springs", in_plane, links);
    add(make<MassSpringForce>(m), "mass_spring", in_plane, links);
    add(make<SuperimposedLinkForce>(m), "links", in_plane, links);
    add(make<BendForce>(m, BendLaw::angle), "bend_bw", bending, rows + damped + elements);
    add(make<BendForce>(m, BendLaw::half_angle), "bend_bridson", bending, rows + damped + elements);
    add(make<BendVolinoForce>(m), "bend_volino", bending, rows + damped + elements + history);
    add(make<BendShapeForce>(m), "bend_shape", bending, rows + damped + elements);
    add(make<FlexionSpringForce>(m), "flexion_springs", bending, links);
    add(make<CurvatureEnergyForce>(m), "curvature_energy", bending, implicit + damped + elements);
    add(make<GravityForce>(m), "gravity", gravity, implicit);
    add(make<AirDragForce>(m), "air_drag", air, implicit + damped);
    add(make<AirVerticesForce>(m), "air_vertices", air, implicit + damped);
    add(make<OutsideForce>(m), "outside", outside, implicit + damped);
    add(make<SeamForce>(m), "seams", seam, implicit + damped + stiffening);
    add(make<StickingForce>(m), "sticking", sticking, implicit + damped + stiffening);
    return out;
}

/// What a force declares. What it declares is itself, and what it does not it does not implement.
std::string declared(Force& force) {
    const ForceCapabilities can = force.capabilities();
    std::string out;
    const auto look_at = [&]<class T>(T* declared, const char* name) {
        EXPECT_EQ(declared, dynamic_cast<T*>(&force)) << force.name() << ": " << name;
        if (declared)
            out += std::string(name) + " ";
    };
    look_at(can.linearised, "linearised");
    look_at(can.recorded, "recorded");
    look_at(can.altered, "altered");
    look_at(can.adaptive, "adaptive");
    look_at(can.damped, "damped");
    look_at(can.elements, "elements");
    look_at(can.stiffening, "stiffening");
    look_at(can.history, "history");
    look_at(can.stretch, "stretch");
    look_at(can.domain, "domain");
    return out;
}

TEST(ForceCapabilities, AreThoseOfTheTable) {
    const Sheet sheet = irregular_sheet(30);
    for (const Row& row : all_rows(sheet.model)) {
        EXPECT_EQ(row.force->name(), row.name);
        EXPECT_EQ(row.force->kind(), row.kind) << row.name;
        EXPECT_EQ(declared(*row.force), row.can) << row.name;
    }
}

TEST(ForceCapabilities, WhatMovesClothAsAWholeComesFromOutside) {
    using enum ForceKind;
    for (const ForceKind kind : {gravity, air, outside, sticking})
        EXPECT_TRUE(comes_from_outside(kind));
    for (const ForceKind kind : {in_plane, bending, seam, contact})
        EXPECT_FALSE(comes_from_outside(kind));
}

// Forces of elements inside the cloth add up to nothing; what their records leave out relies on it.
TEST(ForceCapabilities, ElementsAreInsideTheCloth) {
    const Sheet sheet = irregular_sheet(30);
    for (const Row& row : all_rows(sheet.model)) {
        const ForceCapabilities can = row.force->capabilities();
        if (can.elements || can.recorded) {
            EXPECT_FALSE(comes_from_outside(row.kind)) << row.name;
        }
    }
}

} // namespace
} // namespace muslin::test
