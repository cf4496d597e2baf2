// Points of a step whose end is corrected.
#include "muslin/collision/response/corrected_points.h"

#include "collision/response/facing_sheets.h"

#include <gtest/gtest.h>

using namespace muslin;
using namespace muslin::test;

namespace {

TEST(CorrectedPoints, BodiesGoFromBeginToEnd) {
    FacingSheets sheets(0.01);
    Body body;
    body.name = "box";
    body.mesh = make_box({});
    body.triangles = triangulate(body.mesh).triangles;
    body.motion.translation = Animated<Vec3>({{0, {0, 0, 0}}, {1, {3, 0, 4}}});
    sheets.model.bodies.push_back(body);
    const Surfaces surfaces(sheets.model);
    const auto particles = static_cast<std::size_t>(surfaces.particle_count());
    CorrectedPoints points(surfaces);
    points.start(sheets.start);
    points.propose(sheets.start.positions, sheets.start.velocities);
    surfaces.place_bodies(0, points.begin);
    surfaces.place_bodies(0.01, points.end);
    EXPECT_NEAR(points.largest_body_speed(particles, 0.01), 5, 1e-9);
    points.move_bodies(particles, 0.01);
    for (std::size_t i = particles; i < points.velocities.size(); ++i)
        EXPECT_LT(norm(points.velocities[i] - Vec3{3, 0, 4}), 1e-9);
    points.end[2] += Vec3{0, 1, 0};
    points.velocities[2] = {0, 7, 0};
    State end = sheets.start;
    points.hand_over(end.positions, end.velocities);
    EXPECT_EQ(end.velocities[2].y, 7);
    EXPECT_NEAR(end.positions[2].y, sheets.start.positions[2].y + 1, 1e-15);
    EXPECT_EQ(largest_norm(end.velocities), 7);
}

} // namespace
