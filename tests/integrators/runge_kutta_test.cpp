// The Runge-Kutta method of fourth order [Bayraktar07 2]: order, energy, what is held, and
// corrections at every evaluation.
#include "muslin/integrators/runge_kutta.h"

#include "integrators/runge_kutta_sheet.h"
#include "muslin/base/parallel.h"
#include "muslin/integrators/strain_limit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing_integrators;

struct One {
    Model model;
    Conditions conditions;
    std::unique_ptr<RungeKutta> integrator;
};

std::unique_ptr<One> oscillator(double k, double c, const RungeKuttaSettings& settings) {
    auto out = std::make_unique<One>();
    out->model.mass = {1};
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<Oscillator>(k, c));
    out->integrator = std::make_unique<RungeKutta>(out->model, std::move(forces), settings);
    return out;
}

State at_rest(double x) {
    State state;
    state.positions = {{x, 0, 0}};
    state.velocities = {{0, 0, 0}};
    return state;
}

TEST(RungeKutta, IsOfFourthOrderWithDamping) {
    const double k = 90, c = 3, w = std::sqrt(k - c * c / 4);
    const double exact = std::exp(-c / 2) * (std::cos(w) + c / (2 * w) * std::sin(w));
    const auto error = [&](int steps) {
        const auto one = oscillator(k, c, {.adaptive = false});
        return std::abs(
            advance(one->conditions, *one->integrator, at_rest(1), 1, steps).positions[0].x -
            exact);
    };
    for (const int steps : {80, 160}) {
        const double ratio = error(steps) / error(2 * steps);
        fmt::print("oscillator: error {:.2e} m, ratio {:.2f}\n", error(steps), ratio);
        EXPECT_NEAR(ratio, 16, 1.6);
    }
}

TEST(RungeKutta, ASwingingSheetConvergesWithTheFourthPowerOfTheStep) {
    for (const bool moving : {false, true}) {
        const auto sheet = swinging(moving, {.adaptive = false});
        const auto at_end = [&](int steps) {
            return advance(sheet->conditions, *sheet->integrator, sheet->start, 0.3, steps);
        };
        // Three at a time, so that no reference is needed: (x_1 - x_2) / (x_2 - x_4).
        const int n = moving ? 480 : 240;
        const State one = at_end(n), two = at_end(2 * n), four = at_end(4 * n);
        const double ratio = distance(one, two) / distance(two, four);
        fmt::print("swinging sheet{}: error {:.2e} m, ratio {:.2f}\n",
                   moving ? ", corners moving" : "", distance(one, two), ratio);
        EXPECT_NEAR(ratio, 16, 1.6);
    }
}

// The region of stability of the method damps what is fast, and feeds nothing.
TEST(RungeKutta, EnergyOfAFreeSheetNeverGrowsAndMomentumIsKept) {
    SheetSettings s;
    s.bending = true;
    const auto sheet = make_rk_sheet(s);
    State state = stirred(*sheet), next;
    const double start = mechanical_energy(*sheet, state);
    const Vec3 p = momentum(*sheet, state), l = angular_momentum(*sheet, state);
    double before = start, most = 0;
    ConstraintSet none;
    Profile profile;
    double h = sheet->integrator->longest_step(sheet->conditions, state);
    while (state.time < 0.5) {
        const StepReport report =
            sheet->integrator->step({sheet->conditions, state, h, none}, next, profile);
        if (report.status == StepReport::Status::inaccurate) {
            h = report.longest_step;
            continue;
        }
        ASSERT_EQ(report.status, StepReport::Status::ok);
        std::swap(state, next);
        h = sheet->integrator->longest_step_now(sheet->conditions, state);
        const double energy = mechanical_energy(*sheet, state);
        most = std::max(most, (energy - before) / start);
        before = energy;
    }
    fmt::print(
        "free sheet: energy {:.6f} of the start after 0.5 s, largest growth in a step {:.1e}\n",
        before / start, most);
    EXPECT_LT(most, 1e-6);
    EXPECT_LT(before, start);
    EXPECT_GT(before, 0.9 * start);
    EXPECT_LT(norm(momentum(*sheet, state) - p), 1e-12 * norm(p));
    EXPECT_LT(norm(angular_momentum(*sheet, state) - l), 1e-6 * norm(p));
}

TEST(RungeKutta, HeldVerticesFollowTheirPathAndConstraintForcesCarryTheWeight) {
    SheetSettings s;
    s.vertices = 150;
    s.damping = 0.3;
    const auto sheet = make_rk_sheet(s);
    sheet->conditions.gravity = {0, -9.81, 0};
    Pin pin; // the sheet hangs from a whole edge
    for (std::size_t i = 0; i < sheet->start.positions.size(); ++i) {
        Vec3& p = sheet->start.positions[i];
        p = {p.x, p.z, 0};
        if (p.y > 0.4999) {
            pin.particles.push_back(static_cast<int>(i));
            pin.start.push_back(p);
        }
    }
    pin.shape = PointShape{};
    sheet->conditions.pins = {pin};
    double weight = 0;
    for (const double m : sheet->model.mass)
        weight += 9.81 * m;
    State state = sheet->start, next;
    Profile profile;
    ConstraintSet edge;
    Vec3 force = {0, 0, 0};
    const double h = 0.5 * sheet->integrator->longest_step(sheet->conditions, state);
    while (state.time < 3) {
        pin_down(sheet->conditions, state, h, edge);
        ASSERT_NE(
            sheet->integrator->step({sheet->conditions, state, h, edge}, next, profile).status,
            StepReport::Status::not_finite);
        force = {0, 0, 0};
        for (const Vec3& f : sheet->integrator->constraint_forces())
            force += f;
        // What is held and gravity are all that change the momentum.
        const Vec3 change = (1 / h) * (momentum(*sheet, next) - momentum(*sheet, state));
        ASSERT_LT(norm(change - force - Vec3{0, -weight, 0}), 1e-9 * weight);
        std::swap(state, next);
    }
    EXPECT_NEAR(force.y, weight, 0.02 * weight);
    for (std::size_t k = 0; k < pin.particles.size(); ++k) {
        EXPECT_LT(norm(state.positions[pin.particles[k]] - pin.start[k]), 1e-12);
        EXPECT_EQ(norm(state.velocities[pin.particles[k]]), 0);
    }
    // One step to another place, with another velocity at the end.
    ConstraintSet moved;
    ParticleConstraint c;
    c.particle = pin.particles[0];
    c.count = 1;
    c.direction[0] = {0, 0, 1};
    c.position[0] = 1e-6;
    c.velocity[0] = 5e-4;
    moved.add(c);
    moved.merge_by_particle();
    ASSERT_EQ(sheet->integrator->step({sheet->conditions, state, h, moved}, next, profile).status,
              StepReport::Status::ok);
    EXPECT_NEAR(next.positions[c.particle].z, 1e-6, 1e-18);
    EXPECT_NEAR(next.velocities[c.particle].z, 5e-4, 1e-15);
}

TEST(RungeKutta, StrainLimitsAreKept) {
    SheetSettings s;
    s.vertices = 150;
    s.stiffness = 5;
    const auto sheet = make_rk_sheet(s, {.adaptive = false});
    sheet->conditions.gravity = {0, -9.81, 0};
    sheet->conditions.pins = {corner_pin(*sheet)};
    const StrainLimit judge(sheet->model, {});
    const double h = 0.5 * sheet->integrator->longest_step(sheet->conditions, sheet->start);
    const auto strain = [&] {
        const State end = advance(sheet->conditions, *sheet->integrator, sheet->start, 0.4,
                                  static_cast<int>(0.4 / h));
        return judge.strain(end.positions).greatest;
    };
    EXPECT_GT(strain(), 0.3);
    sheet->integrator->add_modifier(
        std::make_unique<StrainLimit>(sheet->model, StrainLimitSettings{}));
    EXPECT_LT(strain(), 0.11);
}

/// Keeps particles above a floor, without a rebound, and counts.
class Floor final : public EvaluationCorrector {
public:
    explicit Floor(double height) : height_(height) {}
    void correct(double time, std::span<Vec3> x, std::span<Vec3> v, Profile&) override {
        times.push_back(time);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (x[i].y < height_) {
                x[i].y = height_;
                v[i].y = std::max(v[i].y, 0.0);
            }
    }
    std::vector<double> times;

private:
    double height_;
};

TEST(RungeKutta, CorrectsAtEachOfTheFourEvaluations) {
    SheetSettings s;
    s.vertices = 100;
    const auto sheet = make_rk_sheet(s, {.error = 1e-9});
    sheet->conditions.gravity = {0, -9.81, 0};
    Pin pin = corner_pin(*sheet);
    sheet->conditions.pins = {pin};
    State state = sheet->start, next;
    for (Vec3& v : state.velocities)
        v = {0, -1, 0};
    Floor floor(-1e-6);
    sheet->integrator->set_evaluation_corrector(&floor);
    ConstraintSet held;
    Profile profile;
    const double h = 1e-4;
    pin_down(sheet->conditions, state, h, held);
    const StepReport report =
        sheet->integrator->step({sheet->conditions, state, h, held}, next, profile);
    // All but the held corners met the floor: the jump is no error of the step.
    EXPECT_EQ(report.status, StepReport::Status::ok);
    ASSERT_EQ(floor.times.size(), 4u);
    EXPECT_EQ(floor.times[0], 0);
    EXPECT_EQ(floor.times[1], h / 2);
    EXPECT_EQ(floor.times[2], h / 2);
    EXPECT_EQ(floor.times[3], h);
    for (std::size_t k = 0; k < pin.particles.size(); ++k)
        EXPECT_LT(norm(next.positions[pin.particles[k]] - pin.start[k]), 1e-15);
    // The second and the fourth evaluation found it below and stopped it, the others did not:
    // -(1 + 0 + 2 + 0) / 6 of the way at 1 m/s.
    double lowest = 0;
    for (const Vec3& p : next.positions)
        lowest = std::min(lowest, p.y);
    EXPECT_NEAR(lowest, -0.5 * h, 1e-3 * h);
}

// Forces that the error of the last step asked for are used again, and change nothing.
TEST(RungeKutta, TheFifthEvaluationIsTheFirstOfTheNextStep) {
    const auto sheet = swinging(true, {.error = 1}), fresh = swinging(true, {.error = 1});
    State a = sheet->start, b = fresh->start, next;
    ConstraintSet held;
    Profile profile;
    const double h = 1e-3;
    for (int i = 0; i < 30; ++i) {
        pin_down(sheet->conditions, a, h, held);
        ASSERT_EQ(sheet->integrator->step({sheet->conditions, a, h, held}, next, profile).status,
                  StepReport::Status::ok);
        std::swap(a, next);
        fresh->integrator->longest_step(fresh->conditions, b); // forgets
        ASSERT_EQ(fresh->integrator->step({fresh->conditions, b, h, held}, next, profile).status,
                  StepReport::Status::ok);
        std::swap(b, next);
    }
    EXPECT_EQ(distance(a, b), 0);
}

TEST(RungeKutta, SameBitsForAnyNumberOfThreads) {
    SheetSettings s;
    s.vertices = 2600;
    s.damping = 0.01;
    const auto sheet = make_rk_sheet(s);
    const auto once = [&](int threads) {
        set_thread_count(threads);
        State state = stirred(*sheet), next;
        ConstraintSet none;
        Profile profile;
        double h = sheet->integrator->longest_step(sheet->conditions, state);
        for (int i = 0; i < 12; ++i) {
            const StepReport report =
                sheet->integrator->step({sheet->conditions, state, h, none}, next, profile);
            if (report.status == StepReport::Status::inaccurate) {
                h = report.longest_step;
                continue;
            }
            std::swap(state, next);
            h = sheet->integrator->longest_step_now(sheet->conditions, state);
        }
        set_thread_count(0);
        return state;
    };
    const State one = once(1);
    for (const int threads : {2, 4}) {
        const State other = once(threads);
        EXPECT_EQ(other.time, one.time);
        EXPECT_EQ(distance(one, other), 0);
    }
}

} // namespace
} // namespace muslin
