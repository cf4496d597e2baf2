// Limits on the strain of edges [Bridson03 3].
#include "muslin/integrators/strain_limit.h"

#include "math/random.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace muslin {
namespace {

using Random = testing_math::Random;

struct Sheet {
    Model model;
    Conditions conditions;
    State start;
};

Sheet sheet(int vertices) {
    Sheet out;
    ClothInput input;
    input.name = "sheet";
    IrregularSettings settings;
    settings.vertices = vertices;
    input.mesh = make_irregular(settings);
    out.model = build_model({input}, {}, out.start);
    return out;
}

std::vector<Vec3> moved(std::span<const Vec3> x, std::span<const Vec3> v, double h) {
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < x.size(); ++i)
        out.push_back(x[i] + h * v[i]);
    return out;
}

TEST(StrainLimit, LeavesWhatIsWithinItsLimits) {
    const Sheet s = sheet(500);
    StrainLimit limit(s.model, {});
    std::vector<Vec3> v(s.start.positions.size(), Vec3{1, 2, 3});
    EXPECT_EQ(limit.modify(s.start.positions, 0.01, {}, v), 1);
    for (const Vec3& p : v)
        EXPECT_LT(norm(p - Vec3{1, 2, 3}), 1e-10);
}

TEST(StrainLimit, BringsEdgesBackAndKeepsMomentum) {
    const Sheet s = sheet(1500);
    StrainLimitSettings settings;
    settings.max_sweeps = 2000;
    StrainLimit limit(s.model, settings);
    Random random(1);
    std::vector<Vec3> v;
    for (std::size_t i = 0; i < s.start.positions.size(); ++i)
        v.push_back(random.vec3());
    const double h = 0.02; // moves of most of an edge
    const auto momentum = [&] {
        Vec3 linear = {0, 0, 0};
        for (std::size_t i = 0; i < v.size(); ++i)
            linear += s.model.mass[i] * v[i];
        return linear;
    };
    // Impulses act along the edges where they will be: about those places there is no torque.
    const auto spin = [&] {
        Vec3 angular = {0, 0, 0};
        for (std::size_t i = 0; i < v.size(); ++i)
            angular += s.model.mass[i] * cross(s.start.positions[i] + h * v[i], v[i]);
        return angular;
    };
    const Vec3 before = momentum(), spin_before = spin();
    const StrainLimit::Strain wild = limit.strain(moved(s.start.positions, v, h));
    EXPECT_GT(wild.greatest, 0.3);
    EXPECT_LT(wild.least, -0.3);
    const int sweeps = limit.modify(s.start.positions, h, {}, v);
    const StrainLimit::Strain tame = limit.strain(moved(s.start.positions, v, h));
    fmt::print("{} sweeps: strain {:.4f} to {:.4f}\n", sweeps, tame.least, tame.greatest);
    EXPECT_LT(sweeps, 2000);
    EXPECT_LT(tame.greatest, 0.1 + 0.01);
    EXPECT_GT(tame.least, -0.01);
    EXPECT_LT(norm(momentum() - before), 1e-12);
    EXPECT_LT(norm(spin() - spin_before), 1e-3 * 0.15);
}

TEST(StrainLimit, WhatIsHeldDoesNotMove) {
    const Sheet s = sheet(500);
    StrainLimitSettings settings;
    settings.max_sweeps = 3000; // a fifth of the sheet has to come back
    StrainLimit limit(s.model, settings);
    std::vector<Vec3> v(s.start.positions.size(), Vec3{0, 0, 0});
    Filter filter;
    for (std::size_t i = 0; i < s.start.positions.size(); ++i)
        if (s.start.positions[i].x < -0.499) {
            filter.particles.push_back(static_cast<int>(i));
            filter.projection.push_back(Mat3::zero());
        } else {
            v[i] = {30 * (s.start.positions[i].x + 0.5), 0, 0}; // stretches by 30 % in 10 ms
        }
    const std::vector<Vec3> asked = v;
    limit.modify(s.start.positions, 0.01, filter, v);
    bool changed = false;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const bool held = std::binary_search(filter.particles.begin(), filter.particles.end(),
                                             static_cast<int>(i));
        if (held) {
            EXPECT_EQ(norm(v[i] - asked[i]), 0);
        }
        changed = changed || norm(v[i] - asked[i]) > 0.1;
    }
    EXPECT_TRUE(changed);
    const auto strain = limit.strain(moved(s.start.positions, v, 0.01));
    EXPECT_LT(strain.greatest, 0.12);
}

/// A sheet at rest, held along one side, that is given 30 % of stretch in 10 ms.
struct Stretched {
    Sheet sheet;
    std::vector<Vec3> velocities;
    Filter filter;
    static constexpr double h = 0.01;
};
Stretched stretched(int vertices) {
    Stretched out = {sheet(vertices), {}, {}};
    const std::vector<Vec3>& x = out.sheet.start.positions;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool held = x[i].x < -0.499;
        out.velocities.push_back({held ? 0 : 30 * (x[i].x + 0.5), 0, 0});
        if (held) {
            out.filter.particles.push_back(static_cast<int>(i));
            out.filter.projection.push_back(Mat3::zero());
        }
    }
    return out;
}

// With the sheet at rest within its limits to begin with, impulses only take energy.
TEST(StrainLimit, TakesEnergyAndNeverGives) {
    for (const int cap : {5, 40, 400}) {
        Stretched s = stretched(600);
        StrainLimitSettings settings;
        settings.max_sweeps = cap;
        StrainLimit limit(s.sheet.model, settings);
        const auto energy = [&] {
            double sum = 0;
            for (std::size_t i = 0; i < s.velocities.size(); ++i)
                sum += 0.5 * s.sheet.model.mass[i] * dot(s.velocities[i], s.velocities[i]);
            return sum;
        };
        const double before = energy();
        limit.modify(s.sheet.start.positions, s.h, s.filter, s.velocities);
        EXPECT_LT(energy(), before) << cap;
    }
}

// An edge that is too long already is not brought back at once by a short step, which would take
// any speed.
TEST(StrainLimit, AShortStepRecoversAPart) {
    Sheet s = sheet(200);
    for (Vec3& p : s.start.positions)
        p.x *= 1.2;
    const double h = 1e-5;
    StrainLimit limit(s.model, {});
    std::vector<Vec3> v(s.start.positions.size(), Vec3{0, 0, 0});
    limit.modify(s.start.positions, h, {}, v);
    double fastest = 0;
    for (const Vec3& p : v)
        fastest = std::max(fastest, norm(p));
    EXPECT_GT(fastest, 5);    // half a metre of cloth, 10 % too long, within 0.2 ms
    EXPECT_LT(fastest, 1000); // at once it would be 5000 m/s
}

} // namespace
} // namespace muslin
