// Protocol C5: two sheets collide in empty space. What impacts and contact do to their momentum is
// measured across the stage that resolves them, and angular momentum across a whole step with
// contact, which gives back what it lost; what other steps do of their own is printed.

#include "validation/scene_run.h"

#include "muslin/collision/response/implicit_contact.h"
#include "muslin/engine/step_control.h"
#include "muslin/integrators/backward_euler.h"
#include "muslin/scene/build_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

namespace {

using namespace muslin;
using namespace muslin::validation;

struct Momenta {
    Vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
};

Momenta momenta(const Model& model, const State& state) {
    Momenta sum;
    for (std::size_t i = 0; i < model.mass.size(); ++i) {
        sum.linear += model.mass[i] * state.velocities[i];
        sum.angular += model.mass[i] * cross(state.positions[i], state.velocities[i]);
    }
    return sum;
}

// Off the middle and at an angle, so that the sheets also begin to turn.
SceneDescription two_sheets(double friction) {
    return parse_scene(fmt::format(R"(
        recipe = "muslin"
        [world]
        gravity = [0, 0, 0]
        drag_coefficient = 0
        [[cloth]]
        name = "lower"
        mesh = {{ type = "irregular", width = 0.2, depth = 0.2, vertices = 250 }}
        material = {{ base = "cotton", thickness = 0.001, friction = {0} }}
        velocity = [0, 1.5, 0]
        [[cloth]]
        name = "upper"
        mesh = {{ type = "irregular", width = 0.2, depth = 0.2, vertices = 250, seed = 2 }}
        material = {{ base = "cotton", thickness = 0.001, friction = {0} }}
        position = [0.06, 0.05, 0.03]
        rotation = [10, 30, -15]
        velocity = [-0.5, -0.5, 0.2]
    )",
                                   friction),
                       "momentum", ".", "momentum");
}

struct Collision {
    double linear = 0;                        ///< largest relative change in one resolve
    double angular = 0;                       ///< in one whole step with contact
    double step_linear = 0, step_angular = 0; ///< over all steps, integrator and contact
    double rise = 0;                 ///< of energy over its least so far, part of the first
    double rise_without_contact = 0; ///< the same for kinetic and elastic energy alone
    double left = 0;                 ///< energy at the end over that of the start
    double rise_in_resolve = 0;      ///< of kinetic and elastic energy, in one
    int contacts = 0, impacts = 0, steps = 0, rejected = 0;
};

// What the layers have stored [J]: the pressure law p = softness d / (1 - d), integrated.
double contact_energy(const ImplicitContact& contact, std::span<const Vec3> x, double softness) {
    double sum = 0;
    for (const ContactElement& element : contact.elements()) {
        const double thickness = element.contact.thickness;
        const double left = std::clamp(element.contact.gap(x) / thickness, 0.05, 1.0);
        sum += element.start.area * thickness * softness * (left - 1 - std::log(left));
    }
    return sum;
}

Collision collide(double friction, double longest, double tolerance) {
    const SceneDescription scene = two_sheets(friction);
    const BuiltScene built = build_scene(scene);
    const Model& model = built.model;
    const Recipe recipe = choose_recipe(scene.recipe);
    const ImplicitContactSettings settings;
    ImplicitContact contact(model, settings);
    ForceSet set = make_forces(recipe, model, built.conditions);
    const StretchMeasure* watched = set.watched;
    set.forces.push_back(contact.make_force());
    ImplicitSettings solver;
    solver.newton_iterations = recipe.newton_iterations;
    solver.linearise_at = recipe.linearise_at;
    solver.pcg.tolerance = tolerance;
    BackwardEuler integrator(model, std::move(set.forces), solver);
    integrator.set_conditions(built.conditions);

    State state = built.start, next;
    Profile profile;
    ConstraintSet constraints;
    constraints.merge_by_particle();
    const auto energy = [&](const State& at) {
        double sum = 0;
        for (std::size_t i = 0; i < model.mass.size(); ++i)
            sum += 0.5 * model.mass[i] * dot(at.velocities[i], at.velocities[i]);
        for (const auto& force : integrator.forces())
            sum += force->energy(at.positions);
        return sum;
    };
    Collision out;
    const Momenta first = momenta(model, state);
    const double start = energy(state);
    double least = start, least_without = start;
    StepControl control({longest, longest / 4096});
    for (double time = 0; time < 0.25 - 1e-9;) {
        // The stages of a step as Simulation takes them, with a look between the last two.
        const double h = control.next(0.25 - time);
        contact.sense({built.conditions, state, h, constraints}, profile);
        const StepReport step =
            integrator.step({built.conditions, state, h, constraints}, next, profile);
        EXPECT_EQ(step.status, StepReport::Status::ok);
        const Momenta begin = momenta(model, state), before = momenta(model, next);
        const double advanced = energy(next);
        const ContactReport report =
            contact.resolve({built.conditions, state, h, constraints, {}, false}, next, profile);
        if (!report.resolved ||
            watched->largest_stretch_change(state.positions, next.positions) > 0.2) {
            ++out.rejected;
            if (control.reject(h))
                continue;
            ADD_FAILURE() << "the smallest step failed " << report.reason;
            return out;
        }
        control.accept();
        time += h;
        ++out.steps;
        contact.accept(next);
        const Momenta after = momenta(model, next);
        out.linear = std::max(out.linear, norm(after.linear - before.linear) / norm(first.linear));
        if (report.contacts > 0 && !report.repeat)
            out.angular =
                std::max(out.angular, norm(after.angular - begin.angular) / norm(first.angular));
        out.rise_in_resolve = std::max(out.rise_in_resolve, (energy(next) - advanced) / start);
        out.contacts = std::max(out.contacts, report.contacts);
        out.impacts += report.impacts;
        std::swap(state, next);
        const double without = energy(state);
        const double with =
            without + contact_energy(contact, state.positions, settings.pressure.softness);
        out.rise = std::max(out.rise, (with - least) / start);
        out.rise_without_contact =
            std::max(out.rise_without_contact, (without - least_without) / start);
        least = std::min(least, with);
        least_without = std::min(least_without, without);
        out.left = without / start;
    }
    const Momenta last = momenta(model, state);
    out.step_linear = norm(last.linear - first.linear) / norm(first.linear);
    out.step_angular = norm(last.angular - first.angular) / norm(first.angular);
    return out;
}

struct Case {
    double friction, step, tolerance;
};

// At the recipe's own step and at a fine one, with its own solver and with one that is exact.
std::vector<Case> cases() {
    std::vector<Case> all;
    for (const double friction : {0.0, 0.3})
        for (const double step : {1.0 / 120, 1e-3})
            for (const double tolerance : {1e-2, 1e-9})
                all.push_back({friction, step, tolerance});
    return all;
}

std::string describe(const Case& at) {
    return fmt::format("C5 mu {}, step {:.4f} s, tolerance {}", at.friction, at.step, at.tolerance);
}

TEST(Momentum, KeptByStepsWithContact) {
    for (const Case& at : cases()) {
        const Collision c = collide(at.friction, at.step, at.tolerance);
        std::cout << fmt::format(
            "{}: {} steps, {} rejected, {} contacts at once, {} impacts; one "
            "resolve changes momentum by {:.1e}, one step with contact the angular one by {:.1e}; "
            "0.25 s change them by {:.1e}, {:.1e}\n",
            describe(at), c.steps, c.rejected, c.contacts, c.impacts, c.linear, c.angular,
            c.step_linear, c.step_angular);
        EXPECT_GT(c.contacts, 20) << "they met";
        EXPECT_LT(c.linear, 1e-6) << describe(at);
        EXPECT_LT(c.angular, 1e-6) << describe(at);
        // Every force on the way has its reaction: only the solver's residual is left.
        EXPECT_LT(c.step_linear, at.tolerance < 1e-6 ? 1e-6 : 1e-2) << describe(at);
    }
}

TEST(Momentum, EnergyOfACollisionNeverRisesAtSmallSteps) {
    for (const Case& at : cases()) {
        const Collision c = collide(at.friction, at.step, at.tolerance);
        std::cout << fmt::format(
            "{}: kinetic and elastic energy rise by {:.4f} %, with that of contact {:.4f} %; "
            "{:.4f} % in one resolve; {:.1f} % is left\n",
            describe(at), 100 * c.rise_without_contact, 100 * c.rise, 100 * c.rise_in_resolve,
            100 * c.left);
        // The protocol names no step. At 1/120 s the energy does rise for some frames; the figures
        // are in docs/validation.md.
        if (at.step > 2e-3)
            continue;
        EXPECT_LT(c.rise, 1e-3) << describe(at);
        EXPECT_LT(c.rise_without_contact, 1e-3) << describe(at);
    }
}

} // namespace
