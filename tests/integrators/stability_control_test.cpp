// Stability control [Volino95 3.6].
#include "integrators/sheets.h"
#include "muslin/forces/outside.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing_integrators;
using Random = testing_math::Random; // numbers from -1 to 1

struct Outcome {
    State end;
    long damped = 0;
    bool finite = true;
};

/// Steps of `factor` times the one asked for, for a while; then as asked for.
Outcome run(Sheet& sheet, State state, double factor, int steps, int calm_steps) {
    Outcome out;
    State next;
    ConstraintSet none;
    Profile profile;
    const double h = sheet.integrator->longest_step(sheet.conditions, state);
    for (int i = 0; i < steps + calm_steps; ++i) {
        const StepReport report = sheet.integrator->step(
            {sheet.conditions, state, i < steps ? factor * h : h, none}, next, profile);
        out.damped += report.damped_particles;
        if (report.status != StepReport::Status::ok) {
            out.finite = false;
            break;
        }
        std::swap(state, next);
    }
    out.end = state;
    return out;
}

State stirred(const Sheet& sheet, double noise) {
    State state = sheet.start;
    Random random(5);
    for (std::size_t i = 0; i < state.positions.size(); ++i) {
        const Vec3& p = state.positions[i];
        state.velocities[i] =
            Vec3{0.2 + p.z, 0.5 * std::sin(5 * p.x), -p.x} + noise * random.vec3();
    }
    return state;
}

SheetSettings settings(bool control, bool bending = true) {
    SheetSettings s;
    s.bending = bending;
    s.integrator.stability_control = control;
    s.integrator.local_rates = false;
    return s;
}

TEST(StabilityControl, LeavesGoodMotionAlone) {
    for (const bool falls : {false, true})
        for (const double damping : {0.0, 0.02}) {
            State end[2];
            for (const bool control : {false, true}) {
                SheetSettings s = settings(control);
                s.damping = damping;
                const auto sheet = make_sheet(s);
                if (falls)
                    sheet->conditions.gravity = {0, -9.81, 0};
                const Outcome out = run(*sheet, stirred(*sheet, 0.5), 1, 1500, 0);
                EXPECT_EQ(out.damped, 0);
                EXPECT_TRUE(out.finite);
                end[control] = out.end;
            }
            for (std::size_t i = 0; i < end[0].positions.size(); ++i)
                ASSERT_EQ(norm(end[0].positions[i] - end[1].positions[i]), 0);
        }
}

TEST(StabilityControl, StepsThatAreTooLongAreSurvived) {
    for (const double factor : {1.6, 2.5, 4.0}) { // 1.3, 2 and 3.2 times the limit
        const auto without = make_sheet(settings(false)), with = make_sheet(settings(true));
        EXPECT_FALSE(run(*without, stirred(*without, 1e-3), factor, 300, 0).finite) << factor;
        const State start = stirred(*with, 1e-3);
        const Outcome out = run(*with, start, factor, 300, 300);
        ASSERT_TRUE(out.finite) << factor;
        const double before = mechanical_energy(*with, start),
                     after = mechanical_energy(*with, out.end);
        fmt::print(
            "steps {} times as long as asked for: {} interventions, energy {:.3g} -> {:.3g} J\n",
            factor, out.damped, before, after);
        EXPECT_GT(out.damped, 0);
        EXPECT_LT(after, factor < 3 ? 1.2 * before : 3 * before); // without it: infinite
        const double scale = norm(momentum(*with, start));
        EXPECT_LT(norm(momentum(*with, out.end) - momentum(*with, start)), 1e-12 * scale);
        EXPECT_LT(norm(angular_momentum(*with, out.end) - angular_momentum(*with, start)),
                  1e-11 * scale);
    }
}

// A few triangles grow so stiff that the step is too long for them alone.
TEST(StabilityControl, ALocalInstabilityIsHandledWhereItIs) {
    SheetSettings s = settings(true, false);
    s.fine = 0.6;
    const auto sheet = make_sheet(s);
    const State start = stirred(*sheet, 1e-3);
    const double h = sheet->integrator->longest_step(sheet->conditions, start);
    const auto steps = sheet->integrator->vertex_steps();
    const double factor = 1.6;
    long able = 0; // vertices that such a step is not too long for
    for (const double each : steps)
        able += each > factor * h * 0.8 ? 1 : 0;
    EXPECT_GT(able, static_cast<long>(steps.size()) / 10);
    const Outcome out = run(*sheet, start, factor, 400, 0);
    EXPECT_TRUE(out.finite);
    EXPECT_GT(out.damped, 0);
    EXPECT_LT(out.damped, 400 * static_cast<long>(steps.size()) * 9 / 10);
}

} // namespace
} // namespace muslin
