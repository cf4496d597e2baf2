// How long a step of the Runge-Kutta method may be [Bayraktar07 2]: as long as it is stable, and as
// its error is no larger than is asked for.
#include "muslin/integrators/runge_kutta_step.h"

#include "integrators/runge_kutta_sheet.h"

#include <complex>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing_integrators;

// Every eigenvalue of M^-1 (K, D) times the longest step is in here.
TEST(RungeKuttaStability, TheHalfDiscOfItsStepsIsStable) {
    for (double angle = 90; angle <= 180; angle += 0.25)
        for (double radius = 0.02; radius <= 2.61; radius += 0.01) {
            const std::complex<double> z = std::polar(radius, angle * M_PI / 180);
            EXPECT_LE(std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))),
                      1 + 1e-12)
                << radius << " at " << angle;
        }
}

/// What the engine does: steps that are not accurate are taken again, shorter.
struct AdaptiveRun {
    State end;
    int steps = 0, refused = 0;
    double largest_error = 0; ///< estimated, of steps that were taken
    double worst_local = 0;   ///< true, of every seventh of them
};

AdaptiveRun run_adaptive(RkSheet& sheet, double until) {
    AdaptiveRun out;
    const auto fine =
        std::make_unique<RungeKutta>(sheet.model, sheet_forces(swinging_settings(), sheet.model),
                                     RungeKuttaSettings{.adaptive = false});
    State state = sheet.start, next;
    ConstraintSet held;
    Profile profile;
    double longest = sheet.integrator->longest_step(sheet.conditions, state);
    while (until - state.time > 1e-12) {
        const double remaining = until - state.time;
        const double h = remaining / std::ceil(remaining / longest);
        pin_down(sheet.conditions, state, h, held);
        const StepReport report =
            sheet.integrator->step({sheet.conditions, state, h, held}, next, profile);
        if (report.status == StepReport::Status::inaccurate) {
            EXPECT_LT(report.longest_step, h);
            longest = report.longest_step;
            ++out.refused;
            continue;
        }
        EXPECT_EQ(report.status, StepReport::Status::ok);
        out.largest_error = std::max(out.largest_error, report.error);
        if (out.steps++ % 7 == 0)
            out.worst_local =
                std::max(out.worst_local,
                         distance(next, advance(sheet.conditions, *fine, state, next.time, 8)));
        std::swap(state, next);
        longest = sheet.integrator->longest_step_now(sheet.conditions, state);
    }
    out.end = state;
    return out;
}

TEST(AccurateStep, AdaptiveStepsKeepTheErrorThatIsAskedFor) {
    const auto exact_sheet = swinging(true, {.adaptive = false});
    const State exact =
        advance(exact_sheet->conditions, *exact_sheet->integrator, exact_sheet->start, 0.3, 3000);
    double last = 0;
    int last_steps = 0;
    for (const double asked : {1e-5, 1e-6, 1e-7}) {
        const auto sheet = swinging(true, {.error = asked});
        const AdaptiveRun run = run_adaptive(*sheet, 0.3);
        const double error = distance(run.end, exact);
        fmt::print("asked {:.0e} m: {} steps, {} refused, estimated {:.2e}, local {:.2e}, in all "
                   "{:.2e} m\n",
                   asked, run.steps, run.refused, run.largest_error, run.worst_local, error);
        EXPECT_LE(run.largest_error, asked);
        EXPECT_LE(run.worst_local, asked);
        EXPECT_GT(run.largest_error, 0.3 * asked); // no shorter than needed
        EXPECT_LT(run.refused, 0.2 * run.steps + 5);
        EXPECT_GT(run.steps, last_steps);
        if (last > 0) {
            EXPECT_GT(last / error, 5);
            EXPECT_LT(last / error, 25);
        }
        last = error;
        last_steps = run.steps;
    }
}

TEST(RungeKuttaStability, StableUpToTheStepThatItAsksFor) {
    for (const double damping : {0.0, 0.05, 2.0}) {
        SheetSettings s;
        s.vertices = 200;
        s.damping = damping;
        const auto sheet = make_rk_sheet(s, {.adaptive = false});
        const double asked = sheet->integrator->longest_step(sheet->conditions, sheet->start);
        const auto energy_after = [&](double h) {
            State state = sheet->start, next;
            testing_math::Random random(3);
            for (Vec3& p : state.positions)
                p += 1e-6 * random.vec3();
            ConstraintSet none;
            Profile profile;
            for (int i = 0; i < 300; ++i) {
                if (sheet->integrator->step({sheet->conditions, state, h, none}, next, profile)
                        .status != StepReport::Status::ok)
                    return HUGE_VAL;
                std::swap(state, next);
            }
            return mechanical_energy(*sheet, state);
        };
        EXPECT_LT(energy_after(asked), 1e-4) << "damping " << damping;
        EXPECT_GT(energy_after(damping > 1 ? 2 * asked : 1.5 * asked), 1) << "damping " << damping;
    }
}

TEST(RungeKuttaStability, DampingShortensTheStepUnlessItIsLimited) {
    SheetSettings s;
    s.vertices = 200;
    const auto plain = make_rk_sheet(s);
    const double elastic = plain->integrator->longest_step(plain->conditions, plain->start);
    s.damping = 2;
    const auto damped = make_rk_sheet(s), limited = make_rk_sheet(s, {.limit_damping = true});
    EXPECT_LT(damped->integrator->longest_step(damped->conditions, damped->start), 0.3 * elastic);
    EXPECT_EQ(damped->integrator->damping_scale(), 1);
    EXPECT_NEAR(limited->integrator->longest_step(limited->conditions, limited->start), elastic,
                0.01 * elastic);
    EXPECT_LT(limited->integrator->damping_scale(), 0.5);
    EXPECT_GT(limited->integrator->damping_scale(), 0.01);
}

} // namespace
} // namespace muslin
