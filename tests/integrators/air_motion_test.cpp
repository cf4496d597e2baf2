// How cloth moves in air: falling at its terminal velocity, turning with a wind that turns.
#include "integrators/sheets.h"
#include "muslin/forces/air_vertices.h"
#include "muslin/integrators/runge_kutta.h"

#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing_integrators;

struct Flying {
    Model model;
    Conditions conditions;
    State start;
    std::unique_ptr<RungeKutta> integrator;
};

std::unique_ptr<Flying> flying_sheet() {
    auto out = std::make_unique<Flying>();
    SheetSettings s;
    s.vertices = 60;
    s.stiffness = 2000;
    build_sheet(s, out->model, out->conditions, out->start);
    out->conditions.air = {};
    auto forces = sheet_forces(s, out->model);
    forces.push_back(std::make_unique<AirVerticesForce>(out->model));
    out->integrator = std::make_unique<RungeKutta>(out->model, std::move(forces),
                                                   RungeKuttaSettings{.error = 1e-6});
    return out;
}

State fly(Flying& sheet, double seconds) {
    State state = sheet.start, next;
    ConstraintSet none;
    Profile profile;
    double longest = sheet.integrator->longest_step(sheet.conditions, state);
    while (seconds - state.time > 1e-12) {
        const double left = seconds - state.time, h = left / std::ceil(left / longest);
        const StepReport report =
            sheet.integrator->step({sheet.conditions, state, h, none}, next, profile);
        if (report.status == StepReport::Status::inaccurate) {
            longest = report.longest_step;
            continue;
        }
        EXPECT_EQ(report.status, StepReport::Status::ok);
        std::swap(state, next);
        longest = sheet.integrator->longest_step_now(sheet.conditions, state);
    }
    return state;
}

// m v' = m g - (C_dis + C_wind) A v.
TEST(AirVertices, ALevelSheetFallsAtItsTerminalVelocity) {
    const auto sheet = flying_sheet();
    sheet->conditions.gravity = {0, -9.81, 0};
    sheet->conditions.air.viscous_drag = 0.2;
    sheet->conditions.air.linear_drag = 0.9;
    const double rate = 1.1 / 0.15, terminal = 9.81 / rate; // density 0.15 kg/m^2
    for (const double time : {0.1, 1.0}) {
        const State end = fly(*sheet, time);
        const double speed = terminal * (1 - std::exp(-rate * time));
        const double way = terminal * (time - (1 - std::exp(-rate * time)) / rate);
        for (std::size_t i = 0; i < end.positions.size(); ++i) {
            EXPECT_NEAR(end.velocities[i].y, -speed, 1e-6 * speed);
            EXPECT_NEAR(end.positions[i].y, -way, 1e-6 * way);
        }
    }
}

// Air that turns about an axis in the sheet's plane takes it along: of a plate, the rate w of
// turning has w' = C_wind / density (W - w).
TEST(AirVertices, ASheetTurnsWithAWindThatTurns) {
    const auto sheet = flying_sheet();
    std::vector<Expression> parts; // 2 rad/s about z
    for (const char* text : {"-2 * y", "2 * x", "0"})
        parts.emplace_back(text, Formula::variables);
    sheet->conditions.air.wind = Animated<Vec3>(Formula(std::move(parts), {}, {}, "wind"));
    sheet->conditions.air.linear_drag = 0.5;
    Vec3 middle = {0, 0, 0};
    double mass = 0;
    for (std::size_t i = 0; i < sheet->start.positions.size(); ++i) {
        middle += sheet->model.mass[i] * sheet->start.positions[i];
        mass += sheet->model.mass[i];
    }
    for (Vec3& p : sheet->start.positions)
        p -= (1 / mass) * middle;
    const double rate = 0.5 / 0.15, time = 0.5;
    const State end = fly(*sheet, time);
    double moment = 0, inertia = 0;
    for (std::size_t i = 0; i < end.positions.size(); ++i) {
        const Vec3 &x = end.positions[i], &v = end.velocities[i];
        moment += sheet->model.mass[i] * (x.x * v.y - x.y * v.x);
        inertia += sheet->model.mass[i] * (x.x * x.x + x.y * x.y);
    }
    EXPECT_NEAR(moment / inertia, 2 * (1 - std::exp(-rate * time)), 2e-3);
}

} // namespace
} // namespace muslin
