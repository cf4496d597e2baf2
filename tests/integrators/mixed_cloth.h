#pragma once

// Cloth for tests of the mixed schemes.

#include "math/random.h"
#include "muslin/forces/bend.h"
#include "muslin/forces/edge_springs.h"
#include "muslin/forces/outside.h"
#include "muslin/integrators/mixed.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <memory>
#include <vector>

namespace muslin::testing_integrators {

using Random = testing_math::Random; // numbers from -1 to 1

struct ClothSetup {
    Model model;
    Conditions conditions;
    State start;
    std::unique_ptr<MixedIntegrator> integrator;
};

inline std::unique_ptr<ClothSetup> cloth(const Material& material, int vertices = 600,
                                         MixedScheme scheme = MixedScheme::variable_step,
                                         double stiff_damping = MixedSettings{}.stiff_damping) {
    auto out = std::make_unique<ClothSetup>();
    ClothInput input;
    input.name = "sheet";
    input.material = material;
    IrregularSettings settings;
    settings.vertices = vertices;
    input.mesh = make_irregular(settings);
    out->model = build_model({input}, {}, out->start);
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<EdgeSpringForce>(out->model));
    forces.push_back(std::make_unique<BendForce>(out->model, BendLaw::half_angle));
    forces.push_back(std::make_unique<GravityForce>(out->model));
    MixedSettings mixed;
    mixed.scheme = scheme;
    mixed.stiff_damping = stiff_damping;
    out->integrator = std::make_unique<MixedIntegrator>(out->model, std::move(forces), mixed);
    return out;
}

inline Material soft() {
    Material m;
    m.stretch_u = m.stretch_v = 500;
    m.stretch_damping = 0.5;
    return m;
}

} // namespace muslin::testing_integrators
