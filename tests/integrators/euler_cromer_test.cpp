// The midpoint form of Euler-Cromer [Volino95 3.2]: order, energy and momentum, the step, and
// elements at rates of their own.
#include "integrators/sheets.h"
#include "muslin/base/parallel.h"
#include "muslin/integrators/strain_limit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing_integrators;
using Random = testing_math::Random; // numbers from -1 to 1

struct One {
    Model model;
    Conditions conditions;
    std::unique_ptr<EulerCromer> integrator;
};

std::unique_ptr<One> oscillator(double k, double c, const EulerCromerSettings& settings = {}) {
    auto out = std::make_unique<One>();
    out->model.mass = {1};
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<Oscillator>(k, c));
    out->integrator = std::make_unique<EulerCromer>(out->model, std::move(forces), settings);
    return out;
}

/// Takes equal steps until `until` [s].
State advance(Integrator& integrator, State state, double until, int steps,
              const ConstraintSet& constraints = {}) {
    const Conditions conditions;
    Profile profile;
    State next;
    const double h = until / steps;
    for (int i = 0; i < steps; ++i) {
        EXPECT_EQ(integrator.step({conditions, state, h, constraints}, next, profile).status,
                  StepReport::Status::ok);
        std::swap(state, next);
    }
    return state;
}

State at_rest(double x) {
    State state;
    state.positions = {{x, 0, 0}};
    state.velocities = {{0, 0, 0}};
    return state;
}

double oscillator_error(const EulerCromerSettings& settings, int steps) {
    const double k = 90, c = 3, w = std::sqrt(k - c * c / 4);
    const double exact = std::exp(-c / 2) * (std::cos(w) + c / (2 * w) * std::sin(w));
    const auto one = oscillator(k, c, settings);
    return std::abs(advance(*one->integrator, at_rest(1), 1, steps).positions[0].x - exact);
}

TEST(EulerCromer, IsOfSecondOrderWithDamping) {
    for (const int steps : {200, 400}) {
        const double ratio = oscillator_error({}, steps) / oscillator_error({}, 2 * steps);
        EXPECT_NEAR(ratio, 4, 0.6) << steps << " steps";
    }
    EulerCromerSettings once;
    once.second_order_damping = false;
    EXPECT_NEAR(oscillator_error(once, 200) / oscillator_error(once, 400), 2, 0.3);
}

/// Two corners held; the sheet swings down from level.
ConstraintSet corners(const Sheet& sheet) {
    Pin pin;
    for (const int v : {0, 1})
        pin.particles.push_back(sheet.model.cloths[0].surface.vertex_particle[v]);
    std::sort(pin.particles.begin(), pin.particles.end());
    for (const int p : pin.particles)
        pin.start.push_back(sheet.start.positions[p]);
    pin.shape = PointShape{};
    ConstraintSet out;
    out.add_pin(pin, 0, sheet.start, 1);
    out.merge_by_particle();
    return out;
}

double distance(const State& a, const State& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.positions.size(); ++i) {
        const Vec3 d = a.positions[i] - b.positions[i];
        sum += dot(d, d);
    }
    return std::sqrt(sum / static_cast<double>(a.positions.size()));
}

TEST(EulerCromer, ASwingingSheetConvergesWithTheSquareOfTheStep) {
    for (const bool local : {false, true}) {
        SheetSettings s;
        s.vertices = 80;
        s.fine = local ? 0.15 : 1;
        s.stiffness = 20;
        s.damping = 0.004;
        s.bending = true;
        s.integrator.local_rates = local;
        const auto sheet = make_sheet(s);
        sheet->conditions.gravity = {0, -9.81, 0};
        const ConstraintSet held = corners(*sheet);
        sheet->integrator->longest_step(sheet->conditions, sheet->start);
        const auto at_end = [&](int steps) {
            return advance(*sheet->integrator, sheet->start, 0.3, steps, held);
        };
        const int n = local ? 300 : 200;
        // Three at a time, so that no reference is needed: (x_1 - x_2) / (x_2 - x_4).
        const State one = at_end(n), two = at_end(2 * n), four = at_end(4 * n);
        const double ratio = distance(one, two) / distance(two, four);
        fmt::print("swinging sheet{}: error {:.2e} m, ratio {:.2f}\n", local ? ", local rates" : "",
                   distance(one, two), ratio);
        EXPECT_NEAR(ratio, 4, 0.6);
    }
}

struct Vibration {
    double least = 1, greatest = 1; ///< energy over that of the start
    double momentum = 0;            ///< largest change, over that of the start
    double angular = 0;             ///< the same, over mass times metre times speed
    long evaluations = 0;
    State end;
};

Vibration vibrate(Sheet& sheet, double seconds) {
    Vibration out;
    State state = stirred(sheet), next;
    const double start = mechanical_energy(sheet, state);
    const Vec3 p = momentum(sheet, state), l = angular_momentum(sheet, state);
    ConstraintSet none;
    Profile profile;
    double h = sheet.integrator->longest_step(sheet.conditions, state);
    for (int i = 0; state.time < seconds; ++i) {
        const StepReport report =
            sheet.integrator->step({sheet.conditions, state, h, none}, next, profile);
        EXPECT_EQ(report.status, StepReport::Status::ok);
        out.evaluations += report.element_evaluations;
        EXPECT_EQ(report.damped_particles, 0);
        std::swap(state, next);
        h = sheet.integrator->longest_step_now(sheet.conditions, state);
        if (i % 10 == 0) {
            const double e = mechanical_energy(sheet, state) / start;
            out.least = std::min(out.least, e);
            out.greatest = std::max(out.greatest, e);
        }
    }
    out.momentum = norm(momentum(sheet, state) - p) / norm(p);
    out.angular = norm(angular_momentum(sheet, state) - l) / norm(p);
    out.end = state;
    return out;
}

TEST(EulerCromer, AFreeVibrationKeepsEnergyAndMomentum) {
    SheetSettings s;
    s.bending = true;
    const auto sheet = make_sheet(s);
    const Vibration v = vibrate(*sheet, 1);
    EXPECT_GT(v.least, 0.98);
    EXPECT_LT(v.greatest, 1.02);
    EXPECT_LT(v.momentum, 1e-12);
    EXPECT_LT(v.angular, 1e-12);
}

// The same with a patch of small triangles in the middle, whose elements have a rate of their own.
TEST(EulerCromer, LocalRatesSaveEvaluationsAndKeepEnergyAndMomentum) {
    SheetSettings s;
    s.fine = 0.1;
    const auto local = make_sheet(s);
    s.integrator.local_rates = false;
    const auto plain = make_sheet(s);
    const Vibration fast = vibrate(*local, 0.5), slow = vibrate(*plain, 0.5);
    fmt::print("evaluations: {} with local rates, {} without; energy {:.4f} to {:.4f} and {:.4f} "
               "to {:.4f}\n",
               fast.evaluations, slow.evaluations, fast.least, fast.greatest, slow.least,
               slow.greatest);
    EXPECT_LT(3 * fast.evaluations, 2 * slow.evaluations);
    EXPECT_GT(fast.least, 0.97);
    EXPECT_LT(fast.greatest, 1.03);
    EXPECT_LT(fast.momentum, 1e-12);
    EXPECT_LT(fast.angular, 1e-12);
}

// With a step of the shortest interval, lists of elements must give what the whole force gives.
TEST(EulerCromer, ElementsOneByOneAreTheForce) {
    SheetSettings s;
    s.damping = 0.2;
    s.bending = true;
    const auto sheet = make_sheet(s);
    const State state = stirred(*sheet);
    const Kinematics at{state.positions, state.velocities};
    std::vector<Vec3> whole(state.positions.size(), Vec3{0, 0, 0});
    for (const int k : {0, 1})
        sheet->integrator->forces()[k]->add_force(at, whole);
    LocalRates rates(sheet->integrator->forces(), sheet->model.particle_count());
    std::vector<double> limits(state.positions.size());
    for (std::size_t i = 0; i < limits.size(); ++i)
        limits[i] = 1 + 9.0 * static_cast<double>(i % 100 > 50) + static_cast<double>(i % 3);
    EXPECT_EQ(rates.assign(8, limits), 4);
    std::vector<Vec3> sum(state.positions.size(), Vec3{0, 0, 0});
    long evaluated = 0;
    for (int level = 0; level < rates.levels(); ++level) {
        evaluated += rates.evaluate(level, 0, at, false);
        for (std::size_t k = 0; k < rates.particles(level).size(); ++k)
            sum[rates.particles(level)[k]] += rates.force(level, k);
    }
    EXPECT_EQ(evaluated, rates.elements());
    for (std::size_t i = 0; i < sum.size(); ++i)
        EXPECT_LT(norm(sum[i] - whole[i]), 1e-12 * (1 + norm(whole[i])));
}

TEST(EulerCromer, StableUpToTheStepThatItAsksFor) {
    for (const double damping : {0.0, 0.05, 2.0}) {
        SheetSettings s;
        s.damping = damping;
        s.integrator.local_rates = s.integrator.stability_control = false;
        const auto sheet = make_sheet(s);
        const double asked = sheet->integrator->longest_step(sheet->conditions, sheet->start);
        const auto energy_after = [&](double h) {
            State state = sheet->start, next;
            Random random(3);
            for (Vec3& p : state.positions)
                p += 1e-6 * random.vec3();
            ConstraintSet none;
            Profile profile;
            for (int i = 0; i < 400; ++i) {
                if (sheet->integrator->step({sheet->conditions, state, h, none}, next, profile)
                        .status != StepReport::Status::ok)
                    return HUGE_VAL;
                std::swap(state, next);
            }
            return mechanical_energy(*sheet, state);
        };
        EXPECT_LT(energy_after(asked), 1e-4) << "damping " << damping;
        EXPECT_GT(energy_after(1.7 * asked), 1) << "damping " << damping;
    }
}

TEST(EulerCromer, DampingShortensTheStepUnlessItIsLimited) {
    SheetSettings s;
    const auto plain = make_sheet(s);
    const double elastic = plain->integrator->longest_step(plain->conditions, plain->start);
    s.damping = 2;
    const auto damped = make_sheet(s);
    EXPECT_LT(damped->integrator->longest_step(damped->conditions, damped->start), 0.3 * elastic);
    s.integrator.limit_damping = true;
    const auto limited = make_sheet(s);
    EXPECT_NEAR(limited->integrator->longest_step(limited->conditions, limited->start), elastic,
                0.01 * elastic);
    EXPECT_LT(limited->integrator->damping_scale(), 0.5);
    const Vibration v = vibrate(*limited, 0.2);
    EXPECT_LT(v.greatest, 1.001);
    EXPECT_LT(v.least, 0.7);
    EXPECT_LT(v.momentum, 1e-12);
}

// "Computed from the acceleration of the vertices versus the length of their connected edges".
TEST(EulerCromer, AccelerationAgainstEdgesLimitsTheStepOfItsVertex) {
    SheetSettings s;
    s.stiffness = 0.01;
    const auto sheet = make_sheet(s);
    sheet->conditions.gravity = {0, -500, 0};
    sheet->integrator->longest_step(sheet->conditions, sheet->start);
    const StabilityControl edges(sheet->model);
    const auto steps = sheet->integrator->vertex_steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const double expected = std::sqrt(2 * 0.1 * edges.shortest_edges()[i] / 500);
        EXPECT_NEAR(steps[i], expected, 1e-9 * expected);
    }
}

TEST(EulerCromer, HeldVerticesFollowTheirPathAndConstraintForcesCarryTheWeight) {
    SheetSettings s;
    s.vertices = 150;
    s.damping = 0.3;
    const auto sheet = make_sheet(s);
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
    const double h = sheet->integrator->longest_step(sheet->conditions, sheet->start);
    State state = sheet->start, next;
    Profile profile;
    ConstraintSet edge;
    Vec3 mean = {0, 0, 0};
    const int steps = static_cast<int>(3 / h);
    for (int i = 0; i < steps; ++i) {
        edge.clear();
        edge.add_pin(pin, 0, state, h);
        edge.merge_by_particle();
        ASSERT_EQ(
            sheet->integrator->step({sheet->conditions, state, h, edge}, next, profile).status,
            StepReport::Status::ok);
        std::swap(state, next);
        if (i >= steps / 2)
            for (const Vec3& f : sheet->integrator->constraint_forces())
                mean += (1.0 / (steps - steps / 2)) * f;
    }
    double weight = 0;
    for (const double m : sheet->model.mass)
        weight += 9.81 * m;
    EXPECT_NEAR(mean.y, weight, 0.02 * weight);
    for (std::size_t k = 0; k < pin.particles.size(); ++k)
        EXPECT_LT(norm(state.positions[pin.particles[k]] - pin.start[k]), 1e-12);
    // One step to another place, with another velocity at the end.
    ConstraintSet moved;
    ParticleConstraint c;
    c.particle = pin.particles[0];
    c.count = 1;
    c.direction[0] = {0, 0, 1};
    c.position[0] = 0.001;
    c.velocity[0] = 0.5;
    moved.add(c);
    moved.merge_by_particle();
    ASSERT_EQ(sheet->integrator->step({sheet->conditions, state, h, moved}, next, profile).status,
              StepReport::Status::ok);
    EXPECT_NEAR(next.positions[c.particle].z, 0.001, 1e-15);
    EXPECT_NEAR(next.velocities[c.particle].z, 0.5, 1e-15);
}

TEST(EulerCromer, StrainLimitsAreKept) {
    SheetSettings s;
    s.vertices = 150;
    s.stiffness = 5;
    const auto sheet = make_sheet(s);
    sheet->conditions.gravity = {0, -9.81, 0};
    const ConstraintSet held = corners(*sheet);
    const StrainLimit judge(sheet->model, {});
    const double h = 0.5 * sheet->integrator->longest_step(sheet->conditions, sheet->start);
    const auto strain = [&] {
        return judge
            .strain(advance(*sheet->integrator, sheet->start, 0.4, static_cast<int>(0.4 / h), held)
                        .positions)
            .greatest;
    };
    EXPECT_GT(strain(), 0.3);
    sheet->integrator->add_modifier(
        std::make_unique<StrainLimit>(sheet->model, StrainLimitSettings{}));
    EXPECT_LT(strain(), 0.11);
}

TEST(EulerCromer, SameBitsForAnyNumberOfThreadsAndAfterOtherRuns) {
    SheetSettings s;
    s.vertices = 2600;
    s.fine = 0.15;
    s.damping = 0.01;
    const auto once = [](Sheet& sheet) {
        State state = stirred(sheet), next;
        ConstraintSet none;
        Profile profile;
        double h = sheet.integrator->longest_step(sheet.conditions, state);
        for (int i = 0; i < 15; ++i) {
            EXPECT_EQ(
                sheet.integrator->step({sheet.conditions, state, h, none}, next, profile).status,
                StepReport::Status::ok);
            std::swap(state, next);
            h = sheet.integrator->longest_step_now(sheet.conditions, state);
        }
        return state.positions;
    };
    set_thread_count(1);
    const auto sheet = make_sheet(s);
    const auto one = once(*sheet);
    set_thread_count(2);
    const auto two = once(*sheet);
    set_thread_count(0);
    for (std::size_t i = 0; i < one.size(); ++i)
        ASSERT_TRUE(one[i].x == two[i].x && one[i].y == two[i].y && one[i].z == two[i].z);
}

} // namespace
} // namespace muslin
