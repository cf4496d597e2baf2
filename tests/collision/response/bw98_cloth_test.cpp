#include "muslin/collision/response/bw98_contact.h"

#include "math/random.h"
#include "muslin/forces/capabilities.h"
#include "muslin/linalg/block_matrix.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace muslin;
using testing_math::Random;

namespace {

constexpr double thickness = 4e-4; // of the default material [m]

// Two sheets with vertices at random places, so that no vertex lies over another; the second one
// turned, and `height` above the first.
struct TwoSheets {
    explicit TwoSheets(double height) {
        std::vector<ClothInput> cloths(2);
        for (int i = 0; i < 2; ++i) {
            cloths[i].name = i == 0 ? "lower" : "upper";
            cloths[i].mesh = make_irregular(
                {.width = 0.4, .depth = 0.4, .vertices = 60, .seed = 1u + i, .jitter = 0.4});
            for (Vec3& p : cloths[i].mesh.positions) {
                p.y = i * height;
                if (i == 1)
                    p = {0.8 * p.x - 0.6 * p.z, p.y, 0.6 * p.x + 0.8 * p.z};
            }
        }
        model = build_model(cloths, {}, start);
        for (const int p : model.cloths[1].surface.vertex_particle)
            upper.push_back(p);
    }
    bool is_upper(int particle) const {
        return std::find(upper.begin(), upper.end(), particle) != upper.end();
    }

    Model model;
    State start;
    std::vector<int> upper;
};

// The stages of a step up to the solve.
void begin_step(Bw98Contact& contact, const State& state, double h) {
    Profile profile;
    ConstraintSet constraints;
    const Conditions conditions;
    contact.constrain(conditions, state, h, constraints, profile);
    constraints.merge_by_particle();
    contact.sense({conditions, state, h, constraints}, profile);
}

ContactReport end_step(Bw98Contact& contact, const State& begin, State& end, double h) {
    Profile profile;
    const Conditions conditions;
    const ConstraintSet constraints;
    const ContactReport report =
        contact.resolve({conditions, begin, h, constraints, {}, false}, end, profile);
    contact.accept(end);
    return report;
}

Vec3 difference(const ContactSpring& s, std::span<const Vec3> a) {
    Vec3 sum{0, 0, 0};
    for (int k = 0; k < 4; ++k)
        sum += s.weights[k] * a[s.points[k]];
    return sum;
}

} // namespace

TEST(bw98_cloth, sheets_apart_have_no_springs) {
    const TwoSheets sheets(1.5 * thickness);
    Bw98Contact contact(sheets.model, {});
    begin_step(contact, sheets.start, 0.01);
    EXPECT_TRUE(contact.cloth().springs().empty());
}

TEST(bw98_cloth, sheets_that_are_near_push_apart) {
    const TwoSheets sheets(0.5 * thickness);
    Bw98Contact contact(sheets.model, {});
    begin_step(contact, sheets.start, 0.01);
    ASSERT_GT(contact.cloth().springs().size(), 50u);
    std::vector<Vec3> f(sheets.start.positions.size(), {0, 0, 0});
    contact.make_force()->add_force({sheets.start.positions, sheets.start.velocities}, f);
    Vec3 sum{0, 0, 0};
    double largest = 0;
    for (const Vec3& one : f)
        largest = std::max(largest, norm(one));
    for (std::size_t i = 0; i < f.size(); ++i) {
        EXPECT_NEAR(f[i].x, 0, 1e-12 * largest);
        EXPECT_NEAR(f[i].z, 0, 1e-12 * largest);
        if (sheets.is_upper(static_cast<int>(i)))
            EXPECT_GE(f[i].y, -1e-12 * largest);
        else
            EXPECT_LE(f[i].y, 1e-12 * largest);
        sum += f[i];
    }
    EXPECT_GT(largest, 0);
    EXPECT_NEAR(norm(sum), 0, 1e-12 * largest) << "the springs pull on nothing else";
    for (const Vec3& y : contact.cloth().alteration())
        EXPECT_EQ(norm(y), 0) << "nothing has crossed";
}

TEST(bw98_cloth, sheets_that_will_meet_have_springs_before) {
    TwoSheets sheets(20 * thickness);
    const double h = 0.01;
    for (const int p : sheets.upper)
        sheets.start.velocities[p] = {0, -25 * thickness / h, 0};
    Bw98Contact contact(sheets.model, {});
    begin_step(contact, sheets.start, h);
    ASSERT_GT(contact.cloth().springs().size(), 50u);
    for (const ContactSpring& s : contact.cloth().springs())
        EXPECT_GT(dot(s.normal, difference(s, sheets.start.positions)), 0);
    // The same sheets moving apart are left alone, although they touch.
    TwoSheets leaving(0.9 * thickness);
    for (const int p : leaving.upper)
        leaving.start.velocities[p] = {0, 25 * thickness / h, 0};
    Bw98Contact other(leaving.model, {});
    begin_step(other, leaving.start, h);
    EXPECT_TRUE(other.cloth().springs().empty());
}

// A step that lets the sheets pass through each other is seen, remembered, and undone by position
// alteration and springs towards the sides they came from.
TEST(bw98_cloth, crossed_sheets_are_sent_back) {
    const double h = 0.01, start = 3 * thickness, depth = 5 * thickness;
    const TwoSheets sheets(start);
    Bw98Contact contact(sheets.model, {});
    State begin = sheets.start, end = sheets.start;
    begin_step(contact, begin, h);
    for (const int p : sheets.upper)
        end.positions[p].y = -depth;
    const ContactReport report = end_step(contact, begin, end, h);
    EXPECT_GT(report.impacts, 50);
    const std::size_t crossed = contact.history().cloth.crossed.size();
    EXPECT_EQ(crossed, static_cast<std::size_t>(report.impacts));

    // Two steps on they are still where they were: the memory stays.
    for (int step = 0; step < 2; ++step) {
        begin_step(contact, end, h);
        EXPECT_EQ(contact.history().cloth.crossed.size(), crossed);
        for (const ContactSpring& s : contact.cloth().springs()) {
            ASSERT_NEAR(std::abs(s.normal.y), 1, 1e-9);
            EXPECT_NEAR(dot(s.normal, difference(s, end.positions)), -depth, 1e-12);
        }
        for (const int p : sheets.upper)
            EXPECT_GE(contact.cloth().alteration()[p].y, 0);
        begin = end;
        const ContactReport waiting = end_step(contact, begin, end, h);
        EXPECT_EQ(waiting.impacts, 0);
    }

    // One step of y brings the sheets, which many pairs share, more than halfway back.
    begin_step(contact, end, h);
    double before = 0, after = 0;
    for (const ContactSpring& s : contact.cloth().springs()) {
        before += dot(s.normal, difference(s, end.positions));
        after += dot(s.normal, difference(s, end.positions)) +
                 dot(s.normal, difference(s, contact.cloth().alteration()));
    }
    EXPECT_LT(before, 0);
    EXPECT_GT(after, 0.5 * before);

    // Back on their own sides, they are forgotten.
    begin = end;
    end.positions = sheets.start.positions;
    end_step(contact, begin, end, h);
    begin_step(contact, end, h);
    State again = end;
    end_step(contact, end, again, h);
    EXPECT_TRUE(contact.history().cloth.crossed.empty());
}

TEST(bw98_cloth, another_state_has_no_history) {
    const double h = 0.01;
    const TwoSheets sheets(3 * thickness);
    Bw98Contact contact(sheets.model, {});
    State end = sheets.start;
    begin_step(contact, sheets.start, h);
    for (const int p : sheets.upper)
        end.positions[p].y = -3 * thickness;
    end_step(contact, sheets.start, end, h);
    ASSERT_FALSE(contact.history().cloth.crossed.empty());

    Bw98Contact copy(sheets.model, {});
    ContactHistory history;
    contact.store(history);
    copy.recall(history);
    begin_step(copy, end, h);
    EXPECT_FALSE(copy.cloth().springs().empty()) << "a copied history goes on";

    State other = end;
    other.positions[0].x += 1e-3;
    begin_step(contact, other, h);
    EXPECT_TRUE(contact.history().cloth.crossed.empty());
    EXPECT_TRUE(contact.cloth().springs().empty());
}

// The matrix handed to the solver, against differences of the assembled force.
TEST(bw98_cloth, assembled_derivatives_match_differences) {
    TwoSheets sheets(0.5 * thickness);
    Random random(4);
    for (Vec3& v : sheets.start.velocities)
        v = 1e-3 * random.vec3();
    Bw98Contact contact(sheets.model, {});
    const double h = 0.01;
    begin_step(contact, sheets.start, h);
    const auto force = contact.make_force();
    const int n = sheets.model.particle_count();
    BlockMatrix a;
    a.set_pattern(n, {});
    std::vector<double> nothing(n, 0.0);
    a.reset(nothing);
    const Kinematics at{sheets.start.positions, sheets.start.velocities};
    std::vector<Vec3> f0(n, {0, 0, 0}), linear(n, {0, 0, 0});
    force->add_force(at, f0);
    std::vector<Vec3> direction(n);
    for (Vec3& d : direction)
        d = random.vec3();
    force->capabilities().linearised->add_linearised(at, {h, direction}, linear, a);

    const auto force_at = [&](double dx, double dv) {
        std::vector<Vec3> x = sheets.start.positions, v = sheets.start.velocities, f(n, {0, 0, 0});
        for (int i = 0; i < n; ++i) {
            x[i] += dx * direction[i];
            v[i] += dv * direction[i];
        }
        force->add_force({x, v}, f);
        return f;
    };
    const auto by_x = force_at(1, 0), by_v = force_at(0, 1);
    std::vector<Vec3> product(n);
    a.multiply(direction, product);
    double scale = 0;
    for (const Vec3& p : product)
        scale = std::max(scale, norm(p));
    ASSERT_GT(scale, 1e-4);
    for (int i = 0; i < n; ++i) {
        const Vec3 expected = (-h * h) * (by_x[i] - f0[i]) + (-h) * (by_v[i] - f0[i]);
        EXPECT_NEAR(norm(product[i] - expected), 0, 1e-9 * scale);
        EXPECT_NEAR(norm(linear[i] - by_x[i]), 0, 1e-9 * scale / (h * h))
            << "f - K d is the force after the displacement d";
    }
}
