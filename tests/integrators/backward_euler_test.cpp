#include "muslin/integrators/backward_euler.h"

#include "muslin/forces/bend.h"
#include "muslin/forces/outside.h"
#include "muslin/forces/stretch_shear.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;

struct Sheet {
    Model model;
    Conditions conditions;
    State start;
};

Sheet make_sheet(int vertices) {
    Sheet sheet;
    ClothInput cloth;
    cloth.name = "sheet";
    IrregularSettings settings;
    settings.vertices = vertices;
    cloth.mesh = make_irregular(settings);
    std::vector<ClothInput> cloths;
    cloths.push_back(std::move(cloth));
    sheet.model = build_model(std::move(cloths), {}, sheet.start);
    return sheet;
}

std::vector<std::unique_ptr<Force>> all_forces(const Model& model) {
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<StretchShearForce>(model));
    forces.push_back(std::make_unique<BendForce>(model));
    forces.push_back(std::make_unique<GravityForce>(model));
    return forces;
}

int particle(const Sheet& sheet, int vertex) {
    return sheet.model.cloths[0].surface.vertex_particle[vertex];
}

Pin pin_of(const Sheet& sheet, std::vector<int> vertices, Shape shape) {
    Pin pin;
    for (int v : vertices)
        pin.particles.push_back(particle(sheet, v));
    for (int p : pin.particles)
        pin.start.push_back(sheet.start.positions[p]);
    pin.shape = shape;
    return pin;
}

// "The component of dv in the constrained directions will be exactly z, no matter how many
// iterations are taken" [BW98 5.2]: points, lines and planes that move, with CG cut short.
TEST(BackwardEuler, ConstraintsHoldForAnyNumberOfIterations) {
    Sheet sheet = make_sheet(600);
    Motion moving;
    moving.translation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {0.3, -0.2, 0.5}}});
    moving.rotation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {0, 40, 20}}});
    sheet.conditions.pins = {
        pin_of(sheet, {0}, PointShape{}),
        pin_of(sheet, {1}, LineShape{sheet.start.positions[particle(sheet, 1)], {1, 2, 0.5}}),
        pin_of(sheet, {2, 3}, PlaneShape{{0, 0, 0}, {0.2, 1, 0.1}}),
        pin_of(sheet, {100}, DirectionsShape{{{0, 1, 0}, {1, 1, 0}}})};
    for (Pin& pin : sheet.conditions.pins)
        pin.motion = moving;
    for (int iterations : {0, 1, 5}) {
        ImplicitSettings settings;
        settings.pcg.max_iterations = iterations;
        BackwardEuler integrator(sheet.model, all_forces(sheet.model), settings);
        State state = sheet.start, next;
        Profile profile;
        for (int k = 0; k < 4; ++k) {
            const double h = 0.02;
            ConstraintSet constraints;
            for (std::size_t i = 0; i < sheet.conditions.pins.size(); ++i)
                constraints.add_pin(sheet.conditions.pins[i], static_cast<int>(i), state, h);
            constraints.merge_by_particle();
            const StepReport report =
                integrator.step({sheet.conditions, state, h, constraints}, next, profile);
            ASSERT_EQ(report.status, StepReport::Status::ok);
            ASSERT_LE(report.cg_iterations, iterations);
            for (const ParticleConstraint& c : constraints.list())
                for (int d = 0; d < c.count; ++d) {
                    EXPECT_NEAR(dot(c.direction[d], next.velocities[c.particle]), c.velocity[d],
                                1e-12);
                    EXPECT_NEAR(dot(c.direction[d], next.positions[c.particle]), c.position[d],
                                1e-12);
                }
            std::swap(state, next);
        }
    }
}

// A particle bound to a sphere stays on it although the sphere is curved and turns.
TEST(BackwardEuler, CurvedConstraintsKeepTheParticleOnTheSurface) {
    Sheet sheet = make_sheet(300);
    const Vec3 p = sheet.start.positions[particle(sheet, 0)];
    const Vec3 center = p - Vec3{0, 0.7, 0};
    sheet.conditions.pins = {pin_of(sheet, {0}, SphereShape{center, 0.7})};
    BackwardEuler integrator(sheet.model, all_forces(sheet.model), {});
    State state = sheet.start, next;
    Profile profile;
    for (int k = 0; k < 60; ++k) {
        ConstraintSet constraints;
        constraints.add_pin(sheet.conditions.pins[0], 0, state, 1.0 / 60);
        constraints.merge_by_particle();
        ASSERT_EQ(
            integrator.step({sheet.conditions, state, 1.0 / 60, constraints}, next, profile).status,
            StepReport::Status::ok);
        // The direction held is that of the predicted place; what the solve then adds along the
        // tangent leaves the sphere by the square of itself over the diameter, and the next step's
        // alteration brings it back: the distance does not grow.
        const Vec3 predicted =
            state.positions[particle(sheet, 0)] + (1.0 / 60) * state.velocities[particle(sheet, 0)];
        std::swap(state, next);
        const Vec3 now = state.positions[particle(sheet, 0)];
        const double aside = norm(now - predicted);
        EXPECT_NEAR(norm(now - center), 0.7, 1.2 * aside * aside / 1.4 + 1e-9) << k;
    }
    EXPECT_GT(norm(state.positions[particle(sheet, 0)] - p), 0.05) << "it slides";
}

// The system (18) as printed, assembled by hand from the forces' own linearisation, is what one
// solve of the step solves.
TEST(BackwardEuler, OneSolveIsEquation18) {
    Sheet sheet = make_sheet(120);
    sheet.conditions.pins = {pin_of(sheet, {0, 1}, PointShape{})};
    ImplicitSettings settings;
    settings.pcg.tolerance = 1e-13;
    BackwardEuler integrator(sheet.model, all_forces(sheet.model), settings);
    State state = sheet.start;
    for (std::size_t i = 0; i < state.velocities.size(); ++i)
        state.velocities[i] = {0.1 * state.positions[i].z, -0.3, 0.2 * state.positions[i].x};
    const double h = 0.01;
    ConstraintSet constraints;
    constraints.add_pin(sheet.conditions.pins[0], 0, state, h);
    constraints.merge_by_particle();
    State next;
    Profile profile;
    ASSERT_EQ(integrator.step({sheet.conditions, state, h, constraints}, next, profile).status,
              StepReport::Status::ok);

    const std::size_t n = state.positions.size();
    std::vector<Vec3> y(n, {0, 0, 0}), d(n), f(n, {0, 0, 0}), dv(n), product(n);
    constraints.set_position_alteration(state.positions, h, y);
    for (std::size_t i = 0; i < n; ++i) {
        d[i] = h * state.velocities[i] + y[i];
        dv[i] = next.velocities[i] - state.velocities[i];
    }
    BlockMatrix a = integrator.stage().system().matrix();
    a.reset(sheet.model.mass);
    for (const auto& force : integrator.forces())
        force->capabilities().linearised->add_linearised({state.positions, state.velocities},
                                                         {h, d}, f, a);
    a.mirror_pairs();
    a.multiply(dv, product);
    double scale = 0;
    for (const Vec3& v : product)
        scale = std::max(scale, norm(v));
    for (std::size_t i = 0; i < n; ++i)
        if (static_cast<int>(i) != particle(sheet, 0) &&
            static_cast<int>(i) != particle(sheet, 1)) {
            EXPECT_LT(norm(product[i] - h * f[i]), 1e-9 * scale);
        }
}

// Newton's iterations drive the residual of the nonlinear backward Euler equation to zero.
TEST(BackwardEuler, NewtonIterationsSolveTheNonlinearStep) {
    Sheet sheet = make_sheet(200);
    sheet.conditions.pins = {pin_of(sheet, {0, 1}, PointShape{})};
    double previous = 1e300;
    for (int newton : {1, 3, 8}) {
        ImplicitSettings settings;
        settings.pcg.tolerance = 1e-10;
        settings.newton_iterations = newton;
        BackwardEuler integrator(sheet.model, all_forces(sheet.model), settings);
        State state = sheet.start, next;
        Profile profile;
        const double h = 0.005;
        for (int k = 0; k < 20; ++k) {
            ConstraintSet constraints;
            constraints.add_pin(sheet.conditions.pins[0], 0, state, h);
            constraints.merge_by_particle();
            ASSERT_EQ(
                integrator.step({sheet.conditions, state, h, constraints}, next, profile).status,
                StepReport::Status::ok);
            if (k == 19)
                break;
            std::swap(state, next);
        }
        std::vector<Vec3> f(state.positions.size(), {0, 0, 0});
        for (const auto& force : integrator.forces())
            force->add_force({next.positions, next.velocities}, f);
        double residual = 0;
        for (std::size_t i = 0; i < f.size(); ++i) {
            if (static_cast<int>(i) == particle(sheet, 0) ||
                static_cast<int>(i) == particle(sheet, 1))
                continue;
            const Vec3 r =
                sheet.model.mass[i] * (next.velocities[i] - state.velocities[i]) - h * f[i];
            residual = std::max(residual, norm(r));
        }
        EXPECT_LT(residual, previous);
        if (newton == 8) {
            EXPECT_LT(residual, 1e-3 * previous);
        }
        previous = residual;
    }
}

/// A spring that holds one particle, and that contact may stiffen before a step is taken again.
class AdaptiveSpring final : public Force, public LinearisedForce, public AdaptiveForce {
public:
    AdaptiveSpring(int particle, double firmness) : particle_(particle), stiffness(firmness) {}
    std::string_view name() const override { return "spring"; }
    ForceKind kind() const override { return ForceKind::contact; }
    ForceCapabilities capabilities() override { return {.linearised = this, .adaptive = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }
    bool is_active() const override { return false; }
    void update(const Kinematics&) override {}
    bool has_converged(std::span<const double>) const override { return true; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        f[particle_] -= stiffness * at.positions[particle_];
    }
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override {
        add_force(at, f);
        f[particle_] -= stiffness * step.displacement[particle_];
        const BlockEntry e = {particle_, particle_, Mat3::diagonal(step.h * step.h * stiffness)};
        a.add_overlay({&e, 1});
    }

private:
    int particle_;

public:
    double stiffness; ///< [N/m]
};

// A step that is taken again starts from its solution and ends where it would have, had all been
// known before.
TEST(BackwardEuler, ARepeatedStepIsThatOfWhatWasLearned) {
    Sheet sheet = make_sheet(2000);
    sheet.conditions.pins = {pin_of(sheet, {0, 1}, PointShape{})};
    ImplicitSettings settings;
    settings.newton_iterations = 30;
    settings.linearise_at = LineariseAt::predicted;
    settings.accuracy = 1e-3;
    const double h = 0.01;
    ConstraintSet constraints;
    constraints.add_pin(sheet.conditions.pins[0], 0, sheet.start, h);
    constraints.merge_by_particle();
    Profile profile;
    const auto make = [&](double stiffness, AdaptiveSpring*& spring) {
        auto forces = all_forces(sheet.model);
        auto made = std::make_unique<AdaptiveSpring>(particle(sheet, 700), stiffness);
        spring = made.get();
        forces.push_back(std::move(made));
        return std::make_unique<BackwardEuler>(sheet.model, std::move(forces), settings);
    };
    AdaptiveSpring *known, *learned;
    const auto knows = make(0.2, known), learns = make(0.1, learned);
    State expected, first;
    const StepReport cold =
        knows->step({sheet.conditions, sheet.start, h, constraints}, expected, profile);
    ASSERT_EQ(cold.status, StepReport::Status::ok);
    const StepReport unknowing =
        learns->step({sheet.conditions, sheet.start, h, constraints}, first, profile);
    ASSERT_EQ(unknowing.status, StepReport::Status::ok);
    State again = first;
    const StepReport same =
        learns->repeat({sheet.conditions, sheet.start, h, constraints}, again, profile);
    EXPECT_LT(same.cg_iterations, 0.6 * unknowing.cg_iterations) << "it begins from the solution";
    learned->stiffness = 0.2;
    const StepReport warm =
        learns->repeat({sheet.conditions, sheet.start, h, constraints}, again, profile);
    ASSERT_EQ(warm.status, StepReport::Status::ok);
    double moved = 0, apart = 0;
    for (std::size_t i = 0; i < expected.positions.size(); ++i) {
        moved = std::max(moved, norm(first.positions[i] - expected.positions[i]));
        apart = std::max(apart, norm(again.positions[i] - expected.positions[i]));
    }
    EXPECT_GT(moved, 1e-4);
    EXPECT_LT(apart, 0.01 * moved);
    EXPECT_EQ(warm.unconverged, 0);
}

/// Springs that draw all particles by `way` from where they start, handed to the solver as `handed`
/// times as firm as they are: solves find a part of the solution, or aim beyond it.
class MisjudgedSprings final : public Force, public LinearisedForce, public AdaptiveForce {
public:
    MisjudgedSprings(std::span<const Vec3> start, Vec3 way, double firmness, double handed)
        : goals_(start.begin(), start.end()), stiffness_(firmness), handed_(handed) {
        for (Vec3& goal : goals_)
            goal += way;
    }
    std::string_view name() const override { return "springs"; }
    ForceKind kind() const override { return ForceKind::contact; }
    ForceCapabilities capabilities() override { return {.linearised = this, .adaptive = this}; }
    double energy(std::span<const Vec3>) const override { return 0; }
    bool is_active() const override { return false; }
    void update(const Kinematics&) override {}
    bool has_converged(std::span<const double>) const override { return true; }
    void add_force(const Kinematics& at, std::span<Vec3> f) const override {
        for (std::size_t i = 0; i < goals_.size(); ++i)
            f[i] += stiffness_ * (goals_[i] - at.positions[i]);
    }
    void add_linearised(const Kinematics& at, const Linearisation& step, std::span<Vec3> f,
                        BlockMatrix& a) const override {
        add_force(at, f);
        const double k = handed_ * stiffness_;
        std::vector<BlockEntry> entries;
        for (int i = 0; i < static_cast<int>(goals_.size()); ++i) {
            f[i] -= k * step.displacement[i];
            entries.push_back({i, i, Mat3::diagonal(step.h * step.h * k)});
        }
        a.add_overlay(entries);
    }

private:
    std::vector<Vec3> goals_;
    double stiffness_, handed_;
};

struct StageEnd {
    int solves = 0, unconverged = 0;
    double error = 0; ///< of any velocity, over what the accuracy leaves open
};

// A stage over springs a thousand times as firm as the mass in a step, and 30 times the accuracy
// away.
StageEnd solve_misjudged(double handed) {
    Sheet sheet = make_sheet(600);
    ImplicitSettings settings;
    settings.newton_iterations = 20;
    settings.accuracy = 0.05;
    const double h = 0.01, open = settings.accuracy * h;
    double heaviest = 0;
    for (double& m : sheet.model.mass)
        heaviest = std::max(heaviest, m);
    for (double& m : sheet.model.mass)
        m = heaviest;
    const double stiffness = 1000 * heaviest / (h * h);
    const Vec3 way = {30 * open * h, 0, 0};
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(
        std::make_unique<MisjudgedSprings>(sheet.start.positions, way, stiffness, handed));
    BackwardEuler integrator(sheet.model, std::move(forces), settings);
    ConstraintSet constraints;
    constraints.merge_by_particle();
    Profile profile;
    State end;
    const StepReport report =
        integrator.step({sheet.conditions, sheet.start, h, constraints}, end, profile);
    EXPECT_EQ(report.status, StepReport::Status::ok);
    StageEnd out = {report.solves, report.unconverged, 0};
    const double exact = (1000.0 / 1001) * way.x / h; // (m + h^2 k) v = h k way
    for (const Vec3& v : end.velocities)
        out.error = std::max(out.error, norm(v - Vec3{exact, 0, 0}) / open);
    return out;
}

// Each solve aims as far beyond the solution as it was short of it: without damping they would
// swing until they are cut.
TEST(BackwardEuler, SolvesThatSwingAreDamped) {
    const StageEnd end = solve_misjudged(0.5);
    EXPECT_EQ(end.unconverged, 0);
    EXPECT_LE(end.solves, 8);
    EXPECT_LT(end.error, 0.1);
}

// Each solve finds a fifth of what is left: its own change is below the accuracy while four times
// as much is still to come.
TEST(BackwardEuler, AStageEndsByWhatIsStillToCome) {
    const StageEnd end = solve_misjudged(5);
    EXPECT_EQ(end.unconverged, 0);
    EXPECT_LT(end.error, 1.2);
    EXPECT_GT(end.solves, 10);
}

} // namespace
