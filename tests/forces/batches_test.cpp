// ElementBatches: every element once; batches that run at the same time share no particle.
#include "muslin/forces/batches.h"

#include "forces/cloth.h"

#include <atomic>
#include <set>

namespace muslin::test {
namespace {

struct Elements {
    std::vector<int> corners;
    int arity, particles;
};

void check(const Elements& e) {
    const ElementBatches batches(e.corners, e.arity, e.particles);
    const int count = static_cast<int>(e.corners.size()) / e.arity;
    const int batch_count = (count + ElementBatches::batch_size - 1) / ElementBatches::batch_size;

    std::vector<int> seen(count, 0); // each batch is run by one thread: no two write one place
    std::atomic<int> calls = 0;
    batches.for_each([&](int first, int last) {
        EXPECT_EQ(first % ElementBatches::batch_size, 0);
        EXPECT_GT(last, first);
        EXPECT_LE(last - first, ElementBatches::batch_size);
        for (int i = first; i < last; ++i)
            ++seen[i];
        ++calls;
    });
    EXPECT_EQ(calls, batch_count);
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), count);

    std::set<int> all;
    for (int c = 0; c < batches.colours(); ++c) {
        EXPECT_FALSE(batches.colour(c).empty());
        std::vector<int> owner(e.particles, -1); // the batch of this colour at each particle
        for (int b : batches.colour(c)) {
            EXPECT_TRUE(all.insert(b).second);
            const int first = b * ElementBatches::batch_size;
            const int last = std::min(first + ElementBatches::batch_size, count);
            for (int k = first * e.arity; k < last * e.arity; ++k) {
                const int p = e.corners[k];
                EXPECT_TRUE(owner[p] == -1 || owner[p] == b)
                    << "colour " << c << ", particle " << p;
                owner[p] = b;
            }
        }
    }
    EXPECT_EQ(static_cast<int>(all.size()), batch_count);
}

/// Triangles around one vertex.
Elements fan(int triangles) {
    Elements e = {{}, 3, triangles + 1};
    for (int t = 0; t < triangles; ++t)
        e.corners.insert(e.corners.end(), {0, 1 + t, 1 + (t + 1) % triangles});
    return e;
}

TEST(ElementBatches, CoversTheElementsOfASheet) {
    for (int vertices : {16, 40, 700, 5000}) {
        const Sheet sheet = irregular_sheet(vertices, 2);
        Elements triangles = {{}, 3, sheet.particles()}, hinges = {{}, 4, sheet.particles()};
        for (const auto& t : sheet.model.dynamics.triangles)
            triangles.corners.insert(triangles.corners.end(), t.begin(), t.end());
        for (const Hinge& h : sheet.model.dynamics.hinges)
            hinges.corners.insert(hinges.corners.end(), h.v.begin(), h.v.end());
        check(triangles);
        check(hinges);
    }
}

TEST(ElementBatches, AFanAtOneVertexRunsOneBatchAtATime) {
    for (int triangles : {63, 64, 65, 64 * 63, 64 * 64, 64 * 65, 10000}) {
        const Elements e = fan(triangles);
        check(e);
        const ElementBatches batches(e.corners, e.arity, e.particles);
        EXPECT_EQ(batches.colours(), (triangles + 63) / 64);
    }
}

TEST(ElementBatches, TwoFansRunSideBySide) {
    Elements e = fan(10000);
    const Elements other = fan(10000);
    for (int p : other.corners)
        e.corners.push_back(p + e.particles);
    e.particles *= 2;
    check(e);
}

TEST(ElementBatches, RandomElementsThatShareManyParticles) {
    Random random(3);
    for (int particles : {4, 50, 3000}) {
        Elements e = {{}, 4, particles};
        for (int k = 0; k < 4 * 6000; ++k)
            e.corners.push_back(random.index(particles));
        check(e);
    }
}

TEST(ElementBatches, NoElementsAtAll) {
    const ElementBatches none, empty({}, 3, 10);
    EXPECT_EQ(none.colours(), 0);
    EXPECT_EQ(empty.colours(), 0);
    for (const ElementBatches* batches : {&none, &empty})
        batches->for_each([](int, int) { ADD_FAILURE(); });
}

} // namespace
} // namespace muslin::test
