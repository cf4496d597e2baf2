// Constraints on particles [BW98 5.1, 5.2, 6.2]: z and y such that x + h (v + z) + y has, in the
// held directions, exactly the place that the moving shape asks for, and v + z the shape's
// velocity.
#include "muslin/model/constraints.h"

#include "linalg/dense.h"

#include <functional>

namespace muslin::test {
namespace {

constexpr double time_now = 0.37;

Motion random_motion(Random& random) {
    Motion m;
    m.pivot = random.vec();
    m.rotation = Animated<Vec3>({{0.0, random.vec(40)}, {1.0, random.vec(40)}});
    m.translation = Animated<Vec3>({{0.0, random.vec()}, {1.0, random.vec()}});
    return m;
}

/// One particle over one step.
struct Step {
    State begin;
    double h;
    ConstraintSet set;
    Vec3 z = {0, 0, 0}, y = {0, 0, 0};
    Filter filter;

    Step(Random& random, double step) : h(step) {
        begin.time = time_now;
        begin.positions = {random.vec()};
        begin.velocities = {random.vec(2)};
    }
    void merge_by_particle() {
        set.merge_by_particle();
        set.make_filter(filter);
        set.set_velocity_change(begin.velocities, std::span(&z, 1));
        set.set_position_alteration(begin.positions, h, std::span(&y, 1));
    }
    Vec3 velocity() const { return begin.velocities[0] + z; }
    Vec3 landing() const { return begin.positions[0] + h * velocity() + y; }
    const ParticleConstraint& held() const { return set.list()[0]; }
};

Pin pin(Shape shape, const Motion& motion, const Vec3& start = {0, 0, 0}) {
    return {"pin", {0}, {start}, std::move(shape), motion, {}};
}

/// Directions are orthonormal, the filter is what they leave, and z and y lie in them.
void expect_consistent(const Step& s, int count) {
    ASSERT_EQ(s.set.list().size(), 1u);
    const ParticleConstraint& c = s.held();
    ASSERT_EQ(c.count, count);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j)
            EXPECT_NEAR(dot(c.direction[i], c.direction[j]), i == j ? 1 : 0, 1e-12);
    ASSERT_EQ(s.filter.particles.size(), 1u);
    EXPECT_EQ(s.filter.particles[0], 0);
    const Eigen::Matrix3d p = eigen(s.filter.projection[0]);
    EXPECT_LT((p - p.transpose()).norm(), 1e-14);
    EXPECT_LT((p * p - p).norm(), 1e-14);
    EXPECT_NEAR(p.trace(), 3 - count, 1e-14);
    for (int i = 0; i < count; ++i)
        EXPECT_LT((p * eigen(c.direction[i])).norm(), 1e-14);
    EXPECT_LT((p * eigen(s.z)).norm(), 1e-13);
    EXPECT_LT((p * eigen(s.y)).norm(), 1e-13);
    if (count == 3) {
        EXPECT_EQ(p.norm(), 0);
    }
}

/// The velocity of the point of the moving thing that is at `place` at `time`.
Vec3 carried_velocity(const Motion& m, double time, const Vec3& place) {
    const Vec3 local = m.undo(time, place);
    const double dt = 1e-5;
    return (0.5 / dt) * (m.apply(time + dt, local) - m.apply(time - dt, local));
}

/// How far off a shape a point is at a time; zero on it.
using Distance = std::function<double(const Motion&, double, const Vec3&)>;

/// Lands on the shape exactly, however long the step; and at short steps takes on the velocity with
/// which the shape moves where the particle is.
void check_shape(const Shape& shape, int count, const Distance& distance, int seed) {
    Random random(seed);
    Worst place("place", 1e-13), speed("velocity", 2e-4);
    for (int k = 0; k < 200; ++k)
        for (double h : {1e-5, 0.005, 0.04}) {
            const Motion motion = random_motion(random);
            Step s(random, h);
            s.set.add_pin(pin(shape, motion, random.vec()), 0, s.begin, h);
            s.merge_by_particle();
            expect_consistent(s, count);
            place.add(std::abs(distance(motion, time_now + h, s.landing())));
            if (h > 1e-4)
                continue;
            const Vec3 shape_velocity = carried_velocity(motion, time_now + h, s.landing());
            for (int i = 0; i < count; ++i)
                speed.add(std::abs(dot(s.held().direction[i], s.velocity() - shape_velocity)));
        }
}

TEST(ConstraintSet, PointIsItsStartCarriedAlong) {
    Random random(1);
    for (int k = 0; k < 200; ++k) {
        const Motion motion = random_motion(random);
        const Vec3 start = random.vec();
        Step s(random, 0.02);
        s.set.add_pin(pin(PointShape{}, motion, start), 0, s.begin, s.h);
        s.merge_by_particle();
        expect_consistent(s, 3);
        const Vec3 from = motion.apply(time_now, start), to = motion.apply(time_now + 0.02, start);
        EXPECT_LT(norm(s.landing() - to), 1e-14);
        EXPECT_LT(norm(s.velocity() - (1 / 0.02) * (to - from)), 1e-12);
    }
}

// A particle that was on its way needs no alteration: y is for errors, z for motion.
TEST(ConstraintSet, AParticleThatFollowsItsPinNeedsNoAlteration) {
    Random random(2);
    for (int k = 0; k < 200; ++k) {
        const Motion motion = random_motion(random);
        const Vec3 start = random.vec();
        Step s(random, 0.02);
        s.begin.positions[0] = motion.apply(time_now, start);
        s.set.add_pin(pin(PointShape{}, motion, start), 0, s.begin, s.h);
        s.merge_by_particle();
        EXPECT_LT(norm(s.y), 1e-14);
    }
}

TEST(ConstraintSet, DirectionsKeepTheStartsOffsetAlongThem) {
    Random random(3);
    for (int count = 1; count <= 3; ++count)
        for (int k = 0; k < 100; ++k) {
            DirectionsShape shape;
            for (int i = 0; i < count; ++i) // neither unit nor orthogonal
                shape.directions.push_back(random.vec(3));
            const Motion motion = random_motion(random);
            const Vec3 start = random.vec();
            Step s(random, 0.02);
            s.set.add_pin(pin(shape, motion, start), 0, s.begin, s.h);
            s.merge_by_particle();
            expect_consistent(s, count);
            const Vec3 from = motion.apply(time_now, start);
            const Vec3 to = motion.apply(time_now + s.h, start);
            for (const Vec3& d : shape.directions) {
                const Vec3 turned = motion.turn(time_now + s.h, d);
                EXPECT_NEAR(dot(turned, s.landing() - to), 0, 1e-12);
                EXPECT_NEAR(dot(turned, s.velocity() - (1 / s.h) * (to - from)), 0, 1e-10);
            }
        }
}

TEST(ConstraintSet, Plane) {
    const PlaneShape plane = {{0.2, 0.1, -0.3}, {1, 2, -0.5}};
    check_shape(
        plane, 1,
        [=](const Motion& m, double t, const Vec3& x) {
            return dot(normalized(m.turn(t, plane.normal)), x - m.apply(t, plane.point));
        },
        10);
}

TEST(ConstraintSet, Line) {
    const LineShape line = {{0.2, 0.1, -0.3}, {1, 2, -0.5}};
    check_shape(
        line, 2,
        [=](const Motion& m, double t, const Vec3& x) {
            return norm(cross(normalized(m.turn(t, line.direction)), x - m.apply(t, line.point)));
        },
        11);
}

TEST(ConstraintSet, Sphere) {
    const SphereShape sphere = {{0.2, 0.1, -0.3}, 0.7};
    check_shape(
        sphere, 1,
        [=](const Motion& m, double t, const Vec3& x) {
            return norm(x - m.apply(t, sphere.center)) - sphere.radius;
        },
        12);
}

TEST(ConstraintSet, Cylinder) {
    const CylinderShape cylinder = {{0.2, 0.1, -0.3}, {1, 2, -0.5}, 0.6};
    check_shape(
        cylinder, 1,
        [=](const Motion& m, double t, const Vec3& x) {
            return norm(cross(normalized(m.turn(t, cylinder.axis)),
                              x - m.apply(t, cylinder.point))) -
                   cylinder.radius;
        },
        13);
}

TEST(ConstraintSet, Circle) {
    const CircleShape circle = {{0.2, 0.1, -0.3}, {1, 2, -0.5}, 0.6};
    check_shape(
        circle, 2,
        [=](const Motion& m, double t, const Vec3& x) {
            const Vec3 axis = normalized(m.turn(t, circle.normal));
            const Vec3 d = x - m.apply(t, circle.center);
            const double height = dot(d, axis);
            return std::hypot(height, norm(d - height * axis) - circle.radius);
        },
        14);
}

TEST(ConstraintSet, AShapeThatStandsStillAsksForExactlyNoVelocity) {
    Random random(17);
    Motion placed; // turned and moved, once and for all
    placed.rotation = Animated<Vec3>(Vec3{10, 20, 30});
    placed.translation = Animated<Vec3>(Vec3{0.1, 0.2, 0.3});
    const Vec3 point = {0.2, 0.1, -0.3}, axis = {1, 2, -0.5};
    const Shape shapes[] = {PointShape{},
                            DirectionsShape{{axis}},
                            LineShape{point, axis},
                            PlaneShape{point, axis},
                            SphereShape{point, 0.5},
                            CylinderShape{point, axis, 0.5},
                            CircleShape{point, axis, 0.5}};
    for (const Shape& shape : shapes) {
        Step s(random, 0.02);
        s.set.add_pin(pin(shape, placed, random.vec()), 0, s.begin, s.h);
        s.merge_by_particle();
        for (int i = 0; i < s.held().count; ++i)
            EXPECT_EQ(s.held().velocity[i], 0) << shape.index();
    }
}

// Frames carry a pinned particle from one place to the next, and a motion moves it on.
TEST(ConstraintSet, FramesMoveWhatIsPinned) {
    Random random(18);
    Motion shift;
    shift.translation = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {1.0, Vec3{0, 0, 2}}});
    const Vec3 places[] = {random.vec(), random.vec(), random.vec()};
    Pin moved = pin(PointShape{}, shift, places[0]);
    moved.frames = {{places[0]}, {places[1]}, {places[2]}};
    moved.frame_rate = 4; // at 0, 0.25 and 0.5 s
    const auto at = [&](double time) {
        const double s = std::clamp(4 * time, 0.0, 2.0);
        const Vec3 p =
            s < 1 ? (1 - s) * places[0] + s * places[1] : (2 - s) * places[1] + (s - 1) * places[2];
        return p + Vec3{0, 0, 2 * time};
    };
    for (const double time : {0.0, 0.24, 0.25, 0.49, 0.7}) {
        Step s(random, 0.02);
        s.begin.time = time;
        s.set.add_pin(moved, 0, s.begin, s.h);
        s.merge_by_particle();
        ASSERT_EQ(s.held().count, 3);
        for (int i = 0; i < 3; ++i) {
            const Vec3& d = s.held().direction[i];
            EXPECT_NEAR(s.held().position[i], dot(d, at(time + s.h)), 1e-14) << time;
            EXPECT_NEAR(s.held().velocity[i], dot(d, at(time + s.h) - at(time)) / s.h, 1e-12);
        }
    }
}

// Shapes that only spin in themselves do not move: nothing is thrown off a spinning sphere.
TEST(ConstraintSet, SpinningInPlaceMovesNothing) {
    Random random(15);
    const Vec3 axis = {0, 0, 1};
    Motion spin;
    spin.rotation = Animated<Vec3>({{0.0, Vec3{0, 0, 0}}, {1.0, Vec3{0, 0, 720}}});
    const Shape shapes[] = {PlaneShape{{0, 0, 0}, axis}, LineShape{{0, 0, 0}, axis},
                            SphereShape{{0, 0, 0}, 0.5}, CylinderShape{{0, 0, 0}, axis, 0.5},
                            CircleShape{{0, 0, 0}, axis, 0.5}};
    for (const Shape& shape : shapes)
        for (int k = 0; k < 50; ++k) {
            Step s(random, 0.02);
            s.set.add_pin(pin(shape, spin), 0, s.begin, s.h);
            s.merge_by_particle();
            for (int i = 0; i < s.held().count; ++i)
                EXPECT_NEAR(dot(s.held().direction[i], s.velocity()), 0, 1e-12) << shape.index();
        }
}

TEST(ConstraintSet, AParticleAtTheMiddleOfARoundShapeGetsSomewhere) {
    const Shape shapes[] = {SphereShape{{1, 2, 3}, 0.5}, CylinderShape{{1, 2, 3}, {0, 0, 2}, 0.5},
                            CircleShape{{1, 2, 3}, {0, 0, 2}, 0.5}};
    for (const Shape& shape : shapes) {
        Random random(16);
        Step s(random, 0.02);
        s.begin.positions[0] = {1, 2, 3};
        s.begin.velocities[0] = {0, 0, 0};
        s.set.add_pin(pin(shape, {}), 0, s.begin, s.h);
        s.merge_by_particle();
        EXPECT_NEAR(norm(s.landing() - Vec3{1, 2, 3}), 0.5, 1e-14);
    }
}

// Two planes hold a particle to their line, three to their point.
TEST(ConstraintSet, PlanesMergeIntoALineAndAPoint) {
    Random random(20);
    Worst place("place", 1e-12), speed("velocity", 1e-10);
    for (int planes = 1; planes <= 3; ++planes)
        for (int k = 0; k < 200; ++k) {
            Step s(random, 0.02);
            std::vector<std::pair<PlaneShape, Motion>> all;
            for (int i = 0; i < planes; ++i) {
                Motion moving; // translation alone: the velocity is then plain
                moving.translation = Animated<Vec3>({{0.0, random.vec()}, {1.0, random.vec()}});
                Vec3 normal = random.unit(); // well away from the others
                for (bool near = true; near;) {
                    near = false;
                    for (const auto& [other, m] : all)
                        near = near || std::abs(dot(other.normal, normal)) > 0.7;
                    if (near)
                        normal = random.unit();
                }
                all.push_back({{random.vec(), normal}, moving});
                s.set.add_pin(pin(all.back().first, moving), i, s.begin, s.h);
            }
            s.merge_by_particle();
            expect_consistent(s, planes);
            EXPECT_EQ(s.held().source, 0);
            for (const auto& [plane, motion] : all) {
                const Vec3 to = motion.apply(time_now + s.h, plane.point);
                const Vec3 from = motion.apply(time_now, plane.point);
                place.add(std::abs(dot(plane.normal, s.landing() - to)));
                speed.add(std::abs(dot(plane.normal, s.velocity() - (1 / s.h) * (to - from))));
            }
        }
}

TEST(ConstraintSet, WhatRepeatsOrContradictsAnEarlierOneIsLeftOut) {
    Random random(21);
    const PlaneShape low = {{0, 0, 0}, {0, 1, 0}}, high = {{0, 0.5, 0}, {0, -2, 0}};
    Step s(random, 0.02);
    s.set.add_pin(pin(low, {}), 4, s.begin, s.h);
    s.set.add_pin(pin(low, {}), 5, s.begin, s.h);
    s.set.add_pin(pin(high, {}), 6, s.begin, s.h);
    s.merge_by_particle();
    expect_consistent(s, 1);
    EXPECT_NEAR(s.landing().y, 0, 1e-15); // the first one holds
    EXPECT_EQ(s.held().source, 4);

    Step t(random, 0.02); // a whole pin leaves nothing to a later plane
    t.set.add_pin(pin(PointShape{}, {}, {1, 2, 3}), 0, t.begin, t.h);
    t.set.add_pin(pin(low, {}), 1, t.begin, t.h);
    t.merge_by_particle();
    expect_consistent(t, 3);
    EXPECT_LT(norm(t.landing() - Vec3{1, 2, 3}), 1e-14);
}

TEST(ConstraintSet, KeepsParticlesInOrderAndEachOnce) {
    Random random(22);
    State begin;
    begin.positions = random.vecs(10);
    begin.velocities = random.vecs(10);
    const Pin first = {"a", {7, 2, 9}, random.vecs(3), PlaneShape{{0, 0, 0}, {1, 0, 0}}, {}, {}};
    const Pin second = {"b", {2, 5}, random.vecs(2), PlaneShape{{0, 0, 0}, {0, 1, 0}}, {}, {}};
    ConstraintSet set;
    set.add_pin(first, 0, begin, 0.02);
    set.add_pin(second, 1, begin, 0.02);
    set.merge_by_particle();
    Filter filter;
    set.make_filter(filter);
    EXPECT_EQ(filter.particles, (std::vector<int>{2, 5, 7, 9}));
    ASSERT_EQ(set.list().size(), 4u);
    EXPECT_EQ(set.list()[0].count, 2);
    EXPECT_EQ(set.list()[1].source, 1);
    std::vector<Vec3> z(10, {0, 0, 0}), y = z;
    set.set_velocity_change(begin.velocities, z);
    set.set_position_alteration(begin.positions, 0.02, y);
    for (int i = 0; i < 10; ++i) { // others are left alone
        const bool listed = std::find(filter.particles.begin(), filter.particles.end(), i) !=
                            filter.particles.end();
        EXPECT_EQ(norm(z[i]) + norm(y[i]) > 0, listed) << i;
    }
    set.clear();
    set.merge_by_particle();
    set.make_filter(filter);
    EXPECT_TRUE(set.list().empty() && filter.particles.empty());
}

// A start of the solver in free directions stays as it is.
TEST(ConstraintSet, VelocityChangeActsOnTopOfWhatZHolds) {
    Random random(23);
    for (int k = 0; k < 50; ++k) {
        const Vec3 normal = random.unit(), before = random.vec();
        Step s(random, 0.02);
        s.z = before;
        s.set.add_pin(pin(PlaneShape{{0, 0, 0}, normal}, {}), 0, s.begin, s.h);
        s.merge_by_particle();
        EXPECT_NEAR(dot(normal, s.velocity()), 0, 1e-14);
        EXPECT_LT(norm(cross(normal, s.z - before)), 1e-14);
    }
}

// Steps of any size through windows that meet: always one of the pins holds, and one alone.
TEST(ConstraintSet, WindowsThatMeetLeaveNoGap) {
    Random random(24);
    const double ends[] = {0, 0.25, 0.5, 0.75, 1};
    std::vector<Pin> pins;
    for (int i = 0; i < 4; ++i) {
        pins.push_back(pin(PointShape{}, {}));
        pins.back().window = {ends[i], ends[i + 1]};
    }
    for (double h : {0.25, 0.1, 0.0625, 1.0 / 30, 0.01}) {
        State begin;
        begin.positions = {{0, 0, 0}};
        begin.velocities = {{0, 0, 0}};
        for (int k = 0; k * h < 1; ++k) {
            begin.time = k * h;
            ConstraintSet set;
            for (int i = 0; i < 4; ++i)
                set.add_pin(pins[i], i, begin, h);
            ASSERT_EQ(set.list().size(), 1u) << begin.time;
            set.merge_by_particle();
            EXPECT_EQ(set.list()[0].count, 3);
        }
        begin.time = 1;
        ConstraintSet after;
        for (int i = 0; i < 4; ++i)
            after.add_pin(pins[i], i, begin, h);
        EXPECT_TRUE(after.list().empty());
    }
}

} // namespace
} // namespace muslin::test
