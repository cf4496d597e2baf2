// Mass points and springs that hang from two corners without damping: energy never grows, with the
// elongation limit of (5) and without, and how long springs get [Bayraktar07 2, fig. 2].
#include "integrators/sheets.h"
#include "muslin/forces/springs.h"
#include "muslin/integrators/runge_kutta.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using namespace testing_integrators;

struct Hanging {
    Model model;
    Conditions conditions;
    State start;
    std::unique_ptr<RungeKutta> integrator;
};

struct Swing {
    double longest = 0;      ///< spring over its rest length
    double least = 0;        ///< energy over what fell, at the end
    double largest_gain = 0; ///< of a step, over what fell
    double highest = -1e9;   ///< energy at any time less that of the start, over what fell
};

Swing swing(double limit, ElongationLaw law) {
    Hanging sheet;
    ClothInput input;
    input.name = "sheet";
    input.material.spring_structural = 6;
    input.material.spring_shear = 3;
    input.material.spring_flexion = 0.2;
    input.material.spring_damping = 1e-12;
    input.material.elongation_limit = limit;
    input.material.elongation_law = law;
    input.mesh = make_grid({.width = 0.5, .depth = 0.5, .columns = 13, .rows = 13});
    sheet.model = build_model({input}, {}, sheet.start);
    std::vector<std::unique_ptr<Force>> forces;
    forces.push_back(std::make_unique<MassSpringForce>(sheet.model));
    forces.push_back(std::make_unique<FlexionSpringForce>(sheet.model));
    forces.push_back(std::make_unique<GravityForce>(sheet.model));
    sheet.integrator =
        std::make_unique<RungeKutta>(sheet.model, std::move(forces), RungeKuttaSettings{});
    Pin pin;
    pin.shape = PointShape{};
    for (const int v : {0, 12})
        pin.particles.push_back(sheet.model.cloths[0].surface.vertex_particle[v]);
    std::sort(pin.particles.begin(), pin.particles.end());
    for (const int p : pin.particles)
        pin.start.push_back(sheet.start.positions[p]);

    Swing out;
    State state = sheet.start, next;
    ConstraintSet held;
    Profile profile;
    const double scale = 0.15 * 0.25 * 9.81 * 0.25; // the weight falls by half the sheet
    const double start = mechanical_energy(sheet, state);
    double before = start, h = sheet.integrator->longest_step(sheet.conditions, state);
    const auto& springs = dynamic_cast<const LinkForce&>(*sheet.integrator->forces()[0]);
    while (state.time < 0.8) {
        held.clear();
        held.add_pin(pin, 0, state, h);
        held.merge_by_particle();
        const StepReport report =
            sheet.integrator->step({sheet.conditions, state, h, held}, next, profile);
        if (report.status == StepReport::Status::inaccurate) {
            h = report.longest_step;
            continue;
        }
        EXPECT_EQ(report.status, StepReport::Status::ok);
        std::swap(state, next);
        h = sheet.integrator->longest_step_now(sheet.conditions, state);
        const double energy = mechanical_energy(sheet, state);
        out.largest_gain = std::max(out.largest_gain, (energy - before) / scale);
        out.highest = std::max(out.highest, (energy - start) / scale);
        before = energy;
        for (const Link& link : springs.links())
            out.longest = std::max(out.longest, norm(state.positions[link.particles[1]] -
                                                     state.positions[link.particles[0]]) /
                                                    link.rest);
    }
    out.least = (before - start) / scale;
    return out;
}

TEST(HangingSprings, NeverGainEnergyAndAreShorterWithTheElongationLimit) {
    const double none = std::numeric_limits<double>::infinity();
    const Swing soft = swing(none, ElongationLaw::allowed),
                allowed = swing(0.05, ElongationLaw::allowed),
                rest = swing(0.05, ElongationLaw::rest);
    for (const auto& [name, s] :
         {std::pair("no limit", soft), std::pair("allowed", allowed), std::pair("rest", rest)}) {
        fmt::print("{}: longest spring {:.3f}, energy {:+.2e} at the end, largest gain of a step "
                   "{:.1e}, highest {:+.1e} of what fell\n",
                   name, s.longest, s.least, s.largest_gain, s.highest);
        EXPECT_LT(s.highest, 1e-6) << name;
        EXPECT_LT(s.least, 0) << name;
        EXPECT_GT(s.least, -0.2) << name; // most of it is still there
    }
    EXPECT_LT(soft.largest_gain, 1e-6);
    EXPECT_LT(allowed.longest, 0.95 * soft.longest);
    EXPECT_LT(rest.longest, 0.95 * soft.longest);
}

} // namespace
} // namespace muslin
