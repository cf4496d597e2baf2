#include "muslin/kernels/distance.h"

#include "kernels/distance_referee.h"
#include "math/random.h"

#include <gtest/gtest.h>

#include <vector>

using namespace muslin;
using namespace muslin::test;
using testing_math::Random;

namespace {

constexpr int rounds = 90; // 0.618^90 = 1.6e-19

double size_of(const Corners4& x) {
    double size = 0;
    for (const Vec3& a : x)
        size = std::max(size, norm(a - x[0]));
    return size;
}

// How far the answer is from the referee's, over the size of the input; and that the answer is the
// distance of two points of the pair.
double vertex_face_error(const Corners4& x) {
    const VertexFaceDistance d = vertex_face_distance(x[0], x[1], x[2], x[3]);
    const Vec3& w = d.weights;
    const double size = size_of(x), distance = std::sqrt(d.squared);
    EXPECT_GE(std::min({w.x, w.y, w.z}), 0.0);
    EXPECT_NEAR(w.x + w.y + w.z, 1, 1e-15);
    EXPECT_NEAR(norm(w.x * x[1] + w.y * x[2] + w.z * x[3] - x[0]), distance, 1e-15 * size);
    EXPECT_EQ(static_cast<int>(d.region), (w.x > 0) + 2 * (w.y > 0) + 4 * (w.z > 0));
    return size == 0 ? distance
                     : std::abs(distance - double(slow_vertex_face(widened(x), rounds))) / size;
}

double edge_edge_error(const Corners4& x) {
    const EdgeEdgeDistance d = edge_edge_distance(x[0], x[1], x[2], x[3]);
    const double size = size_of(x), distance = std::sqrt(d.squared);
    EXPECT_TRUE(d.s >= 0 && d.s <= 1 && d.t >= 0 && d.t <= 1);
    EXPECT_EQ(d.s_interior, d.s > 0 && d.s < 1);
    EXPECT_EQ(d.t_interior, d.t > 0 && d.t < 1);
    const Vec3 a = x[0] + d.s * (x[1] - x[0]), b = x[2] + d.t * (x[3] - x[2]);
    EXPECT_NEAR(norm(a - b), distance, 1e-15 * size);
    return size == 0 ? distance
                     : std::abs(distance - double(slow_edge_edge(widened(x), rounds))) / size;
}

// Shapes that break closest-point code: the first corner is the vertex, or starts the first edge.
Corners4 vertex_face_case(Random& random, int kind) {
    Corners4 x = {random.vec3(), random.vec3(), random.vec3(), random.vec3()};
    const double tiny = std::pow(10.0, 8 * random.number() - 8); // 1e-16 to 1
    switch (kind) {
    case 1: // a sliver
        x[3] = x[1] + std::abs(random.number()) * (x[2] - x[1]) + tiny * random.vec3();
        break;
    case 2: // in one line
        x[3] = x[1] + 2.0 * (x[2] - x[1]);
        break;
    case 3: // two corners in one place
        x[1 + (random.number() > 0)] = x[3];
        break;
    case 4: // all corners in one place
        x[1] = x[2] = x[3];
        break;
    case 5: // the vertex on, or nearly on, the face
        x[0] = 0.2 * x[1] + 0.3 * x[2] + 0.5 * x[3] + (random.number() > 0 ? tiny : 0.0) * x[0];
        break;
    case 6: // the vertex on a corner
        x[0] = x[2];
        break;
    case 7: // a small face seen from far away
        for (int i = 1; i < 4; ++i)
            x[i] = 1e-6 * x[i];
        break;
    case 8: // on a grid of few places: ties, right angles, all degeneracies
        for (Vec3& a : x)
            for (int axis = 0; axis < 3; ++axis)
                a[axis] = std::round(1.4 * a[axis]);
        break;
    case 9: // a sliver with the vertex close to it
        x[3] = x[1] + random.number() * (x[2] - x[1]) + tiny * random.vec3();
        x[0] = x[1] + random.number() * (x[2] - x[1]) + 1e-15 * random.vec3();
        break;
    default:
        break;
    }
    return x;
}

Corners4 edge_edge_case(Random& random, int kind) {
    Corners4 x = {random.vec3(), random.vec3(), random.vec3(), random.vec3()};
    const double tiny = std::pow(10.0, 8 * random.number() - 8);
    switch (kind) {
    case 1: // nearly parallel
        x[3] = x[2] + random.number() * (x[1] - x[0]) + tiny * random.vec3();
        break;
    case 2: // parallel
        x[3] = x[2] + random.number() * (x[1] - x[0]);
        break;
    case 3: // in one line
        x[2] = x[0] + 2 * random.number() * (x[1] - x[0]);
        x[3] = x[0] + 2 * random.number() * (x[1] - x[0]);
        break;
    case 4: // nearly in one line, crossing or not
        x[2] = x[0] + 2 * random.number() * (x[1] - x[0]) + tiny * random.vec3();
        x[3] = x[0] + 2 * random.number() * (x[1] - x[0]) + tiny * random.vec3();
        break;
    case 5: // a point
        x[1] = x[0];
        break;
    case 6: // two points
        x[1] = x[0];
        x[3] = x[2];
        break;
    case 7: // sharing an end
        x[2] = x[0];
        break;
    case 8: // on a grid of few places
        for (Vec3& a : x)
            for (int axis = 0; axis < 3; ++axis)
                a[axis] = std::round(1.4 * a[axis]);
        break;
    default:
        break;
    }
    return x;
}

} // namespace

TEST(distance, vertex_face_agrees_with_a_search) {
    for (int kind = 0; kind <= 9; ++kind) {
        Random random(1000 + kind);
        double worst = 0;
        for (int i = 0; i < 150; ++i)
            worst = std::max(worst, vertex_face_error(vertex_face_case(random, kind)));
        EXPECT_LT(worst, kind == 9 ? 1e-12 : 1e-14) << "kind " << kind;
    }
}

TEST(distance, edge_edge_agrees_with_a_search) {
    for (int kind = 0; kind <= 8; ++kind) {
        Random random(2000 + kind);
        double worst = 0;
        for (int i = 0; i < 150; ++i)
            worst = std::max(worst, edge_edge_error(edge_edge_case(random, kind)));
        EXPECT_LT(worst, 1e-12) << "kind " << kind;
    }
}

TEST(distance, vertex_face_regions) {
    const Vec3 a = {0, 0, 0}, b = {4, 0, 0}, c = {0, 4, 0};
    struct Case {
        Vec3 p;
        FaceRegion region;
        Vec3 weights;
        double squared;
    };
    const std::vector<Case> cases = {
        {{1, 1, 3}, FaceRegion::interior, {0.5, 0.25, 0.25}, 9},
        {{1, 1, -3}, FaceRegion::interior, {0.5, 0.25, 0.25}, 9},
        {{1, -2, 0}, FaceRegion::edge01, {0.75, 0.25, 0}, 4},
        {{3, 3, 1}, FaceRegion::edge12, {0, 0.5, 0.5}, 3},
        {{-1, 3, 2}, FaceRegion::edge20, {0.25, 0, 0.75}, 5},
        {{-1, -1, 0}, FaceRegion::vertex0, {1, 0, 0}, 2},
        {{6, -1, 0}, FaceRegion::vertex1, {0, 1, 0}, 5},
        {{-1, 7, 1}, FaceRegion::vertex2, {0, 0, 1}, 11},
    };
    for (const Case& test : cases) {
        const VertexFaceDistance d = vertex_face_distance(test.p, a, b, c);
        EXPECT_EQ(d.region, test.region);
        EXPECT_NEAR(norm(d.weights - test.weights), 0, 1e-15);
        EXPECT_NEAR(d.squared, test.squared, 1e-14);
    }
}

TEST(distance, edge_edge_regions) {
    const Vec3 a0 = {-1, 0, 0}, a1 = {1, 0, 0};
    const EdgeEdgeDistance crossing = edge_edge_distance(a0, a1, {0, -1, 2}, {0, 3, 2});
    EXPECT_TRUE(crossing.s_interior && crossing.t_interior);
    EXPECT_DOUBLE_EQ(crossing.s, 0.5);
    EXPECT_DOUBLE_EQ(crossing.t, 0.25);
    EXPECT_DOUBLE_EQ(crossing.squared, 4);

    const EdgeEdgeDistance above = edge_edge_distance(a0, a1, {0.5, 1, 0}, {0.5, 2, 0});
    EXPECT_TRUE(above.s_interior && !above.t_interior);
    EXPECT_DOUBLE_EQ(above.s, 0.75);
    EXPECT_EQ(above.t, 0);
    EXPECT_DOUBLE_EQ(above.squared, 1);

    const EdgeEdgeDistance beyond = edge_edge_distance(a0, a1, {4, 4, 0}, {5, 5, 0});
    EXPECT_TRUE(!beyond.s_interior && !beyond.t_interior);
    EXPECT_EQ(beyond.s, 1);
    EXPECT_EQ(beyond.t, 0);
    EXPECT_DOUBLE_EQ(beyond.squared, 25);
}
