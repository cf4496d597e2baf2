// SDIRK2 against what theory says of it: its order, what it keeps of an oscillation, what it damps
// at once, and that it falls as a stone does.

#include "muslin/integrators/sdirk2.h"

#include "muslin/forces/outside.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace muslin;

struct Sheet {
    Model model;
    Conditions conditions;
    State start;
};

Sheet make_sheet() {
    Sheet sheet;
    ClothInput cloth;
    cloth.name = "sheet";
    IrregularSettings settings;
    settings.vertices = 20;
    cloth.mesh = make_irregular(settings);
    std::vector<ClothInput> cloths;
    cloths.push_back(std::move(cloth));
    sheet.model = build_model(std::move(cloths), {}, sheet.start);
    return sheet;
}

/// Every particle on a spring of its own to where it starts, with the frequency w [1/s].
class Springs final : public Force, public LinearisedForce {
public:
    Springs(const Sheet& sheet, double w) : sheet_(sheet), squared_(w * w) {}
    std::string_view name() const override { return "springs"; }
    ForceKind kind() const override { return ForceKind::outside; }
    ForceCapabilities capabilities() override { return {.linearised = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (std::size_t i = 0; i < f.size(); ++i)
            f[i] -= sheet_.model.mass[i] * squared_ * (at.positions[i] - sheet_.start.positions[i]);
    }
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override {
        add_force(at, f);
        for (std::size_t i = 0; i < f.size(); ++i) {
            const double k = sheet_.model.mass[i] * squared_;
            f[i] -= k * step.displacement[i];
            a.add_diagonal(static_cast<int>(i), Mat3::diagonal(step.h * step.h * k));
        }
    }

private:
    const Sheet& sheet_;
    double squared_;
};

ImplicitSettings exact_solves() {
    ImplicitSettings settings;
    settings.pcg.tolerance = 1e-13;
    settings.newton_iterations = 2;
    settings.linearise_at = LineariseAt::predicted;
    return settings;
}

/// The displacement and the velocity of a particle that starts with displacement 1, after steps.
struct Motion2 {
    double place, speed;
};
Motion2 oscillate(double w, double h, int steps) {
    const Sheet sheet = make_sheet();
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<Springs>(sheet, w));
    Sdirk2 integrator(sheet.model, std::move(forces), exact_solves());
    ConstraintSet none;
    none.merge_by_particle();
    State state = sheet.start, next;
    for (Vec3& x : state.positions)
        x.y += 1;
    Profile profile;
    for (int k = 0; k < steps; ++k) {
        EXPECT_EQ(integrator.step({sheet.conditions, state, h, none}, next, profile).status,
                  StepReport::Status::ok);
        std::swap(state, next);
    }
    return {state.positions[3].y - sheet.start.positions[3].y, state.velocities[3].y};
}

// |R(i y)|^2 = (1 + (1 - 2 g)^2 y^2) / (1 + g^2 y^2)^2.
TEST(Sdirk2, KeepsTheAmplitudeThatTheorySays) {
    constexpr double g = 1 - 1 / std::numbers::sqrt2;
    for (const double y : {0.05, 0.3, 1.0}) {
        constexpr double w = 3;
        const Motion2 m = oscillate(w, y / w, 1);
        const double kept = std::hypot(m.place, m.speed / w);
        const double b = 1 - 2 * g;
        EXPECT_NEAR(kept, std::sqrt(1 + b * b * y * y) / (1 + g * g * y * y), 1e-10);
    }
}

TEST(Sdirk2, IsOfSecondOrder) {
    constexpr double w = 2 * std::numbers::pi; // a period of one second
    double error[3];
    for (int k = 0; k < 3; ++k)
        error[k] = std::abs(oscillate(w, 0.02 / (1 << k), 25 << k).place + 1); // half a period
    // The phase is off by h^2, and the place at the turn by the square of that.
    double shift[3];
    for (int k = 0; k < 3; ++k)
        shift[k] = std::abs(oscillate(w, 0.01 / (1 << k), 25 << k).place); // a quarter
    EXPECT_NEAR(shift[0] / shift[1], 4, 0.1);
    EXPECT_NEAR(shift[1] / shift[2], 4, 0.1);
    EXPECT_LT(error[2], error[0]);
}

TEST(Sdirk2, DampsWhatIsStiffAtOnce) {
    const Motion2 m = oscillate(1e6, 0.01, 1);
    EXPECT_LT(std::abs(m.place), 1e-3);
    EXPECT_LT(std::abs(m.speed) / 1e6, 1e-3); // the speed that its energy would be
}

// v0 h + g h^2 / 2 in every step, whatever its length.
TEST(Sdirk2, FallsAsAStoneDoes) {
    const Sheet sheet = make_sheet();
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<GravityForce>(sheet.model));
    Sdirk2 integrator(sheet.model, std::move(forces), exact_solves());
    ConstraintSet none;
    none.merge_by_particle();
    State state = sheet.start, next;
    Profile profile;
    double time = 0;
    for (const double h : {1.0 / 30, 1.0 / 120, 0.02}) {
        ASSERT_EQ(integrator.step({sheet.conditions, state, h, none}, next, profile).status,
                  StepReport::Status::ok);
        std::swap(state, next);
        time += h;
        EXPECT_NEAR(state.positions[0].y - sheet.start.positions[0].y, -0.5 * 9.81 * time * time,
                    1e-12);
    }
}

} // namespace
