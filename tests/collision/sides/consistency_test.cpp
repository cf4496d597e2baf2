// On which side of each other features belong [Volino95 4.3].

#include "muslin/collision/sides/consistency.h"

#include "muslin/collision/detect/proximity_detector.h"

#include <gtest/gtest.h>

namespace {

using namespace muslin;

// A triangle in the plane y = 0 (points 3, 4, 5) and one (0, 1, 2) that hangs above by its other
// corners while its point 0 goes where a test takes it.
class TwoTriangles : public testing::Test {
protected:
    static constexpr double thickness = 0.1;

    TwoTriangles() { set({}); }

    void set(ConsistencySettings settings) {
        settings_ = settings;
        consistency_ = std::make_unique<Consistency>(surfaces_, detector_.adjacency(), settings);
    }

    static Model make_model() {
        Model model;
        model.mass.assign(6, 1.0);
        model.dynamics.triangles = model.collision.triangles = {{0, 1, 2}, {3, 5, 4}};
        model.dynamics.pattern.assign(2, {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}});
        model.collision.thickness.assign(6, thickness);
        model.collision.friction.assign(6, 0.3);
        return model;
    }

    static std::vector<Vec3> at(const Vec3& tip) {
        return {tip, {-1, 3, -1}, {-1.2, 3, -0.8}, {0, 0, 0}, {3, 0, 0}, {0, 0, 3}};
    }

    // One step of the tip from where it is, 0.01 s long; `corrected` is where it is put.
    void go(const Vec3& to, const Vec3* corrected = nullptr) {
        const auto begin = at(tip_), end = at(to), final = at(corrected ? *corrected : to);
        time_ += 0.01;
        detector_.find_all(end, thickness, near_, crossing_);
        consistency_->orient({begin, end, sides_, time_}, near_, crossing_, contacts_);
        std::vector<RememberedSide> sides;
        consistency_->remember(end, final, sides);
        sides_ = sides;
        tip_ = corrected ? *corrected : to;
    }

    // The contact of the tip with the triangle below, if it has one.
    const OrientedContact* tip_contact() const {
        for (const OrientedContact& c : contacts_)
            if (!c.contact.edges && c.contact.points[0] == 0 && c.contact.second == 1 &&
                c.contact.weights[3] != 0)
                return &c;
        return nullptr;
    }

    Model model_ = make_model();
    Surfaces surfaces_{model_};
    ProximityDetector detector_{surfaces_};
    ConsistencySettings settings_;
    std::unique_ptr<Consistency> consistency_;
    std::vector<Proximity> near_;
    std::vector<Interference> crossing_;
    std::vector<OrientedContact> contacts_;
    std::vector<RememberedSide> sides_;
    Vec3 tip_ = {0.5, 0.5, 0.5};
    double time_ = 0;
};

TEST_F(TwoTriangles, ANewPairBelongsWhereItIsUnlessItCrossedInTheStep) {
    go({0.5, 0.15, 0.5});
    ASSERT_TRUE(tip_contact());
    EXPECT_FALSE(tip_contact()->wrong);
    EXPECT_GT(tip_contact()->contact.normal.y, 0.99);

    sides_.clear();
    tip_ = {0.5, 0.4, 0.5};
    go({0.5, -0.05, 0.5}); // through, in one step
    ASSERT_TRUE(tip_contact());
    EXPECT_TRUE(tip_contact()->wrong);
    EXPECT_GT(tip_contact()->contact.normal.y, 0.99);
    EXPECT_LT(tip_contact()->contact.gap(at(tip_)), 0);
}

TEST_F(TwoTriangles, ASideIsRememberedFarFromThePlane) {
    for (int k = 0; k < 5; ++k)
        go({0.5, 0.12, 0.5});
    go({0.5, -0.12, 0.5});
    go({0.5, -0.6, 0.5}); // out of notice
    ASSERT_TRUE(tip_contact()) << "drawn back all the same";
    EXPECT_TRUE(tip_contact()->wrong);
    EXPECT_GT(tip_contact()->contact.normal.y, 0.99);
    go({0.5, -0.1, 0.5});
    ASSERT_TRUE(tip_contact());
    EXPECT_TRUE(tip_contact()->wrong);
    go({0.5, 0.1, 0.5});
    ASSERT_TRUE(tip_contact());
    EXPECT_FALSE(tip_contact()->wrong) << "back where it belongs";
}

TEST_F(TwoTriangles, GoingAroundABoundaryIsNoCrossing) {
    // Over the edge x = 0 and under the triangle: the way bends around the edge.
    go({0.3, 0.12, 0.8});
    ASSERT_TRUE(tip_contact());
    for (double x = 0.2; x > -0.3; x -= 0.05)
        go({x, 0.12, 0.8});
    for (double y = 0.1; y > -0.12; y -= 0.04)
        go({-0.3, y, 0.8});
    for (double x = -0.25; x < 0.3; x += 0.05)
        go({x, -0.12, 0.8});
    ASSERT_TRUE(tip_contact());
    EXPECT_FALSE(tip_contact()->wrong);
    EXPECT_LT(tip_contact()->contact.normal.y, -0.99);
}

TEST_F(TwoTriangles, MemoryEnds) {
    go({0.5, 0.12, 0.5});
    EXPECT_EQ(sides_.size(), 1u);
    go({0.5, 0.5, 0.5});
    EXPECT_EQ(sides_.size(), 1u) << "a remnant";
    for (int k = 0; k < 12; ++k) // 0.12 s, more than the 0.1 s of memory
        go({0.5, 0.5, 0.5});
    EXPECT_TRUE(sides_.empty());
}

TEST_F(TwoTriangles, ACorrectionThatCrossesIsTrackedToo) {
    go({0.5, 0.12, 0.5});
    const Vec3 thrown = {0.5, -0.05, 0.5};
    go({0.5, 0.1, 0.5}, &thrown);
    go(thrown);
    ASSERT_TRUE(tip_contact());
    EXPECT_TRUE(tip_contact()->wrong);
}

TEST_F(TwoTriangles, WithoutConsistencyAllIsRightAsItIs) {
    set({.enabled = false});
    go({0.5, 0.12, 0.5});
    go({0.5, -0.05, 0.5});
    ASSERT_TRUE(tip_contact());
    EXPECT_FALSE(tip_contact()->wrong);
    EXPECT_LT(tip_contact()->contact.normal.y, -0.99);
    EXPECT_TRUE(sides_.empty());
}

// Two grids of n x n points, the second one above.
struct Layers {
    static constexpr int n = 8;
    Model model;
    std::vector<Vec3> positions;

    Layers() {
        for (const double y : {0.0, 0.12})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    positions.push_back({i + (y > 0 ? 0.3 : 0.0), y, j + (y > 0 ? 0.4 : 0.0)});
        for (int layer = 0; layer < 2; ++layer)
            for (int i = 0; i + 1 < n; ++i)
                for (int j = 0; j + 1 < n; ++j) {
                    const int a = (layer * n + i) * n + j;
                    model.collision.triangles.push_back({a, a + 1, a + n});
                    model.collision.triangles.push_back({a + 1, a + n + 1, a + n});
                }
        model.dynamics.triangles = model.collision.triangles;
        model.dynamics.pattern.assign(model.dynamics.triangles.size(),
                                      {Vec2{0, 0}, Vec2{1, 0}, Vec2{0, 1}});
        model.mass.assign(positions.size(), 1.0);
        model.collision.thickness.assign(positions.size(), 0.1);
        model.collision.friction.assign(positions.size(), 0.3);
    }
};

// What is remembered of the layers after some steps in which nothing moves.
std::vector<RememberedSide> history_of(const Layers& layers, ProximityDetector& detector,
                                       Consistency& consistency) {
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    std::vector<OrientedContact> contacts;
    std::vector<RememberedSide> sides, next;
    for (int k = 0; k < 20; ++k) {
        detector.find_all(layers.positions, 0.1, near, crossing);
        EXPECT_TRUE(crossing.empty());
        consistency.orient({layers.positions, layers.positions, sides, 0.01 * k}, near, crossing,
                           contacts);
        consistency.remember(layers.positions, layers.positions, next);
        sides = next;
    }
    return sides;
}

TEST(Consistency, TheMajorityOfARegionDecides) {
    Layers layers;
    const int low = Layers::n * Layers::n + 3 * Layers::n + 3; // one of the upper layer
    const Surfaces surfaces(layers.model);
    ProximityDetector detector(surfaces);
    Consistency consistency(surfaces, detector.adjacency(), {});
    // One pair alone has a memory: that of the one which will be through.
    std::vector<RememberedSide> sides = history_of(layers, detector, consistency);
    std::erase_if(sides, [&](const RememberedSide& side) {
        return side.pair >> 62 != std::uint64_t(ProximityKind::vertex_triangle) ||
               int(side.pair >> 31 & 0x7fffffff) != low;
    });
    ASSERT_EQ(sides.size(), 1u);
    layers.positions[low].y = -0.08;
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    detector.find_all(layers.positions, 0.1, near, crossing);
    ASSERT_GT(crossing.size(), 3u);
    std::vector<OrientedContact> contacts;
    consistency.orient({layers.positions, layers.positions, sides, 0.2}, near, crossing, contacts);
    EXPECT_EQ(consistency.regions(), 1) << "one place where they cross";
    EXPECT_GT(consistency.turned(), 0) << "pairs without a memory";
    int of_the_low_one = 0;
    for (const auto& [c, wrong] : contacts) {
        const bool first_is_upper = c.points[0] >= Layers::n * Layers::n;
        EXPECT_GT(c.normal.y * (first_is_upper ? 1 : -1), 0) << "the upper layer belongs above";
        if (c.points[0] == low && wrong)
            ++of_the_low_one;
    }
    EXPECT_GT(of_the_low_one, 0);
    // Nobody remembers: nothing is drawn back.
    consistency.orient({layers.positions, layers.positions, {}, 0.2}, near, crossing, contacts);
    EXPECT_EQ(consistency.turned(), 0);
    for (const auto& [c, wrong] : contacts)
        EXPECT_FALSE(wrong);
    for (const std::int8_t side : consistency.crossing_sides())
        EXPECT_EQ(side, 0);
}

TEST(Consistency, HistoryOutvotesTheMajorityOfNow) {
    // Most of the upper layer is below, one part is where it was: memory knows that it belongs
    // above.
    Layers layers;
    const Surfaces surfaces(layers.model);
    ProximityDetector detector(surfaces);
    std::vector<Proximity> near;
    std::vector<Interference> crossing;
    std::vector<OrientedContact> contacts;
    Consistency consistency(surfaces, detector.adjacency(), {});
    const std::vector<RememberedSide> sides = history_of(layers, detector, consistency);
    for (int i = 0; i < Layers::n; ++i)
        for (int j = 0; j < Layers::n; ++j)
            if (i > 1)
                layers.positions[(Layers::n + i) * Layers::n + j].y = -0.12;
    detector.find_all(layers.positions, 0.1, near, crossing);
    ASSERT_FALSE(crossing.empty());
    consistency.orient({layers.positions, layers.positions, sides, 0.2}, near, crossing, contacts);
    int wrong_ones = 0;
    for (const auto& [c, wrong] : contacts) {
        const bool first_is_upper = c.points[0] >= Layers::n * Layers::n;
        EXPECT_GT(c.normal.y * (first_is_upper ? 1 : -1), 0);
        wrong_ones += wrong;
    }
    EXPECT_GT(wrong_ones, 40);
}

} // namespace
