// The last line of a step, judged by continuous tests of all pairs and by the balance of momentum.
#include "muslin/collision/response/impact_zones.h"

#include "collision/detect/pair_referee.h"
#include "math/random.h"
#include "muslin/base/parallel.h"
#include "muslin/math/rotation.h"
#include "muslin/mesh/generators.h"
#include "muslin/model/build_model.h"
#include "muslin/pattern/irregular_sheet.h"

#include <gtest/gtest.h>

#include <iostream>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

constexpr double thickness = 2e-3; // [m]

// Sheets at random angles, one in each cell of a cube of 2 x 2 x 2, flying at the middle and
// tumbling; the whole cloud drifts and turns, so that its momenta are large.
struct Cloud {
    explicit Cloud(double friction, std::uint64_t seed, bool with_body = false) {
        Random random(seed);
        std::vector<ClothInput> cloths(8);
        std::vector<Vec3> middle(8);
        for (int i = 0; i < 8; ++i) {
            cloths[i].name = "sheet" + std::to_string(i);
            cloths[i].mesh = make_irregular({.width = 0.2,
                                             .depth = 0.2,
                                             .vertices = 60,
                                             .seed = static_cast<unsigned>(i + 1),
                                             .jitter = 0.4});
            cloths[i].material.thickness = thickness;
            cloths[i].material.friction = friction;
            middle[i] = 0.16 * Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
            const Mat3 turn = rotation_degrees(180.0 * random.vec3());
            for (Vec3& p : cloths[i].mesh.positions)
                p = turn * p + middle[i];
        }
        model = build_model(cloths, {}, start);
        if (with_body) {
            Body body;
            body.name = "ball";
            body.mesh = make_sphere({.radius = 0.06, .rings = 6, .segments = 12});
            body.triangles = triangulate(body.mesh).triangles;
            body.motion.rotation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {0, 90, 0}}});
            model.bodies.push_back(body);
        }
        const Vec3 spin = {1, 2, -1.5};
        for (int i = 0; i < 8; ++i) {
            const Vec3 tumble = 3.0 * random.vec3();
            for (int p : model.cloths[i].surface.vertex_particle) {
                const Vec3 x = start.positions[p];
                start.velocities[p] = -4.0 * middle[i] + cross(tumble, x - middle[i]) +
                                      cross(spin, x) + Vec3{0.5, 0.3, -0.4} + 0.1 * random.vec3();
            }
        }
    }
    Model model;
    State start;
};

// What a response holds together; the search expects ends that may be far from those to come.
struct Engine {
    explicit Engine(const Model& model, const ConstraintSet& constraints = {})
        : surfaces(model), detector(surfaces), zones(surfaces, detector, candidates) {
        mobility.set(surfaces, constraints);
    }
    void expect(std::span<const Vec3> begin, std::span<const Vec3> end) {
        detector.set_motion(begin, end, thickness / 2);
        detector.find_self(candidates);
        detector.append_body(candidates);
    }
    Surfaces surfaces;
    Detector detector;
    Candidates candidates;
    ImpactZones zones;
    Mobility mobility;
};

struct Momenta {
    Vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
};

Momenta momenta(std::span<const double> mass, std::span<const Vec3> x, std::span<const Vec3> v) {
    Momenta sum;
    for (std::size_t i = 0; i < mass.size(); ++i) {
        sum.linear += mass[i] * v[i];
        sum.angular += mass[i] * cross(x[i], v[i]);
    }
    return sum;
}

double kinetic(std::span<const double> mass, std::span<const Vec3> v) {
    double sum = 0;
    for (std::size_t i = 0; i < mass.size(); ++i)
        sum += 0.5 * mass[i] * dot(v[i], v[i]);
    return sum;
}

double drift(const Vec3& now, const Vec3& before) {
    return norm(now - before) / norm(before);
}

// Counts the pairs that meet on the way, and finds the least distance at its end, as a part of the
// thickness, of pairs that did not begin closer.
struct Judgement {
    int meeting = 0;
    double clearance = HUGE_VAL;
};

Judgement judge(const Surfaces& surfaces, std::span<const Vec3> begin, std::span<const Vec3> end) {
    Judgement out;
    AllPairs(surfaces).visit(begin, end, thickness, [&](const PairKey& key) {
        Contact c = contact_of(surfaces, key);
        // Tighter than the engine's own test, which may call a near pass an impact.
        if (AllPairs::comes_within(c, begin, end, 1e-5 * c.thickness))
            ++out.meeting;
        double at_begin = 0, at_end = 0;
        set_closest(c, begin, at_begin);
        set_closest(c, end, at_end);
        if (at_end < at_begin)
            out.clearance = std::min(out.clearance, at_end / c.thickness);
    });
    return out;
}

struct Drifts {
    double linear = 0, angular = 0, angular_of_state = 0, energy = 0;
    int impacts = 0, steps = 0, refused = 0, rounds = 0;
    double clearance = HUGE_VAL;
};

// Flies the cloud into itself for a while, with nothing but impact zones; a step that they give up
// is halved as a simulation would.
Drifts fly(const Cloud& cloud, const ConstraintSet& constraints, int steps) {
    Engine engine(cloud.model, constraints);
    const Surfaces& surfaces = engine.surfaces;
    const std::size_t particles = cloud.model.mass.size();
    State state = cloud.start;
    Drifts worst;
    double h = 0.01, time = 0;
    std::vector<Vec3> begin(surfaces.point_count()), solved(begin.size()), end(begin.size());
    while (worst.steps < steps) {
        surfaces.place_bodies(time, begin);
        surfaces.place_bodies(time + h, solved);
        for (std::size_t i = 0; i < particles; ++i) {
            begin[i] = state.positions[i];
            solved[i] = begin[i] + h * state.velocities[i];
        }
        for (const ParticleConstraint& c : constraints.list())
            for (int k = 0; k < c.count; ++k)
                solved[c.particle] -=
                    dot(c.direction[k], solved[c.particle] - begin[c.particle]) * c.direction[k];
        end = solved;
        // Every other step the search knew the ends, else it saw all things at rest.
        std::vector<Vec3> expected = worst.steps % 2 == 0 ? begin : solved;
        std::copy(solved.begin() + particles, solved.end(), expected.begin() + particles);
        engine.expect(begin, expected);
        const ImpactZones::Report report =
            engine.zones.resolve(begin, solved, engine.mobility, end);
        if (!report.resolved) {
            ++worst.refused;
            h /= 2;
            if (h < 1e-5) {
                ADD_FAILURE() << "not even the smallest step could be resolved";
                break;
            }
            continue;
        }
        worst.rounds = std::max(worst.rounds, report.rounds);
        const Judgement verdict = judge(surfaces, begin, end);
        EXPECT_EQ(verdict.meeting, 0) << "step " << worst.steps;
        worst.clearance = std::min(worst.clearance, verdict.clearance);
        for (std::size_t i = particles; i < end.size(); ++i)
            EXPECT_EQ(norm(end[i] - solved[i]), 0) << "bodies go their own way";
        std::vector<Vec3> before(particles), after(particles);
        for (std::size_t i = 0; i < particles; ++i) {
            before[i] = (1 / h) * (solved[i] - begin[i]);
            after[i] = (1 / h) * (end[i] - begin[i]);
        }
        const auto& mass = cloud.model.mass;
        const std::span<const Vec3> from = std::span(begin).first(particles);
        const Momenta at_begin = momenta(mass, from, before), kept = momenta(mass, from, after);
        const Momenta of_state = momenta(mass, std::span(end).first(particles), after);
        worst.linear = std::max(worst.linear, drift(kept.linear, at_begin.linear));
        worst.angular = std::max(worst.angular, drift(kept.angular, at_begin.angular));
        worst.angular_of_state =
            std::max(worst.angular_of_state, drift(of_state.angular, at_begin.angular));
        worst.energy = std::max(worst.energy, kinetic(mass, after) / kinetic(mass, before) - 1);
        worst.impacts += report.impacts;
        ++worst.steps;
        time += h;
        for (std::size_t i = 0; i < particles; ++i) {
            state.positions[i] = end[i];
            state.velocities[i] = after[i];
        }
        h = std::min(2 * h, 0.01);
    }
    return worst;
}

void print(const char* what, const Drifts& d) {
    std::cout << what << ": " << d.steps << " steps, " << d.refused << " refused, " << d.impacts
              << " impacts, at most " << d.rounds << " rounds; drift of momentum " << d.linear
              << ", angular " << d.angular << ", of the state " << d.angular_of_state
              << "; rise of kinetic energy " << d.energy << "; least clearance " << d.clearance
              << " thicknesses\n";
}

// What is kept at the end of a step, as a part of the thickness: half of the setting's clearance
// brings a pair to attention, the sweeps may leave a twentieth open.
const double least_clearance = 0.5 * ImpactZoneSettings{}.clearance * 0.94;

} // namespace

TEST(impact_zones, cloud_of_sheets_keeps_its_momenta) {
    for (const double friction : {0.0, 0.3}) {
        const Drifts d = fly(Cloud(friction, 7), {}, 25);
        print(friction > 0 ? "friction 0.3" : "no friction", d);
        EXPECT_GT(d.impacts, 200);
        EXPECT_LT(d.linear, 1e-6);
        EXPECT_LT(d.angular, 1e-6);
        EXPECT_LT(d.angular_of_state, 1e-6);
        EXPECT_LT(d.energy, 1e-3);
        EXPECT_LE(d.refused, 5);
    }
}

TEST(impact_zones, cloud_of_sheets_keeps_its_clearance) {
    for (const double friction : {0.0, 0.3}) {
        const Drifts d = fly(Cloud(friction, 7), {}, 25);
        EXPECT_GE(d.clearance, least_clearance) << "friction " << friction;
    }
}

// Two squares of two triangles meet every way: zones of few particles, which grow and shrink from
// round to round.
TEST(impact_zones, two_squares_keep_their_momenta) {
    Random random(4);
    double worst_linear = 0, worst_angular = 0;
    int resolved = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<ClothInput> cloths(2);
        for (int k = 0; k < 2; ++k) {
            cloths[k].name = k == 0 ? "a" : "b";
            cloths[k].mesh = make_grid({.width = 0.1, .depth = 0.1, .columns = 2, .rows = 2});
            cloths[k].material.thickness = thickness;
            cloths[k].material.friction = i % 2 == 0 ? 0.0 : 0.3;
            const Mat3 turn = rotation_degrees(180.0 * random.vec3());
            for (Vec3& p : cloths[k].mesh.positions)
                p = turn * p + Vec3{0.16 * k, 0, 0};
        }
        State start;
        const Model model = build_model(cloths, {}, start);
        Engine engine(model);
        const auto& begin = start.positions;
        std::vector<Vec3> solved = begin;
        for (int k = 0; k < 2; ++k)
            for (int p : model.cloths[k].surface.vertex_particle)
                solved[p] += Vec3{k == 0 ? 0.08 : -0.05, 0.02, 0.01} + 0.01 * random.vec3();
        std::vector<Vec3> end = solved;
        engine.expect(begin, begin);
        const auto report = engine.zones.resolve(begin, solved, engine.mobility, end);
        if (!report.resolved || report.impacts == 0)
            continue;
        ++resolved;
        EXPECT_EQ(judge(engine.surfaces, begin, end).meeting, 0);
        std::vector<Vec3> before, after;
        double scale = 0;
        for (std::size_t p = 0; p < begin.size(); ++p) {
            before.push_back(solved[p] - begin[p]);
            after.push_back(end[p] - begin[p]);
            scale += model.mass[p] * norm(before[p]) * 0.1; // the size of a square [m]
        }
        const Momenta a = momenta(model.mass, begin, before), b = momenta(model.mass, begin, after);
        worst_linear = std::max(worst_linear, drift(b.linear, a.linear));
        worst_angular = std::max(worst_angular, norm(b.angular - a.angular) / scale);
    }
    std::cout << resolved << " collisions; drift of momentum " << worst_linear << ", angular "
              << worst_angular << '\n';
    EXPECT_GT(resolved, 100);
    EXPECT_LT(worst_linear, 1e-6);
    EXPECT_LT(worst_angular, 1e-6);
}

TEST(impact_zones, nothing_crosses_a_body_or_a_pinned_sheet) {
    const Cloud cloud(0.3, 8, true);
    ConstraintSet constraints;
    std::vector<int> pinned, guided;
    for (int p : cloud.model.cloths[0].surface.vertex_particle)
        pinned.push_back(p);
    for (int p : cloud.model.cloths[1].surface.vertex_particle)
        guided.push_back(p);
    const Vec3 axis = normalized(Vec3{1, 2, 3});
    for (int p : pinned)
        constraints.add({p, 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}, {}});
    for (int p : guided)
        constraints.add({p, 1, {axis, {}, {}}, {}, {}});
    constraints.merge_by_particle();
    const Drifts d = fly(cloud, constraints, 20);
    print("with a body and pins", d);
    EXPECT_GT(d.impacts, 100);
    EXPECT_GE(d.clearance, least_clearance);
}

TEST(impact_zones, what_is_held_does_not_move) {
    const Cloud cloud(0.3, 9);
    ConstraintSet constraints;
    const auto& pinned = cloud.model.cloths[0].surface.vertex_particle;
    const auto& guided = cloud.model.cloths[1].surface.vertex_particle;
    const Vec3 axis = normalized(Vec3{1, 2, 3});
    for (int p : pinned)
        constraints.add({p, 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}, {}});
    for (int p : guided)
        constraints.add({p, 1, {axis, {}, {}}, {}, {}});
    constraints.merge_by_particle();
    Engine engine(cloud.model, constraints);
    const auto& begin = cloud.start.positions;
    int impacts = 0;
    double moved_free = 0, moved_guided = 0;
    for (double h = 0.06; h < 0.25; h += 0.03) {
        std::vector<Vec3> solved = begin;
        for (std::size_t i = 0; i < begin.size(); ++i)
            solved[i] += h * cloud.start.velocities[i];
        std::vector<Vec3> end = solved;
        engine.expect(begin, solved);
        const auto report = engine.zones.resolve(begin, solved, engine.mobility, end);
        impacts += report.impacts;
        for (int p : pinned) // by a pin that moves: exactly where it leads, resolved or not
            ASSERT_EQ(norm(end[p] - solved[p]), 0);
        for (int p : guided) {
            ASSERT_NEAR(dot(axis, end[p] - solved[p]), 0, 1e-12);
            moved_guided = std::max(moved_guided, norm(end[p] - solved[p]));
        }
        for (std::size_t i = 0; i < begin.size(); ++i)
            moved_free = std::max(moved_free, norm(end[i] - solved[i]));
    }
    EXPECT_GT(impacts, 100);
    EXPECT_GT(moved_free, thickness);
    EXPECT_GT(moved_guided, 0) << "the other directions are free";
}

TEST(impact_zones, freeze_leaves_nothing_crossing) {
    for (const double h : {0.1, 0.15, 0.2, 1.0}) {
        const Cloud cloud(0.3, 10);
        Engine engine(cloud.model);
        const Surfaces& surfaces = engine.surfaces;
        const auto& begin = cloud.start.positions;
        std::vector<Vec3> solved = begin;
        for (std::size_t i = 0; i < begin.size(); ++i)
            solved[i] += h * cloud.start.velocities[i];
        const int crossing = judge(surfaces, begin, solved).meeting;
        std::vector<Vec3> end = solved;
        engine.expect(begin, begin);
        const auto report = engine.zones.freeze(begin, engine.mobility, end);
        EXPECT_TRUE(report.resolved);
        EXPECT_TRUE(report.unresolved_vertex_face.empty() && report.unresolved_edge_edge.empty());
        EXPECT_EQ(judge(surfaces, begin, end).meeting, 0);
        int stopped = 0;
        for (std::size_t i = 0; i < begin.size(); ++i) {
            const bool back = norm(end[i] - begin[i]) == 0;
            EXPECT_TRUE(back || norm(end[i] - solved[i]) == 0) << "stopped or left alone";
            stopped += back;
        }
        std::cout << "h " << h << ": " << crossing << " pairs crossed, " << stopped << " of "
                  << begin.size() << " particles stopped\n";
        if (h >= 0.15) {
            EXPECT_GT(crossing, 20);
            EXPECT_GT(stopped, 20);
        }
        if (h < 0.18) {
            EXPECT_LT(stopped, static_cast<int>(begin.size())) << "the rest goes on";
        }
    }
}

// A body that moves through a sheet that is held: no motion of the cloth helps.
TEST(impact_zones, freeze_reports_what_a_body_runs_over) {
    ClothInput cloth;
    cloth.name = "sheet";
    cloth.mesh = make_grid({.width = 0.2, .depth = 0.2, .columns = 5, .rows = 5});
    cloth.material.thickness = thickness;
    State start;
    Model model = build_model({cloth}, {}, start);
    Body ball;
    ball.name = "ball";
    ball.mesh = make_sphere({.radius = 0.05, .rings = 6, .segments = 8});
    ball.triangles = triangulate(ball.mesh).triangles;
    ball.motion.translation = Animated<Vec3>({{0, {0, 0.1, 0}}, {1, {0, -0.1, 0}}});
    model.bodies.push_back(ball);
    ConstraintSet constraints;
    for (int p : model.cloths[0].surface.vertex_particle)
        if (p % 2 == 0)
            constraints.add({p, 3, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}, {}});
    constraints.merge_by_particle();
    Engine engine(model, constraints);
    const Surfaces& surfaces = engine.surfaces;
    std::vector<Vec3> begin = start.positions;
    begin.resize(surfaces.point_count());
    std::vector<Vec3> end = begin;
    surfaces.place_bodies(0, begin);
    surfaces.place_bodies(1, end);
    engine.expect(begin, end);
    const auto report = engine.zones.freeze(begin, engine.mobility, end);
    EXPECT_FALSE(report.resolved);
    EXPECT_GT(report.unresolved_vertex_face.size() + report.unresolved_edge_edge.size(), 10u);
    for (const FeaturePair& pair : report.unresolved_vertex_face) {
        const Contact c = make_contact(surfaces, pair, false);
        EXPECT_NE(surfaces.is_cloth(c.points[0]), surfaces.is_cloth(c.points[1]));
        EXPECT_TRUE(find_impact(c, begin, end));
    }
}

TEST(impact_zones, marked_points_are_let_pass) {
    const Cloud cloud(0, 11);
    Engine engine(cloud.model);
    const auto& begin = cloud.start.positions;
    std::vector<Vec3> solved = begin;
    for (std::size_t i = 0; i < begin.size(); ++i)
        solved[i] += 0.15 * cloud.start.velocities[i];
    ASSERT_GT(judge(engine.surfaces, begin, solved).meeting, 0);
    const std::vector<std::uint8_t> all(begin.size(), 1);
    engine.zones.set_ignored(all);
    std::vector<Vec3> end = solved;
    engine.expect(begin, solved);
    const auto report = engine.zones.resolve(begin, solved, engine.mobility, end);
    EXPECT_TRUE(report.resolved);
    EXPECT_EQ(report.impacts, 0);
    for (std::size_t i = 0; i < begin.size(); ++i)
        ASSERT_EQ(norm(end[i] - solved[i]), 0);
}

TEST(impact_zones, same_bits_for_any_number_of_threads) {
    std::vector<Vec3> one;
    for (const int threads : {1, 2, 4}) {
        set_thread_count(threads);
        const Cloud cloud(0.3, 12);
        Engine engine(cloud.model);
        std::vector<Vec3> solved = cloud.start.positions;
        for (std::size_t i = 0; i < solved.size(); ++i)
            solved[i] += 0.15 * cloud.start.velocities[i];
        std::vector<Vec3> end = solved;
        engine.expect(cloud.start.positions, cloud.start.positions);
        const auto report =
            engine.zones.resolve(cloud.start.positions, solved, engine.mobility, end);
        EXPECT_GT(report.impacts, 0);
        if (threads == 1)
            one = end;
        for (std::size_t i = 0; i < end.size(); ++i)
            ASSERT_EQ(norm(end[i] - one[i]), 0) << threads << " threads";
    }
    set_thread_count(0);
}
