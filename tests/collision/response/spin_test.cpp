// Angular momentum of cloth that flies freely, by itself: beginnings and ends of steps are made up.
#include "muslin/collision/response/spin.h"

#include "math/random.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

using namespace muslin;
using testing_math::Random;

namespace {

constexpr double h = 0.01; // [s]

// Two sheets of 0.2 m, half a metre apart, each of which drifts, turns and deforms.
struct Sheets {
    Sheets() {
        std::vector<ClothInput> cloths(2);
        for (int k = 0; k < 2; ++k) {
            cloths[k].name = "sheet" + std::to_string(k);
            cloths[k].mesh = make_irregular(
                {.width = 0.2, .depth = 0.2, .vertices = 60, .seed = static_cast<unsigned>(k + 1)});
            for (Vec3& p : cloths[k].mesh.positions)
                p += Vec3{0.5 * k, 0.1 * k, 0};
        }
        model = build_model(cloths, {}, begin);
        Random random(5);
        for (std::size_t i = 0; i < begin.positions.size(); ++i) {
            const Vec3 turn = is_in(i, 0) ? Vec3{1, 5, -2} : Vec3{-3, 0, 4};
            begin.velocities[i] =
                Vec3{1, 2, 3} + cross(turn, begin.positions[i]) + 0.1 * random.vec3();
        }
        end = begin;
        for (std::size_t i = 0; i < end.positions.size(); ++i) {
            end.velocities[i] = 0.8 * begin.velocities[i] + 0.1 * random.vec3();
            end.positions[i] += h * end.velocities[i];
        }
    }
    int first_of(int cloth) const { return model.cloths[cloth].surface.vertex_particle.front(); }
    bool is_in(std::size_t particle, int cloth) const {
        const auto& its = model.cloths[cloth].surface.vertex_particle;
        return std::find(its.begin(), its.end(), static_cast<int>(particle)) != its.end();
    }

    Model model;
    Conditions conditions;
    State begin, end;
};

// Of a cloth, or of both (-1), about the centre of its mass.
Vec3 angular_momentum(const Sheets& s, const State& state, int cloth) {
    double mass = 0;
    Vec3 centre = {0, 0, 0}, velocity = {0, 0, 0}, sum = {0, 0, 0};
    const auto is_in = [&](std::size_t i) { return cloth < 0 || s.is_in(i, cloth); };
    for (std::size_t i = 0; i < s.model.mass.size(); ++i)
        if (is_in(i)) {
            mass += s.model.mass[i];
            centre += s.model.mass[i] * state.positions[i];
            velocity += s.model.mass[i] * state.velocities[i];
        }
    centre *= 1 / mass;
    velocity *= 1 / mass;
    for (std::size_t i = 0; i < s.model.mass.size(); ++i)
        if (is_in(i))
            sum += s.model.mass[i] *
                   cross(state.positions[i] - centre, state.velocities[i] - velocity);
    return sum;
}

Vec3 momentum(const Sheets& s, const State& state) {
    Vec3 sum = {0, 0, 0};
    for (std::size_t i = 0; i < s.model.mass.size(); ++i)
        sum += s.model.mass[i] * state.velocities[i];
    return sum;
}

TEST(Spin, EachPieceKeepsItsOwn) {
    Sheets s;
    const State before = s.end;
    Spin spin(s.model);
    spin.start(s.conditions.pulls, s.end);
    spin.restore(s.begin, h, {}, s.end);
    for (int cloth = 0; cloth < 2; ++cloth) {
        const Vec3 kept = angular_momentum(s, s.begin, cloth);
        EXPECT_GT(norm(angular_momentum(s, before, cloth) - kept), 0.1 * norm(kept));
        EXPECT_LT(norm(angular_momentum(s, s.end, cloth) - kept), 1e-12 * norm(kept));
    }
    EXPECT_LT(norm(momentum(s, s.end) - momentum(s, before)), 1e-14 * norm(momentum(s, before)));
}

TEST(Spin, WhatTouchesShares) {
    Sheets s;
    const State before = s.end;
    Spin spin(s.model);
    spin.start(s.conditions.pulls, s.end);
    spin.join(s.first_of(0), s.first_of(1));
    spin.restore(s.begin, h, {}, s.end);
    const Vec3 kept = angular_momentum(s, s.begin, -1);
    EXPECT_LT(norm(angular_momentum(s, s.end, -1) - kept), 1e-12 * norm(kept));
    EXPECT_GT(norm(angular_momentum(s, s.end, 0) - angular_momentum(s, s.begin, 0)), 1e-6);
    // Nothing comes nearer or goes farther than it did.
    for (std::size_t i = 1; i < s.model.mass.size(); ++i) {
        const Vec3 apart = s.end.positions[i] - s.end.positions[0];
        const auto rate = [&](const State& state) {
            return dot(apart, state.velocities[i] - state.velocities[0]);
        };
        EXPECT_NEAR(rate(s.end), rate(before), 1e-14);
    }
}

TEST(Spin, WhatIsHeldIsLeftAlone) {
    Sheets s;
    const State before = s.end;
    Pull pull;
    pull.particles = {s.first_of(1)};
    s.conditions.pulls.push_back(pull);
    Spin spin(s.model);
    spin.start(s.conditions.pulls, s.end);
    spin.restore(s.begin, h, {}, s.end); // the second is pulled
    const Vec3 kept = angular_momentum(s, s.begin, 0);
    EXPECT_LT(norm(angular_momentum(s, s.end, 0) - kept), 1e-12 * norm(kept));
    EXPECT_EQ(norm(angular_momentum(s, s.end, 1) - angular_momentum(s, before, 1)), 0);
    s.end = before;
    spin.start(s.conditions.pulls, s.end);
    spin.join(s.first_of(0), s.first_of(1)); // and so is what touches it
    spin.restore(s.begin, h, {}, s.end);
    EXPECT_EQ(norm(angular_momentum(s, s.end, 0) - angular_momentum(s, before, 0)), 0);
    s.end = before;
    spin.start(s.conditions.pulls, s.end);
    spin.hold(s.first_of(0)); // both, each by itself
    spin.restore(s.begin, h, {}, s.end);
    EXPECT_EQ(norm(angular_momentum(s, s.end, -1) - angular_momentum(s, before, -1)), 0);
}

/// Pushes one particle.
class Shove final : public Force {
public:
    Shove(int particle, ForceKind kind) : particle_(particle), kind_(kind) {}
    std::string_view name() const override { return "shove"; }
    ForceKind kind() const override { return kind_; }
    double energy(std::span<const Vec3>) const override { return 0; }
    void add_force(const Kinematics&, std::span<Vec3> f) const override {
        f[particle_] += Vec3{0, 3, 0};
    }

private:
    int particle_;
    ForceKind kind_;
};

TEST(Spin, WhatComesFromOutsideTurnsCloth) {
    for (const bool from_outside : {false, true}) {
        Sheets s;
        std::vector<std::unique_ptr<Force>> forces;
        forces.push_back(std::make_unique<Shove>(
            s.first_of(0), from_outside ? ForceKind::outside : ForceKind::in_plane));
        Spin spin(s.model);
        spin.start(s.conditions.pulls, s.end);
        spin.restore(s.begin, h, forces, s.end);
        double mass = 0;
        Vec3 centre = {0, 0, 0};
        for (const int p : s.model.cloths[0].surface.vertex_particle) {
            mass += s.model.mass[p];
            centre += s.model.mass[p] * s.end.positions[p];
        }
        centre *= 1 / mass;
        Vec3 expected = angular_momentum(s, s.begin, 0);
        if (from_outside)
            expected += h * cross(s.end.positions[s.first_of(0)] - centre, Vec3{0, 3, 0});
        EXPECT_LT(norm(angular_momentum(s, s.end, 0) - expected), 1e-12 * norm(expected));
    }
}

TEST(Spin, SeamsMakeOnePieceOfTwo) {
    Sheets s;
    Seam seam;
    seam.joints = {{s.first_of(0), s.first_of(1)}};
    s.model.seams.push_back(seam);
    Spin spin(s.model);
    spin.start(s.conditions.pulls, s.end);
    spin.restore(s.begin, h, {}, s.end);
    const Vec3 kept = angular_momentum(s, s.begin, -1);
    EXPECT_LT(norm(angular_momentum(s, s.end, -1) - kept), 1e-12 * norm(kept));
    EXPECT_GT(norm(angular_momentum(s, s.end, 0) - angular_momentum(s, s.begin, 0)), 1e-6);
}

} // namespace
