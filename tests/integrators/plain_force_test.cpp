// A force that gives its name, kind, energy and force alone.
#include "integrators/sheets.h"
#include "muslin/base/error.h"
#include "muslin/integrators/backward_euler.h"
#include "muslin/integrators/mixed.h"
#include "muslin/integrators/runge_kutta.h"
#include "muslin/integrators/sdirk2.h"

#include <gtest/gtest.h>

namespace muslin::testing_integrators {
namespace {

constexpr double frequency = 20; // [1/s]

/// Draws every particle to the origin, by its mass and the frequency above.
class Well final : public Force {
public:
    explicit Well(const Model& model) : model_(model) {}
    std::string_view name() const override { return "well"; }
    ForceKind kind() const override { return ForceKind::outside; }
    double energy(std::span<const Vec3> x) const override {
        double sum = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += 0.5 * frequency * frequency * model_.mass[i] * dot(x[i], x[i]);
        return sum;
    }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (std::size_t i = 0; i < f.size(); ++i)
            f[i] -= (frequency * frequency * model_.mass[i]) * at.positions[i];
    }

private:
    const Model& model_;
};

struct ClothInAWell {
    Model model;
    Conditions conditions;
    State start;
    ClothInAWell() {
        SheetSettings settings;
        settings.vertices = 30;
        build_sheet(settings, model, conditions, start);
    }
    std::vector<std::unique_ptr<Force>> forces() const {
        std::vector<std::unique_ptr<Force>> out;
        out.push_back(std::make_unique<Well>(model));
        return out;
    }
};

/// After a whole period of the well, in steps that the integrator itself allows.
State after_a_period(Integrator& integrator, const State& start, int& steps) {
    const double period = 2 * std::numbers::pi / frequency;
    const Conditions conditions;
    const double longest = std::min(integrator.longest_step(conditions, start), period / 100);
    steps = static_cast<int>(std::ceil(period / longest));
    ConstraintSet constraints;
    constraints.merge_by_particle();
    Profile profile;
    State state = start, next;
    for (int k = 0; k < steps; ++k) {
        EXPECT_EQ(
            integrator.step({conditions, state, period / steps, constraints}, next, profile).status,
            StepReport::Status::ok);
        std::swap(state, next);
    }
    return state;
}

void expect_back_at_the_start(Integrator& integrator, const State& start, double tolerance) {
    int steps = 0;
    const State end = after_a_period(integrator, start, steps);
    EXPECT_LT(steps, 120); // stiffness was seen, and asks for no more than the accuracy does
    for (std::size_t i = 0; i < start.positions.size(); ++i)
        EXPECT_LT(norm(end.positions[i] - start.positions[i]), tolerance) << i;
}

TEST(PlainForce, IsTakenByExplicitIntegrators) {
    const ClothInAWell s;
    for (const bool local_rates : {false, true}) {
        EulerCromerSettings settings;
        settings.local_rates = local_rates;
        EulerCromer euler_cromer(s.model, s.forces(), settings);
        expect_back_at_the_start(euler_cromer, s.start, 2e-3);
    }
    RungeKutta runge_kutta(s.model, s.forces(), {.adaptive = false});
    expect_back_at_the_start(runge_kutta, s.start, 1e-5);
    for (const MixedScheme scheme : {MixedScheme::leapfrog_trapezoidal,
                                     MixedScheme::central_newmark, MixedScheme::variable_step}) {
        MixedIntegrator mixed(s.model, s.forces(), {.scheme = scheme});
        expect_back_at_the_start(mixed, s.start, 2e-3);
    }
}

// Its stiffness limits the step of each: twice the limit is not stable.
TEST(PlainForce, LimitsExplicitSteps) {
    const ClothInAWell s;
    EulerCromerSettings settings;
    settings.acceleration_way = 1e9;
    settings.local_rates = false;
    EulerCromer euler_cromer(s.model, s.forces(), settings);
    EXPECT_NEAR(euler_cromer.longest_step(s.conditions, s.start), 0.8 * 2 / frequency,
                0.02 / frequency);
    MixedIntegrator mixed(s.model, s.forces(), {});
    EXPECT_NEAR(mixed.longest_step(s.conditions, s.start), 0.8 * 2 / frequency, 0.02 / frequency);
}

template <class Implicit>
void expect_refused() {
    const ClothInAWell s;
    try {
        Implicit integrator(s.model, s.forces(), {});
        ADD_FAILURE() << "taken";
    } catch (const InputError& error) {
        EXPECT_EQ(error.problem().key, "parts.integrator");
        EXPECT_NE(std::string(error.what()).find("'well'"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("linearised"), std::string::npos) << error.what();
    }
}

TEST(PlainForce, IsRefusedByImplicitIntegrators) {
    expect_refused<BackwardEuler>();
    expect_refused<Sdirk2>();
}

} // namespace
} // namespace muslin::testing_integrators
