#pragma once

#include "muslin/collision/response/contact_finder.h"
#include "muslin/collision/response/mobility.h"
#include "muslin/collision/response/step_points.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"

#include <vector>

namespace muslin::test {

inline constexpr double sheet_thickness = 2e-3; // [m]

/// Two level sheets, the second above the first by a gap, turned a little so that no features lie
/// exactly above others, and what a response has of their step.
struct FacingSheets {
    explicit FacingSheets(double gap, double friction = 0.3) {
        std::vector<ClothInput> cloths(2);
        for (int k = 0; k < 2; ++k) {
            cloths[k].name = k == 0 ? "lower" : "upper";
            cloths[k].mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 5, .rows = 5});
            cloths[k].material.thickness = sheet_thickness;
            cloths[k].material.friction = friction;
        }
        for (Vec3& p : cloths[1].mesh.positions)
            p = {0.98 * p.x + 0.07 * p.z + 0.004, p.y + gap, 0.98 * p.z - 0.07 * p.x + 0.003};
        model = build_model(cloths, {}, start);
    }
    /// Gives all particles of a sheet a velocity.
    void move(int sheet, const Vec3& velocity) {
        for (const int p : model.cloths[sheet].surface.vertex_particle)
            start.velocities[p] = velocity;
    }

    Model model;
    State start;
};

/// What is known of its contacts.
struct SensedStep {
    SensedStep(const FacingSheets& sheets, double h,
               ContactFinder::Foresight foresight = ContactFinder::Foresight::all_that_meet)
        : surfaces(sheets.model), input{conditions, sheets.start, h, constraints},
          finder(sheets.model, surfaces, foresight) {
        constraints.merge_by_particle();
        points.expect(surfaces, input);
        mobility.set(surfaces, constraints);
        finder.find(points, input, {}, contacts, profile);
    }
    Surfaces surfaces;
    Conditions conditions;
    ConstraintSet constraints;
    StepInput input;
    StepPoints points;
    Mobility mobility;
    ContactFinder finder;
    std::vector<Contact> contacts;
    Profile profile;
};

} // namespace muslin::test
