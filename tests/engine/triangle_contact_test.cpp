// The part triangle_contact in small situations and whole scenes [Bayraktar07 3, 4].

#include "muslin/collision/response/triangle_contact.h"

#include "muslin/base/parallel.h"
#include "muslin/engine/simulation.h"
#include "muslin/mesh/measure.h"
#include "muslin/run/judge.h"
#include "muslin/scene/build_scene.h"
#include "muslin/scene/load.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <random>

namespace {

using namespace muslin;

const char* const soft =
    "base = \"cotton\", stretch_u = 20, stretch_v = 20, stretch_damping = 2e-3, "
    "thickness = 0.002";

SceneDescription scene(const std::string& text) {
    return parse_scene("recipe = \"bridson03\"\n"
                       "parts.contact = \"triangle_contact\"\n"
                       "parts.strain_limit = \"none\"\n" +
                           text,
                       "triangles", ".", "triangles");
}

// A cloth of four triangles (a square with a middle) over a box whose top is y = 0, and one step of
// it: what the response makes of places and speeds.
struct Square {
    BuiltScene built;
    ConstraintSet constraints;
    State begin, end;
    double h = 0.01;
    ContactReport report;
    Profile profile;

    explicit Square(const std::string& friction = "0", const std::string& pins = "")
        : built(build_scene(scene(fmt::format(R"(
            [[cloth]]
            name = "square"
            mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 2 }}
            position = [0, 0.05, 0]
            material = {{ {0}, friction = {1} }}
            [[body]]
            name = "box"
            mesh = {{ type = "box", size = [1, 1, 1] }}
            position = [0, -0.5, 0]
            friction = {1}
            {2}
        )",
                                              soft, friction, pins)))) {
        begin = built.start;
        for (std::size_t i = 0; i < built.conditions.pins.size(); ++i)
            constraints.add_pin(built.conditions.pins[i], static_cast<int>(i), begin, h);
        constraints.merge_by_particle();
    }

    void step(TriangleContact& contact) {
        contact.sense({built.conditions, begin, h, constraints}, profile);
        end.time = begin.time + h;
        report =
            contact.resolve({built.conditions, begin, h, constraints, {}, false}, end, profile);
    }
    void move_to_end() {
        end = begin;
        for (std::size_t i = 0; i < end.positions.size(); ++i)
            end.positions[i] += h * end.velocities[i];
    }
    int intersections() const {
        const Verdict v = Judge(built.model).judge(end.positions, end.time);
        return v.body_intersections;
    }
};

TEST(TriangleContact, PushesATriangleOutAlongTheMeanNormal) {
    Square s;
    for (Vec3& v : s.begin.velocities)
        v = {0.5, -4, 0};
    s.begin.velocities[0].y = -6.5; // one corner ends in the box
    s.move_to_end();
    for (Vec3& x : s.end.positions)
        x.y = std::max(x.y, 0.01); // the others above it
    s.end.positions[0].y = -0.015;
    const State free = s.end;
    ASSERT_GT(s.intersections(), 0);
    TriangleContact contact(s.built.model, {});
    s.step(contact);
    EXPECT_TRUE(s.report.resolved);
    EXPECT_EQ(s.report.crossings, 0);
    EXPECT_EQ(s.intersections(), 0);
    EXPECT_NEAR(s.end.positions[0].y, 0.001, 1e-4) << "half the thickness of the cloth";
    EXPECT_NEAR(s.end.velocities[0].y, 0, 1e-12) << "no further into the body";
    EXPECT_NEAR(s.end.velocities[0].x, 0.5, 1e-12) << "no friction";
    for (std::size_t i = 1; i < s.end.positions.size(); ++i)
        EXPECT_EQ(norm(s.end.velocities[i] - free.velocities[i]), 0) << "others are left alone";
}

TEST(TriangleContact, SeesATriangleThatFellFlatThroughAPolygon) {
    // All of it is inside the box at the end, and intersects nothing.
    Square s;
    for (Vec3& v : s.begin.velocities)
        v = {0, -10, 0};
    s.move_to_end();
    ASSERT_EQ(s.intersections(), 0);
    ASSERT_LT(s.end.positions[0].y, -0.04);
    TriangleContact contact(s.built.model, {});
    s.step(contact);
    for (std::size_t i = 0; i < s.end.positions.size(); ++i) {
        EXPECT_GT(s.end.positions[i].y, 0.001);
        EXPECT_LT(s.end.positions[i].y, 0.0011);
        EXPECT_EQ(s.end.velocities[i].y, 0);
    }
}

// "It is fast to find mass-point to object polygon intersections, but this does not guarantee
// coverage of all possible collisions" [Bayraktar07 3].
TEST(TriangleContact, VertexTestMissesTheCornerOfATable) {
    for (const auto test : {PairTest::vertices, PairTest::triangles}) {
        Square s;
        // The first triangle lies across the corner (0.5, 0, 0.5) and moves onto it, its own
        // corners far beside the table.
        const Vec3 n = normalized({1, 1, 1}), e = normalized({1, -1, 0}), f = cross(n, e);
        const Vec3 middle = Vec3{0.5, 0, 0.5} + 0.1 * n;
        for (Vec3& x : s.begin.positions)
            x = middle + 0.6 * e - 0.6 * f;
        const auto& [a, b, c] = s.built.model.collision.triangles[0];
        s.begin.positions[a] = middle + 0.3 * f;
        s.begin.positions[b] = middle - 0.15 * f + 0.26 * e;
        s.begin.positions[c] = middle - 0.15 * f - 0.26 * e;
        for (Vec3& v : s.begin.velocities)
            v = -15.0 * n;
        s.move_to_end();
        const int before = s.intersections();
        TriangleContactSettings settings;
        settings.test = test;
        TriangleContact contact(s.built.model, settings);
        s.step(contact);
        if (test == PairTest::vertices) {
            EXPECT_GT(before, 0);
            EXPECT_EQ(s.intersections(), before) << "nothing was seen";
        } else {
            EXPECT_EQ(s.intersections(), 0);
        }
    }
}

TEST(TriangleContact, LeavesPinnedParticlesWhereTheyAre) {
    Square s("0", R"(
        [[pin]]
        cloth = "square"
        vertices = [0]
        hold = "point"
    )");
    const int held = s.built.conditions.pins[0].particles[0];
    s.move_to_end();
    for (Vec3& x : s.end.positions)
        x.y = -0.01;
    s.end.positions[held].y = 0.05;
    TriangleContact contact(s.built.model, {});
    s.step(contact);
    EXPECT_EQ(s.end.positions[held].y, 0.05);
    EXPECT_EQ(s.intersections(), 0);
}

TEST(TriangleContact, CorrectsEvaluationsAsItDoesSteps) {
    Square s("0.3");
    for (std::size_t i = 0; i < s.begin.velocities.size(); ++i)
        s.begin.velocities[i] = {1, -5 - 0.5 * static_cast<double>(i), 0};
    s.move_to_end();
    State stage = s.end;
    TriangleContactSettings settings;
    EXPECT_EQ(TriangleContact(s.built.model, settings).evaluation_corrector(), nullptr);
    settings.at_evaluations = true;
    TriangleContact contact(s.built.model, settings);
    s.step(contact);
    contact.sense({s.built.conditions, s.begin, s.h, s.constraints}, s.profile);
    EvaluationCorrector* corrector = contact.evaluation_corrector();
    ASSERT_NE(corrector, nullptr);
    State still = s.begin;
    corrector->correct(s.begin.time, still.positions, still.velocities, s.profile);
    EXPECT_EQ(norm(still.velocities[0] - s.begin.velocities[0]), 0) << "the begin is as it is";
    corrector->correct(s.begin.time + s.h, stage.positions, stage.velocities, s.profile);
    for (std::size_t i = 0; i < stage.positions.size(); ++i) {
        EXPECT_EQ(norm(stage.positions[i] - s.end.positions[i]), 0);
        EXPECT_EQ(norm(stage.velocities[i] - s.end.velocities[i]), 0);
    }
    EXPECT_GT(norm(stage.velocities[0] - s.begin.velocities[0]), 1);
}

TEST(TriangleContact, FrictionAsPrintedIsAPartOfTheTangentialForce) {
    for (const double coefficient : {0.25, 1.0}) {
        Square s(fmt::format("{}", coefficient));
        for (Vec3& x : s.begin.positions)
            x.y = 0.0011;
        for (Vec3& v : s.begin.velocities)
            v = {2, 0, 0}; // sliding: the printed law does not slow what no force acts on
        s.move_to_end();
        for (std::size_t i = 0; i < s.end.positions.size(); ++i) {
            s.end.velocities[i] += Vec3{0.4, -0.1, 0};
            s.end.positions[i] += s.h / 2 * Vec3{0.4, -0.1, 0};
        }
        TriangleContactSettings settings;
        settings.friction = FrictionLaw::paper;
        TriangleContact contact(s.built.model, settings);
        s.step(contact);
        for (const Vec3& v : s.end.velocities) {
            EXPECT_NEAR(v.x, 2 + (1 - coefficient) * 0.4, 1e-12);
            EXPECT_NEAR(v.y, 0, 1e-12);
        }
    }
}

struct Momenta {
    Vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
    double linear_size = 0, angular_size = 0;
};

Momenta momenta(const Model& model, const State& state) {
    Momenta sum;
    for (std::size_t i = 0; i < model.mass.size(); ++i) {
        const Vec3 p = model.mass[i] * state.velocities[i], l = cross(state.positions[i], p);
        sum.linear += p;
        sum.angular += l;
        sum.linear_size += norm(p);
        sum.angular_size += norm(l);
    }
    return sum;
}

// Two sheets meet in free steps; the momenta are those of the stage that resolves.
struct Collisions {
    double linear = 0, angular = 0; ///< largest change in a step, of the sums of sizes
    long contacts = 0;
};

Collisions collide(SelfResponse response) {
    const BuiltScene built = build_scene(scene(fmt::format(R"(
        [[cloth]]
        name = "lower"
        mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 20 }}
        velocity = [0, 1, 0]
        material = {{ {0}, friction = 0.3 }}
        [[cloth]]
        name = "upper"
        mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 20 }}
        position = [0.03, 0.02, 0.02]
        rotation = [5, 30, -7]
        velocity = [-0.4, -1, 0.3]
        material = {{ {0}, friction = 0.3 }}
    )",
                                                           soft)));
    TriangleContactSettings settings;
    settings.self_response = response;
    TriangleContact contact(built.model, settings);
    State state = built.start, next;
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (Vec3& v : state.velocities)
        v += 0.3 * Vec3{normal(random), normal(random), normal(random)};
    ConstraintSet constraints;
    constraints.merge_by_particle();
    Profile profile;
    Collisions out;
    const double h = 5e-4;
    for (int k = 0; k < 30; ++k) {
        contact.sense({built.conditions, state, h, constraints}, profile);
        next = state;
        next.time += h;
        for (std::size_t i = 0; i < next.positions.size(); ++i)
            next.positions[i] += h * next.velocities[i];
        const Momenta before = momenta(built.model, next);
        out.contacts +=
            contact.resolve({built.conditions, state, h, constraints, {}, false}, next, profile)
                .contacts;
        const Momenta after = momenta(built.model, next);
        out.linear = std::max(out.linear, norm(after.linear - before.linear) / before.linear_size);
        out.angular =
            std::max(out.angular, norm(after.angular - before.angular) / before.angular_size);
        std::swap(state, next);
    }
    return out;
}

TEST(TriangleContact, KeepsMomentumWhereThePlainResponseDoesNot) {
    const Collisions kept = collide(SelfResponse::conserving), plain = collide(SelfResponse::plain);
    std::cout << fmt::format("conserving: {} contacts, momentum changes by {:.1e} linear, {:.1e} "
                             "angular in a step; plain: {} contacts, {:.1e}, {:.1e}\n",
                             kept.contacts, kept.linear, kept.angular, plain.contacts, plain.linear,
                             plain.angular);
    EXPECT_GT(kept.contacts, 200);
    EXPECT_LT(kept.linear, 1e-12);
    EXPECT_LT(kept.angular, 1e-12);
    EXPECT_GT(plain.contacts, 200);
    EXPECT_GT(plain.linear, 1e-4);
}

// A sheet that falls over a box, with its corners over the edges.
SceneDescription drape(const std::string& contact = "", const char* more = "") {
    return scene(fmt::format(R"(
        {}
        [time]
        frame_rate = 50
        [contact]
        {}
        [world]
        linear_drag = 0.3
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "grid", width = 0.3, depth = 0.3, resolution = 13 }}
        position = [0, 0.01, 0]
        rotation = [0, 20, 0]
        material = {{ {}, friction = 0.3 }}
        [[body]]
        name = "box"
        mesh = {{ type = "box", size = [0.16, 0.03, 0.16] }}
        position = [0, -0.015, 0]
    )",
                             more, contact, soft));
}

TEST(TriangleContact, SheetOnABoxNeverIntersectsItAndComesToRest) {
    Simulation simulation(drape());
    const Judge judge(simulation.model());
    FrameReport frame;
    int through = 0, self = 0;
    for (int k = 0; k < 100; ++k) {
        frame = simulation.advance_frame();
        const Verdict v = judge.judge(simulation.state().positions, simulation.state().time);
        through += v.body_intersections;
        self += v.self_intersections;
        EXPECT_EQ(v.body_penetration_max.value_or(0), 0) << k;
    }
    EXPECT_EQ(through, 0);
    EXPECT_EQ(self, 0);
    double mass = 0, lowest = 0, fastest = 0;
    for (std::size_t i = 0; i < simulation.model().mass.size(); ++i) {
        mass += simulation.model().mass[i];
        lowest = std::min(lowest, simulation.state().positions[i].y);
        fastest = std::max(fastest, norm(simulation.state().velocities[i]));
    }
    std::cout << fmt::format("kinetic energy {:.1e} J of {:.3f} kg, fastest {:.1e} m/s, lowest "
                             "{:.3f} m\n",
                             frame.kinetic, mass, fastest, lowest);
    EXPECT_LT(lowest, -0.05) << "it drapes";
    EXPECT_LT(std::sqrt(2 * frame.kinetic / mass), 0.03) << "it rests";
}

// A sheet on a level box under gravity that leans: on a slope of so many degrees. How far it has
// slid after 0.3 s.
double slide(double degrees, const char* law) {
    const double g = 9.81, slope = degrees * std::acos(-1.0) / 180;
    Simulation simulation(scene(fmt::format(R"(
        contact = {{ friction_law = "{}" }}
        [time]
        frame_rate = 50
        [world]
        gravity = [{}, {}, 0]
        drag_coefficient = 0
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "grid", width = 0.1, depth = 0.1, resolution = 7 }}
        position = [0, 0.001001, 0]
        rotation = [0, 25, 0]
        material = {{ {}, friction = 0.3 }}
        [[body]]
        name = "box"
        mesh = {{ type = "box", size = [2, 0.1, 2] }}
        position = [0, -0.05, 0]
        friction = 0.3
    )",
                                            law, g * std::sin(slope), -g * std::cos(slope), soft)));
    const auto middle = [&] {
        double sum = 0;
        for (const Vec3& x : simulation.state().positions)
            sum += x.x;
        return sum / static_cast<double>(simulation.state().positions.size());
    };
    const double start = middle();
    for (int k = 0; k < 15; ++k)
        simulation.advance_frame();
    return middle() - start;
}

TEST(TriangleContact, SticksAndSlidesOnASlopeByCoulombsLaw) {
    const double g = 9.81, t = 0.3, slope = 25 * std::acos(-1.0) / 180;
    const double sliding = g * (std::sin(slope) - 0.3 * std::cos(slope)) * t * t / 2;
    EXPECT_NEAR(slide(25, "coulomb"), sliding, 0.005 * sliding);
    EXPECT_LT(std::abs(slide(12, "coulomb")), 1e-5) << "tan(12 degrees) is less than 0.3";
    const double free = g * std::sin(12 * std::acos(-1.0) / 180) * t * t / 2;
    EXPECT_NEAR(slide(12, "paper"), 0.7 * free, 0.01 * free) << "as printed nothing ever sticks";
}

TEST(TriangleContact, BoxesSpheresAndThreadsGiveTheSameBits) {
    std::vector<std::string> hashes;
    for (const char* volume : {"boxes", "spheres"})
        for (const int threads : {1, 3}) {
            set_thread_count(threads);
            Simulation simulation(drape(fmt::format("volume = \"{}\"", volume)));
            std::string hash;
            for (int k = 0; k < 5; ++k)
                hash = simulation.advance_frame().hash;
            hashes.push_back(hash);
        }
    set_thread_count(0);
    for (const std::string& hash : hashes)
        EXPECT_EQ(hash, hashes[0]);
}

TEST(TriangleContact, GoesOnFromAStateBitByBit) {
    Simulation whole(drape());
    for (int k = 0; k < 5; ++k)
        whole.advance_frame();
    Simulation second(drape());
    second.continue_from(whole.state(), 5);
    for (int k = 0; k < 2; ++k)
        EXPECT_EQ(whole.advance_frame().hash, second.advance_frame().hash) << k;
}

TEST(TriangleContact, IsPushedByAMovingBody) {
    Simulation simulation(scene(fmt::format(R"(
        [time]
        frame_rate = 50
        [world]
        gravity = [0, 0, 0]
        [[cloth]]
        name = "sheet"
        mesh = {{ type = "grid", width = 0.2, depth = 0.2, resolution = 9 }}
        position = [0, 0.01, 0]
        material = {{ {}, friction = 0.3 }}
        [[body]]
        name = "box"
        mesh = {{ type = "box", size = [0.5, 0.03, 0.5] }}
        position = [0, -0.015, 0]
        motion = {{ translation = ["0", "t", "0"] }}
    )",
                                            soft)));
    const Judge judge(simulation.model());
    for (int k = 0; k < 10; ++k) {
        simulation.advance_frame();
        const State& s = simulation.state();
        EXPECT_EQ(judge.judge(s.positions, s.time).body_intersections, 0);
    }
    for (const Vec3& v : simulation.state().velocities)
        EXPECT_NEAR(v.y, 1, 0.02) << "as fast as the body, but for the air between contacts";
}

} // namespace
