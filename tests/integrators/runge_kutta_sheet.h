#pragma once

// Sheets that the Runge-Kutta method moves, for its tests.

#include "integrators/sheets.h"
#include "muslin/integrators/runge_kutta.h"
#include "muslin/math/expression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace muslin::testing_integrators {

struct RkSheet {
    Model model;
    Conditions conditions;
    State start;
    std::unique_ptr<RungeKutta> integrator;
};

inline std::unique_ptr<RkSheet> make_rk_sheet(const SheetSettings& s,
                                              const RungeKuttaSettings& settings = {}) {
    auto out = std::make_unique<RkSheet>();
    build_sheet(s, out->model, out->conditions, out->start);
    out->integrator =
        std::make_unique<RungeKutta>(out->model, sheet_forces(s, out->model), settings);
    return out;
}

/// Constraints of a step, from pins.
inline void pin_down(const Conditions& conditions, const State& state, double h,
                     ConstraintSet& out) {
    out.clear();
    out.keep_paths(true);
    for (std::size_t i = 0; i < conditions.pins.size(); ++i)
        out.add_pin(conditions.pins[i], static_cast<int>(i), state, h);
    out.merge_by_particle();
}

/// Takes equal steps until `until` [s].
inline State advance(const Conditions& conditions, Integrator& integrator, State state,
                     double until, int steps) {
    Profile profile;
    State next;
    ConstraintSet held;
    const double h = (until - state.time) / steps;
    for (int i = 0; i < steps; ++i) {
        pin_down(conditions, state, h, held);
        EXPECT_EQ(integrator.step({conditions, state, h, held}, next, profile).status,
                  StepReport::Status::ok);
        std::swap(state, next);
    }
    return state;
}

inline Pin corner_pin(const RkSheet& sheet) {
    Pin pin;
    for (const int v : {0, 1})
        pin.particles.push_back(sheet.model.cloths[0].surface.vertex_particle[v]);
    std::sort(pin.particles.begin(), pin.particles.end());
    for (const int p : pin.particles)
        pin.start.push_back(sheet.start.positions[p]);
    pin.shape = PointShape{};
    return pin;
}

inline Animated<Vec3> formulas(const std::array<std::string, 3>& text) {
    constexpr std::string_view variables[] = {"t"};
    std::vector<Expression> parts;
    for (const std::string& part : text)
        parts.emplace_back(part, variables);
    return Animated<Vec3>(Formula(std::move(parts), {}, {}, "motion"));
}

inline SheetSettings swinging_settings() {
    SheetSettings s;
    s.vertices = 80;
    s.stiffness = 20;
    s.damping = 0.004;
    s.bending = true;
    return s;
}

/// A sheet that swings down from two corners.
inline std::unique_ptr<RkSheet> swinging(bool moving, const RungeKuttaSettings& settings) {
    auto sheet = make_rk_sheet(swinging_settings(), settings);
    sheet->conditions.gravity = {0, -9.81, 0};
    sheet->conditions.pins = {corner_pin(*sheet)};
    if (moving)
        sheet->conditions.pins[0].motion.translation =
            formulas({"0.05 * (1 - cos(20 * t))", "0.1 * (1 - cos(15 * t))", "0.3 * t^2"});
    return sheet;
}

inline double distance(const State& a, const State& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.positions.size(); ++i)
        most = std::max(most, norm(a.positions[i] - b.positions[i]));
    return most;
}

} // namespace muslin::testing_integrators
